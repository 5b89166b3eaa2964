# SPDX-License-Identifier: MIT
"""A flat universe of matter and a cosmological constant: ages, growth, the linear power spectrum, mass functions.

Lengths are comoving.  Wave numbers are in h/Mpc, lengths in Mpc/h, masses in Msun/h, times in 1/H0.
Sources:
    EH98   Eisenstein & Hu 1998, ApJ 496, 605
    CPT92  Carroll, Press & Turner 1992, ARA&A 30, 499
    PS74   Press & Schechter 1974, ApJ 187, 425
    ST99   Sheth & Tormen 1999, MNRAS 308, 119
"""
import numpy as np

CRITICAL_DENSITY = 2.77536627e11  # (Msun/h) / (Mpc/h)^3: 3 H^2 / (8 pi G), with H = 100 h km/s/Mpc
HUBBLE_TIME = 9.77792221  # Gyr/h: 1 / (100 km/s/Mpc)
SIGMA8_RADIUS = 8.0  # Mpc/h
COLLAPSE = 1.686  # linear overdensity of a spherical collapse, Einstein-de Sitter


class Cosmology:
    """omega_matter, omega_baryon: at z = 0; hubble: h; sigma8, index: amplitude and slope of the power spectrum."""

    def __init__(self, omega_matter=0.3, hubble=0.7, sigma8=0.8, index=0.96, omega_baryon=0.045, cmb=2.7255):
        for name, value, low, high in (("Omega_m", omega_matter, 0, 1), ("h", hubble, 0, 3), ("sigma_8", sigma8, 0, 5),
                                       ("Omega_b", omega_baryon, -1e-12, omega_matter), ("n_s", index, -5, 5)):
            if not low < value <= high:
                raise ValueError(f"{name} = {value:g} is not possible: above {max(low, 0):g}, up to {high:g}")
        self.omega_matter, self.omega_lambda, self.hubble = omega_matter, 1 - omega_matter, hubble
        self.sigma8, self.index, self.omega_baryon, self.cmb = sigma8, index, omega_baryon, cmb
        self._norm = 1.0
        self._norm = (sigma8 / self.sigma(SIGMA8_RADIUS)) ** 2

    # ---- expansion and growth ---------------------------------------------------------------------------------
    def expansion(self, a):
        """H / H0."""
        return np.sqrt(self.omega_matter / np.asarray(a, float) ** 3 + self.omega_lambda)

    def matter(self, a):
        """Omega_m at scale factor a."""
        return self.omega_matter / (np.asarray(a, float) ** 3 * self.expansion(a) ** 2)

    def age(self, a):
        """Time since a = 0, in 1/H0."""
        a = np.asarray(a, float)
        if self.omega_lambda == 0:
            return 2 / 3 * a ** 1.5
        return 2 / 3 / np.sqrt(self.omega_lambda) * np.arcsinh(np.sqrt(self.omega_lambda / self.omega_matter) * a ** 1.5)

    def growth(self, a):
        """Growth factor of the linear growing mode; it is a if there is matter only, and goes to a for a -> 0 in all models.

            D = 5/2 Omega_m H(a) integral_0^a da' / (a' H(a'))^3        (CPT92, equation 28)

        With a' = a t^(2/5) the integrand is finite and smooth at 0, so Gauss-Legendre has errors of 1e-12.
        """
        nodes, weights = np.polynomial.legendre.leggauss(48)
        t, w = (nodes + 1) / 2, weights / 2
        a = np.asarray(a, float)[..., None]
        x = a * t ** 0.4
        # da' = 0.4 a t^-0.6 dt, and (a' H)^-3 goes as a'^(3/2) = a^(3/2) t^0.6.
        integrand = 0.4 * a ** 2.5 / (self.omega_matter + self.omega_lambda * x ** 3) ** 1.5
        return 2.5 * self.omega_matter * self.expansion(a[..., 0]) * (integrand * w).sum(axis=-1)

    def growth_rate(self, a):
        """f = dlnD / dlna, from the derivative of the integral of growth()."""
        a = np.asarray(a, float)
        slope = -1.5 * self.omega_matter / (a ** 3 * self.expansion(a) ** 2)  # dlnH / dlna
        return slope + 2.5 * self.omega_matter / (a * self.expansion(a)) ** 2 / self.growth(a)

    # ---- power spectrum -----------------------------------------------------------------------------------------
    def transfer(self, k):
        """Transfer function of cold dark matter with baryons, without acoustic oscillations (EH98, equations 26, 28-31).
        k in h/Mpc."""
        k = np.maximum(np.asarray(k, float), 1e-12)
        om, ob, theta = self.omega_matter * self.hubble ** 2, self.omega_baryon * self.hubble ** 2, self.cmb / 2.7
        share = self.omega_baryon / self.omega_matter
        sound = 44.5 * np.log(9.83 / om) / np.sqrt(1 + 10 * max(ob, 1e-12) ** 0.75)  # Mpc
        alpha = 1 - 0.328 * np.log(431 * om) * share + 0.38 * np.log(22.3 * om) * share ** 2
        gamma = self.omega_matter * self.hubble * (alpha + (1 - alpha) / (1 + (0.43 * k * self.hubble * sound) ** 4))
        q = k * theta ** 2 / gamma
        numerator = np.log(2 * np.e + 1.8 * q)
        return numerator / (numerator + (14.2 + 731 / (1 + 62.5 * q)) * q ** 2)

    def power(self, k, a=1.0):
        """Linear power spectrum in (Mpc/h)^3, <|delta_k|^2> = P(k) / V."""
        k = np.asarray(k, float)
        growth = self.growth(a) / self.growth(1.0)
        return self._norm * growth ** 2 * np.maximum(k, 1e-12) ** self.index * self.transfer(k) ** 2 * (k > 0)

    def sigma(self, radius, a=1.0):
        """Standard deviation of the linear overdensity in spheres of this radius [Mpc/h]."""
        lnk = np.linspace(np.log(1e-5), np.log(1e3), 6000)
        k = np.exp(lnk)
        spectrum = k ** 3 * self.power(k, a) / (2 * np.pi ** 2)
        radius = np.atleast_1d(np.asarray(radius, float))
        result = np.array([np.sqrt((spectrum * top_hat(k * r) ** 2).sum() * (lnk[1] - lnk[0])) for r in radius])
        return result if len(result) > 1 else float(result[0])

    # ---- mass function -----------------------------------------------------------------------------------------
    def mean_density(self):
        """Mean comoving density in (Msun/h) / (Mpc/h)^3."""
        return CRITICAL_DENSITY * self.omega_matter

    def radius_of(self, mass):
        """Radius of a sphere of mean density with this mass."""
        return (3 * np.asarray(mass, float) / (4 * np.pi * self.mean_density())) ** (1 / 3)

    def mass_function(self, mass, a=1.0, fit="ST99"):
        """dn/dlnM in (h/Mpc)^3 at increasing masses [Msun/h]:  dn/dlnM = rho/M f(nu) |dln sigma / dlnM|."""
        mass = np.asarray(mass, float)
        step = 0.01
        sigma, below, above = (self.sigma(self.radius_of(mass * np.exp(s)), a) for s in (0, -step, step))
        slope = (np.log(above) - np.log(below)) / (2 * step)
        return self.mean_density() / mass * multiplicity(COLLAPSE / sigma, fit) * np.abs(slope)


def top_hat(x):
    """Fourier transform of a homogeneous sphere; for small x its series, since the formula would lose digits."""
    x = np.asarray(x, float)
    safe = np.where(x < 1e-2, 1.0, x)
    return np.where(x < 1e-2, 1 - x * x / 10, 3 * (np.sin(safe) - safe * np.cos(safe)) / safe ** 3)


def multiplicity(nu, fit):
    """f(nu), the fraction of mass in halos per dln sigma.  The integrals of both fits are 1."""
    if fit == "PS74":
        return np.sqrt(2 / np.pi) * nu * np.exp(-nu * nu / 2)
    if fit == "ST99":
        amplitude, q, p = 0.3222, 0.707, 0.3
        return amplitude * np.sqrt(2 * q / np.pi) * nu * (1 + (q * nu * nu) ** -p) * np.exp(-q * nu * nu / 2)
    raise ValueError(f"no mass function {fit}: PS74, ST99")
