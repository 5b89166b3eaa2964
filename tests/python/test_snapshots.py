# SPDX-License-Identifier: MIT
"""Snapshots as arrays: what is written is read, and files of other layouts give what they hold."""
import sys

import numpy as np
import pytest
from refusals import refused

import g6gpu

h5py = pytest.importorskip("h5py")


@pytest.fixture
def bodies():
    """Two of each type from 1 to 3, in no order."""
    rng = np.random.default_rng(1)
    return g6gpu.Bodies(rng.random(6), rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), 0.1, 10 + np.arange(6),
                        [3, 1, 2, 1, 3, 2])  # fmt: skip


def assert_equal(found, wanted):
    for name in ("mass", "x", "v", "time"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name), name)


def test_hdf5_keeps_each_bit_numbers_and_types(tmp_path, bodies):
    g6gpu.write(tmp_path / "a.HDF5", bodies)
    found, order = g6gpu.read(tmp_path / "a.HDF5"), np.argsort(bodies.type, kind="stable")
    assert_equal(found, bodies[order])
    np.testing.assert_array_equal(found.id, [11, 13, 12, 15, 10, 14])
    np.testing.assert_array_equal(found.type, [1, 1, 2, 2, 3, 3])
    assert found.header["NumPart_Total"].tolist() == [0, 2, 2, 2, 0, 0]
    assert repr(found[:2]) == "<g6gpu.Bodies: 2 bodies at t = 0.1>"


@pytest.mark.parametrize("wrong", [-1, 0.5, 2.0**64])
def test_numbers_that_a_file_cannot_hold_are_refused(tmp_path, bodies, wrong):
    bodies.id = np.array([0, 1, 2, 3, 4, wrong])
    refused(ValueError, "id has a value that is no integer from 0 to 2\\*\\*64 - 1", g6gpu.write, tmp_path / "a.hdf5", bodies)


@pytest.mark.parametrize("kind", [float, np.float64, np.array])
def test_a_table_keeps_each_bit_and_the_time(tmp_path, bodies, kind):
    bodies.time = kind(0.1)
    g6gpu.write(tmp_path / "a.txt", bodies)
    assert_equal(g6gpu.read(str(tmp_path / "a.txt")), bodies)


@pytest.mark.parametrize("id, kept", [("18446744073709551615", 2**64 - 1), ("4.2e+01", 42), ("-1", 0), ("Sirius", 0), ("1.5", 0)])
def test_whole_numbers_of_a_column_are_kept(tmp_path, id, kept):
    (tmp_path / "a.csv").write_text(f"id,m,x,y,z,vx,vy,vz\n{id},1,2,3,4,5,6,7\n")
    assert g6gpu.read(tmp_path / "a.csv").id.tolist() == [kept]


@pytest.mark.parametrize("head", ["", "\n", "# a cluster\n#\n", "# m x y z vx vy vz\n#\n\n"])
def test_empty_lines_and_comments_say_nothing(tmp_path, head):
    (tmp_path / "a.txt").write_text(f"{head}1 2 3 4 5 6 7\n")
    assert g6gpu.read(tmp_path / "a.txt").mass.tolist() == [1]


def write_part(path, kind, own_time=None, **header):
    counts = np.zeros(6, int)
    counts[kind] = 1
    with h5py.File(path, "w") as file:
        file.create_group("Header").attrs.update({"NumPart_ThisFile": counts, "Time": 0.5, "MassTable": [0, 3.0, 0, 0, 0, 0],
                                                  "BoxSize": 8.0, **header})  # fmt: skip
        group = file.create_group(f"PartType{kind}")
        group["Coordinates"], group["Velocities"], group["Masses"] = [[5.0, 4, 4]], [[2.0, 0, 0]], [7.0]
        if own_time is not None:
            group["Acceleration"], group["Jerk"], group["OwnTime"] = [[4.0, 0, 0]], [[8.0, 0, 0]], [own_time]
            group["Position"] = [[1.0, 0, 0]]


def test_several_files_with_a_box_and_a_mass_table(tmp_path):
    for k, kind in enumerate((1, 4)):
        write_part(tmp_path / f"a.{k}.hdf5", kind, NumFilesPerSnapshot=2)
    found = g6gpu.read(tmp_path / "a.0.hdf5")
    assert found.mass.tolist() == [3, 7] and found.type.tolist() == [1, 4]
    assert found.x.tolist() == [[1, 0, 0]] * 2  # from the middle of the box
    assert found.id.tolist() == [0, 1], "bodies without numbers are counted through all types"
    with h5py.File(tmp_path / "a.1.hdf5", "a") as file:
        file["PartType4/ParticleIDs"] = np.array([2**60 + 1], np.uint64)
    assert g6gpu.read(tmp_path / "a.0.hdf5").id.tolist() == [0, 2**60 + 1], "a float64 would round the number"
    with h5py.File(tmp_path / "a.1.hdf5", "a") as file:
        del file["PartType4/ParticleIDs"]
        file["PartType4/ParticleIDs"] = [1, 2]
    refused(ValueError, r"PartType4/ParticleIDs: its size is \(2,\), expected \(1,\)", g6gpu.read, tmp_path / "a.0.hdf5")


def test_bodies_with_times_of_their_own_are_predicted(tmp_path):
    """dt 1/4: x = 1 + 2/4 + 4/32 + 8/384, v = 2 + 4/4 + 8/32."""
    write_part(tmp_path / "a.hdf5", 1, own_time=0.25)
    found = g6gpu.read(tmp_path / "a.hdf5")
    np.testing.assert_allclose(found.x[0, 0], 1.625 + 8 / 384, rtol=1e-15)
    assert found.v[0, 0] == 3.25


def test_an_expanding_universe_keeps_its_header_and_box(tmp_path):
    cosmos = dict(Omega0=0.3, OmegaLambda=0.7, HubbleParam=0.7, Redshift=1.0, Time=0.5)
    write_part(tmp_path / "a.hdf5", 1, **cosmos)
    found = g6gpu.read(tmp_path / "a.hdf5")
    g6gpu.write(tmp_path / "b.hdf5", found)
    copy = g6gpu.read(tmp_path / "b.hdf5")
    assert_equal(copy, found)
    assert {name: copy.header[name] for name in cosmos} == cosmos and copy.header["BoxSize"] == 8


def test_units_are_kept_and_those_of_g6run_where_there_are_none(tmp_path, bodies):
    """1 pc, 1 Msun and G make 65.58 m/s: sqrt(1.3271244e20 m^3/s^2 / 3.0856776e16 m)."""
    g6gpu.write(tmp_path / "a.hdf5", bodies)
    units = g6gpu.read(tmp_path / "a.hdf5").units
    assert units["Description"].startswith("N-body units")
    np.testing.assert_allclose(units["UnitVelocity_in_cm_per_s"], 100 * np.sqrt(1.3271244e20 / 3.0856775814913673e16))
    write_part(tmp_path / "b.hdf5", 1)
    with h5py.File(tmp_path / "b.hdf5", "a") as file:
        file.create_group("Parameters").attrs.update(UnitLength_in_cm=3.0, UnitMass_in_g=2.0, UnitVelocity_in_cm_per_s=1.0, MaxMemSize=5)
    g6gpu.write(tmp_path / "c.hdf5", g6gpu.read(tmp_path / "b.hdf5"))
    with h5py.File(tmp_path / "c.hdf5") as file:
        assert dict(file["Units"].attrs) == dict(UnitLength_in_cm=3, UnitMass_in_g=2, UnitVelocity_in_cm_per_s=1)


@pytest.mark.parametrize("header, names", [
    (dict(UnitLength_in_cm=3.0, UnitMass_in_g=2.0, UnitVelocity_in_cm_per_s=1.0), "m[2.0g] x[3.0cm] y z vx[1.0cm/s] vy vz"),
    ({}, "m[?] x[?] y z vx[?] vy vz")])  # fmt: skip
def test_a_table_of_bodies_in_other_units_names_them(tmp_path, header, names):
    write_part(tmp_path / "a.hdf5", 1, **header)
    g6gpu.write(tmp_path / "a.txt", g6gpu.read(tmp_path / "a.hdf5"))
    assert (tmp_path / "a.txt").read_text().splitlines()[1] == f"# {names}"
    copy = g6gpu.read(tmp_path / "a.txt")
    assert copy.header and not copy.units, "run() asks for the units"
    g6gpu.write(tmp_path / "b.txt", copy)
    assert "m[?]" in (tmp_path / "b.txt").read_text()


NAMES = ("UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s")
SWIFT_UNITS = {"Unit length in cgs (U_L)": 3.0, "Unit mass in cgs (U_M)": 2.0, "Unit time in cgs (U_t)": 4.0}


@pytest.mark.parametrize("header, groups", [
    ({}, dict(Parameters=dict(zip(NAMES, (3.0, 2.0, 1.0)), GravityConstantInternal=0.5, ComovingIntegrationOn=0))),
    (dict(zip(NAMES, (3.0, 2.0, 1.0))), {}),
    (dict(UnitLength_In_CGS=3.0, UnitMass_In_CGS=2.0, UnitVelocity_In_CGS=1.0, Gravitational_Constant_In_Code_Inits=0.5), {}),
    (dict(Redshift=1.0), dict(Parameters=dict(ComovingIntegrationOn=1, Omega0=0.3, OmegaLambda=0.7, HubbleParam=0.7))),
    ({"Redshift": 1.0, "Time": 0.01, "Scale-factor": 0.5},
     {"Units": SWIFT_UNITS, "Cosmology": {"Cosmological run": 1, "Omega_m": 0.3, "Omega_lambda": 0.7, "h": 0.7},
      "PhysicalConstants/CGS": {"newton_G": 6e-8}}),
    ({}, {}),
], ids=["Gadget-4", "AREPO", "GIZMO", "Gadget-4 in an expanding universe", "SWIFT", "GADGET-2"])  # fmt: skip
def test_a_copy_tells_the_gravity_and_cosmology_of_its_file(tmp_path, header, groups):
    from g6gpu.g6plot import told

    def tells(path):
        quantities = {quantity for quantity, _, _ in told.rows()} - {"omega_lambda", "hubble", "redshift", "omega_matter"}
        with h5py.File(path) as file:
            found = [told.told(file, quantity) for quantity in sorted(quantities)], told.scale_factor(file)
            return found + tuple(told.told(file, name) for name in ("omega_matter", "omega_lambda", "hubble") if found[1])

    write_part(tmp_path / "a.hdf5", 1, **header)
    with h5py.File(tmp_path / "a.hdf5", "a") as file:
        for name, attributes in groups.items():
            file.require_group(name).attrs.update(attributes)
    bodies = g6gpu.read(tmp_path / "a.hdf5")
    g6gpu.write(tmp_path / "b.hdf5", bodies[:])
    assert tells(tmp_path / "b.hdf5") == tells(tmp_path / "a.hdf5")
    copy = g6gpu.read(tmp_path / "b.hdf5")
    assert_equal(copy, bodies)
    if copy.units:
        copy.units = dict(zip(NAMES, (6.0, 2.0, 1.0)))  # others, and no group has the former ones
        g6gpu.write(tmp_path / "c.hdf5", copy)
        with h5py.File(tmp_path / "c.hdf5") as file:
            assert told.told(file, "length_over_h") == 6 and not any(name.startswith("Unit") for name in file["Header"].attrs)


def test_what_cannot_be_read_is_said(tmp_path, monkeypatch):
    refused(FileNotFoundError, "", g6gpu.read, tmp_path / "none.hdf5")
    refused(ValueError, "is a folder", g6gpu.read, tmp_path)
    (tmp_path / "a.txt").write_text("1 2 3\n")
    refused(ValueError, "a.txt.*3 columns", g6gpu.read, tmp_path / "a.txt")
    monkeypatch.setitem(sys.modules, "h5py", None)
    refused(ImportError, "a snapshot needs h5py .*: pip install h5py", g6gpu.read, tmp_path / "a.txt")


def test_what_are_no_bodies_is_refused(tmp_path):
    x = np.zeros((2, 3))
    for mass, v, more, message in (([1.0], x, {}, "mass"), ([1.0, 1], x[:1], {}, "v has shape"),
                                   (1.0, x, dict(id=[1]), "id has shape"), (1.0, x, dict(type=[1, 6]), "type has 6"),
                                   (1.0, x, dict(type=[-1, 0]), "type has -1"), (1.0, x, dict(type=[1, 0.5]), "type has 0.5")):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            g6gpu.write(tmp_path / "a.hdf5", g6gpu.Bodies(mass, x, v, **more))
    refused(TypeError, r"\(mass, x, v\), three arrays and not 2", g6gpu.write, tmp_path / "a.hdf5", np.zeros((2, 7)))


def test_bodies_go_into_a_cluster():
    """Mass 4 at the distance 2 from the other: acc 1."""
    bodies = g6gpu.Bodies([4.0, 0], [[2.0, 0, 0], [0, 0, 0]], np.zeros((2, 3)))
    with g6gpu.Cluster(backend="cpu") as cluster:
        cluster.set_particles(*bodies)
        np.testing.assert_allclose(cluster.acceleration().acc[1], [1, 0, 0], rtol=1e-6)
