// SPDX-License-Identifier: MIT
// Base of the tests of mode treewalk, and how near a tree's forces must come.
#pragma once

#include "../physics.h"

namespace g6test {

class WalkPhysics : public Physics {
protected:
    void SetUp() override { walk("0"); }
    void walk(const char *theta)
    {
        client.option("mode", "treewalk");
        client.option("theta", theta);
        client.option("direct", "0");
    }
};

// |a - expected| / |expected|.
inline double relative_error(const Expected &e, const Vec3 &acc)
{
    Real d2 = 0, a2 = 0;
    for (int c = 0; c < 3; ++c) {
        d2 += (e.acc[c] - acc[c]) * (e.acc[c] - acc[c]);
        a2 += e.acc[c] * e.acc[c];
    }
    return double(std::sqrt(d2 / a2));
}

// Nearest neighbours and lists, exactly; forces within `error` of the sum of their terms' sizes.
inline void expect_close(const Client &client, const IBlock &block, int nj, const Output &out,
                         double error)
{
    ASSERT_EQ(out.status, 0) << g6_last_error();
    Memory positive = client.memory();  // for the sizes
    for (auto &entry : positive) entry.second.mass = std::fabs(entry.second.mass);
    for (int k = 0; k < block.size(); ++k) {
        SCOPED_TRACE("i-particle " + std::to_string(k));
        const Expected e = evaluate(client.memory(), nj, client.ti(), block.particle(k));
        const Expected size = evaluate(positive, nj, client.ti(), block.particle(k));
        ASSERT_TRUE(within("acc", e.acc, out.acc[k], error * size.acc_size));
        ASSERT_TRUE(within("pot", e.pot, out.pot[k], error * size.pot_size));
        ASSERT_EQ(out.nearest[k], e.nearest_address < 0 ? 0 : e.nearest_index);
    }
    client.expect_lists(block, nj);
}

}  // namespace g6test
