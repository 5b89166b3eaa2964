# SPDX-License-Identifier: MIT
"""Maps hold the mass inside their frame, planes are right-handed, and the densest region is found."""
import unittest

import numpy as np
from g6plot import density
from g6plot.problem import Problem


def cloud(n, seed=1):
    return np.random.default_rng(seed).normal(size=(n, 3))


class Images(unittest.TestCase):
    def test_a_map_holds_the_mass_inside_the_frame(self):
        x, mass = cloud(5000), np.random.default_rng(2).random(5000)
        frame = density.Frame([0.1, 0.2, 0.3], 1.7, "z", None, 64)
        masses, counts = density.image(frame, x, mass)
        inside = (np.abs(x[:, :2] - [0.1, 0.2]) < 0.85).all(axis=1)
        self.assertAlmostEqual(masses.sum(), mass[inside].sum(), delta=1e-12 * mass.sum())
        self.assertEqual(counts.sum(), inside.sum())

    def test_depth_keeps_a_slab(self):
        x, mass = cloud(5000), np.ones(5000)
        frame = density.Frame([0, 0, 0], 20, "x", 0.5, 32)
        self.assertEqual(density.image(frame, x, mass)[1].sum(), (np.abs(x[:, 0]) <= 0.25).sum())

    def test_axes_of_each_view_are_a_right_handed_system(self):
        for axis, (right, up, eye) in density.PLANES.items():
            unit = np.eye(3)
            self.assertEqual("xyz"[eye], axis)
            np.testing.assert_array_equal(np.cross(unit[right], unit[up]), unit[eye])

    def test_any_direction_has_a_right_handed_system_in_which_z_points_upward(self):
        for direction in ((3, 5, 2), (-1, 0.25, -7), (0, 1, 0), (0, 0, 2), (0, 0, -2)):
            right, up, eye = density.plane(direction)
            np.testing.assert_allclose(np.stack([right, up, eye]) @ np.stack([right, up, eye]).T, np.eye(3), atol=1e-15)
            np.testing.assert_allclose(np.cross(right, up), eye, atol=1e-15)
            np.testing.assert_allclose(eye * np.linalg.norm(direction), direction, atol=1e-14)
            if direction[:2] != (0, 0):
                self.assertAlmostEqual(right[2], 0, delta=1e-15)
                self.assertGreater(up[2], 0)

    def test_a_lattice_has_no_stripes_along_a_turned_axis(self):
        # Along z 16 particles each are in one of 16 pixels, a contrast of sqrt(15).  Particles by chance, one in a pixel, have
        # the contrast 1.
        edge = np.arange(32) - 15.5
        x = np.stack(np.meshgrid(edge, edge, edge), axis=-1).reshape(-1, 3)
        for axis, least, most in (("z", 3.87, 3.88), ((1, 1.6, 0.7), 0, 1)):
            counts = density.image(density.Frame([0, 0, 0], 16, axis, 16, 64), x, np.ones(len(x)))[1]
            self.assertGreater(counts.std() / counts.mean(), least)
            self.assertLess(counts.std() / counts.mean(), most)

    def test_a_periodic_box_repeats(self):
        x = np.array([[4.5, 0, 0], [-4.5, 0, 0]])
        frame = density.Frame([5, 0, 0], 2, "z", None, 4)
        self.assertEqual(density.image(frame, x, np.ones(2), 10)[1].sum(), 2)
        self.assertEqual(density.image(frame, x, np.ones(2))[1].sum(), 1)

    def test_a_width_that_is_none_is_refused(self):
        for width in (0, -1, float("nan"), float("inf")):
            with self.assertRaises(Problem):
                density.Frame([0, 0, 0], width)


class Smoothing(unittest.TestCase):
    def test_mass_stays(self):
        x = cloud(3000)
        masses, counts = density.image(density.Frame([0, 0, 0], 5, "z", None, 100), x, np.ones(3000))
        smooth = density.smoothed(masses, counts)
        self.assertAlmostEqual(smooth.sum(), masses.sum(), delta=1e-9 * masses.sum())
        self.assertGreaterEqual(smooth.min(), 0)

    def test_noise_of_a_uniform_sheet_falls(self):
        # One particle a pixel: Poisson noise 1.  Spread over at least 32 particles, at most 32^-0.5 is left.
        x = np.random.default_rng(4).random((64 * 64, 3)) - 0.5
        masses, counts = density.image(density.Frame([0, 0, 0], 1, "z", None, 64), x, np.ones(len(x)))
        self.assertGreater(masses.std(), 0.9)
        self.assertLess(density.smoothed(masses, counts).std(), density.PARTICLES_TO_COVER ** -0.5)


class Centres(unittest.TestCase):
    def test_the_densest_region_is_the_planted_clump(self):
        # 2000 of 100000 particles in a clump of width 0.01, off the middle.
        rng = np.random.default_rng(5)
        place = np.array([1.3, -0.7, 2.1])
        x = np.concatenate([rng.uniform(-5, 5, (98000, 3)), place + 0.01 * rng.normal(size=(2000, 3))])
        found = density.densest(x, np.ones(len(x)))
        # The last sphere has 50 particles; their mean has at most the error 0.01 / sqrt(50) in each coordinate.
        self.assertLess(np.abs(found - place).max(), 3 * 0.01 / 50 ** 0.5)

    def test_the_heavier_of_two_clumps_wins(self):
        rng = np.random.default_rng(7)
        x = np.concatenate([rng.normal(size=(1000, 3)) * 0.1 + 3, rng.normal(size=(1000, 3)) * 0.1 - 3])
        mass = np.concatenate([np.full(1000, 5.0), np.ones(1000)])
        self.assertLess(np.abs(density.densest(x, mass) - 3).max(), 3 * 0.1 / 50 ** 0.5)

    def test_particles_in_one_place_have_a_centre(self):
        x = np.concatenate([np.full((500, 3), 0.25), cloud(100)])
        np.testing.assert_allclose(density.densest(x, np.ones(600)), [0.25] * 3, atol=1e-6)

    def test_width_has_the_share_of_particles(self):
        x = cloud(4000)
        width = density.enclosing_width(x, np.zeros(3), share=0.9, space=1)
        self.assertAlmostEqual((np.abs(x) <= width / 2).all(axis=1).mean(), 0.9, delta=0.001)
