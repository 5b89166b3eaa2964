// SPDX-License-Identifier: MIT
// The bits of a block depend neither on what a device keeps of earlier blocks and of earlier
// particles in its slots, nor on what is in slots from nj on.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(BitsOfBlocks);

// What a device keeps of one block, as predicted particles in some form, must not show in the next.
TEST_P(BitsOfBlocks, blocks_have_the_same_bits_whatever_block_came_before)
{
    const std::vector<Body> bodies = moving_bodies(700, 9);
    std::vector<IBlock> blocks;
    for (int n : {1, 5, 6, 16, 300}) blocks.push_back(block_of(bodies, 3, n, 0.25));
    std::vector<Output> alone;
    client.set_all(bodies);
    for (const IBlock &block : blocks) {
        client.set_ti(0.5);  // predicts anew
        client.run(block, 10);
        client.set_ti(0.25);
        alone.push_back(client.run(block, client.nj()));
    }
    for (std::size_t before = 0; before < blocks.size(); ++before)
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            client.run(blocks[before], client.nj());
            ASSERT_TRUE(same_bits(client.run(blocks[k], client.nj()), alone[k]))
                << blocks[k].size() << " after " << blocks[before].size();
        }
}

// Slots from nj on may hold anything: a treecode writes lists of different lengths to the same
// slots.  Beside so large a softening the cpu splits positions also in a tile as wide as these
// slots make it: with nj = 200 those of its second and third quarter.
TEST_P(BitsOfBlocks, slots_beyond_nj_leave_no_trace_in_the_bits)
{
    std::vector<Body> bodies = moving_bodies(300, 11);
    for (int nj : {100, 200, 256}) {
        client.set_all(bodies);
        std::vector<Output> before;
        const auto block = [&](int n) { return block_of(bodies, 3, n, 0, 0.0625); };
        for (int n : {3, 16}) before.push_back(client.run(block(n), nj));
        for (int k = nj; k < 300; ++k) {
            Body far = bodies[k];
            for (double &x : far.x) x = 1e5 + 3 * x;
            client.set(k, far);
        }
        for (std::size_t k = 0; k < 2; ++k)
            EXPECT_TRUE(same_bits(client.run(block(k ? 16 : 3), nj), before[k])) << nj << " " << k;
    }
}

TEST_P(BitsOfBlocks, a_write_before_each_block_gives_those_of_all_before_one)
{
    std::vector<Body> bodies = moving_bodies(500, 56);
    Output outputs[2] = {Output(0), Output(0)};
    for (int few : {0, 1}) {
        client.reopen(bodies);
        client.set_ti(0.0625);
        client.run(block_of(bodies, 0, 2, 0.0625));
        // The same writes before one block, or each before a block of its own.
        client.set_ti(0.125);
        for (int k = 0; k < 9; ++k) {
            Body b = bodies[k];
            b.x[2] += 0.25;
            client.set(k, b);
            if (few) client.run(block_of(bodies, 0, 2, 0.125));
        }
        outputs[few] = client.run(block_of(bodies, 0, 2, 0.125));
    }
    EXPECT_TRUE(same_bits(outputs[0], outputs[1]));
}

// A slot may have held any index before.
TEST_P(BitsOfBlocks, indices_that_were_in_the_slots_leave_no_trace)
{
    const std::vector<Body> bodies = moving_bodies(512, 57);
    std::vector<Body> before = moving_bodies(512, 58);
    for (Body &b : before) b.index += 100000;
    for (double eps2 : {0.0, 1e-4})
        for (int ni = 1; ni <= 6; ++ni) {
            SCOPED_TRACE(testing::Message() << "eps2 " << eps2 << ", " << ni << " i-particles");
            IBlock block = block_of(bodies, 100, ni);
            block.eps2 = eps2;
            for (int &index : block.index) index += 100000;
            for (Vec3 &x : block.x) x[0] += 0.01;  // else each meets itself
            Output outputs[2] = {Output(0), Output(0)};
            for (int used : {0, 1}) {
                client.reopen();
                if (used) {
                    client.set_all(before);
                    client.run(block, 512);
                }
                client.set_all(bodies);
                outputs[used] = client.run(block, 512);
            }
            client.expect_right(block, 512, outputs[1]);
            EXPECT_TRUE(same_bits(outputs[0], outputs[1]));
        }
}

}  // namespace
}  // namespace g6test
