// SPDX-License-Identifier: MIT
// The thresholds of a cell (opening.h): from which distance on it may act as a whole.
#pragma once

#include "curve.cuh"
#include "prelude.cuh"
#include "tree_access.cuh"

namespace g6::cuda {

// Writes the thresholds of a cell, whose weight holds the sum of |m| d^2 until then.
static __device__ void set_radius(const TreeState &s, const Walk &walk, double tolerance, Cell &c,
                                  const CellBox &m)
{
    const int level = place_level(m.place);
    const double edge = scalbn(s.size, -level);
    double cube[3], low[3], high[3];
    for (int d = 0; d < 3; d++) {
        const unsigned long long place = m.place >> (level * (2 - d)) & ((1ull << level) - 1);
        cube[d] = s.corner[d] + (static_cast<double>(place) + 0.5) * edge;
        low[d] = m.low[d];
        high[d] = m.high[d];
    }
    const G6Criterion criterion{static_cast<int>(walk.mac), walk.multipole, walk.theta,
                                tolerance * s.typical, tolerance};
    G6CellExtent extent{0, 0, reach_of(c), c.weight, fabs(c.mass), is_mixed(c)};
    g6_measure_cell(&extent, c.x, cube, edge, low, high);
    const G6Thresholds t = g6_thresholds(&extent, &criterion);
    c.radius2 = t.radius2;
    c.near2 = t.near2;
    c.weight = t.weight;
}

}  // namespace g6::cuda
