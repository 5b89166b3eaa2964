// SPDX-License-Identifier: MIT
// A host tree over test bodies, with the store of particles from which it is made.
#pragma once

#include "libg6gpu/tree/host_tree.h"
#include "tests/systems.h"

namespace g6test {

struct Tree {
    g6::JStore store;
    g6::HostTree tree;
    g6::HostTreeRequest request{g6::Walk{}, 0, 0, 1, g6::Scale{}, g6::Motion::kAtRest, 1};

    void write(int address, const Body &b)
    {
        store.write(address, g6::kRecordWords, [&](G6JRecord &row, int words) {
            g6::fill_row(row, words, b.index, b.mass, &b.x[0], b.t, &b.v[0], &b.a2[0], &b.j6[0],
                         &b.k18[0]);
        });
        request.nj = std::max(request.nj, address + 1);
    }
    void write_all(const std::vector<Body> &bodies)
    {
        for (int k = 0; k < int(bodies.size()); ++k) write(k, bodies[k]);
    }
    const g6::TreeView &update()
    {
        tree.update(store, request);
        store.commit();
        return tree.view();
    }
};

// What the bodies of a cell say about it, summed in long double about the cell's own centre.
struct CellTruth {
    Real size = 0, centre[3] = {};
    Real reach = 0, b2 = 0, b3 = 0;
    double low[3], high[3];

    CellTruth(const g6::TreeView &t, const G6Cell &c)
    {
        const int last = c.first + c.count;
        for (int d = 0; d < 3; ++d) low[d] = high[d] = t.x[d][c.first];
        for (int p = c.first; p < last; ++p) {
            const Real m = std::fabs(Real(t.mass[p]));
            size += m;
            for (int d = 0; d < 3; ++d) {
                centre[d] += m * t.x[d][p];
                low[d] = std::min(low[d], t.x[d][p]), high[d] = std::max(high[d], t.x[d][p]);
            }
        }
        for (int d = 0; size > 0 && d < 3; ++d) centre[d] /= size;
        for (int p = c.first; p < last; ++p) {
            Real r[3], r2 = 0;
            for (int d = 0; d < 3; ++d) r[d] = t.x[d][p] - Real(c.x[d]), r2 += r[d] * r[d];
            reach = std::max(reach, std::sqrt(r2));
            b2 += std::fabs(Real(t.mass[p])) * r2;
            b3 += std::fabs(Real(t.mass[p])) * r2 * std::sqrt(r2);
        }
    }
};

}  // namespace g6test
