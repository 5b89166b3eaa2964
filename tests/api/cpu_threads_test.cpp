// SPDX-License-Identifier: MIT
// Blocks on several threads of the cpu give the same bits as on one thread, whatever blocks came
// earlier: for the same time or another, with more or fewer i-particles or slots, with lists or
// without.
#include "../physics.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

class CpuThreads : public testing::TestWithParam<std::string> {
protected:
    static Machine cpu() { return {"cpu", GetParam(), "0", ""}; }
};
INSTANTIATE_TEST_SUITE_P(, CpuThreads, testing::Values("mixed", "double"),
                         [](const auto &info) { return info.param; });

// Numbers of j-particles for 1, 2, 5 and 20 of the pieces that the cpu's threads take.
TEST_P(CpuThreads, any_number_gives_the_bits_of_one_in_any_order_of_blocks)
{
    Random random(81);
    for (int n : {700, 2000, 5000, 20000}) {
        const std::vector<Body> bodies = moving_bodies(n, 80);
        Client one(cpu()), several(cpu());
        one.option("threads", "1");
        for (Client *c : {&one, &several}) c->set_all(bodies);
        int threads = 4;
        for (int step = 0; step < (n < 20000 ? 300 : 60); ++step) {
            if (random.below(4) == 0) threads = 1 + random.below(random.below(2) ? 4 : 20);
            several.option("threads", std::to_string(threads));
            if (random.below(3) == 0) {
                const double t = random.below(8) / 64.0;
                for (Client *c : {&one, &several}) c->set_ti(t);
            }
            if (random.below(4) == 0) {
                Body body = bodies[random.below(n)];
                body.mass *= random(0.5, 2);
                const int address = random.below(n);
                for (Client *c : {&one, &several}) c->set(address, body);
            }
            const int sizes[] = {1, 4, 7, 8, 9, 16, 17, 30, 48, 100, 300};
            const int ni = sizes[random.below(11)],
                      nj = random.below(3) ? n : n - random.below(n / 2);
            const double h2 = random.below(5) ? 0 : 0.01;
            const IBlock block = block_of(bodies, random.below(n - ni), ni, one.ti(), 1e-4, h2);
            const Output expected = one.run(block, nj), out = several.run(block, nj);
            SCOPED_TRACE(testing::Message() << n << " particles, step " << step << ", " << threads
                                            << " threads, ni = " << ni << ", nj = " << nj);
            ASSERT_TRUE(same_bits(out, expected));
            if (h2 == 0) continue;
            for (Client *c : {&one, &several}) ASSERT_EQ(g6_read_neighbour_list(c->id()), 0);
            for (int k = 0; k < ni; k += 7) ASSERT_EQ(several.list(k), one.list(k));
        }
    }
}

}  // namespace
}  // namespace g6test
