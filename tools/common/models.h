// SPDX-License-Identifier: MIT
// Initial conditions by name.  G = 1, total mass 1 of n equal masses, centre of mass at rest at the
// origin.
//
//   plummer    virial equilibrium, E = -1/4 (plummer.h)
//   sphere     uniform, radius 1, at rest;   cube: uniform, side 2, at rest
//   hernquist  scale length 1, cut at 50 (Hernquist 1990, ApJ 356, 359)
//   nfw        scale length 1, cut at 10 (Navarro, Frenk & White 1996, ApJ 462, 563)
//   galaxy     Hernquist bulge, exponential disk and NFW halo of masses 1:2:12 (as in Nakasato
//              2011), disk scale length 1
//   m31        the same with the masses 3.24:3.66:81.1 (as in Miki & Umemura 2017)
// The lengths of both galaxies are those of the latter: bulge 0.61, disk 5.4 and 0.6 high,
// halo 7.63 kpc; the halo ends at 10 of its scale lengths.  Spherical components move isotropically
// with the dispersion of the Jeans equation, the disk on near circles: near equilibrium, not exact.
#pragma once

#include "plummer.h"

#include <string>

namespace g6tools {

// "plummer, sphere, ...", for messages.
std::string model_names();

// Empty for an unknown name.
std::vector<Body> make_model(const std::string &name, std::size_t n, std::uint64_t seed);

}  // namespace g6tools
