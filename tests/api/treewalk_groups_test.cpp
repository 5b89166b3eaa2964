// SPDX-License-Identifier: MIT
// Mode treewalk where groups of i-particles share positions relative to their middle: pairs have
// the precision of direct sums wherever the group is, and on the cpu bits do not depend on how the
// work is divided.
#include "treewalk.h"

namespace g6test {
namespace {

std::vector<Machine> on_the_cpu()
{
    std::vector<Machine> machines;
    for (const Machine &m : usable_machines("TreewalkCpu"))
        if (m.backend == "cpu") machines.push_back(m);
    return machines;
}

G6_SUITE(WalkPhysics, TreewalkGroups);

class TreewalkCpu : public WalkPhysics {
protected:
    Output run_with(const std::vector<Body> &bodies, const IBlock &block, const char *theta,
                    const char *leaf, const char *threads) const
    {
        Client one(GetParam(), bodies);
        one.use_mode("treewalk", theta);
        one.option("threads", threads);
        one.debug("leaf", leaf);
        return one.run(block);
    }
};
INSTANTIATE_TEST_SUITE_P(, TreewalkCpu, testing::ValuesIn(on_the_cpu()), machine_name);

// One group that spans `reach`: two floats for a position are good to 2^-48 of that, which is not
// enough for the closest of these pairs, and one float for none.  The cpu sums them in double.
TEST_P(TreewalkGroups, close_pairs_far_from_the_middle_of_their_group_are_as_in_direct_sums)
{
    for (double reach : {1.0, 1e4, 1e6, 1e8, 1e10}) {
        std::vector<Body> bodies = moving_bodies(200, 41);
        client.reopen(bodies);
        for (double separation = 1e-2; separation > 1e-13; separation /= 4) {
            SCOPED_TRACE(testing::Message() << reach << " " << separation);
            for (double eps2 : {0.0, separation * separation / 16}) {
                IBlock block;
                block.eps2 = eps2;
                for (int k = 0; k < 12; ++k) {
                    Vec3 x = block_of(bodies, 15 * k, 1).x[0];
                    x[k % 3] += separation;
                    block.add(-k, x, {-1, 2, 0.5});
                }
                block.add(-20, {reach, -reach, reach});
                block.add(-21, {reach / 2, reach, -reach});
                client.run_and_check(block);
            }
        }
    }
}

// A cold clump, far from the origin and far inside a softening that is longer than the group.  No
// pull is larger than those of the pairs, so that nothing hides an error of their distances.  The
// times of the particles are that of the block: no rounding of a predictor excuses such an error.
void expect_digits_in_a_cold_clump(Client &client, double offset, double size, double reach)
{
    SCOPED_TRACE(testing::Message() << offset << " " << size << " " << reach);
    Tolerance exact = tolerance(client.precision());
    exact.x = 0;
    std::vector<Body> bodies = resting_bodies(400, 48);
    for (Body &b : bodies) {
        b.v = {0.5 - b.x[1], -0.25 * b.x[0], 1};
        for (double &x : b.x) x = offset + size * x;
    }
    client.set_all(bodies);
    constexpr double kEps2 = 1;
    IBlock members = block_of(bodies, 0, 100, 0, kEps2), probes;
    probes.eps2 = kEps2;
    Random random(49);
    for (int k = 0; k < 100; ++k) {
        Vec3 x = bodies[4 * k].x;
        for (double &c : x) c += random(-0.1, 0.1) * size;
        probes.add(-1, x, {-1, 2, 0.5});
    }
    for (IBlock *block : {&members, &probes}) {
        if (reach > 0) block->add(-2, {offset + reach, offset - reach / 3, offset + reach / 2});
        const Output out = client.run(*block);
        ASSERT_EQ(out.status, 0) << g6_last_error();
        for (int k = 0; k < 100; ++k) {
            SCOPED_TRACE(k);
            const Expected e = evaluate(client.memory(), client.nj(), 0, block->particle(k));
            expect_within(e, exact, out, k);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST_P(TreewalkGroups, pairs_far_inside_their_softening_keep_their_digits)
{
    for (double offset : {0.0, 0.6180339887498949, 876.54321987654321})
        for (double size : {1e-3, 1e-6, 1e-9, 1e-12})
            for (double reach : {0.0, 0.5, 1e3})
                expect_digits_in_a_cold_clump(client, offset, size, reach);
}

// Distant entries have their positions as single floats; the sum is good to some 2^-22 of its
// terms, however the masses differ and wherever the system lies.
TEST_P(TreewalkGroups, sums_are_exact_for_unlike_masses_far_from_the_origin_and_in_two_clusters)
{
    for (double offset : {0.0, 1e6})
        for (double apart : {0.0, 1e4}) {
            SCOPED_TRACE(testing::Message() << offset << " " << apart);
            std::vector<Body> bodies = resting_bodies(3000, 47);
            for (size_t k = 0; k < bodies.size(); ++k) {
                Body &b = bodies[k];
                if (k % 50 == 0) b.mass *= 1e6;
                if (k % 2) b.x[0] += apart;
                if (k % 40 == 1) b.x = {bodies[k - 1].x[0], bodies[k - 1].x[1] + 1e-7, b.x[2]};
                if (k % 40 == 1) b.x[2] = bodies[k - 1].x[2];
            }
            // Positions as the offset leaves them.
            for (Body &b : bodies)
                for (double &x : b.x) x += offset;
            client.reopen(bodies);
            walk("0");
            const IBlock block = block_of(bodies, 0, 1000);
            const Output out = client.run(block);
            const double error = GetParam().precision == "double" ? 1e-12 : 0x1p-21;
            for (int k = 0; k < block.size(); k += 37) {
                SCOPED_TRACE(k);
                const Expected e = client.expected(client.nj(), block.particle(k));
                ASSERT_TRUE(within("acc", e.acc, out.acc[k], error * e.acc_size));
                ASSERT_TRUE(within("pot", e.pot, out.pot[k], error * e.pot_size));
            }
        }
}

// A leaf of one body has no size: it could act as a cell, whose positions are single floats,
// however near the group's box it lies.
TEST_P(TreewalkGroups, single_bodies_beside_a_large_group_are_as_in_direct_sums)
{
    walk("1");
    client.option("mac", "bmax");
    client.debug("leaf", "1");
    for (double separation : {1e-2, 1e-3, 1e-4, 1e-5}) {
        SCOPED_TRACE(separation);
        std::vector<Body> bodies = resting_bodies(100, 42);
        for (Body &b : bodies) b.x = scaled(b.x, 0.25);
        bodies[7].x = {1 + separation, 1 + separation, 1};
        bodies[7].mass *= 1e3;  // what the other cells' errors add is below the allowed error
        client.set_all(bodies);
        IBlock block;
        block.add(-1, {1, 1, 1});
        block.add(-2, {-1, -1, -1});
        const Output out = client.run(block);
        const Expected e = evaluate(client.memory(), client.nj(), 0, block.particle(0));
        const Tolerance t = tolerance(GetParam().precision);
        const double others = 100.0 / (1e3 / (separation * separation));
        EXPECT_TRUE(within("acc", e.acc, out.acc[0], (t.acc + others) * e.acc_size));
    }
}

// Cells of two bodies beside the face of a group's box that spans 128, nearer than a float tells
// positions there.  They may act as a whole from 2 b on, b being half the distance of the bodies.
// There the monopole is (1 + 1/4)^(3/2) = 1.40 times the force, and at b 2.83 times.
TEST_P(TreewalkGroups, tight_pairs_beside_a_large_group_are_cells_from_their_opening_radius_on)
{
    constexpr int kMembers = 4097;
    walk("0.5");
    client.option("mac", "bmax");
    client.option("multipole", "0");
    client.debug("leaf", "1");
    IBlock block;
    for (int k = 0; k < kMembers; ++k) block.add(-1 - k, {k % 2 ? 64.0 : -64.0, 0.1, 0.1});
    block.eps2 = 0;
    for (double size : {1.9e-6, 3.5e-6, 7.4e-6})
        for (double separation : {3.9e-6, 5.1e-6, 8.3e-6, 1.16e-5}) {
            SCOPED_TRACE(testing::Message() << size << " " << separation);
            std::vector<Body> bodies = resting_bodies(30, 44);
            for (int k : {0, 1}) bodies[k].x = {64 + separation, k ? 0.1 + size : 0.1 - size, 0.1};
            client.set_all(bodies);
            const Output out = client.run(block);
            const Expected e = client.expected(client.nj(), block.particle(1));
            for (int k = 1; k < kMembers; k += 2)
                ASSERT_LT(relative_error(e, out.acc[k]), 0.4) << k;
        }
}

// Groups walk together or alone, as many threads share the work; and alone where their lists would
// be too long.
TEST_P(TreewalkCpu, bits_do_not_depend_on_the_division_of_the_work)
{
    const std::vector<Body> bodies = moving_bodies(20000, 43);
    const IBlock all = block_of(bodies, 0, 20000), some = block_of(bodies, 0, 2500);
    const Output first = run_with(bodies, all, "0.7", "16", "1");
    for (const char *threads : {"4", "64"})
        EXPECT_TRUE(same_bits(first, run_with(bodies, all, "0.7", "16", threads))) << threads;

    const Output long_lists = run_with(bodies, some, "0", "1", "1");
    EXPECT_TRUE(same_bits(long_lists, run_with(bodies, some, "0", "1", "64")));
    Memory memory;
    for (int k = 0; k < 20000; ++k) memory[k] = bodies[k];
    for (int k = 0; k < 2500; k += 500) {
        const Expected e = evaluate(memory, 20000, 0, some.particle(k));
        expect_within(e, tolerance(GetParam().precision), long_lists, k);
    }
}

}  // namespace
}  // namespace g6test
