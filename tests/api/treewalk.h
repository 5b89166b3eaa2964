// SPDX-License-Identifier: MIT
// Base of the tests of mode treewalk, with the tolerances of a tree's forces.
#pragma once

#include "../physics.h"

namespace g6test {

class WalkPhysics : public Physics {
protected:
    void SetUp() override { walk("0"); }
    void walk(const char *theta) { client.use_mode("treewalk", theta); }
};

// A block with old accelerations, all or none.
inline Output run_with_aold(Client &client, IBlock block, std::vector<Vec3> aold)
{
    g6calc_firsthalf(client.id(), client.nj(), block.size(), block.index.data(), rows(block.x),
                     rows(block.v), aold.empty() ? nullptr : rows(aold), nullptr, nullptr,
                     block.eps2, block.h2.data());
    return client.last(block, client.nj());
}

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

}  // namespace g6test
