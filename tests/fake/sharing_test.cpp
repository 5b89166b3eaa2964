// SPDX-License-Identifier: MIT
// Devices that hold all j-particles and share the i-particles of a block: which device gets what,
// and the same bits for any number of devices.
#include "fixture.h"

#include <tuple>

namespace g6test {
namespace {

class Sharing : public FakeTest {
protected:
    const std::vector<Body> bodies = moving_bodies(200, 21);
    // Two addresses are written for three blocks of 40 i-particles, and one for a block of 100.
    void small_blocks_and_a_large_one(Client &client, int round)
    {
        for (int k = 0; k < 3; ++k) {
            client.set(10 * round + k % 2, bodies[50 + k]);
            client.run_and_check(block_of(bodies, 0, 40));
        }
        client.set(199, bodies[round]);
        client.run_and_check_with_lists(block_of(bodies, 60, 100));
    }
};

// Blocks of 40 are too small for two devices, blocks of 100 are not.  The second device gets what
// was written for the small blocks together with the next large block.
TEST_F(Sharing, a_device_that_is_not_needed_gets_nothing_until_it_is)
{
    Client client(on("0,1", "auto"), bodies);
    client.run_and_check(block_of(bodies, 0, 40));
    EXPECT_EQ(calls(1, kStart), 0);
    EXPECT_EQ(device(1).rows, 0);
    for (int round = 0; round < 4; ++round) {
        small_blocks_and_a_large_one(client, round);
        EXPECT_EQ(calls(1, kStart), round + 1);
        EXPECT_EQ(device(0).ni, 50);
        EXPECT_EQ(device(1).ni, 50);
        EXPECT_EQ(device(1).rows, 200 + 3 * round);
    }
}

// More than the core gives one device at once: a device that reads them in the leader's memory, as
// that of a worker does, knows of the last stage() of the leader alone.
TEST_F(Sharing, what_others_read_on_the_leader_is_staged_at_once)
{
    constexpr int kMany = (1 << 20) + 5000;
    Client client(on("0,1"));
    std::vector<double[3]> x(kMany), v(kMany);
    std::vector<double> mass(kMany, 0);
    for (int k = 0; k < kMany; ++k) v[k][0] = 1;
    for (int k : {0, kMany - 1}) {
        mass[k] = 1;
        x[k][0] = 1 + k;
    }
    ASSERT_EQ(g6_set_j_particles(client.id(), kMany, nullptr, nullptr, nullptr, mass.data(),
                                 nullptr, nullptr, nullptr, v.data(), x.data()),
              0);
    IBlock block;
    for (int index : {-1, -2}) block.add(index, {0, 0, 0});
    const Output out = client.run(block, kMany, Half::kLast);
    ASSERT_EQ(out.status, 0);
    for (double p : out.pot) EXPECT_NEAR(p, -1 - 1.0 / kMany, 1e-12);
    EXPECT_EQ(calls(0, kStage), 1);
    EXPECT_EQ(calls(1, kStage), 0);
    EXPECT_EQ(device(1).rows, kMany);
}

// Each particle that it lacks, and what is written for the block itself.
TEST_F(Sharing, a_device_with_a_link_copies_what_it_lacks_from_the_leader)
{
    device(1).linked = true;
    Client client(on("0,1", "auto"), bodies);
    client.run_and_check(block_of(bodies, 0, 40));
    client.run_and_check(block_of(bodies, 0, 100));  // it lacked all
    EXPECT_EQ(device(1).copies, 200);
    for (int round = 0; round < 4; ++round) {
        small_blocks_and_a_large_one(client, round);
        EXPECT_EQ(device(1).copies, 200 + 3 * (round + 1));
    }
    EXPECT_EQ(device(1).rows, 0);
    client.set(5, bodies[7]);
    client.run_and_check(block_of(bodies, 0, 100));  // it lacks nothing but what is dirty
    EXPECT_EQ(device(1).rows, 1);
    EXPECT_EQ(device(1).copies, 212);
}

TEST_F(Sharing, the_loss_of_a_device_that_copies_or_is_copied_from_costs_no_force)
{
    for (int lost : {0, 1})
        for (Call call : {kCopyFrom, kStart, kFinish}) {
            if (lost == 0 && call == kCopyFrom) continue;
            SetUp();
            SCOPED_TRACE(testing::Message() << lost << " " << call);
            device(0).linked = device(1).linked = device(2).linked = true;
            Client client(on("0,1,2", "auto"), bodies);
            client.run_and_check(block_of(bodies, 0, 150));
            client.set(3, bodies[4]);
            client.run_and_check(block_of(bodies, 0, 10));  // by device 0 alone
            client.set(5, bodies[6]);
            device(lost).lose_at[call] = 1;
            client.run_and_check(block_of(bodies, 0, 150));
            EXPECT_EQ(client.stats().recoveries, 1);
            client.set(7, bodies[8]);
            client.run_and_check(block_of(bodies, 0, 10));
            client.run_and_check(block_of(bodies, 0, 150));
        }
}

// Devices 1 and 2 wait for each other inside their starts, behind the leader.
TEST_F(Sharing, devices_start_at_the_same_time)
{
    Client client(on("0,1,2", "auto"), bodies);
    client.option("threads", "3");
    client.run_and_check(block_of(bodies, 0, 150));
    device(1).meets = device(2).meets = 2;
    client.set(3, bodies[4]);
    client.run_and_check(block_of(bodies, 0, 150));
    EXPECT_EQ(fake_control().meeting, 2);
    EXPECT_NE(device(1).starter, device(2).starter);
}

TEST_F(Sharing, devices_start_one_after_another_where_that_is_asked_for_or_there_is_one_thread)
{
    for (const auto &[key, value] : {std::pair{"debug", "together=0"}, std::pair{"threads", "1"}}) {
        SetUp();
        Client client(on("0,1,2", "auto"));
        client.option("threads", "3");
        client.option(key, value);
        client.set_all(bodies);
        client.run_and_check(block_of(bodies, 0, 150));
        for (int d : {0, 1, 2})
            EXPECT_EQ(device(d).starter, static_cast<unsigned long>(pthread_self())) << value;
    }
}

// The devices that wait for the leader go on once it has failed.
TEST_F(Sharing, the_loss_of_any_device_that_starts_beside_others_costs_no_force)
{
    for (int lost : {0, 1, 2, 3}) {
        SetUp();
        SCOPED_TRACE(lost);
        Client client(on("0,1,2,3", "auto"), bodies);
        client.option("threads", "4");
        client.run_and_check(block_of(bodies, 0, 150));
        client.set(3, bodies[4]);
        device(lost).lose_at[kStart] = 1;
        client.run_and_check(block_of(bodies, 0, 150));
        EXPECT_EQ(client.stats().recoveries, 1);
        EXPECT_EQ(client.stats().devices, 3);
    }
}

TEST_F(Sharing, a_device_that_cannot_hold_all_particles_leaves_them_to_the_others)
{
    for (int small : {0, 1, 2}) {
        SetUp();
        SCOPED_TRACE(small);
        device(small).room = 150;
        Client client(on("0,1,2"), bodies);
        for (int n : {10, 100}) client.run_and_check_with_lists(block_of(bodies, 0, n));
        EXPECT_EQ(client.stats().devices, 2);
        EXPECT_EQ(calls(small, kStart), 0);
        expect_warning({"fake device " + std::to_string(small) + " failed ("});
    }
}

TEST_F(Sharing, particles_that_no_device_can_hold_are_the_cpus)
{
    device(0).room = device(1).room = 150;
    Client client(on("0,1"), bodies);
    for (int n : {10, 100}) client.run_and_check_with_lists(block_of(bodies, 0, n));
    EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
}

// The first and the second half of a block, and lists, are as from one device to the last bit; also
// after the loss of a device in the middle.  Two i-particles are out of the devices' range.
TEST_F(Sharing, any_number_of_devices_gives_the_same_bits)
{
    IBlock block = block_of(bodies, 0, 97, 0.125);
    block.x[5] = {1e100, 0, 0}, block.h2[5] = 1e202;
    block.x[60] = {0, 1e300, 0};
    const auto result = [&](const char *devices, int lose) {
        SetUp();
        Client client(on(devices, "i"), bodies);
        client.allow_overflows();  // the host sums the two i-particles that are far away
        client.set_ti(0.125);
        if (lose >= 0) device(lose).lose_at[kFinish] = 1;
        const Output out = client.run(block, 200);
        std::vector<int> lists;
        client.expect_lists(block, 200);
        for (int i = 0; i < 97; ++i)
            for (int entry : client.list(i)) lists.push_back(entry);
        return std::tuple(out.acc, out.jerk, out.pot, out.nearest, lists);
    };
    const auto one = result("0", -1);
    for (const char *devices : {"0,1", "2,1,0", "0,1,2,3"}) {
        EXPECT_EQ(result(devices, -1), one) << devices;
        EXPECT_EQ(result(devices, 1), one) << devices;
    }
}

TEST_F(Sharing, a_run_gives_the_same_bits_whichever_device_is_lost)
{
    const auto run = [&](const char *devices, int lost, int call, int at) {
        SetUp();
        Client client(on(devices, "auto"), bodies);
        if (lost >= 0) device(lost).lose_at[call] = at;
        std::vector<Body> now = bodies;
        Random random(7);
        std::vector<Output> outputs;
        for (int step = 0; step < 40; ++step) {
            const double t = step / 64.0;
            client.set_ti(t);
            const int n = step % 3 ? 1 + random.below(20) : 70 + random.below(100);
            const IBlock block = block_of(now, random.below(200 - n), n, t);
            client.first(block, 200);
            for (int k = random.below(30); k > 0; --k) {  // for the next block
                const int a = random.below(200);
                now[a].x[0] += 1 / 1024.0;
                client.set(a, now[a]);
            }
            outputs.push_back(client.last(block, 200));
        }
        return outputs;
    };
    const auto expect_same = [](const std::vector<Output> &a, const std::vector<Output> &b) {
        for (std::size_t k = 0; k < a.size(); ++k) EXPECT_TRUE(same_bits(a[k], b[k])) << k;
    };
    const std::vector<Output> one = run("0", -1, 0, 0);
    expect_same(run("0,1", -1, 0, 0), one);
    for (int lost : {0, 1})
        for (int call : {kFinish, kStart, kStage, kReserve})
            for (int at : {2, 5, 8}) {
                SCOPED_TRACE(testing::Message() << lost << " in call " << call << " at " << at);
                expect_same(run("0,1", lost, call, at), one);
            }
}

// ---- g6_devices_for(), with devices of unknown speed.  All take part that get at least 32
// i-particles.

class DevicesOfBlock : public Sharing {};

TEST_F(DevicesOfBlock, are_as_many_as_the_block_takes)
{
    Client client(on("0,1,2,3", "auto"));
    EXPECT_EQ(g6_devices_for(client.id(), 1000000, 1000), 4);
    client.set_all(bodies);
    const struct {
        int ni, devices;
    } cases[] = {{1, 1}, {63, 1}, {64, 2}, {95, 2}, {96, 3}, {127, 3}, {128, 4}, {200, 4}};
    for (const auto &c : cases) {
        SCOPED_TRACE(c.ni);
        EXPECT_EQ(g6_devices_for(client.id(), 200, c.ni), c.devices);
        SetUp();
        client.run(block_of(bodies, 0, c.ni));
        for (int d = 0; d < 4; ++d) EXPECT_EQ(calls(d, kStart) > 0, d < c.devices);
    }
    const Client one(on("2", "auto"));
    EXPECT_EQ(g6_devices_for(one.id(), 1000000, 1000), 1);
}

TEST_F(DevicesOfBlock, share_walks_of_their_own_trees)
{
    Client client(on("0,1,2,3", "auto"));
    client.option("mode", "treewalk");
    for (const char *direct : {"0", "1000000", "auto"}) {
        client.option("direct", direct);
        EXPECT_EQ(g6_devices_for(client.id(), 1000000, 64), 2) << direct;
        EXPECT_EQ(g6_devices_for(client.id(), 1000000, 1000), 4) << direct;
    }
}

TEST_F(DevicesOfBlock, are_told_while_another_block_is_computed)
{
    Client client(on("0,1,2,3", "auto"), bodies);
    const IBlock block = block_of(bodies, 0, 100);
    client.first(block, 200);
    EXPECT_EQ(g6_devices_for(client.id(), 1000000, 1000), 4);
    client.expect_right(block, 200, client.last(block, 200));
    for (int d = 0; d < 4; ++d) {
        EXPECT_EQ(calls(d, kStart) > 0, d < 3);
        EXPECT_EQ(calls(d, kFinish) > 0, d < 3);
    }
}

// ---- softening classes on devices that fail, and on several devices

class SofteningOnDevices : public FakeTest {
protected:
    SofteningOnDevices()
    {
        client.set_all(bodies);
        for (int k = 0; k < 101; ++k) client.soften(k, k % 3 / 16.0);
    }
    Client client{on("0,1")};
    const std::vector<Body> bodies = moving_bodies(101, 1);
};

TEST_F(SofteningOnDevices, has_the_sums_of_both)
{
    for (int k = 0; k < 2; ++k) client.run_and_check_with_lists(block_of(bodies, 0, 12));
    // Two blocks of three classes, of which the first was started without lists.
    for (int d = 0; d < 2; ++d) EXPECT_EQ(calls(d, kStart), 9);
}

TEST_F(SofteningOnDevices, repeats_what_a_lost_device_had)
{
    client.run_and_check_with_lists(block_of(bodies, 0, 12));
    for (const Call call : {kStart, kFinish, kNeighbours}) {
        SCOPED_TRACE(call);
        const double before = client.stats().recoveries;
        device(1).lose_at[call] = 1;  // that of a class that still has this device
        client.set(5, bodies[5]);
        client.run_and_check_with_lists(block_of(bodies, 0, 12));
        EXPECT_EQ(client.stats().recoveries, before + 1);
    }
}

}  // namespace
}  // namespace g6test
