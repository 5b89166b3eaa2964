// SPDX-License-Identifier: MIT
// Texts of refused calls, requests for more memory than the machine has, and calls that write into
// structs of the caller.  The rules of g6check and g6fuzz test all other bad arguments: the status,
// the outputs and later calls.
#include "../physics.h"
#include "libg6gpu/base/host_memory.h"

namespace g6test {
namespace {

class Arguments : public testing::Test {
protected:
    void SetUp() override { client.set_all(bodies); }
    void TearDown() override { client.run_and_check(block); }  // nothing was changed

    const std::vector<Body> bodies = moving_bodies(20, 1);
    const IBlock block = block_of(bodies, 0, 5);
    Client client;
};

TEST_F(Arguments, an_error_of_firsthalf_is_that_of_the_next_lasthalf)
{
    IBlock bad = block;
    bad.x[3][1] = std::numeric_limits<double>::quiet_NaN();
    for (bool by_count : {true, false}) {
        by_count ? client.first(block, -1) : client.first(bad, 20);
        const Output out = client.last(block, 20);
        EXPECT_EQ(out.status, G6_ERR_ARGUMENT);
        EXPECT_TRUE(last_error_has(by_count ? "nj = -1" : "i-particle 3"));
        // One call is named: the one that returns the error.
        EXPECT_TRUE(last_error_has("g6calc_lasthalf2: the first half"));
        EXPECT_EQ(std::string(g6_last_error()).find("g6calc", 1), std::string::npos);
        EXPECT_EQ(out.pot, std::vector<double>(5));
        EXPECT_EQ(out.acc, std::vector<Vec3>(5));
    }
}

TEST_F(Arguments, of_a_refused_lasthalf_leave_the_block_of_the_last_firsthalf)
{
    const Memory then = client.memory();
    client.first(block, 20);
    client.set_ti(0.5);
    EXPECT_EQ(client.last(block, -1).status, G6_ERR_ARGUMENT);
    client.expect_right(block, 20, client.last(block, 20), then, 0);
}

TEST_F(Arguments, that_are_refused_are_named)
{
    Body b = bodies[1];
    const auto set = [&](int address) {
        return g6_set_j_particle(client.id(), address, 1, 0, 0, 1, data(b.k18), data(b.j6),
                                 data(b.a2), data(b.v), data(b.x));
    };
    for (const int address : {-1, 2147483647}) {
        EXPECT_EQ(set(address), G6_ERR_ARGUMENT);
        EXPECT_TRUE(last_error_has("address " + std::to_string(address) + " is out of range"));
    }
    b.v[2] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(set(3), G6_ERR_ARGUMENT);
    EXPECT_TRUE(last_error_has("j-particle at address 3"));
    Output out(5);
    IBlock i = block;
    client.first(block, 20);
    EXPECT_EQ(g6calc_lasthalf2(client.id(), 20, 5, i.index.data(), rows(i.x), rows(i.v), 0,
                               i.h2.data(), rows(out.acc), rows(out.jerk), out.pot.data(), nullptr),
              G6_ERR_ARGUMENT);
    EXPECT_TRUE(last_error_has("g6calc_lasthalf2: nnbindex is NULL"));
}

// A slot behind them all needs memory for all: the call writes none of its particles.
TEST_F(Arguments, of_a_bulk_call_that_lacks_memory_write_nothing)
{
    constexpr int kHighest = 2147483646;
    const double mass[] = {7, 7}, x[2][3] = {};
    const auto set = [&](int second) {
        const int address[] = {0, second};
        return g6_set_j_particles(client.id(), 2, address, nullptr, nullptr, mass, nullptr, nullptr,
                                  nullptr, nullptr, x);
    };
    if (g6::physical_memory() > 40.0 * kHighest) GTEST_SKIP() << "this machine has memory for it";
    EXPECT_EQ(set(kHighest), G6_ERR_MEMORY);
    EXPECT_TRUE(last_error_has("for 2147483647 j-particles"));
}

// The system would grant the memory, and end the program when it is used.
TEST_F(Arguments, more_pipes_than_the_machine_has_memory_for_are_refused)
{
    constexpr int kMost = std::numeric_limits<int>::max();
    constexpr double kBytes = 64;  // at least, of one: position, velocity, softening and radius
    if (g6::physical_memory() > kBytes * kMost) GTEST_SKIP() << "this machine has memory for them";
    const int id = client.id();
    double zero[3] = {};
    for (bool at_once : {true, false}) {
        SCOPED_TRACE(at_once);
        at_once ? g6_set_nip(id, kMost) : g6_set_i_particle(id, kMost - 1, 1, zero, zero, 0, 0);
        EXPECT_TRUE(last_error_has(" GiB of host memory are needed for 2147483647 i-particles"));
        Output out(g6_npipes());
        EXPECT_EQ(g6_get_force(id, rows(out.acc), rows(out.jerk), out.pot.data(), nullptr),
                  G6_ERR_MEMORY);
    }
}

TEST_F(Arguments, statistics_into_nothing_are_refused)
{
    EXPECT_EQ(g6_get_stats(client.id(), nullptr), G6_ERR_ARGUMENT);
    EXPECT_NE(g6_get_backend_info(0, nullptr), 0);
    EXPECT_NE(g6_get_option(client.id(), "mode", nullptr, 10), 0);
    char text[4] = "abc";
    EXPECT_NE(g6_get_option(client.id(), "mode", text, -1), 0);
    EXPECT_STREQ(text, "abc");
}

}  // namespace
}  // namespace g6test
