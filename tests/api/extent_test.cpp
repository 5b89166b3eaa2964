// SPDX-License-Identifier: MIT
// Close pairs in systems of every extent.  Backends that hold a position as two floats relative to
// some centre lose digits of a distance that is small beside the system: sums must not.
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

// Two clusters again, and probes so near the bodies that have a mass that their softened force,
// which is proportional to the distance, is small.  The softening length is given in the distance
// that two floats resolve relative to a centre between the clusters, 2^-21 of the reach: softening
// below and above that must not hide the probes' lost digits.
TEST_P(Extent, costs_pairs_far_inside_their_softening_no_digits)
{
    constexpr int kProbes = 12;
    for (double apart : {200.0, 1e6})
        for (double soft : {0.9, 1.1, 1000.0}) {
            const double resolved = std::ldexp(apart / 2, -21), eps2 = std::pow(soft * resolved, 2);
            std::vector<Body> bodies = resting_bodies(kBodies, 81);
            for (int k = 0; k < kBodies; ++k) {
                bodies[k].mass = k < kProbes ? 1 : 0;
                bodies[k].v = {0.5, -0.25 * (k % 3), 1};
                if (k < kProbes) bodies[k].x = {k * 0.5, 0, 0.001};
                if (k % 2) bodies[k].x[1] += apart;
            }
            client.set_all(bodies);
            for (double part : {0.5, 1e-3, 1e-5}) {
                SCOPED_TRACE(testing::Message() << apart << " " << soft << " " << part);
                IBlock block;
                block.eps2 = eps2;
                for (int k = 0; k < kProbes; k += 2) {
                    Vec3 x = bodies[k].x;
                    x[1 + k % 4 / 2] += part * resolved;
                    block.add(-1, x, {-0.5, 1, 0.25});
                }
                client.run_and_check(block);
                // From the second time on the nearest neighbour is not computed.
                client.run(block, client.nj(), Half::kLast);
                client.expect_right(block, client.run(block, client.nj(), Half::kLast));
            }
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
            const Output last = client.run(block, client.nj(), Half::kLast),
                         last2 = client.run(block, client.nj(), Half::kLast2);
            for (int k = 0; k < kProbes; ++k) {
                SCOPED_TRACE(testing::Message() << size << " " << soft << " " << k);
                const Expected e = evaluate(client.memory(), client.nj(), 0, block.particle(k));
                const Allowed allowed(e, exact);
                for (const Output *out : {&last, &last2}) {
                    ASSERT_TRUE(within("acc", e.acc, out->acc[k], allowed.acc));
                    ASSERT_TRUE(within("jerk", e.jerk, out->jerk[k], allowed.jerk));
                    ASSERT_TRUE(within("pot", e.pot, out->pot[k], allowed.pot));
                }
                if (!in_hermite) continue;
                ASSERT_EQ(last2.nearest[k], e.nearest_index);
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

}  // namespace
}  // namespace g6test
