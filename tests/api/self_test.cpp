// SPDX-License-Identifier: MIT
// Self-exclusion of one i-particle at a time: in a block of many another one's index may hide that
// its own is missed.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Self);

// Whether its index is the lowest, the highest or one in between of those that backends look at
// together, and wherever it stands among them.
TEST_P(Self, is_left_out_for_every_particle_alone)
{
    constexpr int kBodies = 300;
    for (const char *mode : {"hermite", "treewalk"}) {
        client.reopen();
        client.option("mode", mode);
        client.option("theta", "0");
        client.option("direct", "0");
        std::vector<Body> bodies = resting_bodies(kBodies, 1);
        for (int k = 0; k < kBodies; ++k) bodies[k].index = k * 77 % kBodies - 100;
        client.set_all(bodies);
        for (int k = 0; k < kBodies; ++k) {
            SCOPED_TRACE(testing::Message() << mode << " " << k);
            client.run_and_check(block_of(bodies, k, 1, 0, 1e-6, 0));
            if (HasFailure()) return;
        }
    }
}

}  // namespace
}  // namespace g6test
