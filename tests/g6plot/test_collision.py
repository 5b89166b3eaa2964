# SPDX-License-Identifier: MIT
"""examples/collision.py: the orbit of its two copies, and the order of their bodies."""
import subprocess
import sys
import unittest

import files
import numpy as np


class Collision(files.InFolder):
    def test_copies_fall_on_a_parabola_and_stars_come_first(self):
        galaxy = np.array([[0.4, 0, 0, 5, 0.2, 0, 0], [0.4, 0, 0, -5, -0.2, 0, 0],
                           [0.1, 1, 0, 0, 0, 1, 0], [0.1, -1, 0, 0, 0, -1, 0]])
        np.savetxt(self.path("galaxy.txt"), galaxy)
        subprocess.run([sys.executable, "examples/collision.py", self.path("galaxy.txt"), self.path("both.txt"), "--stars", "0.5",
                        "--distance", "10", "--pericentre", "2"], check=True, stdout=subprocess.DEVNULL)
        both = np.loadtxt(self.path("both.txt"))
        np.testing.assert_array_equal(both[:, 0], [0.1] * 4 + [0.4] * 4)
        one, other = both[[4, 5, 0, 1]], both[[6, 7, 2, 3]]
        centre = [np.average(copy[:, 1:], axis=0, weights=copy[:, 0]) for copy in (one, other)]
        # The galaxy has mass 1.  Two points of mass 1 have relative energy 0 and L^2 = 2 q (1 + 1).
        x, v = np.split(centre[1] - centre[0], 2)
        self.assertAlmostEqual(np.linalg.norm(x), 10)
        self.assertAlmostEqual(v @ v / 2 - 2 / 10, 0)
        self.assertAlmostEqual(np.sum(np.cross(x, v) ** 2), 2 * 2 * 2)
        self.assertLess(x @ v, 0)
        np.testing.assert_allclose(centre[0], -centre[1], atol=1e-12)
        # Each copy is turned, not distorted.
        for copy, place in zip((one, other), centre):
            for columns in (slice(1, 4), slice(4, 7)):
                inner = copy[:, columns] - place[columns.start - 1:columns.stop - 1]
                np.testing.assert_allclose(inner @ inner.T, galaxy[:, columns] @ galaxy[:, columns].T, atol=1e-12)
