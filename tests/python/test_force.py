# SPDX-License-Identifier: MIT
"""Forces, nearest neighbours and neighbour lists beside sums in long double."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from sums import DOUBLE, MIXED, assert_close, assert_force, cluster_of_stars, force

import g6gpu


# Arrays with the same values in other forms.
FORMS = {
    "plain": lambda a: a.astype(np.float64),
    "read-only": lambda a: np.frombuffer(a.astype(np.float64).tobytes()).reshape(a.shape),
    "fortran": lambda a: np.asfortranarray(a.astype(np.float64)),
    "strided": lambda a: np.repeat(a.astype(np.float64), 2, 0)[::2],
    "unaligned": lambda a: np.frombuffer(b"x" + a.astype(np.float64).tobytes(), np.float64, offset=1).reshape(a.shape),
    "swapped": lambda a: a.astype(">f8"),
    "float32": lambda a: a.astype(np.float32),
}


@pytest.mark.parametrize("precision, tolerance", [("double", DOUBLE), ("mixed", MIXED)])
@pytest.mark.parametrize("n", [1, 2, 16, 255, 256, 257, 600])
def test_own_particles(n, precision, tolerance):
    mass, x, v = cluster_of_stars(n)
    index = np.arange(n)
    expected, scales = force(mass, x, v, x, v, 1e-3, index, index)
    with g6gpu.Cluster(precision=precision) as cluster:
        cluster.set_particles(mass, x, v)
        for found in (cluster.acceleration(eps2=1e-3), cluster.acceleration(x, v, eps2=1e-3, index=index)):
            assert_force(found, expected, scales, tolerance)
            assert [a.shape for a in found] == [(n, 3), (n, 3), (n,), (n,)]


@settings(max_examples=60, deadline=None)
@given(data=st.data(), nj=st.integers(0, 40), ni=st.integers(0, 40), eps2=st.sampled_from([0.0, 1e-4, 1.0]))
def test_any_arrays(data, nj, ni, eps2):
    """Lists, other types, orders and strides give what float64 arrays give; identities are any int32."""
    mass, x, v = (a.astype(np.float32).astype(float) for a in cluster_of_stars(nj, seed=nj))
    xi, vi = np.random.default_rng(ni).normal(size=(2, ni, 3)).astype(np.float32)
    numbers = st.integers(-(2**31) + 1, 2**31 - 1) | st.integers(-2, 3)
    j_index = np.array(data.draw(st.lists(numbers, min_size=nj, max_size=nj)), np.int64)
    i_index = np.array(data.draw(st.lists(numbers, min_size=ni, max_size=ni)), np.int64)
    as_list = data.draw(st.booleans())
    form = FORMS[data.draw(st.sampled_from(sorted(FORMS)))]
    expected, scales = force(mass, x, v, xi, vi, eps2, j_index, i_index) if nj else (None, None)
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(mass.tolist() if as_list else form(mass), form(x), form(v), index=j_index)
        found = cluster.acceleration(form(xi), form(vi), eps2=eps2, index=i_index)
        if nj:
            assert_force(found, expected, scales, DOUBLE)
        else:
            assert not found.acc.any() and not found.pot.any() and (found.nearest == -1).all()


@pytest.mark.parametrize("form", sorted(FORMS))
def test_any_arrays_of_a_large_block(form):
    n, form = 300, FORMS[form]
    mass, x, v = (a.astype(np.float32).astype(float) for a in cluster_of_stars(n))
    expected, scales = force(mass, x, v, x, v, 0.01, np.arange(n), np.arange(n))
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(form(mass), form(x), form(v))
        found = cluster.acceleration(form(x), form(v), eps2=0.01, index=np.repeat(np.arange(n, dtype=np.int32), 2)[::2])
        assert_force(found, expected, scales, DOUBLE)


def test_the_time_of_a_call_moves_the_particles():
    """With all terms of the predictor, in own forces, forces at points and predictions."""
    n = 30
    mass, x, v = cluster_of_stars(n)
    index, tj = np.arange(n), np.linspace(-0.5, 0.5, n)
    a2, j6, k18 = np.random.default_rng(2).normal(size=(3, n, 3)) / 8
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(mass, x, v, t=tj, a2=a2, j6=j6, k18=k18)
        for t in (0.25, -0.25, 0.25):
            s = (np.longdouble(t) - tj)[:, None]
            xt = x + s * (v + s * (a2 + s * (j6 + 0.75 * s * k18)))
            vt = v + s * (2 * a2 + s * (3 * j6 + 3 * s * k18))
            for xi, vi, i, arguments in ((xt, vt, index, {}), (x, v, index - n, dict(x=x, v=v, index=index - n))):
                expected, scales = force(mass, xt, vt, xi, vi, 0.01, index, i)
                assert_force(cluster.acceleration(t=t, eps2=0.01, **arguments), expected, scales, DOUBLE)
                assert_force(cluster.acceleration(eps2=0.01, **arguments), expected, scales, DOUBLE)
            for found, right in zip(cluster.predict(t), (xt, vt)):
                assert_close(found, right, 10, 1e-15, "prediction")


@pytest.mark.parametrize("n", [3, 50, 400])
def test_neighbour_lists(n):
    mass, x, v = cluster_of_stars(n)
    index = 7 * np.arange(n)[::-1]
    h2 = np.linspace(0, 4, n)
    r2 = ((x[None] - x[:, None]) ** 2).sum(-1)
    inside = (r2 + 0.01 < h2[:, None]) & ~np.eye(n, dtype=bool)
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(mass, x, v, index=index)
        cluster.acceleration(h2=h2, eps2=0.01)
        offsets, entries = cluster.neighbours()
        lists = np.split(entries, offsets[1:-1])
        assert [a.tolist() for a in lists] == [sorted(index[row]) for row in inside]
        # One radius for all; all neighbours of each: longer than the first guess of the room.
        cluster.acceleration(h2=1e6)
        offsets, entries = cluster.neighbours()
        assert len(entries) == n * (n - 1) and offsets.tolist() == list(range(0, n * (n - 1) + 1, n - 1))
        for mode, h2 in (("hermite", None), ("treeonly", 1e6)):
            cluster.set(mode=mode)
            cluster.acceleration(h2=h2)
            refused(g6gpu.Error, "but not in mode treeonly", cluster.neighbours)


def test_old_accelerations_reach_the_walk():
    """A small one opens every cell: a direct sum.  A large one opens few: near it, and not the same."""
    n = 700
    mass, x, v = cluster_of_stars(n)
    expected, scales = force(mass, x, v, x, v, 1e-2, np.arange(n), np.arange(n))
    with g6gpu.Cluster(mode="treewalk", direct=0, mac="acceleration", theta=0.6, precision="double") as cluster:
        cluster.set_particles(mass, x, v)
        assert_force(cluster.acceleration(eps2=1e-2, aold=np.full((n, 3), 1e-12)), expected, scales, DOUBLE)
        found = cluster.acceleration(eps2=1e-2, aold=np.full((n, 3), 100.0))
        assert_close(found.acc, expected[0], scales[0], 0.05, "acc")
        assert abs(found.acc - expected[0]).max() > 1e-9


@pytest.mark.parametrize("n", [16, 300])
def test_out_receives_the_results(n):
    mass, x, v = cluster_of_stars(n)
    with g6gpu.Cluster() as cluster:
        cluster.set_particles(mass, x, v)
        first = cluster.acceleration(eps2=1)
        kept = [a.copy() for a in first]
        again = cluster.acceleration(eps2=0.5)
        assert all((a == b).all() for a, b in zip(first, kept)), "a later call changed an earlier result"
        for _ in range(2):
            assert cluster.acceleration(eps2=0.5, out=first) is first
            assert all((a == b).all() for a, b in zip(first, again))
        without = cluster.acceleration(eps2=0.5, nearest=False)
        assert without.nearest is None and (without.acc == again.acc).all() and (without.pot == again.pot).all()
        assert cluster.acceleration(eps2=0.25, nearest=False, out=without) is without
        refused(ValueError, "nearest", cluster.acceleration, out=without)
        for wrong in (first.acc[:-1], first.acc.astype(np.float32), np.asfortranarray(first.acc), None):
            refused(ValueError, "out: acc", cluster.acceleration, out=first._replace(acc=wrong))
        refused(ValueError, "memory of its own", cluster.acceleration, out=first._replace(jerk=first.acc))


def test_softenings_of_own_particles():
    mass, x, v = cluster_of_stars(60)
    index = np.arange(60)
    with g6gpu.Cluster(backend="cpu", precision="double") as cluster:
        cluster.set_particles(mass, x, v)
        for own in (np.where(index < 20, 0.25, 0.01), index % 5 / 16, np.full(60, 0.5), np.zeros(60)):
            cluster.set_softening(own)
            expected, scales = force(mass, x, v, x, v, own[None, :] + 0.125, index, index)
            assert_force(cluster.acceleration(eps2=0.125), expected, scales, DOUBLE)
        cluster.set_softening(0.5)
        expected, scales = force(mass, x, v, x, v, 0.625, index, index)
        assert_force(cluster.acceleration(eps2=0.125), expected, scales, DOUBLE)
        for wrong in (-1.0, np.nan, np.arange(60.0)):
            refused(g6gpu.Error, "", cluster.set_softening, wrong)
        refused(ValueError, "", cluster.set_softening, np.zeros(59))
        assert_force(cluster.acceleration(eps2=0.125), expected, scales, DOUBLE)
