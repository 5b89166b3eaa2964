// SPDX-License-Identifier: MIT
// Blocks of few i-particles on a CUDA device, whose kernel stays on the GPU from one block to the
// next: pauses, blocks of other kinds, particles that are added, other clusters and a fork between
// them must not show in the forces.
#include "../child.h"
#include "../physics.h"

namespace g6test {
namespace {

class FewBlocks : public testing::Test {
protected:
    void SetUp() override
    {
        if (!why_not("cuda").empty()) GTEST_SKIP() << "no CUDA device";
    }
    // A step of a block-step code: n bodies change, then their forces are asked for.
    static Output step(Client &client, std::vector<Body> &bodies, int number, int n, int nj)
    {
        const double ti = number / 4096.0;
        for (int k = 0; k < n; ++k) {
            Body &b = bodies[size_t((37 * number + k) % nj)];
            b.x[0] += 1.0 / 1024, b.t = ti;
            client.set(int(&b - bodies.data()), b);
        }
        client.set_ti(ti);
        const int first = 37 * number % (nj - n);
        const IBlock block = block_of(bodies, first, n, ti);
        const Output out = client.run(block, nj);
        if (number % 16 == 0) client.expect_right(block, nj, out);
        if (number % 7 == 0) client.expect_lists(block, nj);
        return out;
    }
    // Numbers of i-particles with and without a kernel of their own, and pauses in which a kernel
    // leaves.
    static std::vector<Output> session(const char *stays, const char *precision)
    {
        Client client({"cuda", precision, "0", ""});
        client.debug("cuda_stay", stays);
        std::vector<Body> bodies = client.set_all(moving_bodies(1000, 61));
        std::vector<Output> all;
        const int sizes[] = {1, 2, 1, 5, 16, 17, 48, 64, 65, 3, 1, 200, 1, 256, 4, 300};
        int number = 0, nj = 700;
        for (int round = 0; round < 12; ++round) {
            for (const int n : sizes) all.push_back(step(client, bodies, ++number, n, nj));
            if (round % 3 == 1) nj += 50;
            if (round % 4 == 2) usleep(round == 6 ? 2000 : 110);
            if (round % 5 == 3) client.option("mode", number % 2 ? "treewalk" : "hermite");
            if (round == 8) client.option("mode", "hermite");
        }
        return all;
    }
};

TEST_F(FewBlocks, have_equal_bits_whether_the_kernel_stays_or_not)
{
    for (const char *precision : {"mixed", "double"}) {
        const std::vector<Output> stays = session("1", precision),
                                  not_stays = session("0", precision);
        ASSERT_EQ(stays.size(), not_stays.size());
        for (size_t k = 0; k < stays.size(); ++k)
            EXPECT_TRUE(same_bits(stays[k], not_stays[k])) << precision << ", block " << k;
    }
}

// So many pairs that mixed adds them in float, of up to 700000 bodies, more than stay in the shared
// memory of any GPU; two bodies are in one place, and two closer than floats may be (G6_CLOSE).
TEST_F(FewBlocks, are_right_in_float)
{
    for (const char *precision : {"mixed", "double"}) {
        Client client({"cuda", precision, "0", ""});
        std::vector<Body> bodies = moving_bodies(700000, 66);
        for (const int k : {100, 200}) {
            const int index = bodies[size_t(k + 1)].index;
            bodies[size_t(k + 1)] = bodies[size_t(k)];
            bodies[size_t(k + 1)].index = index;
        }
        bodies[201].x[0] += 1e-8;
        client.set_all(bodies);
        int number = 0;
        for (const int n : {16, 33, 62, 128, 256}) {
            const int nj = std::min(700000, (n <= 48 ? 30000000 : 10000000) / n);
            const double ti = 1 / 4096.0;
            client.set_ti(ti);
            const double eps2 = number % 3 ? 0 : 1e-4;
            const IBlock block = block_of(bodies, 95, n, ti, eps2, 2e-3);
            client.expect_right(block, nj, client.run(block, nj));
            if (number++ % 2) client.expect_lists(block, nj);
        }
    }
}

// A code with few pipes asks for a large block in pieces of one time, between which particles may
// change: the next piece must see them.
TEST_F(FewBlocks, of_one_time_see_what_changes_between_them)
{
    std::vector<Body> bodies = moving_bodies(1500, 67);
    Client client({"cuda", "mixed", "0", ""}, bodies);
    for (int k = 0; k < 60; ++k) {
        const double ti = 1 / 1024.0 + (k >= 40) / 4096.0;
        client.set_ti(ti);
        if (k % 5 == 4) {
            Body &b = bodies[size_t(700 + k)];
            b.x[1] += 0.25;
            client.set(int(&b - bodies.data()), b);
        }
        const int n = k % 3 ? 48 : 1;
        const IBlock block = block_of(bodies, 23 * k, n, ti);
        client.expect_right(block, 1500, client.run(block, 1500));
    }
}

// The first piece of a large block, of a code with few pipes, comes with all j-particles that
// changed: with as many as one request brings, or with some more.
TEST_F(FewBlocks, are_right_after_many_changes)
{
    std::vector<Body> bodies = moving_bodies(3000, 69);
    Client client({"cuda", "mixed", "0", ""}, bodies);
    int number = 0;
    for (const int changed : {257, 300, 1023, 2047, 2048, 2049}) {
        for (const int n : {1, 48, 200}) {
            const double ti = ++number / 4096.0;
            for (int k = 0; k < changed; ++k) {
                const size_t place = size_t((7 * number + 11 * k) % 3000);
                bodies[place].x[number % 3] += 1.0 / 64, bodies[place].t = ti;
                client.set(int(place), bodies[place]);
            }
            client.set_ti(ti);
            for (int piece = 0; piece < 2; ++piece) {
                const IBlock block = block_of(bodies, 31 * number + 200 * piece, n, ti);
                client.expect_right(block, 3000, client.run(block, 3000));
            }
        }
    }
}

// The last piece of a block, with fewer i-particles, finds the j-particles that an earlier piece
// predicted.  Between blocks the memory of these has j-particles in double.
TEST_F(FewBlocks, of_one_time_in_float_are_right_whatever_their_sizes)
{
    const std::vector<Body> bodies = moving_bodies(190000, 68);
    Client client({"cuda", "mixed", "0", ""}, bodies);
    int number = 0;
    for (const std::vector<int> &sizes : {std::vector<int>{48, 30}, {30, 48}, {64, 23, 80}}) {
        for (const int nj : {160000, 180000, 190000}) {
            client.set_ti(++number / 4096.0);
            client.run(block_of(bodies, 50, 4, number / 4096.0), nj);
            const double ti = ++number / 4096.0;
            client.set_ti(ti);
            for (const int n : sizes) {
                const IBlock block = block_of(bodies, 3 * number, n, ti);
                client.expect_right(block, nj, client.run(block, nj));
            }
        }
    }
}

TEST_F(FewBlocks, are_right_in_two_clusters_in_turns)
{
    std::vector<Body> one = moving_bodies(400, 62), other = moving_bodies(500, 63);
    Client a({"cuda", "mixed", "0", ""}, one);
    for (int k = 1; k <= 20; ++k) step(a, one, 16 * k, 2, 400);
    Client b({"cuda", "mixed", "0", ""}, other);
    for (int k = 21; k <= 60; ++k) {
        step(a, one, 16 * k, 3, 400);
        step(b, other, 16 * k, 40, 500);
    }
}

// A block that is started and not asked for has taken in what changed, also when the kernel leaves
// at that moment.
TEST_F(FewBlocks, lose_no_particle_of_a_block_that_is_abandoned)
{
    std::vector<Body> bodies = moving_bodies(300, 65);
    Client client({"cuda", "mixed", "0", ""}, bodies);
    for (int k = 1; k <= 400; ++k) {
        const double ti = k / 4096.0;
        Body &b = bodies[size_t(7 * k % 300)];
        b.x[0] += 0.125, b.t = ti;
        client.set(int(&b - bodies.data()), b);
        client.set_ti(ti);
        const IBlock block = block_of(bodies, 37 * k % 290, 3, ti);
        usleep(k % 2 ? 20 + k % 40 : 0);  // a kernel leaves after 100 us
        client.first(block, 300);
        if (k % 4) continue;
        client.expect_right(block, 300, client.last(block, 300));
    }
}

// The kernel of the parent must not keep the child from ending, nor be disturbed by it.
TEST_F(FewBlocks, go_on_after_a_fork)
{
    std::vector<Body> bodies = moving_bodies(400, 64);
    Client client({"cuda", "mixed", "0", ""}, bodies);
    for (int k = 1; k <= 40; ++k) {
        step(client, bodies, 16 * k, 2, 400);
        if (k % 10) continue;
        EXPECT_TRUE(good_in_a_child([] { return true; }));
    }
}

}  // namespace
}  // namespace g6test
