# SPDX-License-Identifier: MIT
"""The calls by their names: which there are, what they take and refuse."""
import inspect
import re

import numpy as np
import pytest
from refusals import refused
from sums import DOUBLE, assert_close, cluster_of_stars, force

import g6gpu
from g6gpu._header import prototypes
from g6gpu._library import HEADER


def test_every_call_that_python_can_make_is_there():
    """All names of g6lib.h but those in Fortran style and those with structures, functions or results in text."""
    text = re.sub(r"/\*.*?\*/|^#[^\n]*", "", HEADER.split("sapporo 2's form")[0], flags=re.S | re.M)
    names = set(re.findall(r"G6_API[^;()]*?(\w+)\(", text))
    left_out = {n for n in names if n.endswith("_")} | {
        "g6_set_log", "g6_parallel", "g6_option_row", "g6_get_option", "g6_get_stats", "g6_get_backend_info", "g6_get_device_info",
    }  # fmt: skip
    calls = {name for name in g6gpu.calls.__all__ if not name.startswith("G6_")}
    assert calls == names - left_out and len(calls) > 80
    assert g6gpu.G6_LIST_OVERFLOW == 1 and g6gpu.G6_ERR_INTERNAL == -6


def test_help_has_the_header_s_text():
    text = inspect.getdoc(g6gpu.g6_set_j_particle)
    assert text.startswith("Writes one j-particle") and "@param aby2 acceleration / 2" in text
    assert str(inspect.signature(g6gpu.g6_set_ti)) == "(id, ti, /)"


def test_a_session_as_in_c():
    n = 12
    mass, x, v = cluster_of_stars(n)
    index = np.arange(n, dtype=np.int32)
    zero = np.zeros(3)
    assert g6gpu.g6_npipes() == 48 and g6gpu.g6_open(3) == 0
    try:
        g6gpu.g6_set_option(3, "precision", "double")
        for k in range(n):
            g6gpu.g6_set_j_particle(3, k, index[k], 0.0, 0.125, mass[k], zero, zero, zero, v[k], x[k])
        g6gpu.g6_set_ti(3, 0)
        h2 = np.full(n, 100.0)
        acc, jerk, pot, nearest = np.empty((n, 3)), np.empty((n, 3)), np.empty(n), np.empty(n, np.int32)
        assert g6gpu.g6calc_firsthalf(3, n, n, index, x, v, None, None, None, 0.01, h2) is None
        assert g6gpu.g6calc_lasthalf2(3, n, n, index, x, v, 0.01, h2, acc, jerk, pot, nearest) == 0
        expected, scales = force(mass, x, v, x, v, 0.01, index, index)
        for found, k in ((acc, 0), (jerk, 1), (pot, 2)):
            assert_close(found, expected[k], scales[k], DOUBLE, str(k))
        assert nearest.tolist() == expected[3].tolist()
        assert g6gpu.g6_read_neighbour_list(3) == 0
        length, entries = np.zeros(1, np.int32), np.zeros(n, np.int32)
        assert g6gpu.g6_get_neighbour_list(3, 0, n, length, entries) == 0
        assert entries[: length[0]].tolist() == list(range(1, n))
        assert g6gpu.g6_get_neighbour_list(3, 0, 4, length, entries) == g6gpu.G6_LIST_OVERFLOW and length[0] == 4
        # Softening of each i-particle's own: eps2 has as many rows only with bit 0 of mode unset.
        for eps2, mode in ((np.full(1, 0.01), 1), (np.full(n, 0.01), 0)):
            g6gpu.g6calc_firsthalf0(3, n, n, index, x, v, None, None, None, eps2, None, mode)
            g6gpu.g6calc_lasthalf0(3, n, n, index, x, v, eps2, None, acc, jerk, pot, mode)
            assert_close(acc, expected[0], scales[0], DOUBLE, "acc")
        with pytest.raises(ValueError, match="eps2 has 1 numbers, but the call uses 12"):
            g6gpu.g6calc_firsthalf0(3, n, n, index, x, v, None, None, None, np.full(1, 0.01), None, 0)
        assert g6gpu.g6_backend_name(3) == "cpu"
        assert g6gpu.g6_devices_for(3, n, n) == 1 and g6gpu.g6_getnjmax(3) > n
        assert g6gpu.g6_changed_index(3) == -1, "a result, no status"
        wrong = (3, 0, 0, 0.0, 0.0, float("nan"), zero, zero, zero, zero, zero)
        assert refused(g6gpu.Error, "NaN or infinite", g6gpu.g6_set_j_particle, *wrong).status == g6gpu.G6_ERR_ARGUMENT
        assert "NaN" in g6gpu.g6_last_error() and g6gpu.g6_status_text(-1) == "bad argument"
        refused(g6gpu.Error, "unknown setting", g6gpu.g6_set_option, 3, "a" + 60 * "é", "")
        assert "aéé" in g6gpu.g6_last_error(), "a value that is cut inside of a letter"
    finally:
        g6gpu.g6_set_option(3, "precision", "mixed")  # the library keeps the settings of an id
        g6gpu.g6_close(3)


@pytest.mark.parametrize("change, error, text", [
    (dict(x=np.zeros((4, 3), np.float32)), TypeError, "x must be a NumPy array of float64, not float32"),
    (dict(x=[[0, 0, 0]] * 4), TypeError, "not list"),
    (dict(index=np.arange(4)), TypeError, "index must be a NumPy array of int32, not int64"),
    (dict(x=np.zeros((3, 3))), ValueError, "x has 9 numbers, but the call uses 12"),
    (dict(x=np.asfortranarray(np.zeros((4, 3)))), ValueError, "C-contiguous"),
    (dict(id=2**32), OverflowError, "does not fit"),
    (dict(n=4.0), TypeError, r"g6_set_j_particles\(\): n must be one int, not float"),
])  # fmt: skip
def test_what_c_would_misread_is_refused(change, error, text):
    good = dict(id=0, n=4, address=None, index=np.arange(4, dtype=np.int32), t=None, mass=np.ones(4), k18=None,
                j6=None, a2=None, v=None, x=np.zeros((4, 3)))  # fmt: skip
    g6gpu.g6_set_j_particles(*good.values())
    refused(error, text, g6gpu.g6_set_j_particles, *{**good, **change}.values())
    refused(TypeError, "takes 11 arguments", g6gpu.g6_set_j_particles, 0, 4)
    refused(TypeError, r"takes 1 argument \(id\), not 0", g6gpu.g6_open)
    refused(TypeError, r"g6_set_ti\(\): ti must be one double, not ndarray", g6gpu.g6_set_ti, 0, np.zeros(3))
    g6gpu.g6_close(0)


def test_arrays_are_read_and_written_where_they_are():
    """No copies: writable results, and read-only input."""
    x = np.zeros((2, 3))
    x[1, 0] = 2
    x.flags.writeable = False
    g6gpu.g6_open(5)
    g6gpu.g6_set_j_particles(5, 2, None, None, None, np.array([0.0, 4.0]), None, None, None, None, x)
    found = np.full((3, 3), 7.0), np.full((3, 3), 7.0)
    g6gpu.g6_predict(5, 2, *found)
    assert (found[0][:2] == x).all() and (found[0][2] == 7).all() and (found[1][:2] == 0).all()
    g6gpu.g6_close(5)


# What g6lib.h says that a call writes, by the names of the parameters.
WRITTEN = {
    r"g6calc_lasthalf.*": {"acc", "jerk", "pot", "nnbindex", "rnnb"},
    r"g6_get_force(_etc)?(_all)?": {"acc", "jerk", "phi", "nnbindex", "flag"},
    r"g6_get_neighbour_list(_all)?": {"nblen", "nbl"},
    r"g6_predict|g6_get_predicted_j_particles(_all)?": {"x", "v"},
    r"get_j_part_data": {"x", "v", "acc", "jerk", "px", "pv"},
}


@pytest.mark.parametrize("name, arrays, arguments", [
    (name, [p.name for p in parameters if p.is_array], parameters)
    for name, _, parameters, _ in prototypes(HEADER) if any(p.is_array for p in parameters)
])  # fmt: skip
def test_read_only_arrays_are_read_and_never_written(name, arrays, arguments):
    """Each array of each call in turn is read-only memory: a write there would change bytes or end the process."""
    types = {"double": float, "int": np.int32, "float": np.float32}
    written = set().union(*(names for form, names in WRITTEN.items() if re.fullmatch(form, name)))
    cluster = g6gpu.Cluster()
    cluster.set_particles(1.0, np.eye(3))
    for chosen in arrays:
        values = []
        for p in arguments:
            scalar = {"id": cluster.id, "ni": 1, "nj": 1, "n": 1, "maxlength": 1, "nmax": 1, "ngpu": 1}.get(p.name, 0)
            array = np.zeros((3, 3) if p.width == 3 else 9, types[p.type]) if p.is_array else None
            if p.name == chosen:
                array = np.frombuffer(array.tobytes(), types[p.type]).reshape(array.shape)
            values.append(array if p.is_array else types[p.type](scalar) if p.type == "double" else scalar)
        call = getattr(g6gpu, name)
        if chosen in written:
            refused(ValueError, rf"{name}\(\): {chosen} is written by the call, but .* read-only", call, *values)
        else:
            call(*values)
        assert not values[[p.name for p in arguments].index(chosen)].any()
    cluster.close()
    if name.endswith("_all"):
        g6gpu.g6_close_all()
