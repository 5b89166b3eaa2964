# SPDX-License-Identifier: MIT
"""Forces, nearest neighbours and neighbour lists beside sums in long double."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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


def test_points_without_index_feel_all_particles():
    mass, x, v = cluster_of_stars(30)
    expected, scales = force(mass, x, v, x, 0 * v, 0.01, np.arange(30), np.full(30, -1))
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(mass, x, v)
        assert_force(cluster.acceleration(x, eps2=0.01), expected, scales, DOUBLE)


def test_predictor():
    """x + v s + a2 s^2 + j6 s^3 + 3/4 k18 s^4, and its derivative, with s = t - tj."""
    n = 20
    mass, x, v = cluster_of_stars(n)
    a2, j6, k18 = np.random.default_rng(5).normal(size=(3, n, 3))
    tj = np.linspace(0, 0.25, n)
    s = (np.longdouble(0.5) - tj)[:, None]
    xp = x + v * s + a2 * s**2 + j6 * s**3 + 0.75 * k18 * s**4
    vp = v + 2 * a2 * s + 3 * j6 * s**2 + 3 * k18 * s**3
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(mass, x, v, t=tj, a2=a2, j6=j6, k18=k18)
        found = cluster.predict(0.5)
        assert_close(found[0], xp, 10, 1e-15, "x")
        assert_close(found[1], vp, 10, 1e-15, "v")
        expected, scales = force(mass, xp, vp, xp, vp, 0, np.arange(n), np.arange(n))
        assert_force(cluster.acceleration(), expected, scales, 1e-11)  # r is a difference of rounded xp
        assert_force(cluster.acceleration(t=0.5), expected, scales, 1e-11)


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
        cluster.acceleration()
        with pytest.raises(g6gpu.Error, match="had no h2"):
            cluster.neighbours()


def test_modes():
    n = 700
    mass, x, v = cluster_of_stars(n)
    expected, scales = force(mass, x, v, x, v, 1e-2, np.arange(n), np.arange(n))
    with g6gpu.Cluster(mode="treeonly", precision="double") as cluster:
        cluster.set_particles(mass, x, v)
        found = cluster.acceleration(eps2=1e-2)
        assert_close(found.acc, expected[0], scales[0], DOUBLE, "acc")
        assert_close(found.pot, expected[2], scales[2], DOUBLE, "pot")
        assert not found.jerk.any() and (found.nearest == -1).all()
        # theta 0 opens every cell: a direct sum.  A wider angle is near it, and not the same.
        cluster.set(mode="treewalk", theta=0, direct=0)
        assert_force(cluster.acceleration(eps2=1e-2), expected, scales, DOUBLE)
        cluster.set(theta=0.6, multipole=2)
        found = cluster.acceleration(eps2=1e-2)
        assert_close(found.acc, expected[0], scales[0], 0.01, "acc")
        assert abs(found.acc - expected[0]).max() > 1e-9
        # Cells that are opened by each particle's own acceleration.
        cluster.set(mac="acceleration", theta=0.3)
        found = cluster.acceleration(eps2=1e-2, aold=found.acc)
        assert_close(found.acc, expected[0], scales[0], 0.01, "acc")


def test_changed_settings_hold_for_the_same_block():
    mass, x, v = cluster_of_stars(64)
    expected, scales = force(mass, x, v, x, v, 0, np.arange(64), np.arange(64))
    with g6gpu.Cluster(precision="mixed") as cluster:
        cluster.set_particles(mass, x, v)
        assert_force(cluster.acceleration(), expected, scales, MIXED)
        cluster.set(precision="double")
        assert_force(cluster.acceleration(), expected, scales, DOUBLE)
        # A block that a call by name has started is not the one that is asked for here.
        index, zeros = np.arange(64, dtype=np.int32), np.zeros((64, 3))
        g6gpu.g6calc_firsthalf(cluster.id, 64, 64, index, zeros, zeros, None, None, None, 0.5, None)
        assert_force(cluster.acceleration(), expected, scales, DOUBLE)
        g6gpu.g6_set_option(cluster.id, "mode", "treeonly")
        assert not cluster.acceleration().jerk.any()


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
        with pytest.raises(ValueError, match="nearest"):
            cluster.acceleration(out=without)
        for wrong in (first.acc[:-1], first.acc.astype(np.float32), np.asfortranarray(first.acc), None):
            with pytest.raises(ValueError, match="out: acc"):
                cluster.acceleration(out=first._replace(acc=wrong))


def test_update_moves_particles_and_keeps_their_index():
    mass, x, v = cluster_of_stars(40)
    index = np.arange(40) + 100
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(mass, x, v, index=index)
        moved = np.array([39, 0, 7])
        x[moved] += 0.5
        mass[moved] *= 2
        cluster.update(moved, mass[moved], x[moved], v[moved], t=0.0)
        expected, scales = force(mass, x, v, x, v, 0, index, index)
        assert_force(cluster.acceleration(), expected, scales, DOUBLE)
        cluster.set_particles(1 / 40, x)
        index = np.arange(40)
        cluster.update([3], 1 / 40, [[0.0, 0.0, 9.0]])
        x[3] = 0, 0, 9
        expected, scales = force(np.full(40, 1 / 40), x, 0 * v, x, 0 * v, 0, index, index)
        assert_force(cluster.acceleration(), expected, scales, DOUBLE)
        for address in ([-1], [40]):
            with pytest.raises(ValueError, match="0 ... 39"):
                cluster.update(address, 1.0, [[0, 0, 0]])
