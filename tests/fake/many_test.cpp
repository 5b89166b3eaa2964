// SPDX-License-Identifier: MIT
// So many particles that the device begins while the host still copies: i-particles that are only
// in the device's memory when it starts, and j-particles that the device takes in piece by piece.
#include "fixture.h"

namespace g6test {
namespace {

constexpr int kMany = 20000;  // i-particles, more than the core copies at once

class Many : public FakeTest, public testing::WithParamInterface<bool> {
protected:
    static bool at_rest() { return GetParam(); }
    std::vector<Body> bodies() const
    {
        return at_rest() ? resting_bodies(12, 1) : moving_bodies(12, 1);
    }
    // Without radius, so that those at rest are points.
    IBlock block() const
    {
        return block_of(at_rest() ? resting_bodies(kMany, 2) : moving_bodies(kMany, 2), 0, kMany, 0,
                        1.0 / 65536, 0);
    }
    // Compares some of them, in each of the parts that are copied or sent at once.
    static void expect_right(const Client &client, const IBlock &block, const Output &out)
    {
        IBlock some;
        Output found(0);
        some.eps2 = block.eps2;
        found.status = out.status;
        for (int k = 0; k < block.size(); k += 97) {
            some.add(block.index[k], block.x[k], block.v[k], block.h2[k]);
            found.acc.push_back(out.acc[k]), found.jerk.push_back(out.jerk[k]);
            found.pot.push_back(out.pot[k]), found.nearest.push_back(out.nearest[k]);
        }
        client.expect_right(some, found);
    }
    // The first block decides which form of i-particles the next one is given to the device in.
    void expect_right_twice(Client &client) const
    {
        const IBlock all = block();
        for (int k = 0; k < 2; ++k) expect_right(client, all, client.run(all, client.nj()));
    }
};

INSTANTIATE_TEST_SUITE_P(, Many, testing::Bool(),
                         [](const auto &info) { return info.param ? "at_rest" : "moving"; });

TEST_P(Many, i_particles_get_their_forces)
{
    for (const char *devices : {"0", "0,1,2"}) {
        Client client(on(devices, "i"), bodies());
        expect_right_twice(client);
    }
}

// The memory of the lost device is gone, and with it what only it had of the i-particles.
TEST_P(Many, i_particles_outlive_the_device_that_has_them)
{
    for (const Call call : {kStart, kFinish})
        for (int at : {1, 2}) {
            SetUp();
            Client client(on("0"), bodies());
            device(0).lose_at[call] = at;
            expect_right_twice(client);
            EXPECT_EQ(client.stats().recoveries, 1);
        }
}

// The device takes in the first pieces of 2^18 while the next ones are written.
TEST_P(Many, i_particles_are_sent_in_pieces)
{
    constexpr int kAll = 600000;
    const std::vector<Body> few = at_rest() ? resting_bodies(5, 4) : moving_bodies(5, 4);
    std::vector<Body> all;
    for (int k = 0; k < kAll; ++k) {
        all.push_back(few[k % 5]);
        all.back().x[0] += k * 1e-6;
    }
    const IBlock block = block_of(all, 0, kAll, 0, 1.0 / 65536, 0);
    for (const char *devices : {"0", "0,1,2"}) {
        SetUp();
        Client client(on(devices, "i"), few);
        client.run(block);
        expect_right(client, block, client.run(block));
        EXPECT_EQ(calls(0, kSendI), 4);
        EXPECT_EQ(calls(1, kSendI), 0);
    }
}

// Short rows, and rows of particles that move, at their own time.
class ManyStaged : public FakeTest, public ::testing::WithParamInterface<bool> {
protected:
    static constexpr int kAll = 600000;  // more than two pieces
    static bool moves() { return GetParam(); }
    void expect_right(Client &client, const std::vector<Body> &bodies)
    {
        std::vector<int> address(kAll);
        std::vector<double> mass(kAll);
        std::vector<Vec3> x(kAll), v(kAll);
        for (int k = 0; k < kAll; ++k) {
            const Body &b = bodies[std::size_t(k) % bodies.size()];
            address[k] = k, mass[k] = b.mass / kAll;
            for (int d = 0; d < 3; ++d) x[k][d] = b.x[d] + 1e-7 * k, v[k][d] = 0.5 + d;
        }
        ASSERT_EQ(g6_set_j_particles(client.id(), kAll, address.data(), address.data(), nullptr,
                                     mass.data(), nullptr, nullptr, nullptr,
                                     moves() ? rows(v) : nullptr, rows(x)),
                  0);
        IBlock probe;
        probe.eps2 = 0.01;
        probe.add(-5, {0.25, 0.5, 1});
        long double want[4] = {};
        for (int k = 0; k < kAll; ++k) {
            long double r[3], r2 = 0;
            for (int d = 0; d < 3; ++d)
                r[d] = (long double)x[k][d] - probe.x[0][d], r2 += r[d] * r[d];
            const long double over = 1 / std::sqrt(r2 + 0.01L);
            for (int d = 0; d < 3; ++d) want[d] += mass[k] * r[d] * over * over * over;
            want[3] -= mass[k] * over;
        }
        const Output out = client.run(probe, kAll, Half::kLast);
        ASSERT_EQ(out.status, 0);
        for (int d = 0; d < 3; ++d) EXPECT_NEAR(out.acc[0][d], double(want[d]), 1e-9);
        EXPECT_NEAR(out.pot[0], double(want[3]), 1e-9);
    }
};

// The fake device notes a breach when a particle changes after it was sent.
TEST_P(ManyStaged, go_to_the_devices_in_pieces)
{
    for (const char *devices : {"0", "0,1"}) {
        SetUp();
        Client client(on(devices, "i"));
        for (unsigned seed : {4u, 5u}) expect_right(client, resting_bodies(1000, seed));
        EXPECT_GT(calls(0, kSendStaged), 2);
    }
}

TEST_P(ManyStaged, a_device_that_is_lost_between_two_pieces_leaves_right_forces)
{
    for (int at : {1, 2, 3}) {
        SetUp();
        Client client(on("0"));
        device(0).lose_at[kSendStaged] = at;
        for (unsigned seed : {4u, 5u}) expect_right(client, resting_bodies(1000, seed));
        EXPECT_EQ(client.stats().recoveries, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(, ManyStaged, ::testing::Bool(), [](const auto &info) {
    return info.param ? std::string("moving") : std::string("resting");
});

}  // namespace
}  // namespace g6test
