// SPDX-License-Identifier: MIT
// Mode treewalk through the g6 calls: what is exact whatever the opening angle.
// tests/libg6gpu/tree_error_test.cpp bounds the errors of what is not.
#include "../physics.h"

#include <climits>

namespace g6test {
namespace {

class Treewalk : public Physics {
protected:
    void SetUp() override { walk("0"); }
    void walk(const char *theta)
    {
        client.option("mode", "treewalk");
        client.option("theta", theta);
        client.option("direct", "0");
    }
};
INSTANTIATE_TEST_SUITE_P(, Treewalk, testing::ValuesIn(usable_machines()), machine_name);

// |a - expected| / |expected|.
double relative_error(const Expected &e, const Vec3 &acc)
{
    Real d2 = 0, a2 = 0;
    for (int c = 0; c < 3; ++c) {
        d2 += (e.acc[c] - acc[c]) * (e.acc[c] - acc[c]);
        a2 += e.acc[c] * e.acc[c];
    }
    return double(std::sqrt(d2 / a2));
}

// Nearest neighbours and lists, exactly; forces within `error` of the sum of their terms' sizes.
void expect_close(const Client &client, const IBlock &block, int nj, const Output &out,
                  double error)
{
    ASSERT_EQ(out.status, 0) << g6_last_error();
    Memory positive = client.memory();  // for the sizes
    for (auto &entry : positive) entry.second.mass = std::fabs(entry.second.mass);
    for (int k = 0; k < block.size(); ++k) {
        SCOPED_TRACE("i-particle " + std::to_string(k));
        const Expected e = evaluate(client.memory(), nj, client.ti(), block.particle(k));
        const Expected size = evaluate(positive, nj, client.ti(), block.particle(k));
        ASSERT_TRUE(within("acc", e.acc, out.acc[k], error * size.acc_size));
        ASSERT_TRUE(within("pot", e.pot, out.pot[k], error * size.pot_size));
        ASSERT_EQ(out.nearest[k], e.nearest_address < 0 ? 0 : e.nearest_index);
    }
    client.expect_lists(block, nj);
}

// ---- theta = 0: a direct sum

TEST_P(Treewalk, opening_every_cell_is_a_direct_sum)
{
    const std::vector<Body> bodies = moving_bodies(700, 1);
    client.set_all(bodies);
    client.set_ti(0.125);
    for (const char *mac : {"bh", "bmax", "multipole", "acceleration"})
        for (const char *curve : {"hilbert", "morton"}) {
            SCOPED_TRACE(std::string(mac) + " " + curve);
            client.option("mac", mac);
            client.option("curve", curve);
            for (int n : {1, 3, 300}) {
                const IBlock block = block_of(bodies, 100, n, 0.125);
                client.run_and_check(block);
                client.expect_lists(block, 700);
            }
        }
}

TEST_P(Treewalk, slots_beyond_nj_and_empty_ones_do_not_act)
{
    const std::vector<Body> bodies = moving_bodies(200, 2);
    for (int k = 0; k < 200; ++k) client.set(3 * k, bodies[k]);
    const IBlock block = block_of(bodies, 0, 20);
    for (int nj : {598, 300, 299, 1, 0, 598}) {
        SCOPED_TRACE(nj);
        client.expect_right(block, nj, client.run(block, nj));
        client.expect_lists(block, nj);
    }
    client.set(1, bodies[7]);  // into a gap
    client.run_and_check(block);
}

TEST_P(Treewalk, particles_may_change_between_blocks)
{
    std::vector<Body> bodies = moving_bodies(300, 3);
    client.set_all(bodies);
    for (int step = 0; step < 12; ++step) {
        const double ti = step % 4 == 3 ? 0 : step / 64.0;  // time goes back at times
        for (int k = step; k < 300; k += 17) {
            bodies[k].x = scaled(bodies[k].x, 1.25);
            bodies[k].index = step % 5 ? k + 1 : k + 1000;
            client.set(k, bodies[k]);
        }
        client.set_ti(ti);
        const IBlock block = block_of(bodies, step, 40, ti);
        client.run_and_check(block);
        client.expect_lists(block, 300);
    }
}

TEST_P(Treewalk, the_mode_may_change_from_block_to_block)
{
    const std::vector<Body> bodies = moving_bodies(100, 4);
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 30);
    for (const char *mode : {"treewalk", "hermite", "treewalk", "hermite", "treewalk"}) {
        client.option("mode", mode);
        client.set(9, bodies[mode[0] == 't' ? 10 : 11]);
        client.run_and_check(block);
    }
    client.reopen();
    client.set_all(bodies);
    client.run_and_check(block);
}

TEST_P(Treewalk, tuning_leaves_results_right)
{
    client.option("tune", "1");
    const std::vector<Body> bodies = moving_bodies(600, 33);
    client.set_all(bodies);
    for (int step = 0; step < 30; ++step) client.run_and_check(block_of(bodies, step, 20));
}

// Writes reach the devices and the tree, whichever comes next.
TEST_P(Treewalk, direct_sums_may_come_between_walks)
{
    client.option("direct", "10");
    std::vector<Body> bodies = moving_bodies(300, 32);
    client.set_all(bodies);
    int step = 0;
    for (int n : {20, 3, 9, 10, 1, 30, 5, 12, 12, 4}) {
        SCOPED_TRACE("step " + std::to_string(step));
        client.set(7 * step, bodies[299 - step]);
        client.set(300 + step, bodies[step]);  // a new slot
        client.set_ti(0.0625 * ++step);
        const IBlock block = block_of(bodies, 0, n, 0.0625 * step);
        client.run_and_check(block);
        client.expect_lists(block, client.nj());
    }
}

// On the cpu a refresh counts as 128 pairs a body, a walk as 3000 an i-particle: 6000 bodies are
// walked from 257 i-particles on; blocks of 60, once three of them were asked for.
TEST(TreewalkCost, small_blocks_are_direct_sums_on_the_cpu)
{
    Client client({"cpu", "mixed", "", "auto"});
    client.option("mode", "treewalk");
    const std::vector<Body> bodies = resting_bodies(6000, 34);
    client.set_all(bodies);
    const auto direct = [&](int n) {
        const auto interactions = [&] {
            g6_stats s{};
            s.size = sizeof s;
            g6_get_stats(client.id(), &s);
            return s.interactions;
        };
        const double before = interactions();
        client.run(block_of(bodies, 0, n));
        return interactions() - before == 6000.0 * n;
    };
    for (int round = 0; round < 2; ++round) {
        for (int k = 0; k < 6; ++k) EXPECT_EQ(direct(60), k < 2) << k;
        EXPECT_FALSE(direct(1));  // the tree is up to date
        client.set(7, bodies[8 + round]);
    }
    EXPECT_TRUE(direct(256));
    client.set(7, bodies[9]);
    EXPECT_FALSE(direct(300));
}

TEST_P(Treewalk, units_do_not_matter)
{
    for (double length : {1e-30, 1e30}) {
        client.reopen();
        const std::vector<Body> bodies = in_units(moving_bodies(200, 5), length, 1e20, 1e-10);
        client.set_all(bodies);
        const double l2 = length * length;
        client.run_and_check(block_of(bodies, 0, 20, 0, l2 / 65536, l2 / 4));
    }
}

TEST_P(Treewalk, resting_particles_and_resting_targets)
{
    const std::vector<Body> bodies = resting_bodies(200, 6);
    for (int k = 0; k < 200; ++k) client.set_point(k, bodies[k]);
    IBlock block = block_of(bodies, 0, 20);
    client.run_and_check(block);
    block.v.assign(20, Vec3{1, 2, 3});  // now there is a jerk
    client.run_and_check(block);
}

// As in direct sums (force_test.cpp): float positions would not tell such pairs apart, and r^-5
// leaves the range of float.  In larger systems too, of which only some bodies are close.
TEST_P(Treewalk, very_close_pairs_keep_their_relative_accuracy)
{
    std::vector<Body> bodies = resting_bodies(600, 29);
    for (Body &b : bodies) b.v = {b.x[1], -b.x[0], 0.5};
    bodies[50].x = {1e6, -1e6, 1e6};
    client.set_all(bodies);
    for (double separation : {1e-9, 1e-11, 1e-13})
        for (double eps2 : {0.0, 1e-26}) {
            SCOPED_TRACE(testing::Message() << separation << " " << eps2);
            IBlock block = block_of(bodies, 101, 60, 0, eps2);
            for (int k = 0; k < 5; ++k) {
                Vec3 x = bodies[100 * k].x;
                x[k % 3] += separation;
                block.add(-k, x, {-1, 2, 0.5});
            }
            client.run_and_check(block);
        }
}

// ---- any theta: self-exclusion, nearest neighbours, lists

TEST_P(Treewalk, neighbours_are_exact_at_any_opening_angle)
{
    const std::vector<Body> bodies = moving_bodies(2000, 7);
    client.set_all(bodies);
    client.set_ti(0.0625);
    for (const char *theta : {"0.5", "1", "10"}) {
        SCOPED_TRACE(theta);
        walk(theta);
        IBlock block = block_of(bodies, 500, 60, 0.0625, 0, 0.04);
        block.add(-1, {5, 5, 5}, {}, 25);
        block.add(12, {0, 0, 0}, {}, 1e-3);
        block.add(13, {0.5, 0, 0}, {}, 0);
        expect_close(client, block, 2000, client.run(block), 100);
    }
}

// The tie goes to the lowest address though the bodies lie anywhere in the tree.
TEST_P(Treewalk, ties_go_to_the_lowest_address)
{
    walk("1");
    Random random(8);
    for (int a = 0; a < 400; ++a) {
        Body b;
        b.mass = 1, b.index = 1000 - a;
        b.x = a < 370 ? random.vector(1) : Vec3{};
        const double r = std::sqrt(b.x[0] * b.x[0] + b.x[1] * b.x[1] + b.x[2] * b.x[2]);
        if (a < 370) b.x = scaled(b.x, (2 + r) / r);
        if (a >= 370) b.x[a % 3] = a % 2 ? 1 : -1;  // 30 at distance 1
        client.set(399 - a, b);
    }
    IBlock block;
    block.add(7, {0, 0, 0}, {}, 4);
    block.add(1000 - 399, {0, 0, 0}, {}, 4);  // the winner is oneself: the next one
    const Output out = client.run(block);
    EXPECT_EQ(out.nearest[0], 1000 - 399);
    EXPECT_EQ(out.nearest[1], 1000 - 398);
    client.expect_lists(block, 400);
}

// A heavy body with the particle's own index is left out, however far away it is: its cell would
// pass any criterion.
TEST_P(Treewalk, self_exclusion_is_by_index_wherever_the_particle_is)
{
    for (const char *multipole : {"0", "2"}) {
        client.reopen();
        walk("0.7");
        client.option("multipole", multipole);
        std::vector<Body> bodies = resting_bodies(500, 9);
        bodies[77].mass = 1e6;
        client.set_all(bodies);
        IBlock block;
        for (int k = 0; k < 40; ++k) block.add(78, {20.0 + k, 3, 1});
        block.add(-5, {30, 3, 1});
        expect_close(client, block, 500, client.run(block), 0.01);
    }
}

TEST_P(Treewalk, an_index_that_many_share_is_left_out_everywhere)
{
    walk("0.7");
    std::vector<Body> bodies = resting_bodies(600, 10);
    for (int k = 0; k < 600; ++k) {
        if (k % 2) continue;
        bodies[k].index = 5;
        bodies[k].mass = 1e4;
    }
    client.set_all(bodies);
    IBlock block;
    block.add(5, {0.1, 0.2, 0.3}, {}, 0.04);
    block.add(5, {9, 9, 9}, {}, 0);
    block.add(6, {9, -9, 9}, {}, 0);
    expect_close(client, block, 600, client.run(block), 0.01);
}

TEST_P(Treewalk, indices_may_be_any_numbers)
{
    const auto few = [](int k) { return k - 5; };
    const auto far_apart = [](int k) { return k % 2 ? INT_MAX - k : INT_MIN + k; };
    const auto backwards = [](int k) { return 7000 - 3 * k; };
    const std::vector<int (*)(int)> numberings = {few, far_apart, backwards, few};
    std::vector<Body> bodies = moving_bodies(400, 30);
    for (size_t n = 0; n < numberings.size(); ++n) {
        SCOPED_TRACE("numbering " + std::to_string(n));
        for (int k = 0; k < 400; ++k) bodies[k].index = numberings[n](k);
        client.set_all(bodies);
        IBlock block = block_of(bodies, 50, 40);
        block.add(INT_MAX, {0.5, 0.5, 0.5}, {}, 0.04);
        block.add(INT_MIN, {0.5, 0.1, 0.5}, {}, 0.04);
        client.run_and_check(block);
        client.expect_lists(block, 400);
        client.expect_right(block, 300, client.run(block, 300));  // some indices are beyond nj
    }
}

// Seventeen in each cube of a lattice, with leaves of sixteen: twice the cells that a backend would
// expect for their number.
TEST_P(Treewalk, more_cells_than_expected_do_no_harm)
{
    walk("0.4");
    const int side = 16, each = 17, n = side * side * side * each;
    std::vector<Body> bodies = resting_bodies(n, 31);
    for (int k = 0; k < n; ++k) {
        const int cube = k / each, at[3] = {cube / side / side, cube / side % side, cube % side};
        for (int c = 0; c < 3; ++c)  // the outermost touch the faces of the box
            bodies[k].x[c] = (at[c] + 0.5 + 0.4999 * bodies[k].x[c]) / side;
    }
    for (int c = 0; c < 3; ++c) bodies[0].x[c] = 0, bodies[n - 1].x[c] = 1;
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 1000, 3, 0, 1e-6, 1e-5);
    for (int step = 0; step < 3; ++step) expect_close(client, block, n, client.run(block), 0.01);
}

// Most i-particles are where the bodies of their indices are; the others are elsewhere.
TEST_P(Treewalk, many_particles_may_be_away_from_their_bodies)
{
    walk("0.4");
    const std::vector<Body> bodies = moving_bodies(1100, 28);
    client.set_all(bodies);
    for (int step : {1, 7}) {
        SCOPED_TRACE(step);
        IBlock block;
        for (int k = 0; k < 1040; ++k) {
            const Body &b = bodies[k];
            const bool away = k % step == 0;
            block.add(b.index, away ? Vec3{3 - b.x[1], b.x[2], b.x[0]} : b.x, b.v, 1e-3);
        }
        expect_close(client, block, 1100, client.run(block), 0.01);
    }
}

// ---- odd systems: right results, and an end

struct System {
    const char *name;
    std::vector<Body> bodies;
};

std::vector<System> odd_systems()
{
    std::vector<System> all;
    all.push_back({"one body", resting_bodies(1, 11)});
    all.push_back({"two bodies", resting_bodies(2, 12)});
    all.push_back({"a line", resting_bodies(500, 13)});
    for (Body &b : all.back().bodies) b.x[1] = b.x[2] = 0.3;
    all.push_back({"a plane", resting_bodies(500, 14)});
    for (Body &b : all.back().bodies) b.x[0] = -7;
    all.push_back({"one place", resting_bodies(500, 15)});
    for (Body &b : all.back().bodies) b.x = {0.1, 0.2, 0.3};
    all.push_back({"two places", resting_bodies(500, 16)});
    for (Body &b : all.back().bodies) b.x = {b.index % 2 ? 0.1 : 0.7, 0.2, 0.3};
    all.push_back({"no mass", resting_bodies(300, 17)});
    for (Body &b : all.back().bodies) b.mass = 0;
    all.push_back({"mass in few", resting_bodies(300, 18)});
    for (Body &b : all.back().bodies) b.mass = b.index % 50 ? 0 : 1;
    all.push_back({"both signs", resting_bodies(300, 19)});
    for (Body &b : all.back().bodies) b.mass *= b.index % 2 ? 1 : -1;
    all.push_back({"one far out", resting_bodies(300, 20)});
    all.back().bodies[123].x = {1e9, -3e8, 1};
    all.push_back({"far from the origin", resting_bodies(300, 21)});
    for (Body &b : all.back().bodies) b.x[1] += 1e6;
    all.push_back({"a tight pair", resting_bodies(300, 22)});
    all.back().bodies[5].x = all.back().bodies[200].x;
    all.back().bodies[5].x[0] += 1e-9;
    return all;
}

TEST_P(Treewalk, odd_systems_give_right_results)
{
    for (const System &s : odd_systems())
        for (const char *theta : {"0", "0.4"}) {
            SCOPED_TRACE(std::string(s.name) + ", theta " + theta);
            const int n = int(s.bodies.size());
            client.reopen();
            walk(theta);
            client.option("multipole", "2");
            client.set_all(s.bodies);
            IBlock block = block_of(s.bodies, 0, std::min(n, 30), 0, 1e-6, 0.01);
            block.add(-3, {4, 4, 4}, {}, 30);
            const Output out = client.run(block);
            // A tree of theta 0.4 errs by some 1e-3 in the acceleration: tree_error_test.cpp.
            expect_close(client, block, n, out, theta[1] ? 0.01 : 1e-5);
        }
}

TEST_P(Treewalk, coincident_bodies_add_nothing_without_softening)
{
    walk("0.5");
    std::vector<Body> bodies = resting_bodies(100, 23);
    for (int k = 0; k < 40; ++k) bodies[k].x = bodies[0].x;
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 60, 0, 0, 0.01);
    expect_close(client, block, 100, client.run(block), 0.01);
}

// ---- the same bits

TEST_P(Treewalk, bits_depend_neither_on_repetition_nor_on_threads)
{
    walk("0.6");
    const std::vector<Body> bodies = moving_bodies(9000, 24);
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 3000);
    const Output first = client.run(block), again = client.run(block);
    EXPECT_TRUE(same_bits(first, again));
    Client other(GetParam());
    for (const auto &[key, value] :
         {std::pair{"mode", "treewalk"}, {"theta", "0.6"}, {"direct", "0"}, {"threads", "3"}})
        other.option(key, value);
    other.set_all(bodies);
    EXPECT_TRUE(same_bits(first, other.run(block)));
}

// ---- the acceleration criterion

Output run_with_aold(const Client &client, IBlock block, std::vector<Vec3> aold, int nj)
{
    std::vector<Vec3> j6old(block.size());
    std::vector<double> phiold(block.size());
    g6calc_firsthalf(client.id(), nj, block.size(), block.index.data(), rows(block.x),
                     rows(block.v), aold.empty() ? nullptr : rows(aold), rows(j6old), phiold.data(),
                     block.eps2, block.h2.data());
    return const_cast<Client &>(client).last(block, nj);
}

TEST_P(Treewalk, acceleration_criterion_without_a_known_one_is_bh)
{
    const std::vector<Body> bodies = moving_bodies(1500, 25);
    client.set_all(bodies);
    walk("0.7");
    IBlock block = block_of(bodies, 0, 100);
    const Output bh = client.run(block);
    client.option("mac", "acceleration");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(same_bits(bh, run_with_aold(client, block, {}, 1500)));
    for (double odd : {0.0, nan, infinity, 1e300})
        EXPECT_TRUE(same_bits(
            bh, run_with_aold(client, block, std::vector<Vec3>(100, Vec3{odd, 0, 0}), 1500)))
            << odd;
}

// A larger |aold| allows more of an error; a small enough one none.
TEST_P(Treewalk, acceleration_criterion_follows_the_old_acceleration)
{
    const std::vector<Body> bodies = resting_bodies(1500, 26);
    client.set_all(bodies);
    walk("0.7");
    client.option("mac", "acceleration");
    const IBlock block = block_of(bodies, 0, 100, 0, 1e-4);
    double error[3] = {};
    for (int n = 0; n < 3; ++n) {
        const double a[] = {1e-20, 1, 100};
        const Output out =
            run_with_aold(client, block, std::vector<Vec3>(100, Vec3{0, a[n], 0}), 1500);
        for (int k = 0; k < 100; ++k)
            error[n] +=
                relative_error(evaluate(client.memory(), 1500, 0, block.particle(k)), out.acc[k]) /
                100;
    }
    EXPECT_LT(error[0], 1e-5);
    EXPECT_GT(error[1], 1e-5);
    EXPECT_GT(error[2], 3 * error[1]);
}

// ---- work

TEST_P(Treewalk, interactions_are_those_that_were_summed)
{
    const std::vector<Body> bodies = resting_bodies(4000, 27);
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 4000);
    client.run(block, 4000, Half::kLast);
    g6_stats s{};
    s.size = sizeof s;
    ASSERT_EQ(g6_get_stats(client.id(), &s), 0);
    EXPECT_EQ(s.interactions, 4000.0 * 4000);  // theta 0: all pairs, oneself masked
    walk("0.8");
    client.run(block, 4000, Half::kLast);
    double before = s.interactions;
    ASSERT_EQ(g6_get_stats(client.id(), &s), 0);
    EXPECT_LT(s.interactions - before, 0.5 * 4000 * 4000);
    EXPECT_GT(s.interactions - before, 4000);
}

}  // namespace
}  // namespace g6test
