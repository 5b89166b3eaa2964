// SPDX-License-Identifier: MIT
// A cluster that was closed and opened again is a fresh one: nothing of its former life shows.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Fresh);

// Direct block, then a walked block after a few writes: on devices that walk the host's tree these
// writes are held back, and must not come after the close.
TEST_P(Fresh, writes_that_were_held_back_die_at_close)
{
    client.option("mode", "treewalk");
    client.option("theta", "0.5");
    const std::vector<Body> many = moving_bodies(3000, 1), few = moving_bodies(12, 2);
    const IBlock block = block_of(few, 0, 4);
    for (bool other_devices : {false, true}) {
        client.option("direct", "1000000");
        client.set_all(many);
        client.run(block, 3000);
        client.option("direct", "0");
        for (int k = 2900; k < 2950; ++k) client.set(k, many[k - 50]);
        client.run(block, 3000);
        if (other_devices) client.option("threads", "1");
        client.reopen();
        client.option("direct", "1000000");
        client.set_all(few);
        client.expect_right(block, 3000, client.run(block, 3000));
        Body light = many[0];
        for (int k = 12; k < 3000; k += 7) light.mass = 0, light.index = k, client.set(k, light);
        client.expect_right(block, 3000, client.run(block, 3000));
        client.reopen();
    }
}

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
