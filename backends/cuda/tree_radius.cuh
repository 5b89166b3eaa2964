// SPDX-License-Identifier: MIT
// From how far off a cell may act as a whole.
#pragma once

#include "curve.cuh"
#include "prelude.cuh"
#include "tree_access.cuh"

namespace g6::cuda {

// A cell that acts as a whole lies at least this far off, in device units: its float reciprocal
// powers do not overflow.
constexpr double kNearest2 = 1e-12;

// Not less than x, with room for the rounding of a test in float.
static __device__ __forceinline__ float up(double x)
{
    return __double2float_ru(x * (1 + 2e-6));
}

// Cube and centre count as long as the bodies are in the cube; then a cube around them does.
static __device__ void set_radius(const TreeState &s, const Walk &walk, double tolerance, Cell &c,
                                  const CellBox &m)
{
    const int level = place_level(m.place);
    const double error = tolerance * s.typical, edge = scalbn(s.size, -level);
    double l = edge, s2 = 0, middle[3];
    bool inside = true;
    for (int d = 0; d < 3; d++) {
        const unsigned long long place = m.place >> (level * (2 - d)) & ((1ull << level) - 1);
        middle[d] = s.corner[d] + (static_cast<double>(place) + 0.5) * edge;
        inside = inside && m.low[d] >= middle[d] - edge / 2 && m.high[d] <= middle[d] + edge / 2;
        l = fmax(l, static_cast<double>(m.high[d]) - m.low[d]);
    }
    for (int d = 0; d < 3; d++) {
        const double off = c.x[d] - (inside ? middle[d] : 0.5 * m.low[d] + 0.5 * m.high[d]);
        s2 += off * off;
    }
    const double reach = reach_of(c), size2 = c.weight;
    double radius = infinity(), weight = infinity();
    if (!is_mixed(c) && walk.theta > 0) {
        if (walk.mac == Mac::kBh || walk.mac == Mac::kAcceleration)
            radius = g6_radius_bh(l, sqrt(s2), walk.theta);
        else if (walk.mac == Mac::kBmax)
            radius = g6_radius_bmax(reach, walk.theta);
        else if (!(error > 0))
            radius = reach;
        else if (walk.multipole)
            radius = g6_radius_quadrupole(reach, size2, error,
                                          reach + pow(4 * reach * size2 / error, 0.2));
        else
            radius = g6_radius_multipole(reach, size2, error);
        radius = fmax(radius, reach);
        weight = g6_weight(fabs(c.mass), l, tolerance);
    }
    c.radius2 = up(fmax(radius * radius, kNearest2));
    c.near2 = radius == infinity() ? c.radius2 : up(fmax(reach * reach, kNearest2));
    c.weight = up(weight);
}

}  // namespace g6::cuda
