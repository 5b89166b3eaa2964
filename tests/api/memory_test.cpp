// SPDX-License-Identifier: MIT
// j-particle memory: any address in any order, the last write wins, nj of the calc call decides.
#include "../physics.h"

#include <limits>

namespace g6test {
namespace {

G6_PHYSICS_SUITE(JMemory);

TEST_P(JMemory, takes_addresses_in_any_order)
{
    const std::vector<Body> bodies = moving_bodies(101, 1);
    for (int k = 0; k < 101; ++k) client.set(37 * k % 101, bodies[37 * k % 101]);
    client.run_and_check(block_of(bodies, 0, 20));
}

TEST_P(JMemory, the_last_write_of_an_address_wins)
{
    const std::vector<Body> old = moving_bodies(30, 2), bodies = moving_bodies(30, 3);
    client.set_all(old);
    for (int k = 29; k >= 0; --k) client.set(k, old[(k + 5) % 30]);
    client.set_all(bodies);
    client.run_and_check(block_of(bodies, 0, 30));
}

TEST_P(JMemory, a_write_after_a_block_replaces_the_particle)
{
    const std::vector<Body> bodies = moving_bodies(64, 4);
    client.set_all(bodies);
    Random random(5);
    const std::vector<Body> others = moving_bodies(64, 6);
    for (int step = 0; step < 10; ++step) {
        for (int k = 0; k < step; ++k) {
            const int a = random.below(64);
            client.set(a, others[a]), client.set(a, others[(a + step) % 64]);
        }
        client.run_and_check(block_of(bodies, step, 8));
    }
}

TEST_P(JMemory, grows_between_blocks)
{
    const std::vector<Body> bodies = moving_bodies(3000, 7);
    int sent = 0;
    for (int n : {1, 2, 3, 7, 64, 65, 500, 3000}) {
        while (sent < n) client.set(sent, bodies[sent]), ++sent;
        client.run_and_check(block_of(bodies, 0, 1));
    }
}

TEST_P(JMemory, takes_sparse_addresses_and_empty_slots_contribute_nothing)
{
    const std::vector<Body> bodies = moving_bodies(4, 8);
    const int address[] = {3, 17, 1000, 100000};
    for (int k = 0; k < 4; ++k) client.set(address[k], bodies[k]);
    client.run_and_check(block_of(bodies, 0, 4));
    EXPECT_EQ(client.nj(), 100001);
}

// An empty slot looks like a particle at the origin, with mass 0 and index 0, if anybody looks.
TEST_P(JMemory, empty_slots_are_nobodys_neighbours)
{
    Body far;
    far.index = 5, far.mass = 1, far.x = {3, 0, 0};
    client.set(9, far);
    IBlock block;
    block.add(77, {0, 0, 0}, {}, 1.0);  // radius 1: only empty slots inside
    block.add(78, {1e-3, 0, 0}, {}, 16.0);
    const Output out = client.run(block, 10);
    client.expect_right(block, 10, out);
    EXPECT_EQ(out.nearest[0], 5);
    client.expect_lists(block, 10);
}

TEST_P(JMemory, nj_decides_and_slots_beyond_it_are_kept)
{
    const std::vector<Body> bodies = moving_bodies(40, 9);
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 10);
    for (int nj : {10, 40, 1, 25, 39, 40}) {
        SCOPED_TRACE("nj = " + std::to_string(nj));
        client.expect_right(block, nj, client.run(block, nj));
        client.expect_lists(block, nj);
    }
}

TEST_P(JMemory, nj_beyond_the_last_written_slot_adds_nothing)
{
    const std::vector<Body> bodies = moving_bodies(10, 11);
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 10);
    client.expect_right(block, 10000, client.run(block, 10000));
    client.expect_lists(block, 10000);
}

TEST_P(JMemory, nothing_was_ever_written)
{
    IBlock block;
    block.add(1, {0, 0, 0}, {1, 1, 1}, 1.0);
    client.expect_right(block, 100, client.run(block, 100));
    client.expect_lists(block, 100);
}

TEST_P(JMemory, nj_zero_writes_zeros)
{
    const std::vector<Body> bodies = moving_bodies(10, 12);
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 5);
    client.expect_right(block, client.run(block));  // so that something is left over to be wrong
    const Output out = client.run(block, 0);
    EXPECT_EQ(out.status, 0);
    for (int k = 0; k < 5; ++k) {
        EXPECT_EQ(out.acc[k], Vec3());
        EXPECT_EQ(out.jerk[k], Vec3());
        EXPECT_EQ(out.pot[k], 0);
        EXPECT_EQ(out.nearest[k], 0);
    }
    client.expect_lists(block, 0);
    client.expect_right(block, client.run(block));
}

TEST_P(JMemory, ni_zero_is_a_no_op)
{
    client.set_all(moving_bodies(10, 13));
    const int id = client.id();
    Output out(1);
    IBlock one;
    one.add(1, {0, 0, 0});
    g6calc_firsthalf(id, 10, 0, one.index.data(), rows(one.x), rows(one.v), rows(one.v),
                     rows(one.v), one.h2.data(), 0, one.h2.data());
    EXPECT_EQ(g6calc_lasthalf2(id, 10, 0, one.index.data(), rows(one.x), rows(one.v), 0,
                               one.h2.data(), rows(out.acc), rows(out.jerk), out.pot.data(),
                               out.nearest.data()),
              0);
    EXPECT_TRUE(same_bits(out, Output(1)));
    client.run_and_check(one);
}

// All records of the bulk call, and of single calls, must be the same to the last bit.
TEST_P(JMemory, bulk_load_equals_single_calls)
{
    const int n = 50;
    const std::vector<Body> bodies = moving_bodies(n, 15);
    std::vector<int> address(n), index(n);
    std::vector<double> t(n), mass(n);
    std::vector<Vec3> k18(n), j6(n), a2(n), v(n), x(n);
    for (int k = 0; k < n; ++k) {
        const Body &b = bodies[k];
        address[k] = n - 1 - k, index[k] = b.index, t[k] = b.t, mass[k] = b.mass;
        k18[k] = b.k18, j6[k] = b.j6, a2[k] = b.a2, v[k] = b.v, x[k] = b.x;
        client.set(n - 1 - k, b);
    }
    client.set_ti(0.125);
    const IBlock block = block_of(bodies, 0, 20, 0.125);
    const Output single = client.run(block);
    client.expect_right(block, single);

    Client bulk(GetParam());
    bulk.set_ti(0.125);
    EXPECT_EQ(g6_set_j_particles(bulk.id(), n, address.data(), index.data(), t.data(), mass.data(),
                                 rows(k18), rows(j6), rows(a2), rows(v), rows(x)),
              0);
    EXPECT_TRUE(same_bits(bulk.run(block, n), single));
}

// NULL stands for zero, for addresses 0 ... n-1, and for index = address.
TEST_P(JMemory, bulk_load_takes_null_for_what_is_zero)
{
    const int n = 20;
    std::vector<Body> bodies = resting_bodies(n, 16);
    std::vector<double> mass(n);
    std::vector<Vec3> x(n);
    for (int k = 0; k < n; ++k) {
        bodies[k].index = k;
        mass[k] = bodies[k].mass, x[k] = bodies[k].x;
        client.mutable_memory()[k] = bodies[k];
    }
    EXPECT_EQ(g6_set_j_particles(client.id(), n, nullptr, nullptr, nullptr, mass.data(), nullptr,
                                 nullptr, nullptr, nullptr, rows(x)),
              0);
    client.set_ti(0.5);
    IBlock block = block_of(bodies, 0, n);
    block.v.assign(n, Vec3{1, 2, 3});
    client.run_and_check(block);
}

// One derivative is enough to move a particle: v, aby2, a1by6 or a2by18 alone.
TEST_P(JMemory, bulk_load_moves_particles_by_each_derivative)
{
    const int n = 20;
    Random random(16);
    for (const auto derivative : {&Body::v, &Body::a2, &Body::j6, &Body::k18}) {
        client.reopen();
        std::vector<Body> bodies = resting_bodies(n, 16);
        std::vector<double> mass(n);
        std::vector<Vec3> x(n), some(n);
        for (int k = 0; k < n; ++k) {
            bodies[k].*derivative = some[k] = random.vector(1);
            bodies[k].index = k;
            mass[k] = bodies[k].mass, x[k] = bodies[k].x;
            client.mutable_memory()[k] = bodies[k];
        }
        const auto array = [&](Vec3 Body::*which) {
            return which == derivative ? rows(some) : nullptr;
        };
        EXPECT_EQ(g6_set_j_particles(client.id(), n, nullptr, nullptr, nullptr, mass.data(),
                                     array(&Body::k18), array(&Body::j6), array(&Body::a2),
                                     array(&Body::v), rows(x)),
                  0);
        client.set_ti(1);
        client.run_and_check(block_of(bodies, 0, n, 1));
    }
}

TEST_P(JMemory, hints_about_buffers_change_nothing)
{
    const int id = client.id();
    const std::vector<Body> bodies = moving_bodies(30, 17);
    EXPECT_EQ(g6_initialize_jp_buffer(id, 10), 0);
    EXPECT_EQ(g6_setup_njdata(id, 30), 0);
    client.set_all(bodies);
    EXPECT_EQ(g6_flush_jp_buffer(id), 0);
    client.set(3, bodies[4]);  // after the flush: firsthalf flushes by itself
    EXPECT_EQ(g6_setup_njdata(id, 5), 0);
    client.run_and_check(block_of(bodies, 0, 10));
}

// So many that several threads write them.  One address comes twice in a call, and a new particle
// follows: there are then as many writes as particles to send, but the first write to the address
// does not count.
TEST_P(JMemory, bulk_load_with_an_address_twice_keeps_the_others_in_their_places)
{
    const int n = 5000;
    client.option("threads", "2");
    const std::vector<Body> bodies = moving_bodies(n + 1, 18);
    std::vector<Body> moved(bodies.begin(), bodies.end() - 1);
    client.set_all(moved);
    client.run(block_of(bodies, 0, 1), n);
    std::vector<int> address(n);
    std::vector<double> mass(n);
    std::vector<Vec3> v(n), x(n);
    for (int k = 0; k < n; ++k) {
        address[k] = k == 20 ? 10 : k;
        mass[k] = 2.0 * k / n, v[k] = bodies[k].x, x[k] = bodies[k].v;
        Body b{};
        b.index = address[k], b.mass = mass[k], b.v = v[k], b.x = x[k];
        client.mutable_memory()[address[k]] = b;
    }
    EXPECT_EQ(g6_set_j_particles(client.id(), n, address.data(), nullptr, nullptr, mass.data(),
                                 nullptr, nullptr, nullptr, rows(v), rows(x)),
              0);
    client.set(n, bodies[n]);
    client.run_and_check(block_of(bodies, 0, 5));
}

// The particles before the one that is refused are there.
TEST_P(JMemory, bulk_load_goes_as_far_as_the_first_address_that_has_no_room)
{
    const int address[] = {2, 0, std::numeric_limits<int>::max(), 1};
    double mass[] = {1, 1, 1, 1}, x[][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {0, 0, 4}};
    EXPECT_EQ(g6_set_j_particles(client.id(), 4, address, nullptr, nullptr, mass, nullptr, nullptr,
                                 nullptr, nullptr, x),
              G6_ERR_ARGUMENT);
    IBlock block;
    block.add(-1, {0, 0, 0}, {}, 100);
    const Output out = client.run(block, 3);
    EXPECT_EQ(out.nearest[0], 2);
    EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
    EXPECT_EQ(client.list(0), (std::vector<int>{0, 2}));
}

// Empty slots would lie at the origin, nearer to these i-particles than anybody, in tiles that have
// particles too.
TEST_P(JMemory, empty_slots_hide_nobodys_nearest_neighbour)
{
    std::vector<Body> bodies = resting_bodies(600, 20);
    for (Body &b : bodies) b.x[0] += b.x[0] < 0 ? -1 : 1;
    for (int gap : {64, 256, 300, 577}) {
        SCOPED_TRACE(gap);
        client.reopen();
        for (int k = 0; k < 600; ++k)
            if (k < gap || k > gap + 20) client.set(k, bodies[k]);
        IBlock block;
        for (int k = 0; k < 20; ++k)
            block.add(-1 - k, {0.01 * k, bodies[30 * k].x[1], bodies[30 * k].x[2]});
        block.eps2 = 1e-3;
        client.run_and_check(block);
    }
}

// Without indices a particle is named by its address.
TEST_P(JMemory, bulk_load_names_particles_by_their_addresses)
{
    const int address[] = {7, 3, 12};
    double mass[] = {1, 1, 1}, x[][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    EXPECT_EQ(g6_set_j_particles(client.id(), 3, address, nullptr, nullptr, mass, nullptr, nullptr,
                                 nullptr, nullptr, x),
              0);
    IBlock block;
    block.add(-1, {0, 0, 0}, {}, 100);
    block.add(7, {0, 0, 0}, {}, 0);
    const Output out = client.run(block, 13);
    EXPECT_EQ(out.nearest, (std::vector<int>{7, 3}));
    EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
    EXPECT_EQ(client.list(0), (std::vector<int>{3, 7, 12}));
}

}  // namespace
}  // namespace g6test
