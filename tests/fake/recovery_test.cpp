// SPDX-License-Identifier: MIT
// A device fails: the run goes on with right results and a status of 0, and the log has one line.
#include "fixture.h"

namespace g6test {
namespace {

struct Loss {
    const char *name;
    Call call;
    int at;
};

// Steps of a run: writes, then a block, nearest neighbours and lists; every result is checked.
void run(Client &client, std::vector<Body> bodies, int steps)
{
    for (int k = 0; k < steps; ++k) {
        SCOPED_TRACE("step " + std::to_string(k));
        for (int j = k; j < k + 5; ++j) {
            bodies[j].x[0] += 0.125;
            client.set(j, bodies[j]);
        }
        client.set_ti(k / 64.0);
        const IBlock block = block_of(bodies, k, 8, k / 64.0);
        client.expect_right(block,
                            client.run(block, client.nj(), k % 3 ? Half::kLast2 : Half::kLast));
        if (k % 2) client.expect_lists(block, client.nj());
    }
}

class Losing : public FakeTest, public testing::WithParamInterface<Loss> {
protected:
    void lose(int d) { device(d).lose_at[GetParam().call] = GetParam().at; }
    void expect_said_once(const Client &client) const
    {
        EXPECT_EQ(client.stats().recoveries, 1);
        expect_warning({});
    }
    const std::vector<Body> bodies = moving_bodies(60, 1);
};

INSTANTIATE_TEST_SUITE_P(
    , Losing,
    testing::Values(Loss{"first_reserve", kReserve, 1}, Loss{"first_stage", kStage, 1},
                    Loss{"late_stage", kStage, 4}, Loss{"first_start", kStart, 1},
                    Loss{"late_start", kStart, 5}, Loss{"first_finish", kFinish, 1},
                    Loss{"late_finish", kFinish, 6}, Loss{"first_neighbours", kNeighbours, 1},
                    Loss{"late_neighbours", kNeighbours, 3}),
    [](const auto &info) { return std::string(info.param.name); });

// It may be there again later, or not: later openings do without it.
TEST_P(Losing, the_only_device_moves_the_run_to_the_cpu)
{
    for (bool for_good : {false, true}) {
        SetUp();
        device(0).gone_when_lost = for_good;
        Client client(on("0"), bodies);
        lose(0);
        run(client, bodies, 12);
        expect_said_once(client);
        EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
        client.reopen(bodies);
        run(client, bodies, 4);
    }
}

TEST_P(Losing, one_of_three_devices_leaves_the_other_two)
{
    for (int d = 0; d < 3; ++d) {
        if (d > 0 && GetParam().call == kStage) continue;  // they read what device 0 has
        SCOPED_TRACE("device " + std::to_string(d));
        SetUp();
        Client client(on("0,1,2"), bodies);
        lose(d);
        run(client, bodies, 12);
        expect_said_once(client);
        EXPECT_STREQ(g6_backend_name(client.id()), "fake");
        EXPECT_EQ(client.stats().devices, 2);
    }
}

TEST_P(Losing, two_devices_one_after_the_other)
{
    Client client(on("0,1"), bodies);
    lose(0);
    run(client, bodies, 12);
    lose(1);
    run(client, bodies, 12);
    EXPECT_EQ(client.stats().recoveries, 2);
    EXPECT_EQ(warnings().size(), 2u) << testing::PrintToString(warnings());
    EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
}

class Recovery : public FakeTest {
protected:
    const std::vector<Body> bodies = moving_bodies(60, 2);
    const IBlock block = block_of(bodies, 0, 10);
};

// A device that opens and is lost at its first start, again and again, must not be tried for ever.
TEST_F(Recovery, goes_to_the_cpu_where_no_device_serves)
{
    for (bool FakeDevice::*fault : {&FakeDevice::lose_every_object, &FakeDevice::out_of_memory,
                                    &FakeDevice::unsupported, &FakeDevice::gone})
        for (std::size_t devices : {1, kFakeDevices}) {
            SetUp();
            for (int d = 0; d < kFakeDevices; ++d) device(d).*fault = true;
            Client client(on(devices == 1 ? "0" : "all"), bodies);
            for (int k = 0; k < 5; ++k) client.run_and_check(block);
            EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
            EXPECT_LE(calls(0, kStart), 5);
            EXPECT_EQ(warnings().size(), devices) << testing::PrintToString(warnings());
        }
}

TEST_F(Recovery, when_memory_ends_as_the_run_grows)
{
    Client client(on("0,1"), bodies);
    client.run_and_check(block);
    device(1).out_of_memory = true;
    for (int k = 60; k < 500; ++k) client.set(k, moving_bodies(500, 6)[k]);
    for (int k = 0; k < 3; ++k) client.run_and_check(block);
    EXPECT_STREQ(g6_backend_name(client.id()), "fake");  // device 0 holds all of it
    EXPECT_EQ(client.stats().devices, 1);
}

// A clear that fails at close must not stop the next opening.
TEST_F(Recovery, when_a_device_is_lost_at_close)
{
    Client client(on("0"), bodies);
    client.run_and_check(block);
    device(0).lose_at[kClear] = 1;
    client.reopen(bodies);
    client.run_and_check(block);
}

// reinitialize looks for devices again: a device that was lost once is back.
TEST_F(Recovery, reinitialize_brings_a_healthy_device_back)
{
    Client client(on("0"), bodies);
    device(0).lose_at[kStart] = 1;
    client.run_and_check(block);
    EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
    EXPECT_EQ(g6_reinitialize(client.id()), 0);
    client.run_and_check(block);
    EXPECT_STREQ(g6_backend_name(client.id()), "fake");
}

}  // namespace
}  // namespace g6test
