// SPDX-License-Identifier: MIT
// The tests' own answer where j-particles have softenings of their own: eps_ij^2 = eps_i^2 + eps_j^2.
#pragma once

#include "reference.h"

namespace g6test {

// By address; 0 where there is none.
using Softenings = std::map<int, double>;

inline double softening_of(const Softenings &eps2, int address)
{
    const auto found = eps2.find(address);
    return found == eps2.end() ? 0 : found->second;
}

// As evaluate().
inline Expected evaluate_softened(const Memory &memory, const Softenings &eps2, int nj, double ti,
                                  const IParticle &i, ListRule rule = {})
{
    Expected e;
    for (const auto &[address, body] : memory) {
        if (address >= nj) break;
        const Predicted p = predict(body, ti);
        IParticle pair = i;
        pair.eps2 += softening_of(eps2, address);
        Real r[3], v[3], r2 = 0;
        for (int k = 0; k < 3; ++k) {
            r[k] = p.x[k] - i.x[k], v[k] = p.v[k] - i.v[k];
            r2 += r[k] * r[k];
        }
        const bool own = body.index == i.index;
        const bool inside = (rule.softened ? r2 + pair.eps2 : r2) < i.h2;
        if (inside && (!own || rule.own)) e.neighbours.push_back(body.index);
        if (own) continue;
        add_pair(e, r, v, p, body.mass, pair);
        if (e.nearest_address < 0 || r2 < e.nearest_r2)
            e.nearest_address = address, e.nearest_index = body.index, e.nearest_r2 = r2;
    }
    std::sort(e.neighbours.begin(), e.neighbours.end());
    return e;
}

}  // namespace g6test
