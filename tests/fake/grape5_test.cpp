// SPDX-License-Identifier: MIT
// Which blocks of the g5 calls a backend computes (libg6gpu/core/grape5.h).
#include "fixture.h"

#include "tests/api/grape5.h"

namespace g6test {
namespace {

// Calls of all devices of the fake backend in a file.
int calls_in(const std::string &file, Call call)
{
    int sum = 0;
    for (const FakeDevice &d : control_of(file).device) sum += d.calls[call];
    return sum;
}

class Grape5Choice : public FakeTest {
protected:
    // The g5 calls compute on device 0 of the fake backend.
    void SetUp() override
    {
        FakeTest::SetUp();
        g5_close();
        g5_set_eps_to_all(1.0 / 32);
    }
    void TearDown() override
    {
        g5_close();
        SetUpTestSuite();
        FakeTest::TearDown();
    }
    // Computes ni * 1024 pairs; whether the backend did.
    bool computes(const std::string &file, int device, int ni)
    {
        PointList l = make_list(1024, ni, 1.0 / 32, 1);
        const int before = calls_in(file, kStart);
        const PointForces f = compute(device, l);
        expect_target(l, f, ni - 1, point_tolerance("single"));
        return calls_in(file, kStart) > before;
    }
    const Variable backend{"G6_BACKEND", "fake"}, devices{"G6_DEVICES", "0"};
    const std::string file = fake_folder() + "/g6_fake.so";
};

TEST_F(Grape5Choice, auto_gives_large_blocks_of_device_0_to_a_gpu)
{
    const std::string folder = fake_folder() + "/../ranked", cuda = folder + "/g6_cuda.so";
    setenv("G6_BACKEND_DIR", folder.c_str(), 1);
    const Variable chosen("G6_BACKEND", "auto");
    EXPECT_FALSE(computes(cuda, 0, 1023));
    EXPECT_TRUE(computes(cuda, 0, 1024));
    EXPECT_TRUE(computes(cuda, 0, 2000));
    EXPECT_FALSE(computes(cuda, 0, 30));
    EXPECT_FALSE(computes(cuda, 1, 2000));
    const Variable cpu("G6_BACKEND", "cpu");
    g5_close();
    EXPECT_FALSE(computes(cuda, 0, 2000));
}

TEST_F(Grape5Choice, open_special_chooses_the_gpus_until_close)
{
    const auto used = [](int device) { return fake_control().device[device].calls[kStart] > 0; };
    int list[1] = {2};
    EXPECT_EQ(g5_open_special(1, list), 0);
    EXPECT_TRUE(computes(file, 0, 30));
    EXPECT_TRUE(used(2) && !used(0));
    g5_close();
    EXPECT_TRUE(computes(file, 0, 30));
    EXPECT_TRUE(used(0));
}

TEST_F(Grape5Choice, a_named_backend_computes_all_blocks_of_all_devices)
{
    EXPECT_TRUE(computes(file, 0, 1));
    EXPECT_TRUE(computes(file, 0, 2000));
    EXPECT_TRUE(computes(file, 7, 30));
    EXPECT_EQ(fake_control().device[0].want, 0u) << "jerk or neighbours";
}

// The cluster of a g5 device is none that a g6 call with an unknown id could mean.
TEST_F(Grape5Choice, g6_calls_do_not_reach_the_masses)
{
    EXPECT_TRUE(computes(file, 0, 5));
    auto stats = sized<g6_stats>();
    EXPECT_EQ(g6_get_stats(12345, &stats), 0);
    EXPECT_EQ(stats.blocks, 0);
    g6_close(12345);
}

TEST_F(Grape5Choice, a_lost_device_does_not_show)
{
    EXPECT_TRUE(computes(file, 0, 5));
    device(0).lose_at[kFinish] = 1;
    EXPECT_TRUE(computes(file, 0, 5));
}

// The destructor of a device calls its driver, of which a child of fork() lacks the threads.
TEST_F(Grape5Choice, a_child_that_closes_leaves_the_devices_of_its_parent_alone)
{
    g5_close();
    g5_set_eps_to_all(1.0 / 32);
    EXPECT_TRUE(computes(file, 0, 5));
    const int before = calls_in(file, kDestroy);
    EXPECT_TRUE(good_in_a_child([&] {
        g5_close();
        EXPECT_EQ(calls_in(file, kDestroy), before);
        EXPECT_FALSE(computes(file, 0, 5));
        return !HasFailure();
    }));
    EXPECT_TRUE(computes(file, 0, 5));
    g5_close();
    EXPECT_EQ(calls_in(file, kDestroy), before + 1);
}

}  // namespace
}  // namespace g6test
