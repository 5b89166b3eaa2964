// SPDX-License-Identifier: MIT
// The K&F library's calls: one pipe at a time, one eps2 per particle, and the forms without a
// cluster id.
#include "../physics.h"
#include "libg6gpu/base/host_memory.h"

#include <functional>
#include <limits>

namespace g6test {
namespace {

G6_PHYSICS_SUITE(LowLevel);

void send(Client &client, IBlock &block)
{
    const int id = client.id();
    double hint[3] = {1, 2, 3};
    g6_set_nip(id, block.size());
    for (int k = 0; k < block.size(); ++k) {
        g6_set_i_particle_scales_from_real_value(id, k, hint, hint, -1, 1, 1);
        g6_set_i_particle(id, k, block.index[k], block.x[k].data(), block.v[k].data(), block.eps2,
                          block.h2[k]);
    }
}

TEST_P(LowLevel, computes_the_particles_set_so_far)
{
    const std::vector<Body> bodies = moving_bodies(40, 1);
    client.set_all(bodies);
    client.set_ti(0.125);
    IBlock block = block_of(bodies, 0, 6, 0.125);
    g6_set_njp(client.id(), 30);
    send(client, block);
    Output out(6);
    out.half = Half::kLast;
    std::vector<int> flag(6, 99);
    out.status =
        g6_get_force(client.id(), rows(out.acc), rows(out.jerk), out.pot.data(), flag.data());
    client.expect_right(block, 30, out);
    EXPECT_EQ(flag, std::vector<int>(6));

    Output etc(6);
    etc.status = g6_get_force_etc(client.id(), rows(etc.acc), rows(etc.jerk), etc.pot.data(),
                                  etc.nearest.data(), nullptr);
    client.expect_right(block, 30, etc);
    client.expect_lists(block, 30);
}

TEST_P(LowLevel, takes_i_particles_in_any_order_and_again)
{
    const std::vector<Body> bodies = moving_bodies(40, 2);
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 6), wrong = block_of(bodies, 10, 6);
    g6_set_njp(client.id(), 40);
    send(client, wrong);
    for (int k = 5; k >= 0; --k)
        g6_set_i_particle(client.id(), k, block.index[k], block.x[k].data(), block.v[k].data(),
                          block.eps2, block.h2[k]);
    for (int round = 0; round < 2; ++round) {
        Output out(6);
        out.status = g6_get_force_etc(client.id(), rows(out.acc), rows(out.jerk), out.pot.data(),
                                      out.nearest.data(), nullptr);
        client.expect_right(block, out);
    }
}

TEST_P(LowLevel, softening_may_differ_from_particle_to_particle)
{
    const std::vector<Body> bodies = moving_bodies(40, 3);
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 4);
    g6_set_nip(client.id(), 4);
    g6_set_njp(client.id(), 40);
    for (int k = 0; k < 4; ++k)
        g6_set_i_particle(client.id(), k, block.index[k], block.x[k].data(), block.v[k].data(),
                          0.1 * k, 0);
    Output out(4);
    EXPECT_EQ(g6_get_force(client.id(), rows(out.acc), rows(out.jerk), out.pot.data(), nullptr), 0);
    const Tolerance t = tolerance(client.precision());
    for (int k = 0; k < 4; ++k) {
        IParticle i = block.particle(k);
        i.eps2 = 0.1 * k;
        const Expected e = evaluate(client.memory(), 40, 0, i);
        EXPECT_TRUE(within("pot", e.pot, out.pot[k], Allowed(e, t).pot));
        EXPECT_TRUE(within("acc", e.acc, out.acc[k], Allowed(e, t).acc));
        EXPECT_TRUE(within("jerk", e.jerk, out.jerk[k], Allowed(e, t).jerk));
    }
}

// firsthalf0: bit 0 of the mode set takes eps2[0] for all, clear one per particle.
TEST_P(LowLevel, firsthalf0_takes_one_softening_or_one_per_particle)
{
    const std::vector<Body> bodies = moving_bodies(40, 4);
    client.set_all(bodies);
    IBlock b = block_of(bodies, 0, 5);
    std::vector<double> eps2 = {0.5, 0.01, 0.0, 2.0, 0.125};
    const Tolerance t = tolerance(client.precision());
    for (int mode : {0, 1, 2, 3, 0}) {
        Output out(5);
        std::vector<double> copy = eps2;
        g6calc_firsthalf0(client.id(), 40, 5, b.index.data(), rows(b.x), rows(b.v), nullptr,
                          nullptr, nullptr, copy.data(), b.h2.data(), mode);
        copy.assign(5, -1);  // firsthalf copied it
        EXPECT_EQ(g6calc_lasthalf0(client.id(), 40, 5, b.index.data(), rows(b.x), rows(b.v),
                                   eps2.data(), b.h2.data(), rows(out.acc), rows(out.jerk),
                                   out.pot.data(), mode),
                  0);
        for (int k = 0; k < 5; ++k) {
            IParticle i = b.particle(k);
            i.eps2 = eps2[mode % 2 ? 0 : k];
            const Expected e = evaluate(client.memory(), 40, 0, i);
            EXPECT_TRUE(within("pot", e.pot, out.pot[k], Allowed(e, t).pot)) << mode << k;
            EXPECT_TRUE(within("jerk", e.jerk, out.jerk[k], Allowed(e, t).jerk)) << mode << k;
        }
    }
}

TEST_P(LowLevel, zero_i_particles_are_a_no_op)
{
    client.set_all(moving_bodies(10, 5));
    g6_set_nip(client.id(), 0);
    g6_set_njp(client.id(), 10);
    Output out(1);
    EXPECT_EQ(g6_get_force_etc(client.id(), rows(out.acc), rows(out.jerk), out.pot.data(),
                               out.nearest.data(), nullptr),
              0);
    EXPECT_TRUE(same_bits(out, Output(1)));
}

// The system would grant the memory, and end the program when it is used.
TEST_P(LowLevel, more_pipes_than_the_machine_has_memory_for_are_refused)
{
    constexpr int kMost = std::numeric_limits<int>::max();
    constexpr double kBytes = 64;  // at least, of one: position, velocity, softening and radius
    if (g6::physical_memory() > kBytes * kMost) GTEST_SKIP() << "this machine has memory for them";
    const std::vector<Body> bodies = moving_bodies(10, 6);
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 3);
    double zero[3] = {};
    for (bool at_once : {true, false}) {
        SCOPED_TRACE(at_once);
        at_once ? g6_set_nip(client.id(), kMost)
                : g6_set_i_particle(client.id(), kMost - 1, 1, zero, zero, 0, 0);
        const std::string why = g6_last_error();
        EXPECT_NE(why.find(" GiB of host memory are needed for 2147483647 i-particles"),
                  std::string::npos)
            << why;
        Output out(g6_npipes());
        EXPECT_EQ(g6_get_force(client.id(), rows(out.acc), rows(out.jerk), out.pot.data(), nullptr),
                  G6_ERR_MEMORY);
        g6_set_njp(client.id(), 10);
        send(client, block);
        Output right(3);
        right.status = g6_get_force_etc(client.id(), rows(right.acc), rows(right.jerk),
                                        right.pot.data(), right.nearest.data(), nullptr);
        client.expect_right(block, right);
    }
}

// The calls that set the particles have no status: the force tells.
TEST_P(LowLevel, tells_that_a_number_or_a_particle_was_refused)
{
    const std::vector<Body> bodies = moving_bodies(40, 7);
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 3);
    const int id = client.id();
    const auto force = [&] {
        Output out(3);
        out.status = g6_get_force_etc(id, rows(out.acc), rows(out.jerk), out.pot.data(),
                                      out.nearest.data(), nullptr);
        return out;
    };
    const auto expect_refused = [&] {
        const Output out = force();
        EXPECT_EQ(out.status, G6_ERR_ARGUMENT);
        EXPECT_EQ(out.pot, std::vector<double>(3));
        EXPECT_EQ(out.acc, std::vector<Vec3>(3));
    };
    const auto set = [&](int address, double *x) {
        g6_set_i_particle(id, address, 1, x, block.v[0].data(), 0, 0);
    };
    g6_set_njp(id, 40);
    send(client, block);
    client.expect_right(block, force());

    g6_set_nip(id, -1);
    for (int k = 0; k < 2; ++k) expect_refused();
    g6_set_nip(id, 3);
    client.expect_right(block, force());

    g6_set_njp(id, -1);
    for (int k = 0; k < 2; ++k) expect_refused();
    g6_set_njp(id, 40);
    client.expect_right(block, force());

    int none[] = {-1}, number[] = {1}, cluster[] = {id};
    const std::vector<std::function<void()>> refused = {
        [&] { set(-1, block.x[0].data()); },
        [&] { set(0, nullptr); },
        [&] {
            g6_set_i_particle_vector_(cluster, none, number, nullptr, nullptr, nullptr, nullptr,
                                      nullptr);
        },
    };
    for (const auto &call : refused) {
        call();
        g6_set_nip(id, 3);
        expect_refused();
        client.expect_right(block, force());
    }
}

// K&F's clients need not say how many there will be.
TEST_P(LowLevel, pipes_may_be_set_one_after_the_other)
{
    const std::vector<Body> bodies = moving_bodies(40, 8);
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 5);
    g6_set_njp(client.id(), 40);
    for (int k = 0; k < 5; ++k)
        g6_set_i_particle(client.id(), k, block.index[k], block.x[k].data(), block.v[k].data(),
                          block.eps2, block.h2[k]);
    Output out(5);
    out.status = g6_get_force_etc(client.id(), rows(out.acc), rows(out.jerk), out.pot.data(),
                                  out.nearest.data(), nullptr);
    client.expect_right(block, out);
}

// The same steps through the forms without id.  The checker only lends its comparison.
TEST(AllForms, work_like_those_with_an_id)
{
    EXPECT_EQ(g6_open_all(), 0);
    const std::vector<Body> bodies = moving_bodies(30, 6);
    Memory memory;
    for (int k = 0; k < 30; ++k) {
        const Body &b = bodies[k];
        EXPECT_EQ(g6_set_j_particle_all(k, b.index, b.t, 0, b.mass, data(b.k18), data(b.j6),
                                        data(b.a2), data(b.v), data(b.x)),
                  0);
        memory[k] = b;
    }
    EXPECT_EQ(g6_set_j_particle_mxonly_all(4, 400, 0.5, data(bodies[5].x)), 0);
    memory[4] = Body();
    memory[4].index = 400, memory[4].mass = 0.5, memory[4].x = bodies[5].x;
    EXPECT_EQ(g6_set_ti_all(0.125), 0);
    IBlock b = block_of(bodies, 10, 5, 0.125);
    const IBlock block = b;
    Output out(5);
    g6calc_firsthalf_all(30, 5, b.index.data(), rows(b.x), rows(b.v), nullptr, nullptr, nullptr,
                         b.eps2, b.h2.data());
    out.status =
        g6calc_lasthalf2_all(30, 5, b.index.data(), rows(b.x), rows(b.v), b.eps2, b.h2.data(),
                             rows(out.acc), rows(out.jerk), out.pot.data(), out.nearest.data());
    EXPECT_EQ(g6_read_neighbour_list_all(), 0);
    std::vector<int> nbl(30);
    int n = 0;
    EXPECT_EQ(g6_get_neighbour_list_all(2, 30, &n, nbl.data()), 0);
    nbl.resize(n);
    EXPECT_EQ(nbl, evaluate(memory, 30, 0.125, block.particle(2)).neighbours);
    Output plain(5);
    plain.half = Half::kLast;
    g6calc_firsthalf0_all(30, 5, b.index.data(), rows(b.x), rows(b.v), nullptr, nullptr, nullptr,
                          &b.eps2, b.h2.data(), 1);
    plain.status =
        g6calc_lasthalf0_all(30, 5, b.index.data(), rows(b.x), rows(b.v), &b.eps2, b.h2.data(),
                             rows(plain.acc), rows(plain.jerk), plain.pot.data(), 1);
    std::vector<Vec3> x(30), v(30);
    EXPECT_EQ(g6_get_predicted_j_particles_all(30, rows(x), rows(v)), 0);
    EXPECT_TRUE(within("x", predict(memory[7], 0.125).x, x[7], 1e-14));
    EXPECT_GT(g6_getnjmax_all(), 0);
    EXPECT_EQ(g6_close_all(), 0);

    Client checker;
    checker.expect_right(block, 30, out, memory, 0.125);
    checker.expect_right(block, 30, plain, memory, 0.125);
}

TEST(AllForms, of_the_low_level_group_work)
{
    EXPECT_EQ(g6_open_all(), 0);
    const std::vector<Body> bodies = resting_bodies(10, 7);
    Memory memory;
    for (int k = 0; k < 10; ++k) {
        g6_set_j_particle_mxonly_all(k, bodies[k].index, bodies[k].mass, data(bodies[k].x));
        memory[k] = bodies[k];
    }
    IBlock b = block_of(bodies, 0, 2);
    double hint[3] = {};
    g6_set_nip_all(2);
    g6_set_njp_all(10);
    for (int k = 0; k < 2; ++k) {
        g6_set_i_particle_scales_from_real_value_all(k, hint, hint, 0, 0, 0);
        g6_set_i_particle_all(k, b.index[k], b.x[k].data(), b.v[k].data(), b.eps2, b.h2[k]);
    }
    Output out(2), etc(2);
    out.half = Half::kLast;
    out.status = g6_get_force_all(rows(out.acc), rows(out.jerk), out.pot.data(), nullptr);
    etc.status = g6_get_force_etc_all(rows(etc.acc), rows(etc.jerk), etc.pot.data(),
                                      etc.nearest.data(), nullptr);
    EXPECT_EQ(g6_close_all(), 0);
    Client checker;
    checker.expect_right(b, 10, out, memory, 0);
    checker.expect_right(b, 10, etc, memory, 0);
}

}  // namespace
}  // namespace g6test
