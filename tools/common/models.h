// SPDX-License-Identifier: MIT
// Initial conditions by name.  G = 1, the total mass is 1, masses are equal unless imf is given,
// and the centre of mass is at rest at the origin.  Parameters follow the name, as
// king:W0=6,scale=2.  All models have `scale` and `mass`, which multiply lengths and masses;
// velocities are multiplied by sqrt(mass/scale).
//
//   plummer    virial equilibrium, E near -1/4 (plummer.h); imf=kroupa, m_min, m_max: masses of
//              Kroupa (2001) in Msun, divided by their sum; binaries: part of the systems that are
//              binaries, a_min, a_max: their semi-major axes (star_cluster.h)
//   king       E = -1/4, W0: depth of the centre (king.h)
//   two        two Plummer spheres: q ratio of masses, d distance, e eccentricity (star_cluster.h)
//   sphere     uniform, radius 1, at rest;   cube: uniform, side 2, at rest
//   hernquist  scale length 1, cut at c = 50 (Hernquist 1990, ApJ 356, 359)
//   nfw        scale length 1, cut at c = 10 (Navarro, Frenk & White 1996, ApJ 462, 563)
//   galaxy     Hernquist bulge, exponential disk and NFW halo of masses 1:2:12 (as in Nakasato
//              2011), disk scale length 1
//   m31        the same with the masses 3.24:3.66:81.1 (as in Miki & Umemura 2017)
// Both galaxies have the scale lengths of m31: bulge 0.61 kpc, disk 5.4 kpc and 0.6 kpc high, halo
// 7.63 kpc; bulge and halo end at 10 scale lengths of the halo.  hernquist, nfw, bulge and halo
// have isotropic velocities with the dispersion of the Jeans equation, and disks move on near
// circles: these models are near equilibrium, not exactly in it.
#pragma once

#include "model_text.h"
#include "plummer.h"

#include <array>
#include <string>

namespace g6tools {

struct Model {
    std::vector<Body> bodies;
    // How many bodies are of each of Gadget's types: halo 1, disk 2, bulge 3.  They follow each
    // other in the order of these types.
    std::array<std::size_t, 6> types{};
    std::string note;  // for people, "" for nothing
    // 0 for none: the sum of the stars' masses in Msun, and the smallest semi-major axis of the
    // binaries.
    double solar_masses = 0, closest_binary = 0;
};

// "plummer, king, ...", for messages.
std::string model_names();

// Throws ModelError for an unknown name or wrong parameters.
Model make_model(const std::string &text, std::size_t n, std::uint64_t seed);

}  // namespace g6tools
