// SPDX-License-Identifier: MIT
// Blocks of a few i-particles after a few writes, which backends may send in another way than
// larger ones.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(TinyBlocks);

TEST_P(TinyBlocks, give_the_bits_of_larger_ones)
{
    std::vector<Body> bodies = moving_bodies(500, 56);
    Output outputs[2] = {Output(0), Output(0)};
    for (int few : {0, 1}) {
        client.reopen();
        client.set_all(bodies);
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
TEST_P(TinyBlocks, have_the_same_bits_whatever_indices_were_there_before)
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
