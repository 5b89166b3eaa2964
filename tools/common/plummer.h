// SPDX-License-Identifier: MIT
// A Plummer sphere in N-body units: G = 1, total mass 1, energy near -1/4 (virial equilibrium).
// The same seed gives the same bits on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace g6tools {

struct Body {
    double mass;
    double x[3], v[3];
};

// Moves the centre of mass, of bodies of total mass 1, to the origin, at rest.
void centre(std::vector<Body> &bodies);

// Scale length b of the whole sphere in these units: E = -(3 pi / 64) M^2 / b.
constexpr double kPlummerScale = 3 * 3.14159265358979323846 / 16;
// Bodies lie within this radius: the outermost 0.3 % of the mass, which would reach infinity, are
// drawn again.  So the mass 1 lies a little deeper, with E = -0.2520 and T/|W| = 0.4986 on average.
constexpr double kPlummerRadius = 22.8 * kPlummerScale;

// n equal masses.  Centre of mass at rest at the origin; positions and velocities are otherwise as
// drawn (Aarseth, Henon & Wielen 1974, A&A 37, 183), so that E scatters.
std::vector<Body> plummer(std::size_t n, std::uint64_t seed);

}  // namespace g6tools
