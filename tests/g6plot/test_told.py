# SPDX-License-Identifier: MIT
"""Headers of other programs: times, units, boxes, and what is refused."""
import math
import os
import unittest
import warnings

import files
import h5py
import numpy as np
from g6plot import snapshot, told, units
from g6plot.problem import Problem

KPC, MASS, SPEED = 3.085678e21, 1.989e43, 1e5  # as Gadget's parameter files have them


def write(path, header, groups=()):
    """A snapshot of two particles.  header: its attributes.  groups: {name: attributes}."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with h5py.File(path, "w") as file:
        file.create_group("Header").attrs.update(dict(NumPart_ThisFile=[0, 2, 0, 0, 0, 0, 0], **header))
        for name, attributes in dict(groups).items():
            file.require_group(name).attrs.update(attributes)
        file["PartType1/Coordinates"] = [[10.0, 20, 30], [40, 50, 60]]
        file["PartType1/Masses"] = [1.0, 2.0]
    return path


def of_gadget(length=KPC, mass=MASS, speed=SPEED):
    return dict(UnitLength_in_cm=length, UnitMass_in_g=mass, UnitVelocity_in_cm_per_s=speed)


def of_swift(length=KPC, mass=MASS, time=KPC / SPEED):
    return {"Unit length in cgs (U_L)": [length], "Unit mass in cgs (U_M)": [mass], "Unit time in cgs (U_t)": [time]}


COSMOLOGY = dict(Omega0=0.3, OmegaLambda=0.7, HubbleParam=0.5)


class Families(files.InFolder):
    def setUp(self):
        super().setUp()
        scope = warnings.catch_warnings()
        scope.__enter__()
        self.addCleanup(scope.__exit__, None, None, None)
        warnings.simplefilter("error")  # as NumPy's of arrays that are taken for numbers

    def header(self, header, groups=()):
        return snapshot.read_header(write(self.path("s.hdf5"), header, groups))

    def test_units_and_redshifts_of_each_family(self):
        # Lengths of 3 kpc, over h except in SWIFT's files; kpc where a file has no units.
        expands, parts = dict(Time=0.1, Redshift=9.0), dict(Omega_Matter=0.3, Omega_Lambda=0.7, HubbleParam=0.5)
        gizmo = dict(UnitLength_In_CGS=3 * KPC, UnitMass_In_CGS=MASS, UnitVelocity_In_CGS=SPEED)
        swift = {"Cosmological run": [1], "Omega_m": [0.3], "Omega_lambda": [0.7], "h": [0.5]}
        for header, groups, length in ((dict(COSMOLOGY, **expands), {}, 2e3 * units.PC),
                                       (dict(COSMOLOGY, **expands, **of_gadget(3 * KPC)), {}, 6 * KPC),
                                       (expands, dict(Parameters=dict(COSMOLOGY, ComovingIntegrationOn=1, **of_gadget(3 * KPC))), 6 * KPC),
                                       (dict(expands, **parts, **gizmo), {}, 6 * KPC),
                                       ({"Time": [0.013], "Redshift": [9.0], "Scale-factor": [0.1]},
                                        {"Cosmology": swift, "Units": of_swift(3 * KPC)}, 3 * KPC)):
            found = self.header(header, groups)
            self.assertAlmostEqual(found.redshift, 9, delta=1e-12)
            self.assertAlmostEqual(found.units.length / length, 1, delta=1e-9)
            self.assertEqual((found.omega_matter, found.omega_lambda), (0.3, 0.7))

    def test_a_number_is_no_list(self):
        for wrong in ([0.25, 0.5], []):
            self.refused("Time: one number expected, not", self.header, dict(COSMOLOGY, Time=np.array(wrong)))

    def test_what_does_not_expand_has_a_time(self):
        for header, groups in ((dict(Time=0.25, Redshift=0.0), dict(Parameters=dict(ComovingIntegrationOn=0, **of_gadget()))),
                               (dict(Time=[0.25], Redshift=[0.0], **{"Scale-factor": [1.0]}),
                                {"Cosmology": {"Cosmological run": [0]}, "Units": of_swift()})):
            found = self.header(header, groups)
            self.assertIsNone(found.redshift)
            # 0.25 kpc/(km/s) are 0.25 * 977.79 Myr.
            self.assertEqual(found.when(), "t = 244.4 Myr")
            self.assertEqual(found.units.length_scale(1)[1], "kpc")

    def test_at_redshift_0_a_cosmology_tells_that_it_expands(self):
        self.assertEqual(self.header(dict(COSMOLOGY, Time=1.0, Redshift=0.0)).redshift, 0)
        self.assertIsNone(self.header(dict(COSMOLOGY, Omega0=0.0, Time=1.0, Redshift=0.0)).redshift)

    def test_units_with_another_gravity_stand_for_none(self):
        def lengths(gravity):
            parameters = dict(of_gadget(1.0, 1.0, 1.0), GravityConstantInternal=gravity)
            return self.header(dict(Time=0.0), dict(Parameters=parameters)).units.length

        self.assertIsNone(lengths(1.0))
        self.assertEqual(lengths(0.0), 1)
        self.assertEqual(lengths(6.672e-8), 1)

    def test_a_box_has_one_side_or_three(self):
        self.assertEqual(self.header(dict(BoxSize=[20.0, 40, 60])).sides, [20, 40, 60])
        np.testing.assert_array_equal(snapshot.read(self.path("s.hdf5")).position, [[0, 0, 0], [30, 30, 30]])
        with self.assertRaisesRegex(Problem, "its box is no cube"):
            snapshot.read_header(self.path("s.hdf5")).box
        self.refused("BoxSize: one number or three expected, not 2", self.header, dict(BoxSize=[20.0, 40]))

    def test_impossible_headers_are_refused(self):
        for header in (dict(of_gadget(length=0.0)), dict(of_gadget(mass=-1.0)), dict(of_gadget(length=math.nan)),
                       dict(Time="soon"), dict(NumFilesPerSnapshot=0), dict(NumFilesPerSnapshot=math.inf),
                       dict(COSMOLOGY, Time=0.25, Redshift=3.0, HubbleParam=-1.0)):
            with self.assertRaises(Problem, msg=header):
                self.header(header)

    def test_each_row_of_the_table_is_read(self):
        with open(told.NAMES) as file:
            self.assertEqual(len(told.rows()), sum(line.startswith("G6_NAME(") for line in file))


class Content(files.InFolder):
    def test_hdf5_is_told_by_its_content(self):
        path = write(self.path("snapshot.dat"), dict(Time=0.5))
        self.assertEqual(snapshot.read(path).header.time, 0.5)

    def test_a_file_that_goes_while_it_is_read_is_a_problem(self):
        files.write_snapshot(self.path("a.hdf5"), np.full((2, 3), 50.0), np.ones(2))
        self.write("a.txt", "1 0 0 0 0 0 0\n")
        check = snapshot.check_file
        self.addCleanup(setattr, snapshot, "check_file", check)

        def gone(path):
            check(path)
            os.remove(path)

        for name in ("a.hdf5", "a.txt"):
            with open(self.path(name), "rb") as file:
                content = file.read()
            for read in (snapshot.read_header, snapshot.read):
                with open(self.path(name), "wb") as file:
                    file.write(content)
                snapshot.check_file = gone
                self.refused(f"{name}: cannot be ", read, self.path(name))
                snapshot.check_file = check

    def test_groups_and_data_sets_that_are_exchanged_are_a_problem(self):
        path = write(self.path("s.hdf5"), {})
        with h5py.File(path, "r+") as file:
            del file["PartType1/Coordinates"]
            file.create_group("PartType1/Coordinates")
        self.refused("Coordinates: its size is that of a group", snapshot.read, path)
        with h5py.File(path, "r+") as file:
            del file["PartType1"]
            file["PartType1"] = [1.0]
        with self.assertRaises(Problem):
            snapshot.read(path)
