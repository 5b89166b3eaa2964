# SPDX-License-Identifier: MIT
"""Friends of friends against all pairs, groups of known sizes, and mass functions."""
import unittest

import files
import h5py
import numpy as np
from g6plot import cosmology, halo_figure, halos, options

try:
    import scipy.spatial  # noqa: F401
except ImportError:
    scipy = None


def all_pairs(x, length, box=0):
    """Labels by comparing all pairs, until nothing changes."""
    label = np.arange(len(x))
    offset = x[:, None] - x[None]
    if box:
        offset -= box * np.round(offset / box)
    near = (offset ** 2).sum(axis=2) <= length * length
    while True:
        least = np.where(near, label[None], len(x)).min(axis=1)
        if (least == label).all():
            return label
        label = least


def same_groups(one, other):
    return len(np.unique(one)) == len(np.unique(other)) == len(np.unique(np.stack([one, other]), axis=1).T)


@unittest.skipUnless(scipy, "no scipy")
class Groups(unittest.TestCase):
    def test_groups_are_those_of_all_pairs_however_few_pairs_fit(self):
        x = np.random.default_rng(1).random((600, 3))
        for box in (0, 1.0):
            want = all_pairs(x, 0.08, box)
            self.assertGreater(len(np.unique(want)), 20)
            for most in (1, 100, 10 ** 9):
                self.assertTrue(same_groups(halos.groups(x, 0.08, box, most), want), (box, most))

    def test_dense_clumps_have_the_groups_of_all_pairs(self):
        # Thousands of pairs a particle, in clumps that touch or do not: cells settle most of them.
        rng = np.random.default_rng(8)
        for seed in range(6):
            centres = rng.random((12, 3)) * 0.6 + 0.2 * (seed % 2)
            x = np.concatenate([c + 0.05 * rng.random() * rng.normal(size=(70, 3)) for c in centres] + [rng.random((200, 3))])
            for box in (0, 1.0):
                place = np.mod(x, 1.0)
                self.assertTrue(same_groups(halos.groups(place, 0.06, box), all_pairs(place, 0.06, box)), (seed, box))

    def test_a_chain_is_one_group_until_a_link_is_too_long(self):
        x = np.zeros((30, 3))
        x[:, 0] = np.arange(30) * 0.99
        x[20:, 0] += 0.02
        counts = np.bincount(halos.groups(x, 1.0))
        self.assertEqual(sorted(counts[counts > 0]), [10, 20])

    def test_halos_have_the_masses_and_centres_of_planted_clumps(self):
        rng = np.random.default_rng(2)
        # The second clump lies across the border of the box.
        clumps = [(300, [3.0, 4, 5], 2.0), (100, [0.0, 9.99, 5], 1.0)]
        x = np.concatenate([c + 0.01 * rng.normal(size=(n, 3)) for n, c, _ in clumps] + [rng.random((50, 3)) * 10])
        m = np.concatenate([np.full(n, mass) for n, _, mass in clumps] + [np.ones(50)])
        found = halos.find(np.mod(x, 10), m, 0.1, 20, 10.0)
        self.assertEqual([(h.count, h.mass) for h in found], [(300, 600), (100, 100)])
        for halo, (n, centre, _) in zip(found, clumps):
            offset = halo.centre - centre
            self.assertLess(np.abs(offset - 10 * np.round(offset / 10)).max(), 5 * 0.01 / n ** 0.5)
            self.assertLessEqual(np.abs(halo.centre).max(), 5)


class MassFunctions(files.InFolder):
    def test_a_table_is_known_by_its_begin(self):
        for text, known in ((halo_figure.TABLE + "s.hdf5", True), ("", True), ("#", True), ("# 3 stars", False)):
            self.assertEqual(halo_figure.is_table(self.write("t.txt", text)), known)

    def test_numbers_come_back_from_densities(self):
        edges = np.array([1.0, np.e, np.e ** 2])
        numbers, density, error = halos.mass_function(np.array([1.5, 2, 2.5, 5]), 10.0, edges)
        np.testing.assert_array_equal(numbers, [3, 1])
        np.testing.assert_allclose(density, [0.3, 0.1])
        np.testing.assert_allclose(error, [0.1 * 3 ** 0.5, 0.1])

    @unittest.skipUnless(scipy, "no scipy")
    def test_a_sphere_has_the_volume_of_its_mass(self):
        # One clump of 64 particles; the header's units are kpc/h and 1e10 Msun/h.
        x = np.concatenate([np.random.default_rng(3).random((1000, 3)) * 5e4, 2.5e4 + np.random.default_rng(4).random((64, 3))])
        path = files.write_snapshot(self.path("s.hdf5"), x, np.full(1064, 5.0), box=5e4, **files.cosmology(0))
        given = options.parse(["halos", path, "--least", "30"])
        figure, text = halo_figure.make(path, given, self)
        rows = [line.split() for line in text.splitlines() if line[0] != "#"]
        self.assertEqual(len(rows), 1)
        self.assertGreaterEqual(int(rows[0][0]), 64)
        self.assertAlmostEqual(float(rows[0][1]) / (int(rows[0][0]) * 5e10), 1, delta=1e-6)
        # The middle of the box is the origin: the clump is half a kpc/h from it.
        self.assertLess(max(abs(float(v)) for v in rows[0][2:]), 0.2)
        self.assertEqual((len(figure.axes[0].get_legend().get_texts()), self.warned), (3, []))
        # The formulas' growth is that of a flat universe.
        files.write_snapshot(path, x, np.full(1064, 5.0), box=5e4, **dict(files.cosmology(1), OmegaLambda=0.0))
        figure, _ = halo_figure.make(path, given, self)
        self.assertEqual(len(figure.axes[0].get_legend().get_texts()), 1)
        self.assertIn("the universe is not flat", self.warned[0])

    @unittest.skipUnless(scipy, "no scipy")
    def test_a_volume_is_that_of_all_types(self):
        # 512 particles of dark matter and 512 of gas with a quarter of their mass: the volume is that of 640 masses, and
        # the linking length 0.2 of the mean distance of the dark matter in it.
        x = np.random.default_rng(3).random((512, 3)) * 5e4
        path = files.write_snapshot(self.path("s.hdf5"), x, np.full(512, 4.0), box=5e4, **files.cosmology(0))
        with h5py.File(path, "r+") as file:
            file["PartType0/Coordinates"], file["PartType0/Masses"] = x, np.ones(512)
            file["Header"].attrs["NumPart_ThisFile"] = [512, 512, 0, 0, 0, 0]
        _, text = halo_figure.make(path, options.parse(["halos", path, "--type", "halo"]), self)
        volume = 2560e10 / (0.3 * cosmology.CRITICAL_DENSITY)
        self.assertIn(f"{0.2 * (volume / 512) ** (1 / 3):.6g} Mpc/h", text)
