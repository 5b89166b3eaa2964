# SPDX-License-Identifier: MIT
"""Snapshots in HDF5 and text, their units and redshifts, and what is said of damaged ones."""
import os
import unittest

import files
import h5py
import numpy as np
from g6plot import choose, maps, options, snapshot, units
from g6plot.problem import Notes, Problem


class Reading(files.InFolder):
    def read(self, text):
        return snapshot.read(self.write("s.txt", text))

    def test_coordinates_count_from_the_middle_of_the_box(self):
        s = snapshot.read(files.write_snapshot(self.path("s.hdf5"), np.array([[50.0, 51, 52]]), np.array([3.0])))
        np.testing.assert_array_equal(s.position, [[0, 1, 2]])
        np.testing.assert_array_equal(s.mass, [3])

    def test_the_header_has_the_mass_of_a_type(self):
        path = files.write_snapshot(self.path("s.hdf5"), np.full((4, 3), 50.0), None, MassTable=[0, 2.5, 0, 0, 0, 0])
        np.testing.assert_array_equal(snapshot.read(path).mass, [2.5] * 4)

    def test_files_of_one_snapshot_are_joined(self):
        for k in range(3):
            files.write_snapshot(self.path(f"s.{k}.hdf5"), np.full((2, 3), 50.0 + k), np.ones(2), files=3, time=1.0)
        with h5py.File(self.path("s.2.hdf5"), "r+") as file:
            del file["Header"].attrs["Time"]
        self.assertEqual(len(snapshot.read(self.path("s.0.hdf5"))), 6)
        os.remove(self.path("s.1.hdf5"))
        self.refused(r"s\.1\.hdf5: is missing", snapshot.read, self.path("s.0.hdf5"))
        files.write_snapshot(self.path("s.1.hdf5"), np.ones((2, 3)), np.ones(2), files=3)
        self.refused(r"s\.1\.hdf5: its Time or NumFilesPerSnapshot is not that of", snapshot.read, self.path("s.0.hdf5"))

    def test_bodies_between_times_are_moved_to_the_time_of_the_header(self):
        # x = 1 + 2 dt + 3/2 dt^2 + 6/6 dt^3 = 2.625 at dt = 0.5.
        path = files.write_snapshot(self.path("s.hdf5"), np.full((1, 3), 51.0), np.ones(1), time=1.0)
        with h5py.File(path, "r+") as file:
            for name, value in dict(Position=1, Velocities=2, Acceleration=3, Jerk=6).items():
                file["PartType1"][name] = np.full((1, 3), float(value))
            file["PartType1"]["OwnTime"] = [0.5]
        np.testing.assert_allclose(snapshot.read(path).position, [[2.5] * 3])

    def test_particles_that_are_not_finite_are_left_out_and_counted(self):
        x = np.full((5, 3), 50.0)
        x[1, 2] = np.nan
        path = files.write_snapshot(self.path("s.hdf5"), x, np.array([1, 1, np.inf, 1, 1]))
        self.assertEqual(len(snapshot.read(path, self.warn)), 3)
        self.assertIn("2 particles are not finite", self.warned[0])

    def test_text_has_time_and_bodies(self):
        s = self.read("# time 0.25\n# g6run Eta 0.01\n# m x y z vx vy vz\n2 1 2 3 4 5 6\n0.5 -1 -2 -3 0 0 0\n")
        self.assertEqual(s.header.time, 0.25)
        np.testing.assert_array_equal(s.position, [[1, 2, 3], [-1, -2, -3]])
        np.testing.assert_array_equal(s.mass, [2, 0.5])

    def test_a_time_may_have_an_equals_sign(self):
        for comment, time in (("time = 3.5", 3.5), ("t=3.5", 3.5), (" t = 35d-1", 3.5), ("time 35d-1", 3.5), (" t 3.5", 0), ("t = now", 0),
                              ("dt = 3.5", 0), ("time x=3.5", 0), ("x = t = 3.5", 0), ("Time: 3.5", 3.5), ("t = 3.5, N = 1", 3.5),
                              ("t = 3.5 N = 1", 3.5), ("#time 3.5", 3.5), ("time soon", 0), ("Time: 12:30", 0), ("Time: 2026 Nov 28", 0)):
            self.assertEqual(self.read(f"#{comment}\n1 2 3 4 5 6 7\n").header.time, time, comment)
        for text in ("m x y z vx vy vz\n# time 3.5\n1 2 3 4 5 6 7\n", "# masses\n1 2 3 4 5 6 7\n# time 3.5\n"):
            self.assertEqual(self.read(text).header.time, 3.5, text)
        for comment in ("time 3.5 Myr", "t = 3.5Myr, N = 1", "Time [Myr]: 3.5", "t/Myr = 3.5", "time = 3.5 (Myr)", "time 3 s\n#time 3.5 Myr"):
            for names, units in (("", "N-body units"), ("m[Msun] x y z vx vy vz\n", "units of the file")):
                header = self.read(f"#{comment}\n{names}1 2 3 4 5 6 7\n").header
                self.assertEqual((header.when(), header.units.name), ("t = 3.5 Myr", units), comment)
                self.assertEqual(snapshot.read_header(self.path("s.txt")).units.own_time((3500, "kyr")), header.time, comment)
        header = snapshot.read_header(self.write("s.txt", "# t = 0 Myr\n1 2 3 4 5 6 7\n"))
        self.assertEqual((header.when(), header.units.own_time((1000, "kyr"))), ("t = 0", 1))
        self.refused("its time is 3.5 years, which is none of the units s, day, yr, kyr, Myr, Gyr",
                     self.read, "# t = 3.5 years\n1 2 3 4 5 6 7\n")

    def test_names_tell_the_order_of_columns(self):
        for text in ("# x y z vx vy vz m\n1 2 3 4 5 6 7\n1 2 3 4 5 6 7\n", "mass,vx,vy,vz,x,y,z\n7,4d0,5,6,1,2,3\n7,4,5,6,1,2,3\n",
                     "# time 0\n# vx vy vz Position_x pos_y Z [pc] Masses\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7 ! last\n",
                     'id;"pos x";y;z;"v_x";vy;vz;m\nA 1;1;2;3;4;5;6;7;\nB;1;2;3;4;5;6;7\n', "# a comment: m, x\n7 1 2 3 4 5 6\n7 1 2 3 4 5 6",
                     "# columns: vx vy vz x y z m\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n", "# $v_{x}$ $v_{y}$ $v_{z}$ $x$ $y$ $z$ $m$\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     "# They are: vx, vy, vz, x, y, z, m\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     "# 1:vx 2:vy 3:vz 4:x 5:y 6:z 7:m\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     "# m x y z vx vy vz id\n7 1 2 3 4 5 6 1\n7 1 2 3 4 5 6 2\n",
                     "// (1) vx (2) vy (3) vz (4) x (5) y (6) z (7) m\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     "[1]vx [2]vy [3]vz [4]x [5]y [6]z [7]m\n // one line\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     "# v1 v2 v3 x1 x2 x3 mass\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     "# v_x_kms v_y_kms v_z_kms x_pc y_pc z_pc m_ly\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     "# vx/kms vy/(km/s) vz/(km/s) x y z m\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     "# vx [km / s] vy [km s-1] vz x (1e3 pc) y (1e3 pc) z m\n4 5 6 1 2 3 7\n4 5 6 1 2 3 7\n",
                     '"7","1","2","3","4","5","6"\n7,1,2,3,4,5,6\n', "# x y z m vx vy vz\r1 2 3 7 4 5 6\r1 2 3 7 4 5 6\r",
                     "#mass,vx,vy,vz,x,y,z\n#Msun,km/s,km/s,km/s,pc,pc,pc\n7,4,5,6,1,2,3\n7,4,5,6,1,2,3\n"):
            np.testing.assert_array_equal(snapshot.text_rows(self.write("s.txt", text)), [[7, 1, 2, 3, 4, 5, 6]] * 2, text)
            np.testing.assert_array_equal(self.read(text).position, [[1, 2, 3]] * 2, text)
        self.refused("the file has several snapshots", self.read, "# time 0\n7 1 2 3 4 5 6\n# time 1\n7 1 2 3 4 5 6\n")
        row = "1 2 3 4 5 6 7\n"
        for text, parts in ((row + row + "\n\n" + row + row, 2), ("# 1\n" + row + row + "# 2\n" + row + row + "\n# 3\n" + row + row + "\n", 3),
                            (row + row + "\n" + row, 0), (row + "# b\n" + row, 0), ("\n" + row + row + "\n", 0)):
            hint = snapshot.text_table(self.write("s.txt", text)).hint
            self.assertEqual(hint.split(" with")[0], f"{parts} parts of 2 bodies" if parts else "", text)
        for text, ids, masses, name in (("7 1 2 3 4 5 6\n8 1 2 3 4 5 6\n", (1, 1), [8], "N-body units"),
                                        ("id,m[Msun],x,y,z,vx,vy,vz\n5,7,1,2,3,4,5,6\n1,8,1,2,3,4,5,6\n", (5, 9), [7], "units of the file")):
            s = snapshot.read(self.write("s.txt", text), only=snapshot.Selection(ids))
            self.assertEqual((s.mass.tolist(), s.header.units.name), (masses, name))
        for text in ("x,y,z,vx,vy,vz,weight\n1,2,3,4,5,6,7\n", "# weight vx vy vz x y z\n7 4 5 6 1 2 3\n",
                     "# id x y z vx vy vz\n7 1 2 3 4 5 6\n", "# x y z vx vy vz\n7 1 2 3 4 5 6\n"):
            self.refused("names of columns, among which each of m x y z vx vy vz must be once", self.read, text)
        for text in ("m,x[kpc],y(kpc),z/pc,vx,vy,vz\n", "# m x y z vx vy vz\n# Msun kpc kpc pc km/s km/s km/s\n"):
            self.refused("x is in kpc, but z in pc", self.read, text + "7 1 2 3 4 5 6\n".replace(" ", "," * (text[0] == "m") or " "))
        for v in ("vx[km/s] vy[kms] vz[km s-1]", "vx[AU/day] vy[au/d] vz[AU/day]"):
            self.read(f"m x[pc] y[parsec] z {v}\n7 1 2 3 4 5 6\n")

    def test_names_in_another_order_among_words_are_refused(self):
        for text in ("# The columns are: x y z vx vy vz m\n", "# | pos_x | y | z | vx | vy | vz | Mass |\n",
                     "# ('x', 'y', 'z', 'vx', 'vy', 'vz', 'm')\n", "# x: x\n# y: y\n# z: z\n# velocity vx vy vz\n# m: mass\n",
                     "# pos vel mass\n", "# positions (3), velocities (3) and masses in m\n"):
            self.refused("in the order x y z vx vy vz m among other words", self.read, text + "1 2 3 4 5 6 7\n")
        np.testing.assert_array_equal(self.read("# mass m, position x y z, velocity vx vy vz\n7 1 2 3 4 5 6\n").mass, [7])

    def test_damage_is_named(self):
        good = files.write_snapshot(self.path("good.hdf5"), np.random.default_rng(1).random((3000, 3)), np.ones(3000))
        with open(good, "rb") as file:
            data = file.read()
        for name, content, words in (("cut.hdf5", data[:len(data) // 2], "truncated or damaged"),
                                     ("text.hdf5", b"hello", "truncated or damaged"),
                                     ("cut.txt", b"# time 0\n1 2 3 4 5 6 7\n1 2", r"not a table [^;]*\)$"),
                                     ("short.txt", b"1 2 3\n", "3 columns, expected 7"), ("less.txt", b"# id m x y z vx vy vz\n1 2 3 4 5 6 7\n", "7 columns, but 8 names"), ("more.txt", b"m x y z vx vy vz\n1 2 3 4 5 6 7 8\n", "8 columns, but 7 names"), ("empty.txt", b"1,,2,3,4,5,6,7\n", "a cell is empty"),
                                     ("first.txt", b",1,2,3,4,5,6,7,\n", "a cell is empty"),
                                     ("none.txt", b"# time 1\n", "no particles"), ("binary.txt", bytes(800), "binary.txt: a binary file; g6plot reads HDF5")):
            with open(self.path(name), "wb") as file:
                file.write(content)
            self.refused(words, snapshot.read, self.path(name))
        self.refused("no such file", snapshot.read, self.path("absent.hdf5"))

    def test_only_particles_with_these_numbers_are_read(self):
        x = np.array([[50.0 + k, 50, 50] for k in range(4)])
        path = files.write_snapshot(self.path("s.hdf5"), x, np.array([1.0, 2, 3, 4]))
        with h5py.File(path, "r+") as file:
            file["PartType1/ParticleIDs"] = np.array([7, 2, 5, 3], dtype=np.uint64)
            file["PartType1/TimeStep"] = [0.1, 0.2, 0.3, 0.4]
        s = snapshot.read(path, only=snapshot.Selection((3, 5)))
        np.testing.assert_array_equal(s.position, [[2, 0, 0], [3, 0, 0]])
        np.testing.assert_array_equal(s.mass, [3, 4])
        np.testing.assert_array_equal(s.step, [0.3, 0.4])
        self.refused("no particle has a number from 8 to 9", snapshot.read, path, only=snapshot.Selection((8, 9)))

    def test_only_particles_of_these_types_are_read(self):
        path = files.write_snapshot(self.path("s.hdf5"), np.full((3, 3), 50.0), np.full(3, 1.0))
        with h5py.File(path, "r+") as file:
            for kind, count in ((2, 2), (4, 1)):
                file[f"PartType{kind}/Coordinates"] = np.full((count, 3), 50.0 + kind)
                file[f"PartType{kind}/Masses"] = np.full(count, float(kind))
            file["Header"].attrs["NumPart_ThisFile"] = [0, 3, 2, 0, 1, 0]
        for types, masses in (([1], [1, 1, 1]), ([4], [4]), ([2, 3, 4], [2, 2, 4]), (None, [1, 1, 1, 2, 2, 4])):
            np.testing.assert_array_equal(snapshot.read(path, only=snapshot.Selection(types=types)).mass, masses)
        with self.assertRaisesRegex(Problem, r"no particles of type 0 \(gas\), 3 \(bulge\); it has 1 \(halo\), 2 \(disk\), "
                                             r"4 \(stars\)$"):
            snapshot.read(path, only=snapshot.Selection(types=[0, 3]))

    def test_numbers_that_no_double_holds_are_told_apart(self):
        path = files.write_snapshot(self.path("s.hdf5"), np.full((3, 3), 50.0), np.array([1.0, 2, 3]))
        least = 2**60
        with h5py.File(path, "r+") as file:
            file["PartType1/ParticleIDs"] = np.array([least, least + 1, least + 2], dtype=np.uint64)
        np.testing.assert_array_equal(snapshot.read(path, only=snapshot.Selection((least + 1, least + 1))).mass, [2])
        # A number below 0 is below each of them.
        np.testing.assert_array_equal(snapshot.read(path, only=snapshot.Selection((-3, least))).mass, [1])

    def test_what_a_file_lacks_is_named(self):
        def without(change, words):
            path = files.write_snapshot(self.path("s.hdf5"), np.full((3, 3), 50.0), np.ones(3))
            with h5py.File(path, "r+") as file:
                change(file)
            self.refused(words, snapshot.read, path)

        without(lambda f: f.__delitem__("Header"), "no group Header")
        without(lambda f: f["Header"].attrs.__delitem__("NumPart_ThisFile"), "has no NumPart_ThisFile")
        without(lambda f: f.__delitem__("PartType1"), "no group PartType1")
        without(lambda f: f["PartType1"].__delitem__("Masses"), "Masses is missing")
        without(lambda f: f["Header"].attrs.modify("NumPart_ThisFile", [0, 4, 0, 0, 0, 0]), r"size is \(3, 3\)")
        without(lambda f: f["Header"].attrs.modify("NumPart_ThisFile", [0] * 6), "PartType1 has particles, of which NumPart_ThisFile counts none")
        without(lambda f: f["Header"].attrs.modify("NumFilesPerSnapshot", 2), "one of 2 files")


class Meaning(files.InFolder):
    def header(self, **given):
        return snapshot.read_header(files.write_snapshot(self.path("s.hdf5"), np.full((1, 3), 50.0), np.ones(1), **given))

    def test_a_redshift_is_one_where_time_is_the_scale_factor(self):
        header = self.header(**files.cosmology(3))
        self.assertEqual((header.redshift, header.scale_factor, header.hubble), (3, 0.25, 0.7))
        self.assertEqual(header.when(), "z = 3")
        self.assertIsNone(self.header(time=0.5, Omega0=0.3, HubbleParam=0.7).redshift)
        self.assertIsNone(self.header(time=1.0).redshift)

    def test_comoving_lengths_have_h(self):
        # 7000 kpc/h with h = 0.7 are 10 Mpc comoving, and 2.5 Mpc at z = 3.
        scale, name = self.header(**files.cosmology(3)).units.length_scale(7000, 0.25)
        self.assertEqual(name, "Mpc, comoving")
        self.assertAlmostEqual(7000 * scale, 10, delta=1e-9)
        scale, name = self.header(**files.cosmology(3)).units.length_scale(14000, 0.25, physical=True)
        self.assertEqual(name, "Mpc")
        self.assertAlmostEqual(7000 * scale, 2.5, delta=1e-9)

    def test_panels_of_any_redshift_have_one_unit_of_length(self):
        # 700 kpc/h are 1 Mpc comoving, and 0.02 Mpc at z = 49; the surface density goes with the square of 1 + z.
        made = []
        for z in (0, 49):
            x = np.random.default_rng(1).uniform(0, 700, (1000, 3))
            path = files.write_snapshot(self.path("s.hdf5"), x, np.ones(1000), box=700, **files.cosmology(z))
            view = maps.View(physical=True, bodies="density", width=(700, ""), centre="middle")
            made.append(maps.make(snapshot.read(path), view))
        self.assertEqual([m.length_name for m in made], ["Mpc", "Mpc"])
        np.testing.assert_allclose(made[1].values, 2500 * made[0].values, rtol=1e-9)

    def test_labels_have_a_unit_of_the_size_of_the_frame(self):
        given = units.Units(units.PC, units.MSUN)
        for extent, name in ((0.1, "AU"), (0.3, "pc"), (150, "pc"), (300, "kpc"), (1e5, "kpc"), (3e5, "Mpc")):
            self.assertEqual(given.length_scale(extent)[1], name, extent)

    def test_a_cosmological_file_without_units_is_in_kpc_over_h(self):
        given = dict(files.cosmology(1), units=None)
        header = self.header(**given)
        self.assertIn("kpc/h", header.assumed)
        self.assertAlmostEqual(header.units.length, units.PC * 1e3 / 0.7, delta=1e9)

    def test_units_that_stand_for_none_are_n_body_units(self):
        given = dict(UnitLength_in_cm=units.PC, UnitMass_in_g=units.MSUN, UnitVelocity_in_cm_per_s=1.0)
        free = self.header(units=dict(given, Description=np.bytes_("N-body units, G = 1; and so on")))
        self.assertEqual(free.units.length_scale(10), (1, ""))
        self.refused("N-body units", free.units.own_length, (3, "pc"))
        self.assertEqual(self.header(units=given).units.length_scale(10)[1], "pc")

    def test_a_length_has_a_known_unit(self):
        self.assertEqual(units.length_of("30Mpc"), (30, "Mpc"))
        self.assertEqual(units.length_of("1e-3"), (0.001, ""))
        for text in ("", "Mpc", "30 miles", "1..2", "nan"):
            with self.assertRaises(Problem, msg=text):
                units.length_of(text)


class Choice(files.InFolder):
    def setUp(self):
        super().setUp()
        for k, z in enumerate((49, 9, 3, 1, 0)):
            files.write_snapshot(self.path(f"snapshot_{k:04d}.hdf5"), np.full((2, 3), 50.0), np.ones(2), **files.cosmology(z))
        self.notes = Notes()
        self.notes.warn = self.warn

    def redshifts(self, **wish):
        return [round(h.redshift, 9) for h in choose.choose([self.folder], self.notes, **wish)]

    def test_the_nearest_redshifts_in_the_order_that_is_asked_for(self):
        self.assertEqual(self.redshifts(redshifts=[0, 8.9, 2.8]), [0, 9, 3])
        self.assertEqual(self.warned, [])

    def test_a_redshift_that_no_snapshot_is_near_is_named(self):
        self.assertEqual(self.redshifts(redshifts=[25]), [9])
        self.assertIn("nearest to redshift 25", self.warned[0])

    def test_times_are_scale_factors(self):
        self.assertEqual(self.redshifts(times=[(0.5, ""), (0.25, "")]), [1, 3])

    def test_times_may_have_units(self):
        # The unit of time is that of length over that of velocity: 2 Myr.
        myr = 3.15576e13
        own = dict(UnitLength_in_cm=2 * myr, UnitMass_in_g=units.MSUN, UnitVelocity_in_cm_per_s=1.0)
        for k in range(4):
            files.write_snapshot(self.path(f"M/snapshot_{k}.hdf5"), np.full((2, 3), 50.0), np.ones(2), time=k / 2, units=own)
        wish = options.parse(["map", "M", "--times", "0,2Myr,1e3kyr,1.5"]).times
        self.assertEqual(options.parse(["map", "M", "--times", "-1,0", "--centre", "-1,2,3"]).times, [(-1, ""), (0, "")])
        found = choose.choose([self.path("M")], self.notes, times=wish)
        self.assertEqual(([h.time for h in found], self.warned), ([0, 1, 0.5, 1.5], []))
        choose.choose([self.path("M")], self.notes, times=[(5e3, "kyr")])
        self.assertIn("nearest to time 5000kyr has 3 Myr", self.warned[0])
        self.refused("2Myr: the snapshot does not tell its unit of time", choose.choose, [self.folder], self.notes, times=wish)
        self.refused("'2pc' is no time: a number, .* yr, kyr, Myr, Gyr", options.parse, ["map", "M", "--times", "2pc"])

    def test_a_title_has_the_unit_of_its_rounded_time(self):
        year = units.Units(1.0, 1.0, units.YEAR)
        for time, words in ((999999.9, "1 Myr"), (999.4, "999.4 yr"), (999.97, "1 kyr"), (-1e9 * (1 - 1e-9), "-1 Gyr"), (0.5, "0.5 yr")):
            self.assertEqual(year.time_text(time), f"t = {words}")

    def test_panels_go_from_the_first_to_the_last(self):
        self.assertEqual(self.redshifts(panels=3), [49, 3, 0])
        self.assertEqual(self.redshifts(panels=9), [49, 9, 3, 1, 0])
        self.assertEqual(self.redshifts(), [0])

    def test_each_folder_has_its_own(self):
        for name, z in (("A", 7), ("A", 6), ("B", 5), ("B", 4)):
            files.write_snapshot(self.path(f"{name}/snapshot_{9 - z}.hdf5"), np.full((2, 3), 50.0), np.ones(2),
                                 **files.cosmology(z))

        def of(*names, **wish):
            return [(h.label, round(h.redshift, 9)) for h in
                    choose.choose([self.path(name) for name in names], self.notes, **wish)]

        a, b = self.path("A"), self.path("B")
        self.assertEqual(of("A", "B"), [(a, 6), (b, 4)])
        self.assertEqual(of("A"), [("", 6)])
        self.assertEqual(of("A", "B", redshifts=[7, 6]), [(a, 7), (a, 6), (b, 5), (b, 5)])
        self.assertEqual(of("A", "B", panels=2), [(a, 7), (a, 6), (b, 5), (b, 4)])
        first = ("snapshot_0000.hdf5", 49)
        self.assertEqual(of("snapshot_0000.hdf5", "B"), [first, (b, 4)])
        self.assertEqual(of("A", "snapshot_0000.hdf5", "snapshot_0004.hdf5"), [(a, 6), first, ("snapshot_0004.hdf5", 0)])

    def test_maps_in_different_units_are_not_drawn_beside_each_other(self):
        free, mpc = units.Units(), [snapshot.Header(name) for name in "ab"]
        mpc[0].units, mpc[1].units = units.Units(1e3, 1), units.Units(1, 1)
        choose.check_units(mpc[:1], None)
        choose.check_units(mpc, (30.0, "Mpc"))
        for width in (None, (30.0, "")):
            self.refused("b and a have different units: give --width with a unit", choose.check_units, mpc, width)
        mpc[1].units = free
        self.refused("b: has N-body units and a has not", choose.check_units, mpc, (30.0, "Mpc"))

    def test_a_damaged_snapshot_is_left_out(self):
        with open(self.path("snapshot_0002.hdf5"), "r+b") as file:
            file.truncate(900)
        self.assertEqual(self.redshifts(redshifts=[3]), [1])
        self.assertEqual(self.notes.status(), 3)
        self.assertIn("left out: ", self.warned[0])

    def test_numbers_of_more_digits_come_later_and_tables_of_halos_are_no_snapshots(self):
        open(self.path("snapshot_10000-halos.txt"), "w").close()
        files.write_snapshot(self.path("snapshot_10000.hdf5"), np.full((2, 3), 50.0), np.ones(2), **files.cosmology(0.5))
        self.assertEqual(snapshot.in_folder(self.folder)[-2:], list(map(self.path, ("snapshot_0004.hdf5", "snapshot_10000.hdf5"))))
