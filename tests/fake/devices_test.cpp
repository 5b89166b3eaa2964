// SPDX-License-Identifier: MIT
// Several devices as one, and how often each of them is called.
#include "fixture.h"

namespace g6test {
namespace {

class Devices : public FakeTest, public testing::WithParamInterface<const char *> {
protected:
    Devices() { client.set_all(bodies); }
    Client client{on(GetParam())};
    const std::vector<Body> bodies = moving_bodies(60, 2);
    int devices() const { return int(std::string(GetParam()).size() + 1) / 2; }
};

INSTANTIATE_TEST_SUITE_P(, Devices, testing::Values("0", "0,1", "0,1,2", "3,2,1,0"),
                         [](const auto &info) {
                             return std::to_string((std::string(info.param).size() + 1) / 2);
                         });

// Device units cannot hold the softening.  FakeTest looks whether Block::least_eps2 is a bound.
TEST_P(Devices, know_that_a_softening_counts_as_none)
{
    const std::vector<Body> resting = resting_bodies(101, 1);
    Client fresh(on(GetParam()), resting);
    const Output none = fresh.run(block_of(resting, 0, 10, 0, 0));
    EXPECT_TRUE(same_bits(fresh.run(block_of(resting, 0, 10, 0, 1e-300)), none));
}

TEST_P(Devices, share_the_i_particles_evenly)
{
    client.run(block_of(bodies, 0, 10));
    int sum = 0;
    for (int d = 0; d < devices(); ++d) {
        EXPECT_EQ(device(d).rows, 60);
        EXPECT_EQ(device(d).nj, 60);
        EXPECT_GE(device(d).ni, 10 / devices());
        sum += device(d).ni;
    }
    EXPECT_EQ(sum, 10);
}

TEST_P(Devices, a_block_step_is_one_start_and_one_finish)
{
    for (Half half : {Half::kLast2, Half::kLast}) {
        for (int k = 0; k < 3; ++k)
            client.run(block_of(bodies, 0, 8), 60, half);  // habits are learnt
        SetUp();
        for (int k = 0; k < 10; ++k) {
            for (int j = 0; j < 8; ++j) client.set(j, bodies[j]);
            client.set_ti(k / 64.0);
            client.run(block_of(bodies, 0, 8, k / 64.0), 60, half);
        }
        for (int d = 0; d < devices(); ++d) {
            EXPECT_EQ(calls(d, kStart), 10);
            EXPECT_EQ(calls(d, kFinish), 10);
            EXPECT_LE(calls(d, kStage), 10);
            EXPECT_EQ(calls(d, kNeighbours), 0);
            EXPECT_EQ(calls(d, kOpen), 0);
            EXPECT_EQ(device(d).rows, 80);  // only what changed
        }
    }
}

// phiGRAPE: lasthalf, never lasthalf2, radii given but lists never read.
TEST_P(Devices, no_neighbour_work_for_a_client_that_never_collects_it)
{
    for (int k = 0; k < 10; ++k) {
        client.run(block_of(bodies, 0, 8), 60, Half::kLast);
        for (int d = 0; d < devices(); ++d)
            EXPECT_EQ(device(d).want, 1u) << "jerk only";  // kWantJerk
    }
    EXPECT_EQ(client.stats().repeats, 0);
}

TEST_P(Devices, no_jerk_for_particles_that_all_rest)
{
    const std::vector<Body> resting = resting_bodies(60, 7);
    Client fresh(on(GetParam()), resting);
    for (int k = 0; k < 2; ++k) fresh.run_and_check(block_of(resting, 0, 8));
    EXPECT_EQ(device(0).want & 1u, 0u);
}

TEST_P(Devices, no_start_twice_when_the_guess_is_right)
{
    const IBlock block = block_of(bodies, 0, 8);
    for (int k = 0; k < 3; ++k) client.run(block), client.expect_lists(block, 60);
    SetUp();
    for (int k = 0; k < 10; ++k) client.run(block), client.expect_lists(block, 60);
    EXPECT_EQ(calls(0, kStart), 10);
    EXPECT_EQ(calls(0, kNeighbours), 10);
    EXPECT_EQ(device(0).want, 7u);  // jerk, nearest, lists
}

// A client that stops reading lists stops paying for them.
TEST_P(Devices, a_guess_follows_the_client)
{
    const IBlock block = block_of(bodies, 0, 8);
    for (int k = 0; k < 3; ++k) client.run(block), client.expect_lists(block, 60);
    for (int k = 0; k < 20; ++k) client.run(block, 60, Half::kLast);
    EXPECT_EQ(device(0).want, 1u);
}

// A caller with one array for accelerations and jerks asks for no jerk, until it has two again.
TEST_P(Devices, a_jerk_is_computed_for_those_who_have_an_array_for_it)
{
    IBlock block = block_of(bodies, 0, 8);
    const Output usual = client.run(block, 60, Half::kLast);
    EXPECT_EQ(device(0).want, 1u);
    for (int k = 0; k < 2; ++k) {
        std::vector<Vec3> acc(8);
        std::vector<double> pot(8);
        client.first(block, 60);
        EXPECT_EQ(g6calc_lasthalf(client.id(), 60, 8, block.index.data(), rows(block.x),
                                  rows(block.v), block.eps2, block.h2.data(), rows(acc), rows(acc),
                                  pot.data()),
                  0);
        EXPECT_EQ(acc, usual.acc);
        EXPECT_EQ(pot, usual.pot);
        EXPECT_EQ(device(0).want, k == 0 ? 1u : 0u);
    }
    client.expect_right(block, 60, client.run(block, 60, Half::kLast));
    EXPECT_EQ(device(0).want, 1u);
}

TEST_P(Devices, an_uncollected_firsthalf_does_not_wait)
{
    for (int k = 0; k < 5; ++k) client.first(block_of(bodies, k, 8), 60);
    EXPECT_EQ(calls(0, kFinish), 0);
    const IBlock block = block_of(bodies, 4, 8);
    client.expect_right(block, client.last(block, 60));
}

TEST_P(Devices, set_j_particle_and_set_ti_make_no_device_call)
{
    client.run_and_check(block_of(bodies, 0, 8));
    SetUp();
    client.set_all(bodies);
    client.set_ti(0.25);
    for (int d = 0; d < devices(); ++d)
        for (int call = 0; call < kCalls; ++call) EXPECT_EQ(device(d).calls[call], 0) << call;
}

TEST_P(Devices, stay_open_over_close_and_open)
{
    const int objects = fake_control().objects;
    client.run_and_check(block_of(bodies, 0, 8));
    SetUp();
    for (int k = 0; k < 10; ++k) {
        EXPECT_EQ(g6_close(client.id()), 0);
        EXPECT_EQ(g6_open(client.id()), 0);
        client.set_all(bodies);
        client.run_and_check(block_of(bodies, 0, 8));
    }
    for (int d = 0; d < devices(); ++d) {
        EXPECT_EQ(calls(d, kOpen), 0);
        EXPECT_EQ(calls(d, kDestroy), 0);
        EXPECT_EQ(calls(d, kClear), 10);
    }
    EXPECT_LE(fake_control().objects, objects + devices());
}

// A particle at rest takes 5 doubles, with velocity and acceleration 12, with a jerk 15, with a
// snap 18; those that are sent together take as many as the longest of them.
TEST_P(Devices, get_rows_as_long_as_the_particles_need)
{
    Client fresh(on(GetParam()));
    std::vector<Body> some = bodies;
    const auto doubles_of_block = [&] {
        const long before = device(0).doubles;  // the others read what it has
        fresh.run_and_check(block_of(some, 0, 8));
        return device(0).doubles - before;
    };
    const auto set = [&](int first, int last, int terms) {
        for (int k = first; k < last; ++k) {
            const Body &moving = bodies[std::size_t(k)];
            Body &b = some[std::size_t(k)];
            for (int d = 0; d < 3; ++d) {
                b.v[d] = terms > 0 ? moving.v[d] : 0, b.a2[d] = terms > 1 ? moving.a2[d] : 0;
                b.j6[d] = terms > 2 ? moving.j6[d] : 0, b.k18[d] = terms > 3 ? moving.k18[d] : 0;
            }
            b.t = terms > 0 ? moving.t : 0;
            fresh.set(k, b);
        }
    };
    fresh.set_ti(0.125);
    set(0, 40, 0);
    EXPECT_EQ(doubles_of_block(), 40 * 5);
    set(0, 40, 1);
    EXPECT_EQ(doubles_of_block(), 40 * 12);
    set(5, 20, 2);
    EXPECT_EQ(doubles_of_block(), 15 * 12);
    set(3, 4, 0), set(5, 8, 3);
    EXPECT_EQ(doubles_of_block(), 4 * 15);
    set(8, 9, 2), set(9, 10, 4), set(10, 12, 0);
    EXPECT_EQ(doubles_of_block(), 4 * 18);
    set(0, 40, 0);
    EXPECT_EQ(doubles_of_block(), 40 * 5);
}

}  // namespace
}  // namespace g6test
