# SPDX-License-Identifier: MIT
"""Growth, ages and mass functions of tools/g6plot/cosmology.py against what is known of them."""
import unittest

import numpy as np
from g6plot import cosmology
from g6plot.cosmology import Cosmology


class Growth(unittest.TestCase):
    def test_einstein_de_sitter_grows_as_a(self):
        c = Cosmology(omega_matter=1.0, hubble=0.5)
        a = np.array([0.01, 0.1, 0.5, 1])
        np.testing.assert_allclose(c.growth(a), a, rtol=1e-10)
        np.testing.assert_allclose(c.growth_rate(a), 1, rtol=1e-10)
        np.testing.assert_allclose(c.age(a), 2 / 3 * a ** 1.5, rtol=1e-12)

    def test_early_growth_is_a_in_every_model(self):
        self.assertAlmostEqual(Cosmology(0.2).growth(1e-4) / 1e-4, 1, delta=1e-9)

    def test_growth_is_the_fit_of_carroll_press_turner(self):
        # CPT92, equation 29, with Omega + Lambda = 1: good to 2 %.
        for om in (0.2, 0.3, 0.5, 0.9):
            ol = 1 - om
            fit = 2.5 * om / (om ** (4 / 7) - ol + (1 + om / 2) * (1 + ol / 70))
            self.assertAlmostEqual(float(Cosmology(om, 0.7).growth(1.0)) / fit, 1, delta=0.02)

    def test_growth_rate_is_the_derivative(self):
        c, a, h = Cosmology(0.3), 0.6, 1e-4
        slope = (np.log(c.growth(a * np.exp(h))) - np.log(c.growth(a * np.exp(-h)))) / (2 * h)
        self.assertAlmostEqual(float(c.growth_rate(a)), float(slope), delta=1e-7)

    def test_growth_rate_is_near_linders_power_of_matter(self):
        # Linder 2005: f = Omega_m(a)^0.55 for a cosmological constant, to 1 %.
        c, a = Cosmology(0.3), np.array([0.1, 0.3, 1.0])
        np.testing.assert_allclose(c.growth_rate(a), c.matter(a) ** 0.55, rtol=0.01)

    def test_the_age_is_the_integral_of_the_expansion(self):
        # t = integral da / (a H); da / (a H) = a^(1/2) da / sqrt(Omega_m + Omega_L a^3), by the midpoint rule.
        c = Cosmology(0.3)
        a = (np.arange(200000) + 0.5) / 200000
        self.assertAlmostEqual(float(c.age(1.0)), (1 / (a * c.expansion(a))).mean(), delta=1e-6)


class Spectrum(unittest.TestCase):
    def test_sigma8_is_what_is_asked_for(self):
        self.assertAlmostEqual(Cosmology(sigma8=0.77).sigma(8.0), 0.77, delta=1e-12)

    def test_large_scales_have_the_primordial_slope(self):
        c = Cosmology(index=0.96)
        self.assertAlmostEqual(np.log(c.power(2e-5) / c.power(1e-5)) / np.log(2), 0.96, delta=0.01)
        self.assertAlmostEqual(float(c.transfer(1e-6)), 1, delta=1e-4)

    def test_small_scales_fall_as_logarithm_over_k_squared(self):
        # T goes as ln(1.8 q) / (14.2 q^2), EH98.
        c = Cosmology(omega_baryon=0.0)
        theta, gamma = c.cmb / 2.7, c.omega_matter * c.hubble
        q = 1e5 * theta ** 2 / gamma
        self.assertAlmostEqual(float(c.transfer(1e5)) / (np.log(1.8 * q) / (14.2 * q * q)), 1, delta=0.02)

    def test_the_amplitude_grows_with_the_square_of_growth(self):
        c = Cosmology()
        self.assertAlmostEqual(float(c.power(0.1, 0.5) / c.power(0.1)), float((c.growth(0.5) / c.growth(1.0)) ** 2), delta=1e-12)

    def test_a_sphere_has_its_transform(self):
        # 3 (sin x - x cos x) / x^3 at x = 2, and both sides of where the series takes over.
        self.assertAlmostEqual(float(cosmology.top_hat(2.0)), 3 * (np.sin(2) - 2 * np.cos(2)) / 8, delta=1e-14)
        self.assertAlmostEqual(float(cosmology.top_hat(0.00999)), float(cosmology.top_hat(0.01001)), delta=1e-7)

    def test_nonsense_is_refused(self):
        for given in (dict(omega_matter=0), dict(omega_matter=1.2), dict(hubble=-1), dict(sigma8=0), dict(omega_baryon=0.4),
                      dict(omega_matter=float("nan"))):
            with self.assertRaises(ValueError, msg=given):
                Cosmology(**given)


class Halos(unittest.TestCase):
    def test_all_mass_is_in_halos(self):
        # integral f dln(nu) = 1; for ST99 the amplitude 0.3222 makes it so to a per mille.
        nu = np.exp(np.linspace(-60, 4, 200000))
        for fit in ("PS74", "ST99"):
            total = cosmology.multiplicity(nu, fit).sum() * 64 / 200000
            self.assertAlmostEqual(total, 1, delta=2e-3, msg=fit)

    def test_more_massive_halos_are_rarer(self):
        counts = Cosmology().mass_function(np.logspace(11, 15, 20))
        self.assertTrue((np.diff(counts) < 0).all())

    def test_sheth_and_tormen_have_more_large_halos(self):
        c = Cosmology()
        self.assertGreater(c.mass_function(np.array([3e14, 1e15]))[1], c.mass_function(np.array([3e14, 1e15]), fit="PS74")[1])
