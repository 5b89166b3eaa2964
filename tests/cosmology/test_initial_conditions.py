# SPDX-License-Identifier: MIT
"""Initial conditions of examples/cosmology: their spectrum, displacements, velocities and files against theory."""
import os
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import h5py
import make_ic
import numpy as np
import perturbations
from g6plot import snapshot
from g6plot.cosmology import Cosmology


def plane_waves(n, box, amplitude):
    """delta = A (cos kx + cos ky) with the longest waves, its grid, k and places."""
    grid = perturbations.Grid(n, box)
    q = grid.lattice()
    k = 2 * np.pi / box
    delta = amplitude * (np.cos(k * q[:, 0]) + np.cos(k * q[:, 1]))
    return grid, k, q, np.fft.rfftn(delta.reshape(n, n, n))


class Displacements(unittest.TestCase):
    def test_a_plane_wave_is_displaced_by_its_gradient(self):
        # delta = A cos kx: psi = -A/k sin kx, so that -div psi = delta.
        grid, k, q, delta = plane_waves(16, 10.0, 0.3)
        psi = perturbations.first_order(grid, delta)
        want = np.stack([-0.3 / k * np.sin(k * q[:, 0]), -0.3 / k * np.sin(k * q[:, 1]), 0 * q[:, 2]], axis=1)
        # The lattice of the transform begins at half a cell: nothing else may differ.
        np.testing.assert_allclose(psi, want, atol=1e-13)

    def test_crossed_waves_have_their_second_order(self):
        # phi1,xx = A cos kx, phi1,yy = A cos ky: the source is A^2 cos kx cos ky,
        # phi2 = -source / (2 k^2), psi2 = (A^2 / (2k)) (sin kx cos ky, cos kx sin ky, 0).
        grid, k, q, delta = plane_waves(16, 10.0, 0.3)
        psi = perturbations.second_order(grid, delta)
        x, y = k * q[:, 0], k * q[:, 1]
        scale = 0.3 ** 2 / (2 * k)
        want = scale * np.stack([np.sin(x) * np.cos(y), np.cos(x) * np.sin(y), 0 * x], axis=1)
        np.testing.assert_allclose(psi, want, atol=1e-13)

    def test_a_single_wave_has_no_second_order(self):
        grid = perturbations.Grid(8, 1.0)
        delta = np.fft.rfftn(np.cos(2 * np.pi * grid.lattice()[:, 2]).reshape(8, 8, 8))
        np.testing.assert_allclose(perturbations.second_source(grid, delta), 0, atol=1e-13)

    def test_odd_grids_displace_too(self):
        grid, k, q, delta = plane_waves(9, 1.0, 0.1)
        np.testing.assert_allclose(perturbations.first_order(grid, delta)[:, 0], -0.1 / k * np.sin(k * q[:, 0]), atol=1e-14)


class Spectrum(unittest.TestCase):
    def measured(self, n=48, box=150.0, seed=3):
        """P(k) of -div psi1 in bins, with the numbers of independent modes, and the theory averaged over the modes."""
        c = Cosmology()
        grid = perturbations.Grid(n, box)
        psi = perturbations.first_order(grid, perturbations.density(grid, c.power, seed))
        delta = -sum(1j * slope * np.fft.rfftn(psi[:, d].reshape(n, n, n)) for d, slope in enumerate(grid.slopes))
        power = np.abs(delta) ** 2 * box ** 3 / float(n) ** 6
        k = grid.unit * np.sqrt(grid.squares())
        # The plane k_z = 0 has each wave twice, with its conjugate; others stand for two.
        weight = np.broadcast_to(np.where(grid.waves[2] == 0, 0.5, 1.0), k.shape)
        for edge in np.linspace(1.5, n / 2 - 1, 9)[:-1]:
            part = (k >= edge * grid.unit) & (k < (edge + (n / 2 - 2.5) / 8) * grid.unit)
            modes = weight[part].sum()
            theory = (weight[part] * c.power(k[part])).sum() / modes
            # |delta_k|^2 is distributed as an exponential: its deviation is its mean.
            error = np.sqrt((weight[part] * c.power(k[part]) ** 2).sum()) / modes
            yield (weight[part] * power[part]).sum() / modes, theory, error

    def test_displacements_have_the_spectrum_within_cosmic_variance(self):
        deviations = [(found - theory) / error for found, theory, error in self.measured()]
        self.assertLess(np.abs(deviations).max(), 4)
        # chi^2 of 8 bins: mean 8, deviation 4.
        self.assertLess(np.square(deviations).sum(), 8 + 3 * 4)

    def test_seeds_repeat_and_differ(self):
        grid, c = perturbations.Grid(8, 100.0), Cosmology()
        one, again, other = (perturbations.density(grid, c.power, seed) for seed in (5, 5, 6))
        np.testing.assert_array_equal(one, again)
        self.assertFalse(np.array_equal(one, other))

    def test_a_table_of_a_spectrum_gives_that_spectrum(self):
        c = Cosmology()
        k = np.logspace(-4, 2, 2000)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            np.savetxt(file, np.stack([k, 7.0 * c.power(k)], axis=1))
            file.flush()
            power = make_ic.power_of(file.name, c)
        wave = np.array([1e-3, 0.02, 1.0, 50.0])
        np.testing.assert_allclose(power(wave), c.power(wave), rtol=2e-3)


class Particles(unittest.TestCase):
    def test_velocities_are_those_of_the_growing_mode(self):
        # Zel'dovich: v = a H f psi, with the density of that scale factor.
        c, z = Cosmology(), 9.0
        a = 1 / (1 + z)
        grid = perturbations.Grid(12, 50.0)
        moved, velocity = make_ic.displace(grid, c, a, c.power, 1, 1)
        np.testing.assert_allclose(velocity, a * 100 * c.expansion(a) * c.growth_rate(a) * moved, rtol=1e-12)

    def test_displacements_grow_with_the_growth_factor(self):
        c, grid = Cosmology(), perturbations.Grid(12, 50.0)
        early, late = (make_ic.displace(grid, c, a, c.power, 1, 1)[0] for a in (0.02, 0.5))
        np.testing.assert_allclose(late / early, float(c.growth(0.5) / c.growth(0.02)), rtol=1e-10)

    def test_second_order_goes_with_the_square(self):
        c, grid = Cosmology(1.0), perturbations.Grid(12, 50.0)
        second = [make_ic.displace(grid, c, a, c.power, 1, 2)[0] - make_ic.displace(grid, c, a, c.power, 1, 1)[0]
                  for a in (0.02, 0.08)]
        np.testing.assert_allclose(second[1], 16 * second[0], rtol=1e-6, atol=1e-12)

    def test_the_box_has_the_mean_density(self):
        c = Cosmology()
        ids, x, _, mass = make_ic.make(c, 8, 70.0, 49, 1)
        self.assertEqual(len(ids), 512)
        self.assertAlmostEqual(512 * mass / (c.mean_density() * 70.0 ** 3), 1, delta=1e-12)
        self.assertTrue(((x >= 0) & (x < 70)).all())

    def test_a_sphere_has_its_share_of_the_box(self):
        # pi/6 of 32^3, and the lattice's and the waves' scatter: 3 % at z = 49.
        ids, x, v, _ = make_ic.make(Cosmology(), 32, 64.0, 49, 1, sphere=32.0)
        self.assertAlmostEqual(len(ids) / 32 ** 3, np.pi / 6, delta=0.03 * np.pi / 6)
        self.assertLessEqual(np.linalg.norm(x - 32, axis=1).max(), 32)
        self.assertEqual(x.shape, v.shape)

    def test_the_systems_of_the_papers_have_their_masses(self):
        # 2,874,551 particles of 5.5e9 Msun in a sphere of 45 Mpc with Omega_m h^2 = 0.149.
        c = Cosmology(0.149 / 0.49, 0.7)
        mass = c.mean_density() * 4 / 3 * np.pi * (45 * 0.7) ** 3 / 2874551 / 0.7
        self.assertAlmostEqual(mass / 5.5e9, 1, delta=0.01)


class Files(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.path = os.path.join(place.name, "ic.hdf5")

    def run_main(self, *words):
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = make_ic.main([self.path, *words])
        return status, out.getvalue() + err.getvalue()

    def test_a_file_has_what_gadget_has(self):
        self.assertEqual(self.run_main("--grid", "8", "--box", "50", "--redshift", "24")[0], 0)
        c = Cosmology()
        _, x, v, mass = make_ic.make(c, 8, 35.0, 24, 1)
        with h5py.File(self.path) as file:
            head = dict(file["Header"].attrs)
            self.assertEqual([head[n] for n in ("Omega0", "HubbleParam", "Redshift", "NumFilesPerSnapshot")], [0.3, 0.7, 24, 1])
            self.assertAlmostEqual(head["Time"], 0.04)
            self.assertAlmostEqual(head["OmegaLambda"], 0.7)
            self.assertAlmostEqual(head["BoxSize"], 35000)
            self.assertAlmostEqual(head["MassTable"][1] * 1e10 / mass, 1)
            np.testing.assert_allclose(file["PartType1/Coordinates"], 1000 * x)
            # Gadget keeps v / sqrt(a).
            np.testing.assert_allclose(file["PartType1/Velocities"], 5 * v)
            np.testing.assert_array_equal(file["PartType1/ParticleIDs"], np.arange(1, 513))

    def test_both_units_and_both_masses_are_the_same_to_g6plot(self):
        read = []
        for words in (["--unit", "kpc"], ["--unit", "Mpc", "--masses-block"]):
            self.run_main("--grid", "8", "--box", "50", "--overwrite", *words)
            s = snapshot.read(self.path)
            read.append((s.position * s.header.units.length / snapshot.PC / 1e6, s.mass * s.header.units.mass))
        np.testing.assert_allclose(read[0][0], read[1][0], atol=1e-9)
        np.testing.assert_allclose(read[0][1], read[1][1])
        # 50 Mpc, whatever h is.
        self.assertAlmostEqual(np.ptp(read[0][0]), 50, delta=50 / 8 + 1)

    def test_nonsense_is_refused_and_writes_nothing(self):
        for words, text in ((["--grid", "0"], "--grid 0"), (["--grid", "-4"], "--grid -4"), (["--box", "0"], "--box 0"),
                            (["--box", "nan"], "--box nan"), (["--sphere", "60"], "does not fit"), (["--redshift", "-2"], "--redshift"),
                            (["--sphere", "1e-3", "--grid", "4"], "no particle is within"), (["--omega-m", "1.5"], "Omega_m"),
                            (["--seed", "-1"], "--seed"), (["--sigma8", "0"], "sigma_8"), (["--power", "none.txt"], "none.txt")):
            status, said = self.run_main(*words)
            self.assertEqual(status, 1, words)
            self.assertIn(text, said)
            self.assertFalse(os.path.exists(self.path), words)

    def test_a_file_is_not_replaced_unasked(self):
        with open(self.path, "w") as file:
            file.write("precious")
        status, said = self.run_main("--grid", "4")
        self.assertEqual(status, 1)
        self.assertIn("--overwrite", said)
        with open(self.path) as file:
            self.assertEqual(file.read(), "precious")
