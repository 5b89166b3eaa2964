# SPDX-License-Identifier: MIT
"""examples/cosmology/growth.py on spheres whose growth is known."""
import os
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import growth
import h5py
import make_ic
import numpy as np
from g6plot.cosmology import Cosmology

BOX, SPHERE, GRID = 70.0, 28.0, 24  # Mpc/h; particles along a side


class Traces(unittest.TestCase):
    def test_a_linear_field_has_its_trace(self):
        x = np.random.default_rng(1).normal(size=(200, 3))
        # Compression by 0.3 in all; a rotation, which compresses nothing.
        fields = np.concatenate([x * [-0.2, -0.3, 0.2] + 5, x[:, [1, 0, 2]] * [1, -1, 0]], axis=1)
        np.testing.assert_allclose(growth.traces(x, fields), [-0.3, 0], atol=1e-12)

    def test_balls_lie_within_their_sphere(self):
        middles = growth.centres(30, 12, 8)
        self.assertIn([0, 0, 0], middles.tolist())
        self.assertLessEqual(np.sqrt((middles ** 2).sum(axis=1)).max(), 18)
        self.assertEqual(len(growth.centres(10, 12, 8)), 0)


class Spheres(unittest.TestCase):
    """Particles that Zel'dovich's approximation moves: their displacements grow as D, exactly."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cosmology = Cosmology(0.3, 0.7)
        self.chosen = self.write(0, 49)

    def write(self, number, redshift, excess=1.0, chosen=None, shuffle=False):
        """excess: factor of the displacements since the first snapshot."""
        ids, position, velocity, mass = make_ic.make(self.cosmology, GRID, BOX, redshift, 5, order=1)
        if chosen is None:
            chosen = ((position - BOX / 2) ** 2).sum(axis=1) <= SPHERE ** 2
            self.first = position[chosen]
        ids, position, velocity = ids[chosen], position[chosen], velocity[chosen]
        position = self.first + excess * (position - self.first)
        if shuffle:
            order = np.random.default_rng(2).permutation(len(ids))
            ids, position, velocity = ids[order], position[order], velocity[order]
        path = os.path.join(self.folder, f"snapshot_{number:04d}.hdf5")
        make_ic.write(path, self.cosmology, (ids, position, velocity, mass), BOX, redshift)
        return chosen

    def run_main(self, *words):
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = growth.main([self.folder, "--radius", "15,20", *words])
        return status, out.getvalue() + err.getvalue()

    def slopes(self):
        paths = sorted(os.path.join(self.folder, name) for name in os.listdir(self.folder))
        return [row[growth.COLUMNS.index("slope")] for row in growth.study(paths, [15, 20], 8, 1)]

    def test_growth_as_the_growing_mode_has_the_slope_1(self):
        self.write(1, 9, chosen=self.chosen)
        self.write(2, 4, chosen=self.chosen, shuffle=True)
        np.testing.assert_allclose(self.slopes(), 1, atol=1e-9)

    def test_growth_in_excess_is_the_slope_and_a_status(self):
        self.write(1, 9, excess=1.05, chosen=self.chosen)
        np.testing.assert_allclose(self.slopes(), 1.05, atol=1e-9)
        status, said = self.run_main("--tolerance", "0.02")
        self.assertEqual(status, 3, said)
        self.assertEqual(said.count(" 1.0500 "), 2, said)
        self.assertEqual(self.run_main("--tolerance", "0.06")[0], 0)

    def test_the_table_is_a_file_too(self):
        self.write(1, 9, chosen=self.chosen)
        path = os.path.join(self.folder, "growth.csv")
        status, said = self.run_main("--csv", path)
        self.assertEqual(status, 0, said)
        with open(path) as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], ",".join(growth.COLUMNS))
        self.assertEqual(len(lines), 3)

    def test_what_cannot_be_compared_is_refused(self):
        self.assertIn("two snapshots are needed, 1 are there", self.run_main()[1])
        self.write(1, 9, chosen=self.chosen)
        for words, text in ((["--radius", "50"], "too large"), (["--radius", "3"], "fewer than 64 particles"),
                            (["--spacing", "0"], "--spacing")):
            status, said = self.run_main(*words)
            self.assertEqual(status, 1, words)
            self.assertIn(text, said)
        path = os.path.join(self.folder, "snapshot_0001.hdf5")
        with h5py.File(path, "r+") as file:
            file["PartType1/ParticleIDs"][0] = 10 ** 6
        self.assertIn("other particles", self.run_main()[1])
        with h5py.File(os.path.join(self.folder, "snapshot_0000.hdf5"), "r+") as file:
            file["Header"].attrs["OmegaLambda"] = 0.0
        self.assertIn("not flat", self.run_main()[1])
