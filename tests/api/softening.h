// SPDX-License-Identifier: MIT
// Base of the tests of g6_set_j_softening(): a client that knows the softening of each j-particle,
// and compares with long-double sums.
#pragma once

#include "treewalk.h"

namespace g6test {

class SofteningPhysics : public Physics {
protected:
    // Sets the softenings of addresses 0 ... n-1.
    void soften(const std::vector<double> &eps2)
    {
        ASSERT_EQ(g6_set_j_softening(client.id(), int(eps2.size()), nullptr, eps2.data()), G6_OK)
            << g6_last_error();
        for (size_t a = 0; a < eps2.size(); ++a) eps2_[int(a)] = eps2[a];
    }
    double eps2_of(int address) const { return softening_of(eps2_, address); }
    Expected sums(int nj, const IParticle &i, ListRule rule = {}) const
    {
        return evaluate(client.memory(), nj, client.ti(), i, rule, eps2_);
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

    Softenings eps2_;
};

// Softenings squared of n particles: 0, 1/64, 4/64 ... by turns.
inline std::vector<double> softenings(int n, int different)
{
    std::vector<double> eps2(n);
    for (int k = 0; k < n; ++k) eps2[k] = (k % different) * (k % different) / 64.0;
    return eps2;
}

}  // namespace g6test
