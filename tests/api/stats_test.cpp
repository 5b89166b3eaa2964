// SPDX-License-Identifier: MIT
// Counters: of work, and of transfers and waits per block step.
#include "../physics.h"

#include <algorithm>

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Stats);

TEST_P(Stats, count_the_work)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(30, 1));
    client.run(block_of(bodies, 0, 5));
    client.run(block_of(bodies, 0, 7), 20);
    client.set(3, bodies[3]);
    const g6_stats s = client.stats();
    EXPECT_EQ(s.blocks, 2);
    EXPECT_EQ(s.i_particles, 12);
    EXPECT_EQ(s.interactions, 5 * 30 + 7 * 20);
    EXPECT_EQ(s.j_writes, 31);
    EXPECT_GE(s.devices, 1);
    EXPECT_EQ(s.recoveries, 0);
    EXPECT_GE(s.seconds_send, 0);
    EXPECT_GE(s.seconds_wait, 0);
}

TEST_P(Stats, only_changed_particles_are_sent)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(100, 2));
    const IBlock block = block_of(bodies, 0, 5);
    client.run(block);
    client.run(block);
    const double sent = client.stats().j_sent;
    EXPECT_EQ(sent, 100);
    for (int k = 0; k < 3; ++k) client.set(k * 10, bodies[k]);
    client.set(10, bodies[50]);  // a second write of one address is sent once
    client.run_and_check(block);
    EXPECT_EQ(client.stats().j_sent - sent, 3);
}

// One transfer up, one down and one wait per device of the block and block step, once the client's
// habits are known.  most: devices of the block, at most.
void expect_no_back_and_forth(Client &client, const std::vector<Body> &bodies, Half half,
                              int most = 1 << 20)
{
    const int n = int(bodies.size());
    for (int k = 0; k < 4; ++k) client.run(block_of(bodies, 0, 8), n, half);
    const g6_stats before = client.stats();
    constexpr int kSteps = 20;
    for (int k = 0; k < kSteps; ++k) {
        for (int j = 0; j < 8; ++j) client.set(j, bodies[j]);
        client.set_ti(k / 256.0);
        const IBlock block = block_of(bodies, 0, 8, k / 256.0);
        client.expect_right(block, n, client.run(block, n, half));
    }
    const g6_stats after = client.stats();
    const int devices = std::min(after.devices, most);
    // With OpenCL the counts are those of the driver calls themselves, so that none can be missing.
    const bool exact = std::string(g6_backend_name(client.id())) == "opencl";
    for (auto member : {&g6_stats::copies_up, &g6_stats::copies_down, &g6_stats::waits}) {
        const double n = after.*member - before.*member;
        EXPECT_LE(n, kSteps * devices);
        EXPECT_GE(n, exact ? kSteps * devices : 0);
    }
    EXPECT_EQ(after.repeats, before.repeats);
    EXPECT_EQ(after.blocks - before.blocks, kSteps);
}

TEST_P(Stats, a_block_step_goes_up_once_and_comes_down_once)
{
    const std::vector<Body> bodies = moving_bodies(200, 3);
    for (const char *mode : {"hermite", "treewalk"}) {
        client.reopen(bodies);
        client.use_mode(mode);
        // One device alone walks the host's tree.
        const bool one = mode[0] == 't' && GetParam().backend == "opencl";
        for (Half half : {Half::kLast2, Half::kLast, Half::kLast2})
            expect_no_back_and_forth(client, bodies, half, one ? 1 : 1 << 20);
    }
}

TEST_P(Stats, a_loop_that_reads_lists_does_not_repeat_blocks)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(200, 4));
    const IBlock block = block_of(bodies, 0, 8);
    double repeats = 0;
    for (int k = 0; k < 20; ++k) {
        client.run(block);
        client.expect_lists(block, 200);
        if (k == 3) repeats = client.stats().repeats;
    }
    EXPECT_EQ(client.stats().repeats, repeats);
}

// A caller with an older, smaller struct gets what it has room for.
TEST_P(Stats, write_no_more_than_the_size_that_the_caller_gives)
{
    g6_stats s;
    std::memset(&s, 0x55, sizeof s);
    s.size = offsetof(g6_stats, waits);
    EXPECT_EQ(g6_get_stats(client.id(), &s), 0);
    EXPECT_EQ(s.blocks, 0);
    EXPECT_EQ(s.devices, 0x55555555);
}

}  // namespace
}  // namespace g6test
