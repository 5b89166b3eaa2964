// SPDX-License-Identifier: MIT
// A cluster that was closed and opened again is a fresh one: nothing of its former life shows.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Fresh);

// The tree of a former life has bodies that are gone.
// All but slot 50 are sent again: units and the other slots give no reason for another tree.  In an
// old one the empty slot would be a massless body at the origin, next to i-particle 0.
TEST_P(Fresh, a_tree_is_forgotten_at_close)
{
    const std::vector<Body> bodies = moving_bodies(100, 7);
    IBlock block = block_of(bodies, 0, 10);
    block.x[0] = {1e-3, 0, 0};
    block.h2[0] = 1;
    client.use_mode("treewalk");
    client.set_all(bodies);
    client.run_and_check(block);
    client.reopen();
    for (int k = 0; k < 100; k++)
        if (k != 50) client.set(k, bodies[k]);
    client.run_and_check_with_lists(block);
}

}  // namespace
}  // namespace g6test
