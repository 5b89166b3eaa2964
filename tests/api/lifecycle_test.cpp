// SPDX-License-Identifier: MIT
// open, close, reset; ids of every kind; many clusters at once.
#include "../physics.h"

#include <memory>

namespace g6test {
namespace {

constexpr int kMinInt = std::numeric_limits<int>::min();
constexpr int kMaxInt = std::numeric_limits<int>::max();

G6_PHYSICS_SUITE(Cluster);

TEST_P(Cluster, opening_twice_changes_nothing)
{
    const std::vector<Body> bodies = moving_bodies(30, 4);
    client.set_all(bodies);
    client.set_ti(0.125);
    EXPECT_EQ(g6_open(client.id()), 0);
    const IBlock block = block_of(bodies, 0, 5, 0.125);
    client.first(block, 30);
    EXPECT_EQ(g6_open(client.id()), 0);
    client.expect_right(block, client.last(block, 30));
    client.run_and_check(block);
}

TEST_P(Cluster, reset_is_harmless_at_any_time)
{
    const std::vector<Body> bodies = moving_bodies(30, 5);
    const int id = client.id();
    EXPECT_EQ(g6_reset(id), 0);
    client.set_all(bodies);
    EXPECT_EQ(g6_reset_fofpga(id), 0);
    const IBlock block = block_of(bodies, 0, 5);
    client.run_and_check(block);
    EXPECT_EQ(g6_reinitialize(id), 0);
    client.run_and_check(block);
    EXPECT_EQ(g6_reset(id), 0);
    client.run_and_check(block);
}

// kira after a fault: reset, close, open, load again.
TEST_P(Cluster, survives_the_recovery_sequence_of_kira)
{
    const std::vector<Body> bodies = moving_bodies(30, 6);
    const IBlock block = block_of(bodies, 0, 5);
    client.set_all(bodies);
    client.first(block, 30);
    EXPECT_EQ(g6_reset(client.id()), 0);
    EXPECT_EQ(g6_reset_fofpga(client.id()), 0);
    client.reopen();
    client.set_all(bodies);
    client.run_and_check(block);
}

TEST_P(Cluster, many_at_once_stay_independent)
{
    std::vector<std::unique_ptr<Client>> many;
    for (int c = 0; c < 6; ++c) {
        many.push_back(std::make_unique<Client>(GetParam()));
        many[c]->set_all(moving_bodies(20 + c, 10 + c));
        many[c]->set_ti(c * 0.0625);
    }
    for (int c = 0; c < 6; ++c)  // all in flight together
        many[c]->first(block_of(moving_bodies(20 + c, 10 + c), c, 8, c * 0.0625), 20 + c);
    for (int c = 5; c >= 0; --c) {
        const IBlock block = block_of(moving_bodies(20 + c, 10 + c), c, 8, c * 0.0625);
        many[c]->expect_right(block, many[c]->last(block, 20 + c));
    }
    many[2].reset();  // closes one; the others go on
    for (int c : {0, 5, 1}) {
        const IBlock block = block_of(moving_bodies(20 + c, 10 + c), c, 8, c * 0.0625);
        many[c]->run_and_check(block);
        many[c]->expect_lists(block, 20 + c);
    }
}

TEST(Ids, of_any_value_are_accepted)
{
    for (int id : {0, -1, 841610929, kMinInt, kMaxInt, -123456}) {
        SCOPED_TRACE(id);
        Client client({}, id);
        client.set_all(moving_bodies(20, 20));
        client.run_and_check(block_of(moving_bodies(20, 20), 0, 5));
    }
}

TEST(Ids, closing_an_unopened_one_returns_zero)
{
    for (int id : {0, -1, kMinInt, kMaxInt, 424242}) EXPECT_EQ(g6_close(id), 0);
    EXPECT_EQ(g6_open(5), 0);
    EXPECT_EQ(g6_close(5), 0);
    EXPECT_EQ(g6_close(5), 0);
}

int set_body(int id, int address, const Body &b)
{
    return g6_set_j_particle(id, address, b.index, b.t, 0, b.mass, data(b.k18), data(b.j6),
                             data(b.a2), data(b.v), data(b.x));
}

Output run_by_id(int id, IBlock block, int nj)
{
    Output out(block.size());
    g6calc_firsthalf(id, nj, block.size(), block.index.data(), rows(block.x), rows(block.v),
                     nullptr, nullptr, nullptr, block.eps2, block.h2.data());
    out.status = g6calc_lasthalf2(id, nj, block.size(), block.index.data(), rows(block.x),
                                  rows(block.v), block.eps2, block.h2.data(), rows(out.acc),
                                  rows(out.jerk), out.pot.data(), out.nearest.data());
    return out;
}

// ph4 opens the number of its GPU and then passes its MPI rank.
TEST(Ids, that_were_not_opened_use_the_single_open_cluster)
{
    Client client({}, 841610929);
    const std::vector<Body> bodies = moving_bodies(20, 21);
    for (int k = 0; k < 20; ++k) {
        EXPECT_EQ(set_body(k % 2 ? 0 : 841610929, k, bodies[k]), 0);
        client.mutable_memory()[k] = bodies[k];
    }
    EXPECT_EQ(g6_set_ti(3, 0.125), 0);
    const IBlock block = block_of(bodies, 0, 5, 0.125);
    client.expect_right(block, 20, run_by_id(0, block, 20), client.memory(), 0.125);
    client.expect_right(block, 20, run_by_id(841610929, block, 20), client.memory(), 0.125);
}

TEST(Ids, that_were_not_opened_are_opened_when_none_is)
{
    const int id = fresh_id();
    const std::vector<Body> bodies = moving_bodies(20, 22);
    Memory memory;
    for (int k = 0; k < 20; ++k) {
        EXPECT_EQ(set_body(id, k, bodies[k]), 0);
        memory[k] = bodies[k];
    }
    const IBlock block = block_of(bodies, 0, 5);
    Client checker;
    checker.expect_right(block, 20, run_by_id(id, block, 20), memory, 0);
    EXPECT_EQ(g6_close(id), 0);
}

TEST(Ids, that_were_not_opened_do_not_disturb_two_open_clusters)
{
    Client a, b;
    const std::vector<Body> bodies = moving_bodies(20, 23);
    a.set_all(bodies), b.set_all(bodies);
    const int id = fresh_id();
    for (int k = 0; k < 20; ++k) EXPECT_EQ(set_body(id, k, moving_bodies(20, 24)[k]), 0);
    a.run_and_check(block_of(bodies, 0, 5));
    b.run_and_check(block_of(bodies, 0, 5));
    EXPECT_EQ(g6_close(id), 0);
}

TEST(Ids, none_is_the_cluster_of_the_calls_without_id)
{
    std::vector<std::unique_ptr<Client>> clients;
    for (int id : {kMinInt, kMinInt + 1, kMaxInt, -1}) {
        clients.push_back(std::make_unique<Client>(Machine{}, id));
        clients.back()->set_all(moving_bodies(3, 30));
    }
    EXPECT_EQ(g6_set_ti_all(0), 0);
    double x[3][3] = {{1, 1, 1}}, v[3][3];
    EXPECT_EQ(g6_get_predicted_j_particles_all(3, x, v), 0);
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) EXPECT_EQ(x[k][c], 0);  // nothing was written there
    EXPECT_EQ(g6_close_all(), 0);
}

TEST(Pipes, are_the_hardwares_48_by_default_and_constant)
{
    EXPECT_EQ(g6_npipes(), 48);
    EXPECT_EQ(g6_get_number_of_pipelines(), 48);
    Client client;
    EXPECT_EQ(g6_npipes(), 48);
}

TEST(Cluster0, getnjmax_is_positive)
{
    Client client;
    EXPECT_GT(g6_getnjmax(client.id()), 1000);
}

// phiGRAPE opens and closes around every call: a re-open must not start the device anew.
TEST(Reopening, is_cheap)
{
    Client client;
    client.set_all(moving_bodies(10, 25));
    client.run_and_check(block_of(moving_bodies(10, 25), 0, 1));
    for (int k = 0; k < 2000; ++k) {
        ASSERT_EQ(g6_close(client.id()), 0);
        ASSERT_EQ(g6_open(client.id()), 0);
    }
}

// The cluster of an id goes with it, also when others are open and its thread used it last.
TEST(Ids, that_were_closed_begin_anew)
{
    Client a, b;
    const int id = fresh_id();
    const std::vector<Body> bodies = moving_bodies(20, 26);
    const IBlock block = block_of(bodies, 0, 5);
    for (int round = 0; round < 3; ++round) {
        Memory memory;
        for (int k = round; k < 20; k += round + 1) {  // fewer each time
            EXPECT_EQ(set_body(id, k, bodies[k]), 0);
            memory[k] = bodies[k];
        }
        a.expect_right(block, 20, run_by_id(id, block, 20), memory, 0);
        EXPECT_EQ(g6_close(id), 0);
    }
}

}  // namespace
}  // namespace g6test
