# SPDX-License-Identifier: MIT
"""Any order of calls on two objects: after each call the answers are those of sums in long double over a model.

The model holds what the documentation promises to keep: particles with the terms of their predictor, their index, the
time, settings, and the lists of the last block.  Calls that must be refused come between the others.
"""
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from sums import DOUBLE, assert_close, force

import g6gpu

TERMS = ("x", "v", "a2", "j6", "k18")
NUMBERS = st.integers(-3, 3) | st.integers(-(2**31) + 1, 2**31 - 1)
COUNTS = st.sampled_from([3, 1, 4, 7, 12, 257, 0])
TIMES = st.sampled_from([0.0, 0.125, 0.5, -0.25])
SOFTENINGS = st.sampled_from([0.0, 1e-4, 0.25])
SEEDS = st.integers(0, 2**20)


class Model:
    """One object, and what it must know."""

    def __init__(self):
        self.cluster = g6gpu.Cluster(precision="double", mode="hermite")
        self.time = 0.0
        self.mode = "hermite"
        self.forget()
        self.resize(0, None)

    def forget(self):
        self.lists = None  # of the last block with radii

    def resize(self, n, index):
        self.mass, self.t = np.zeros(n), np.zeros(n)
        self.terms = {name: np.zeros((n, 3)) for name in TERMS}
        self.index = np.arange(n) if index is None else np.array(index, np.int64)
        self.whole = True

    def predicted(self, time):
        """x and v in long double."""
        s = (np.longdouble(time) - self.t)[:, None]
        x, v, a2, j6, k18 = (np.asarray(self.terms[name], np.longdouble) for name in TERMS)
        return x + s * (v + s * (a2 + s * (j6 + 0.75 * s * k18))), v + s * (2 * a2 + s * (3 * j6 + 3 * s * k18))


def close_numbers(n, seed, scale=1.0):
    """Multiples of scale / 8.  At times that are multiples of 1/8 the library predicts them without rounding, and r^2
    has no rounding: bodies that share a place, and equal distances, are the same in long double.
    """
    return np.random.default_rng(seed).integers(-16, 17, (n, 3)) / 8 * scale


class Calls(RuleBasedStateMachine):
    models = Bundle("models")

    def __init__(self):
        super().__init__()
        self.opened = []

    @initialize(target=models)
    def first(self):
        return self.open()

    @initialize(target=models)
    def second(self):
        return self.open()

    def open(self):
        model = Model()
        self.opened.append(model)
        self.write(model, 5, 1, 63, [4, 3, 2, 1, 4])
        return model

    def teardown(self):
        for model in self.opened:
            model.cluster.close()

    # ---- particles -------------------------------------------------------------------------------------------
    def draw_particles(self, n, seed, with_terms):
        """Arguments of set_particles() and update(); some are numbers or left out."""
        given = {"x": close_numbers(n, seed)}
        for k, name in enumerate(TERMS[1:]):
            if with_terms & (1 << k):
                given[name] = close_numbers(n, seed + k + 1, 0.25)
        mass = np.random.default_rng(seed).integers(0, 9, n) / 8 if with_terms & 16 else 0.5
        t = np.random.default_rng(seed + 9).integers(0, 3, n) / 8 if with_terms & 32 else None
        return mass, t, given

    def store(self, model, places, mass, t, given):
        model.mass[places] = mass
        model.t[places] = 0 if t is None else t
        for name in TERMS:
            model.terms[name][places] = given.get(name, 0)

    @rule(model=models, n=COUNTS, seed=SEEDS, with_terms=st.integers(0, 63), data=st.data())
    def set_particles(self, model, n, seed, with_terms, data):
        index = None
        if data.draw(st.booleans(), "with index"):
            index = np.array([data.draw(NUMBERS) for _ in range(min(n, 3))] + list(range(7, 4 + n)), np.int32)[:n]
        self.write(model, n, seed, with_terms, index)

    def write(self, model, n, seed, with_terms, index):
        mass, t, given = self.draw_particles(n, seed, with_terms)
        model.resize(n, index)
        self.store(model, slice(None), mass, t, given)
        x = given.pop("x")
        model.cluster.set_particles(mass, x, t=t, index=index, **given)
        for array in (x, mass, index, *given.values()):  # the library has a copy
            if isinstance(array, np.ndarray):
                array[...] = 77
        assert len(model.cluster) == n

    @rule(model=models, seed=SEEDS, with_terms=st.integers(0, 63), data=st.data())
    def update(self, model, seed, with_terms, data):
        n = len(model.mass)
        if n == 0 or not model.whole:
            return
        places = data.draw(st.lists(st.integers(0, n - 1), max_size=4, unique=True), "places")
        mass, t, given = self.draw_particles(len(places), seed, with_terms)
        self.store(model, places, mass, t, given)
        x = given.pop("x")
        model.cluster.update(places, mass, x, t=t, **given)

    @rule(model=models, refused=st.sampled_from(["set_particles", "update"]), repaired=st.booleans())
    def particles_that_are_no_numbers(self, model, refused, repaired):
        if refused == "update" and (len(model.mass) < 2 or not model.whole):
            return
        x = np.array([[1.0, 2, 3], [np.nan, 0, 0]])
        with pytest.raises(g6gpu.Error, match="NaN"):
            model.cluster.update([0, 1], 1.0, x) if refused == "update" else model.cluster.set_particles(1.0, x)
        model.whole = False
        for wrong in (dict(x=np.zeros((2, 2))), dict(x=np.zeros((1, 3)), v=np.zeros((2, 3)))):
            with pytest.raises(ValueError, match="shape"):
                model.cluster.set_particles(1.0, **wrong)
        with pytest.raises(g6gpu.Error, match="call set_particles"):
            model.cluster.acceleration(np.zeros((1, 3)))
        if repaired:
            self.write(model, 5, 2, 63, None)

    # ---- time and settings -----------------------------------------------------------------------------------
    @rule(model=models, time=TIMES, by_name=st.booleans())
    def go_to(self, model, time, by_name):
        """By predict(), or by the call g6_set_ti() behind the object's back."""
        if by_name:
            g6gpu.g6_set_ti(model.cluster.id, time)
            model.time = time
        elif model.whole:
            x, v = model.cluster.predict(time)
            model.time = time
            expected = model.predicted(time)
            for k, (found, right) in enumerate(zip((x, v), expected)):
                assert_close(found, right, 100, 1e-15, "xv"[k])

    @rule(model=models, mode=st.sampled_from(["hermite", "treeonly", "treewalk"]), threads=st.integers(1, 2))
    def set(self, model, mode, threads):
        """theta 0 opens every cell of a tree: its sums are direct ones, to rounding."""
        model.cluster.set(mode=mode, threads=threads, theta=0, direct=0)
        model.mode = mode

    @rule(model=models, backend=st.sampled_from(["cpu", "auto", "none such"]))
    def set_backend(self, model, backend):
        if backend == "none such":
            with pytest.raises(g6gpu.Error):
                model.cluster.set(backend=backend)
        else:
            model.cluster.set(backend="cpu")
            model.forget()

    # ---- forces ----------------------------------------------------------------------------------------------
    BLOCK = dict(
        model=models,
        eps2=SOFTENINGS,
        time=st.none() | TIMES,
        nearest=st.booleans(),
        radius=st.sampled_from([None, 0.0, 1.0, "each"]),
        between=st.sampled_from([None, "nothing", "out", "set", "by name"]),
    )

    @rule(**BLOCK)
    def own_force(self, model, time, **given):
        if model.whole:
            model.time = model.time if time is None else time
            self.block(model, model.predicted(model.time), model.index, dict(t=time), **given)

    @rule(**BLOCK, n=COUNTS, seed=SEEDS, moving=st.booleans(), first=st.none() | st.tuples(NUMBERS, NUMBERS))
    def force_at_points(self, model, n, seed, moving, first, time, **given):
        """first: the index of the first points, which others follow; None: points without index."""
        if model.whole:
            model.time = model.time if time is None else time
            x, v = close_numbers(n, seed), close_numbers(n, seed + 1, 0.25) if moving else None
            index = None if first is None else np.array([*first, *range(n)], np.int64)[:n]
            places = x, np.zeros((n, 3)) if v is None else v
            self.block(model, places, index, dict(t=time, x=x, v=v, index=index), **given)

    def block(self, model, places, index, given, eps2, nearest, radius, between):
        """One call, and, with `between`, another with the same arguments after something has happened, or with out."""
        xj, vj = model.predicted(model.time)
        xi, vi = places
        n = len(xi)
        given.update(eps2=eps2, nearest=nearest)
        h2 = np.arange(n) / 8 + 1 / 16 if radius == "each" else radius
        i_index = np.full(n, -(2**31)) if index is None else index
        found = model.cluster.acceleration(h2=h2, **given)
        self.compare(model, found, (xj, vj, xi, vi), i_index, eps2, nearest)
        if between:
            if between == "set":
                self.set(model, "treeonly" if model.mode == "hermite" else "hermite", 1)
            elif between == "by name":
                self.block_by_name(model, n)
            kept = [None if a is None else a.copy() for a in found]
            other = model.cluster.acceleration(h2=h2, **given, out=found if between == "out" else None)
            assert (other is found) == (between == "out")
            self.compare(model, other, (xj, vj, xi, vi), i_index, eps2, nearest)
            assert between == "out" or all(np.array_equal(a, b) for a, b in zip(found[:3], kept))
        model.forget()
        if h2 is not None:
            model.lists = self.lists_of(model, xj, xi, i_index, eps2, np.broadcast_to(h2, n))

    @staticmethod
    def compare(model, found, places, i_index, eps2, nearest):
        xj, vj, xi, vi = places
        n = len(xi)
        assert [a.shape for a in found[:3]] == [(n, 3), (n, 3), (n,)] and (found.nearest is None) == (not nearest)
        none = model.mode == "treeonly"
        if none:
            assert not found.jerk.any() and (not nearest or (found.nearest == -1).all())
        if len(xj) == 0 or n == 0:
            assert not found.acc.any() and not found.pot.any() and (not nearest or (found.nearest == -1).all())
            return
        expected, scales = force(model.mass, xj, vj, xi, vi, eps2, model.index, i_index)
        for k, name in enumerate(("acc", "jerk", "pot")):
            if not (none and name == "jerk"):
                assert_close(getattr(found, name), expected[k], scales[k] + np.finfo(float).tiny, DOUBLE, name)
        if nearest and not none:
            assert found.nearest.tolist() == expected[3].tolist()

    @staticmethod
    def lists_of(model, xj, xi, i_index, eps2, h2):
        r2 = ((xj[None] - np.asarray(xi)[:, None]) ** 2).sum(-1)
        inside = (r2 + np.longdouble(eps2) < h2[:, None]) & (i_index[:, None] != model.index[None])
        return [sorted(model.index[row].tolist()) for row in (inside if model.mode != "treeonly" else inside & False)]

    @rule(model=models, wrong=st.sampled_from(["nan", "eps2", "shape", "index"]), n=st.sampled_from([1, 3, 300]))
    def refused_block(self, model, wrong, n):
        x = np.zeros((n, 3))
        error = g6gpu.Error
        given = {}
        if wrong == "nan":
            x[n // 2] = np.nan
        elif wrong == "eps2":
            given["eps2"] = float("inf")
        elif wrong == "shape":
            x, error = x[:, :2], ValueError
        else:
            given["index"], error = np.zeros(n), TypeError
        with pytest.raises(error if model.whole else g6gpu.Error):
            model.cluster.acceleration(x, **given)
        if error is g6gpu.Error and model.whole:
            model.forget()
            self.neighbours(model)

    @rule(model=models, n=st.integers(0, 3))
    def block_by_name(self, model, n):
        """Another block is started behind the object's back, and nobody collects it."""
        x = close_numbers(n, 1) + 5
        index = np.full(n, -1, np.int32)
        g6gpu.g6calc_firsthalf(model.cluster.id, len(model.cluster), n, index, x, x, None, None, None, 1.0, None)
        model.lists = "by name"

    @rule(model=models)
    def neighbours(self, model):
        if isinstance(model.lists, str):
            return
        if model.lists is None:
            with pytest.raises(g6gpu.Error, match="no neighbour lists"):
                model.cluster.neighbours()
            return
        offsets, entries = model.cluster.neighbours()
        n = len(model.lists)
        assert offsets[0] == 0 and len(offsets) == n + 1 and offsets[-1] == len(entries)
        assert [a.tolist() for a in np.split(entries, offsets[1:-1])][:n] == model.lists

    @rule(model=models)
    def close_and_open(self, model):
        """The id's settings are those of the environment; precision and mode are set by the model."""
        model.cluster.close()
        with pytest.raises(g6gpu.Error, match="closed"):
            model.cluster.acceleration(np.zeros((1, 3)))
        self.opened.remove(model)
        model.__init__()
        self.opened.append(model)

    @invariant()
    def each_knows_its_particles(self):
        for model in self.opened:
            assert len(model.cluster) == (len(model.mass) if model.whole else 0)


Calls.TestCase.settings = settings(
    max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
test_any_order_of_calls = Calls.TestCase
