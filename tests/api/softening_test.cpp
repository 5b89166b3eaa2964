// SPDX-License-Identifier: MIT
// Softenings of j-particles, eps_ij^2 = eps_i^2 + eps_j^2, where g6fuzz does not reach: in trees,
// with threads, what is refused and counted, and that equal softenings cost nothing.
#include "../physics.h"

#include <cmath>

namespace g6test {
namespace {

// Softenings squared of n particles: 0, 1/64, 4/64 ... by turns.
std::vector<double> softenings(int n, int different)
{
    std::vector<double> eps2(n);
    for (int k = 0; k < n; ++k) eps2[k] = (k % different) * (k % different) / 64.0;
    return eps2;
}

G6_PHYSICS_SUITE(Softening);

TEST_P(Softening, acts_in_a_tree)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(3000, 2));
    client.set_ti(0.0625);
    client.soften(softenings(3000, 3));
    client.use_mode("treewalk");  // opens every cell
    client.run_and_check_with_lists(block_of(bodies, 0, 64, 0.0625));
    client.option("theta", "0.5");
    // A tree errs by some 1e-3 of the sum of |terms|: tree_error_test.cpp.
    const IBlock block = block_of(bodies, 0, 300, 0.0625);
    client.expect_close(block, 3000, client.run(block), 0.01);
}

TEST_P(Softening, of_particles_by_mass_and_position_alone)
{
    const std::vector<Body> bodies = resting_bodies(200, 4);
    for (int k = 0; k < 200; ++k) client.set_point(k, bodies[k]);
    client.soften(softenings(200, 2));
    IBlock block = block_of(bodies, 0, 40);
    for (Vec3 &v : block.v) v = {0.5, 0, -0.25};
    Output out = client.run(block, 200);
    for (const Vec3 &jerk : out.jerk) EXPECT_EQ(jerk, Vec3{});
    // One other call, and jerks come, also of the pairs with the particles of that call's class.
    client.set(7, moving_bodies(10, 5)[7]);
    client.run_and_check_with_lists(block);
}

class SofteningRules : public Physics {
protected:
    void SetUp() override { client.set_all(bodies); }
    const std::vector<Body> bodies = moving_bodies(200, 1);
};
INSTANTIATE_TEST_SUITE_P(, SofteningRules, testing::ValuesIn(usable_machines("SofteningRules")),
                         machine_name);

// 1/4 + 1/64 is exact, so that the same block with one softening for all has these bits.
TEST_P(SofteningRules, equal_ones_give_the_bits_of_one_for_all)
{
    for (const char *mode : {"hermite", "treewalk"}) {
        client.option("mode", mode);
        client.soften(std::vector<double>(200, 0));
        const Output none = client.run(block_of(bodies, 0, 40, 0, 1 / 64.0)),
                     wide = client.run(block_of(bodies, 0, 40, 0, 17 / 64.0));
        client.soften(std::vector<double>(200, 0.25));
        EXPECT_TRUE(same_bits(client.run(block_of(bodies, 0, 40, 0, 1 / 64.0)), wide));
        client.soften(softenings(200, 3));  // classes, and back
        client.run(block_of(bodies, 0, 40, 0, 1 / 64.0));
        client.soften(std::vector<double>(200, 0));
        EXPECT_TRUE(same_bits(client.run(block_of(bodies, 0, 40, 0, 1 / 64.0)), none));
    }
}

// The cluster of a class computes, and has no device before its first block.
TEST_P(SofteningRules, a_refused_first_block_leaves_the_name_of_the_backend)
{
    client.soften(softenings(200, 3));
    IBlock block = block_of(bodies, 0, 1);
    block.x[0][0] = std::nan("");
    g6calc_firsthalf(client.id(), 200, 1, block.index.data(), rows(block.x), rows(block.v), nullptr,
                     nullptr, nullptr, 0.01, nullptr);
    ASSERT_TRUE(last_error_has("NaN"));
    EXPECT_EQ(std::string(g6_backend_name(client.id())), GetParam().backend);
}

TEST_P(SofteningRules, what_is_refused_changes_nothing)
{
    client.soften(softenings(200, 3));
    const IBlock block = block_of(bodies, 0, 20);
    const Output before = client.run(block);
    const int id = client.id();
    std::vector<double> eps2(200, 1.0);
    for (const double bad : {-1.0, -1e-300, std::nan(""), HUGE_VAL}) {
        eps2[100] = bad;
        EXPECT_EQ(g6_set_j_softening(id, 200, nullptr, eps2.data()), G6_ERR_ARGUMENT);
        EXPECT_TRUE(last_error_has("address 100"));
    }
    for (int k = 0; k < 200; ++k) eps2[k] = 1 + k % 17;
    EXPECT_EQ(g6_set_j_softening(id, 200, nullptr, eps2.data()), G6_ERR_ARGUMENT);
    EXPECT_TRUE(last_error_has("16"));
    EXPECT_TRUE(same_bits(client.run(block), before));
    client.run_and_check_with_lists(block);
}

// Each round has two values of its own.  Those of earlier rounds, which no particle has, do not
// count among the 16.
TEST_P(SofteningRules, may_be_set_one_by_one)
{
    std::vector<double> eps2(200);
    for (int round = 1; round <= 20; ++round)
        for (int k = 0; k < 200; ++k) {
            eps2[k] = round * (1 + k % 2) / 128.0;
            ASSERT_EQ(g6_set_j_softening(client.id(), 1, &k, &eps2[k]), G6_OK) << g6_last_error();
        }
    const IBlock block = block_of(bodies, 0, 20);
    const Output one_by_one = client.run(block);
    client.soften(std::vector<double>(200, 0));
    client.soften(eps2);
    EXPECT_TRUE(same_bits(client.run(block), one_by_one));
    client.run_and_check_with_lists(block);
}

// 1e308 + 1e308 is beyond the largest double, 1.8e308.
TEST_P(SofteningRules, softenings_whose_sum_no_double_holds_are_refused)
{
    client.allow_overflows();  // the host sums the particles without softening
    for (const bool all : {true, false}) {
        client.soften(std::vector<double>(all ? 200 : 100, 1e308));
        const Output out = client.run(block_of(bodies, 0, 3, 0, 1e308));
        EXPECT_EQ(out.status, G6_ERR_ARGUMENT);
        EXPECT_EQ(out.pot, std::vector<double>(3));
        EXPECT_TRUE(last_error_has("sum of eps2 = 1e+308 of i-particle 0"));
        client.soften(std::vector<double>(200, 0));
    }
    client.run_and_check_with_lists(block_of(bodies, 0, 3));
}

// With a velocity of 1e10 a j-particle is farther away at t = 1e300 than a double can tell, which
// shows in the second half.  The block is refused as often as it is asked for.
TEST_P(SofteningRules, a_block_that_is_refused_at_its_end_stays_refused)
{
    client.reopen();
    Body far = bodies[0];
    far.v = {-1e10, 0, 0};
    client.set(1, far);
    client.set(0, resting_bodies(2, 2)[1]);
    const int address = 0;
    const double eps2 = 0.25;
    ASSERT_EQ(g6_set_j_softening(client.id(), 1, &address, &eps2), 0);
    client.set_ti(1e300);
    const IBlock block = block_of(resting_bodies(3, 2), 0, 3);
    client.first(block, 2);
    for (int k = 0; k < 3; ++k) {
        const Output out = client.last(block, 2);
        EXPECT_EQ(out.status, G6_ERR_ARGUMENT) << k;
        EXPECT_EQ(out.acc, std::vector<Vec3>(3)) << k;
        EXPECT_TRUE(last_error_has("address 1"));
    }
}

// Counts of pairs and i-particles are those of the whole; a block asked for again is collected.
TEST_P(SofteningRules, counters_are_those_of_the_whole)
{
    client.soften(softenings(200, 4));
    client.set_ti(0.125);
    const IBlock block = block_of(bodies, 0, 10);
    client.run(block);
    const g6_stats before = client.stats();
    const Output one = client.run(block);
    const Output two = client.last(block, 200);
    const g6_stats after = client.stats();
    EXPECT_TRUE(same_bits(one, two));
    EXPECT_EQ(after.blocks - before.blocks, 1);
    EXPECT_EQ(after.i_particles - before.i_particles, 10);
    EXPECT_EQ(after.interactions - before.interactions, 10 * 200);
    EXPECT_EQ(after.j_sent, before.j_sent);
    EXPECT_GT(after.copies_down, before.copies_down);
    client.soften(softenings(200, 3));  // a new value: this lasthalf is a block of its own
    client.expect_right(block, 200, client.last(block, 200));
    EXPECT_EQ(client.stats().blocks - after.blocks, 1);
}

// Enough particles of each class for several threads to copy them, at first and at each write.
TEST_P(SofteningRules, any_number_of_threads_gives_the_same_bits)
{
    const std::vector<Body> many = moving_bodies(4000, 3), others = moving_bodies(4000, 4);
    const IBlock block = block_of(many, 0, 8);
    std::vector<Output> results;
    for (const char *threads : {"1", "4"}) {
        client.option("threads", threads);
        client.reopen();
        client.soften(softenings(4000, 2));
        client.set_all(many);
        results.push_back(client.run(block));
        client.set_all(others);
        results.push_back(client.run(block));
        client.expect_right(block, 4000, results.back());
    }
    EXPECT_TRUE(same_bits(results[0], results[2]));
    EXPECT_TRUE(same_bits(results[1], results[3]));
}

}  // namespace
}  // namespace g6test
