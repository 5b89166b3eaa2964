// SPDX-License-Identifier: MIT
// The expanding background: matter, curvature and a cosmological constant (Friedmann's equation).
//
//   H(a)^2 = H0^2 (Om a^-3 + Ok a^-2 + OL),   Ok = 1 - Om - OL
//
// Units are those of Gadget's files: lengths in kpc/h (comoving where a length is called so),
// velocities in km/s, masses in 1e10 Msun/h.  H0 is 0.1 for every h; time is in 0.978 Gyr/h.
#pragma once

#include "units.h"

namespace g6run {

constexpr double kHubble0 = 0.1;  // (km/s) / (kpc/h)
constexpr double kCmPerKpc = 1e3 * kCmPerPc;
constexpr double kGramsPerMass = 1e10 * kGramsPerMsun;
// G in (km/s)^2 (kpc/h) / (1e10 Msun/h), 43009.17.
constexpr double kGravity = kGravityCgs * kGramsPerMass / kCmPerKpc * 1e-10;
constexpr double kTimeUnitSeconds = kCmPerKpc / 1e5;  // over h

struct Cosmology {
    double omega_m = 0, omega_l = 0, h = 0;

    double omega_k() const { return 1 - omega_m - omega_l; }
    // H(a)^2 / H0^2; negative for an a that a universe with a turning point never has.
    double expansion2(double a) const;
    double hubble(double a) const;
    // Comoving mean density of matter, in units in which G is `gravity`.
    double mean_density(double gravity = kGravity) const;

    // The integral of a^-power dt from one scale factor to another; negative when to < from.
    // Power 0 is the time between them, 1 the kick factor, 2 the drift factor.
    double integral(double from, double to, int power) const;
    // Time since a = 0.
    double age(double a) const;
    // The scale factor at a time `span` after that of `from`; `guess` lies near it.
    double after(double from, double span, double guess) const;

    double gyr(double time) const;
};

inline double scale_factor(double z)
{
    return 1 / (1 + z);
}
inline double redshift(double a)
{
    return 1 / a - 1;
}

}  // namespace g6run
