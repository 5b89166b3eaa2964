// SPDX-License-Identifier: MIT
// Pairs keep their digits whatever else is in the system: other extents and softenings, heavy and
// light bodies, empty slots, clumps far apart, other i-particles in the block.  Backends that hold
// a position as two floats relative to some centre lose digits of a distance that is small beside
// the system; their sums must not lose these digits.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Extent);

// Enough for several tiles; partners of a pair are kApart slots apart, in another tile.
constexpr int kBodies = 1400, kApart = 700, kPairs = 6;

struct System {
    double extent, separation;
    Vec3 offset;
};

// Every body in a cube of side 2; every tenth body, and no body of a pair, `extent` times as far
// out.  Bodies k and k + kApart are pairs for the first kPairs odd k.
std::vector<Body> pairs_in(const System &system)
{
    std::vector<Body> bodies = resting_bodies(kBodies, 77);
    for (int k = 0; k < kBodies; k += 10)
        for (double &x : bodies[k].x) x *= system.extent;
    for (int k = 1; k < 2 * kPairs; k += 2) {
        bodies[k + kApart].x = bodies[k].x;
        bodies[k + kApart].x[k % 3] += system.separation;
    }
    for (int k = 0; k < kBodies; ++k) {
        Body &b = bodies[k];
        b.v = {b.x[1] / system.extent, -0.5, 0.25 + k % 7};
        b.mass *= k % 5 == 1 ? 1000 : 0.001;
        for (int c = 0; c < 3; ++c) b.x[c] += system.offset[c];
    }
    return bodies;
}

// The last digits of an offset cut the separation: expected sums see the same positions.
TEST_P(Extent, of_a_system_costs_its_close_pairs_no_digits)
{
    for (double extent : {1.0, 300.0, 3e4, 1e6})
        for (double separation : {1e-3, 1e-5, 1e-7})
            for (double eps2 : {0.0, 1e-12}) {
                SCOPED_TRACE(testing::Message() << extent << " " << separation << " " << eps2);
                const double offset = eps2 > 0 ? 1e6 : 0;
                const auto bodies = pairs_in({extent, separation, {offset, -0.7 * offset, offset}});
                client.set_all(bodies);
                client.run_and_check(block_of(bodies, 0, 2 * kPairs, 0, eps2));
            }
}

// One body that has a mass, far from the origin, and probes so near it that two floats relative to
// the origin lose digits of their distance: no other pull hides an error of that.  Distances are
// given in those that two floats resolve, and one is 0.  The time is that of the positions, so that
// no rounding of a predictor excuses an error of a difference.
void expect_digits_far_inside_a_softening(Client &client, bool in_hermite)
{
    Tolerance exact = tolerance(client.precision());
    exact.x = 0;
    constexpr int kProbes = 96;  // more than one warp, and more than a GPU adds in double anyway
    const double parts[] = {0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.9, 3, 1e3, 1e5};
    for (double size : {300.0, 1e-3})
        for (double soft : {1.1, 1e3, 2e7}) {
            std::vector<Body> bodies = resting_bodies(kBodies, 82);
            for (Body &b : bodies) {
                b.mass = 0;
                b.x = scaled(b.x, size);
                if (in_hermite) b.v = {0.5, -0.25, 1};
            }
            Body &heavy = bodies[777];
            heavy.mass = 1;
            heavy.x = scaled({0.6180339887498949, -0.7320508075688772, 0.4142135623730951}, size);
            client.set_all(bodies);
            const double resolved = std::ldexp(size, -24);
            IBlock block;
            block.eps2 = std::pow(soft * resolved, 2);
            Random random(83);
            for (int k = 0; k < kProbes; ++k) {
                const Vec3 away = scaled(random.vector(1), parts[k % std::size(parts)] * resolved);
                Vec3 x = heavy.x;
                for (int c = 0; c < 3; ++c) x[c] += away[c];
                block.add(-1, x, in_hermite ? Vec3{-0.5, 1, 0.25} : Vec3{});
            }
            client.run(block);
            // From the second time on the nearest neighbour is not computed.
            client.run(block, client.nj(), Half::kLast);
            Output last = client.run(block, client.nj(), Half::kLast),
                   last2 = client.run(block, client.nj(), Half::kLast2);
            if (!in_hermite) last2.half = Half::kLast;  // treeonly has no neighbours to compare
            for (int k = 0; k < kProbes; ++k) {
                SCOPED_TRACE(testing::Message() << size << " " << soft << " " << k);
                const Expected e = evaluate(client.memory(), client.nj(), 0, block.particle(k));
                for (const Output *out : {&last, &last2}) expect_within(e, exact, *out, k);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
}

TEST_P(Extent, leaves_pairs_far_inside_a_softening_their_digits_at_any_coordinates)
{
    expect_digits_far_inside_a_softening(client, true);
}

TEST_P(Extent, leaves_pairs_far_inside_a_softening_their_digits_without_jerk)
{
    client.option("mode", "treeonly");
    expect_digits_far_inside_a_softening(client, false);
}

// Hundreds of bodies below any distance that two floats show, in a system of ordinary size.
TEST_P(Extent, cold_clump)
{
    std::vector<Body> bodies = resting_bodies(kBodies, 79);
    for (int k = 0; k < kBodies; k += 3) {
        Vec3 at = scaled(bodies[k].x, 1e-6);
        at[0] += 50;
        bodies[k].x = at;
    }
    for (Body &b : bodies) b.v = {b.x[1], -b.x[0], 0.5};
    client.set_all(bodies);
    for (double eps2 : {0.0, 1e-14, 1e-8}) {
        SCOPED_TRACE(eps2);
        client.run_and_check(block_of(bodies, 0, 16, 0, eps2));
    }
}

G6_PHYSICS_SUITE(Care);

// Devices share the i-particles of a block, and so what an i-particle gets must not depend on
// which others are there: some of these need more care than the one beside them.
TEST_P(Care, gives_the_same_bits_in_any_company)
{
    const int n = 700, ni = 150;
    std::vector<Body> bodies = moving_bodies(n, 41);
    bodies[300].x = bodies[301].x;
    bodies[302].x[0] = bodies[303].x[0] + 1e-9;
    bodies[304].x = {1e9, 0, 0};
    for (int k = 0; k < n; ++k)
        if (k % 97 != 5) client.set(k, bodies[k]);  // with empty slots
    client.set_ti(0.03125);
    IBlock block, other;
    for (int k = 0; k < ni; ++k) {
        const Body &b = bodies[4 * k];
        block.add(b.index, b.x, b.v);
        if (k % 2)
            other.add(bodies[300 + k].index, bodies[300 + k % 5].x, bodies[300 + k].v);
        else
            other.add(b.index, b.x, b.v);
    }
    const Output alone = client.run(block, n), mixed = client.run(other, n);
    client.expect_right(block, n, alone);
    client.expect_right(other, n, mixed);
    for (int k = 0; k < ni; k += 2) {
        ASSERT_EQ(alone.acc[k], mixed.acc[k]) << k;
        ASSERT_EQ(alone.jerk[k], mixed.jerk[k]) << k;
        ASSERT_EQ(alone.pot[k], mixed.pot[k]) << k;
        ASSERT_EQ(alone.nearest[k], mixed.nearest[k]) << k;
    }
}

// A heavy i-particle among light ones: its own mass must leave no trace in its sums, whatever
// products its slot takes part in.
TEST_P(Care, of_light_bodies_on_a_heavy_one_is_exact)
{
    const int n = 500;
    std::vector<Body> bodies = moving_bodies(n, 43);
    for (int k = 0; k < n; ++k) bodies[k].mass = k % 100 == 7 ? 1.0 : 1e-6;
    client.set_all(bodies);
    for (double eps2 : {0.0, 1e-4}) client.run_and_check(block_of(bodies, 0, 200, 0, eps2));
}

// Clumps far from each other and from the origin, with pairs that are close in each.
TEST_P(Care, is_right_in_clumps_far_apart)
{
    const int n = 600;
    for (double distance : {1e2, 1e4, 1e6}) {
        SCOPED_TRACE(distance);
        std::vector<Body> bodies = resting_bodies(n, 44);
        Random random(45);
        for (int k = 0; k < n; ++k) {
            bodies[k].v = random.vector(1);
            if (k % 10 == 1) {
                bodies[k].x = bodies[k - 1].x;
                bodies[k].x[1] += 0x1p-13;
            }
            bodies[k].x[0] += k % 3 * distance;
        }
        client.reopen(bodies);
        client.run_and_check(block_of(bodies, 0, 130, 0, 0));
    }
}

// Two clusters on one device, each with a block under way, every block larger than the one before.
TEST_P(Care, is_right_in_two_clusters_whose_blocks_grow)
{
    Client other(GetParam());
    const std::vector<Body> bodies = client.set_all(moving_bodies(1000, 5));
    other.set_all(bodies);
    for (int n = 8; n <= 500; n += n / 2) {
        const IBlock a = block_of(bodies, 0, n), b = block_of(bodies, 0, n + n / 4);
        client.first(a, 1000);
        other.first(b, 1000);
        client.expect_right(a, 1000, client.last(a, 1000));
        other.expect_right(b, 1000, other.last(b, 1000));
    }
}

}  // namespace
}  // namespace g6test
