// SPDX-License-Identifier: MIT
// Blocks that follow each other with few changes: a device may keep predictions for the next block,
// and must not keep those of particles that have changed or of another time.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Changes);

constexpr int kBodies = 700;

// The i-particles of a block among all, so many that no device counts them as few.
IBlock block_at(const std::vector<Body> &bodies, int step)
{
    return block_of(bodies, 37 * step % 500, 80);
}

// The same j-particles in a cluster that has seen no other block.
void expect_bits_of_a_fresh_cluster(const Machine &machine, const Client &client,
                                    const IBlock &block, int nj, const Output &out)
{
    Client fresh(machine);
    for (const auto &[address, body] : client.memory()) fresh.set(address, body);
    fresh.set_ti(client.ti());
    EXPECT_TRUE(same_bits(out, fresh.run(block, nj)));
}

class Steps {
public:
    Steps(const Machine &machine, Client &client) : machine_(machine), client_(client) {}
    void check(const IBlock &block, int nj)
    {
        const Output out = client_.run(block, nj);
        client_.expect_right(block, nj, out);
        client_.expect_lists(block, nj);
        expect_bits_of_a_fresh_cluster(machine_, client_, block, nj, out);
    }

private:
    const Machine &machine_;
    Client &client_;
};

// Particles that changed before the block, in tiles with and without i-particles of it; their own
// indices, which exclude them from their own force, change too.
TEST_P(Changes, changed_particles_act_at_the_time_of_the_block)
{
    std::vector<Body> bodies = moving_bodies(kBodies, 31);
    const std::vector<Body> others = moving_bodies(kBodies, 32);
    Steps steps(GetParam(), client);
    client.set_all(bodies);
    for (int step = 0; step < 8; ++step) {
        if (step % 3) client.set_ti(step / 64.0);
        const int changes = step == 5 ? 400 : step == 6 ? 0 : 30;
        for (int k = 0; k < changes; ++k) {
            const int a = (37 * step + 11 * k) % kBodies;
            const int index = bodies[a].index;
            bodies[a] = others[(a + step) % kBodies];
            bodies[a].index = step == 4 ? index + 10000 : index;
            client.set(a, bodies[a]);
        }
        steps.check(block_at(bodies, step), kBodies);
    }
}

// Slots that are filled later, and a number of j-particles that changes from block to block.
TEST_P(Changes, particles_may_come_to_empty_slots)
{
    const std::vector<Body> bodies = moving_bodies(kBodies, 33);
    Steps steps(GetParam(), client);
    for (int k = 0; k < kBodies; k += k % 5 == 3 ? 2 : 1) client.set(k, bodies[k]);
    for (int step = 0; step < 8; ++step) {
        client.set_ti(step / 64.0);
        for (int k = 4 + 60 * step; k < 60 + 60 * step; k += 5) client.set(k, bodies[k]);
        steps.check(block_at(bodies, step), step < 4 ? kBodies : kBodies - 90 * (step % 2));
    }
}

// Lists and jerks that a block did not ask for are computed again, from the same predictions.
TEST_P(Changes, another_precision_of_time_and_the_same_time_again)
{
    const std::vector<Body> bodies = moving_bodies(kBodies, 34);
    Steps steps(GetParam(), client);
    client.set_all(bodies);
    for (const double t : {0.0, 0.25, 0.25, 0.25 + 0x1p-50, -0.5, 0.25}) {
        client.set_ti(t);
        client.set(5, bodies[t > 0.25 ? 6 : 5]);
        steps.check(block_at(bodies, 1), kBodies);
        client.run_and_check(block_of(bodies, 0, 4));  // few
    }
}

}  // namespace
}  // namespace g6test
