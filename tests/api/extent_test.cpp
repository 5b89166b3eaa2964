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
    for (double extent : {1.0, 300.0, 1000.0, 3e4, 1e6})
        for (double separation : {1e-3, 1e-5, 1e-7})
            for (double eps2 : {0.0, 1e-12}) {
                SCOPED_TRACE(testing::Message() << extent << " " << separation << " " << eps2);
                const double offset = eps2 > 0 ? 1e6 : 0;
                const auto bodies = pairs_in({extent, separation, {offset, -0.7 * offset, offset}});
                client.set_all(bodies);
                client.run_and_check(block_of(bodies, 0, 2 * kPairs, 0, eps2));
            }
}

// Two clusters with bodies in turn, so that every tile is as wide as they are apart.
TEST_P(Extent, two_far_clusters_in_turn)
{
    for (double apart : {1e2, 1e4, 1e6})
        for (double size : {1.0, 1e-4}) {
            SCOPED_TRACE(testing::Message() << apart << " " << size);
            std::vector<Body> bodies = resting_bodies(kBodies, 78);
            for (int k = 0; k < kBodies; ++k) {
                bodies[k].x = scaled(bodies[k].x, size);
                bodies[k].x[k % 3] += k % 2 ? apart : -apart;
                bodies[k].v = {0.5, -0.25 * (k % 3), 1};
            }
            client.set_all(bodies);
            client.run_and_check(block_of(bodies, 0, 16, 0, 0.0));
        }
}

// Two clusters again, and probes so near the bodies that have a mass that their softened force,
// which is proportional to the distance, is small.  The softening length is given in the distance
// that two floats resolve relative to a centre between the clusters, 2^-21 of the reach: softening
// below and above that must not hide the probes' lost digits.
TEST_P(Extent, costs_pairs_far_inside_their_softening_no_digits)
{
    constexpr int kProbes = 12;
    for (double apart : {200.0, 1e4, 1e6})
        for (double soft : {0.9, 1.1, 10.0, 1000.0}) {
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

// i-particles far from all j-particles, and one j-particle predicted far away.
TEST_P(Extent, probes_and_predictions_far_away)
{
    std::vector<Body> bodies = resting_bodies(kBodies, 80);
    for (Body &b : bodies) b.v = {b.x[1], -b.x[0], 0.5};
    bodies[300].v = {1e5, -2e5, 1e5};
    client.set_all(bodies);
    client.set_ti(1);
    IBlock block;
    block.eps2 = 1e-4;
    for (double far : {0.0, 1.0, 30.0, 1e4, 1e6}) block.add(-1, {far, -far, far}, {1, 2, 3});
    block.add(-1, {1e5 + 1e-3, -2e5, 1e5}, {1, 2, 3});
    client.run_and_check(block);
}

}  // namespace
}  // namespace g6test
