# SPDX-License-Identifier: MIT
"""What NumPy drops without a word is refused: units and masks.  And what a cluster's own particles mean."""
import logging

import numpy as np
import pytest
from refusals import refused
from sums import DOUBLE, assert_force, cluster_of_stars, force

import g6gpu


class Quantity(np.ndarray):
    """An array with a unit, as that of astropy: np.asarray() gives its numbers without the unit."""

    attribute = "unit"

    def __new__(cls, values, unit="km"):
        array = np.asarray(values, float).view(cls)
        setattr(array, cls.attribute, unit)
        return array

    def __array_finalize__(self, whole):
        setattr(self, self.attribute, getattr(whole, self.attribute, None))


class SimArray(Quantity):
    """As the arrays of unyt, pint and pynbody."""

    attribute = "units"


def quantities():
    """How packages attach a unit to values.  Those that are installed are tried, too."""
    yield "unit", Quantity
    yield "units", SimArray
    try:
        import astropy.units

        yield "astropy", lambda values: values * astropy.units.km
    except ImportError:
        pass
    try:
        import unyt

        yield "unyt", lambda values: unyt.unyt_array(values, "km")
    except ImportError:
        pass


@pytest.fixture
def pair():
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(1.0, np.eye(3)[:2])
        yield cluster


@pytest.mark.parametrize("with_unit", [q[1] for q in quantities()], ids=[q[0] for q in quantities()])
def test_units_are_refused_and_nothing_changes(with_unit, pair):
    x = np.eye(3)[:2]
    pot = pair.acceleration().pot
    q, one, scalar = with_unit(x), with_unit(np.ones(2)), with_unit(1.0)
    for name, call in {
        "mass": lambda: pair.set_particles(one, x),
        "x": lambda: pair.set_particles(1.0, q),
        "v": lambda: pair.set_particles(1.0, x, q),
        "t": lambda: pair.set_particles(1.0, x, t=one),
        "a2": lambda: pair.update([0, 1], 1.0, x, a2=q),
        "eps2": lambda: pair.acceleration(eps2=scalar),
        "h2": lambda: pair.acceleration(h2=one),
        "aold": lambda: pair.acceleration(aold=q),
    }.items():
        refused(TypeError, f"{name} has the unit km, .* plain numbers in units with G = 1", call)
    for n in (2, 300):
        refused(TypeError, "has the unit km", pair.acceleration, with_unit(np.zeros((n, 3))))
    refused(TypeError, "", pair.acceleration, [q[0], q[1]])  # astropy refuses some lists in words of its own
    refused(TypeError, "one double, not", g6gpu.g6_set_ti, pair.id, scalar)
    refused(TypeError, "x must be a NumPy array of float64, not", g6gpu.g6_predict, pair.id, 2, with_unit(np.zeros((2, 3))), None)
    assert (pair.acceleration().pot == pot).all()


@pytest.mark.parametrize("unit", [None, "", "dimensionless"])
def test_numbers_that_carry_no_unit_are_taken(unit, pair):
    x = [[0.0, 0, 0], [0, 0, 1]]
    expected = pair.acceleration(x)
    for form in (Quantity(x, unit), SimArray(x, unit), np.ma.array(x), np.ma.array(x, mask=np.zeros((2, 3)))):
        assert (pair.acceleration(form).acc == expected.acc).all()


def test_masked_values_are_refused(pair):
    masked = np.ma.array(np.eye(3)[:2], mask=[[0, 0, 1], [0, 0, 0]])
    for call in (lambda: pair.set_particles(1.0, masked), lambda: pair.acceleration(masked)):
        refused(TypeError, "x has masked values", call)


def test_own_particles_that_are_passed_as_points_are_told_once(caplog):
    """Two of the points are particles, which then feel themselves in the potential; the sums leave none out."""
    mass, x, v = cluster_of_stars(50)
    points = np.concatenate([x[[7, 31]] + [[0, 0, 1], [0, 0, 0]], x[[12]]])
    expected, scales = force(mass, x, v, points, 0 * points, 0.01, np.arange(50), np.full(3, -1))
    with caplog.at_level(logging.WARNING, "g6gpu"), g6gpu.Cluster(precision="double") as cluster:
        cluster.acceleration(x)  # there are no particles yet
        cluster.set_particles(mass, x, v)
        cluster.acceleration(eps2=0.01)
        cluster.acceleration(x, v, index=np.arange(50), eps2=0.01)
        assert caplog.text == "", "each is left out of its own sum"
        for _ in range(2):
            assert_force(cluster.acceleration(points, eps2=0.01), expected, scales, DOUBLE)
    assert len(caplog.messages) == 1
    assert "x[1] is the place of particle 31, which it feels; for own particles pass their index" in caplog.messages[0]


def test_a_field_at_other_points_is_no_reason_to_warn(caplog):
    """Points of a lattice share coordinates with particles, and no place."""
    x = np.stack(np.meshgrid(*3 * [np.arange(5.0)]), axis=-1).reshape(-1, 3)
    with caplog.at_level(logging.WARNING, "g6gpu"), g6gpu.Cluster() as cluster:
        cluster.set_particles(1.0, x)
        cluster.acceleration(x + [0, 0, 0.5])
    assert caplog.text == ""


def test_a_caller_s_index_is_copied():
    """The caller's array changes after the call; the particles keep the index that they got."""
    mass, x, v = cluster_of_stars(20)
    index = np.arange(20, dtype=np.int32) + 5
    expected, scales = force(mass, x, v, x, v, 0.01, np.arange(20) + 5, np.arange(20) + 5)
    with g6gpu.Cluster(precision="double") as cluster:
        cluster.set_particles(mass, x, v, index=index)
        index[:] = 0
        assert_force(cluster.acceleration(eps2=0.01), expected, scales, DOUBLE)
        cluster.update([3], mass[3], x[[3]], v[[3]])
        assert_force(cluster.acceleration(eps2=0.01), expected, scales, DOUBLE)
