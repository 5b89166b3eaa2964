// SPDX-License-Identifier: MIT
// Base of the tests of g6_set_j_softening(): a client that knows the softening of each j-particle,
// and long-double sums of pairs with eps_ij^2 = eps_i^2 + eps_j^2.
#pragma once

#include "treewalk.h"

#include <algorithm>

namespace g6test {

class SofteningPhysics : public Physics {
protected:
    // Sets the softenings of addresses 0 ... n-1.
    void soften(const std::vector<double> &eps2) { soften_of(client, eps2); }
    void soften_of(const Client &c, const std::vector<double> &eps2)
    {
        ASSERT_EQ(g6_set_j_softening(c.id(), int(eps2.size()), nullptr, eps2.data()), G6_OK)
            << g6_last_error();
        for (size_t a = 0; a < eps2.size(); ++a) eps2_[int(a)] = eps2[a];
    }
    double eps2_of(int address) const
    {
        const auto found = eps2_.find(address);
        return found == eps2_.end() ? 0 : found->second;
    }
    // As evaluate().
    Expected sums(int nj, const IParticle &i, ListRule rule = {}) const
    {
        return sums_of(client.memory(), eps2_, nj, client.ti(), i, rule);
    }
    static Expected sums_of(const Memory &memory, const std::map<int, double> &eps2, int nj,
                            double ti, const IParticle &i, ListRule rule = {})
    {
        Expected e;
        for (const auto &[address, body] : memory) {
            if (address >= nj) break;
            const Predicted p = predict(body, ti);
            const auto own_eps2 = eps2.find(address);
            IParticle pair = i;
            pair.eps2 += own_eps2 == eps2.end() ? 0 : own_eps2->second;
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
    // error: of the sum of |terms|, for trees whose cells act as a whole; 0: direct sums.
    void expect_sums(const IBlock &block, int nj, const Output &out, double error = 0) const
    {
        ASSERT_EQ(out.status, G6_OK) << g6_last_error();
        const Tolerance t = tolerance(client.precision());
        for (int k = 0; k < block.size(); ++k) {
            SCOPED_TRACE("i-particle " + std::to_string(k));
            const Expected e = sums(nj, block.particle(k));
            const Allowed direct(e, t);
            ASSERT_TRUE(within("acc", e.acc, out.acc[k], direct.acc + error * e.acc_size));
            ASSERT_TRUE(within("pot", e.pot, out.pot[k], direct.pot + error * e.pot_size));
            if (error == 0) {
                ASSERT_TRUE(within("jerk", e.jerk, out.jerk[k], direct.jerk));
            }
            if (out.half == Half::kLast) continue;
            ASSERT_EQ(out.nearest[k], e.nearest_address < 0 ? 0 : e.nearest_index);
        }
    }
    void expect_lists(const IBlock &block, int nj, ListRule rule = {}) const
    {
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0) << g6_last_error();
        for (int k = 0; k < block.size(); ++k)
            ASSERT_EQ(client.list(k), sums(nj, block.particle(k), rule).neighbours) << k;
    }
    void run_and_check(const IBlock &block, double error = 0)
    {
        const int nj = client.nj();
        expect_sums(block, nj, client.run(block, nj), error);
        expect_lists(block, nj);
    }

    std::map<int, double> eps2_;
};

// Softenings squared of n particles: 0, 1/64, 4/64 ... by turns.
inline std::vector<double> softenings(int n, int different)
{
    std::vector<double> eps2(n);
    for (int k = 0; k < n; ++k) eps2[k] = (k % different) * (k % different) / 64.0;
    return eps2;
}

}  // namespace g6test
