// SPDX-License-Identifier: MIT
// Which blocks of the g5 calls a backend computes (libg6gpu/core/grape5.h).
#include "fixture.h"

#include "tests/api/grape5.h"

#include <sys/wait.h>

namespace g6test {
namespace {

FakeControl &control_of(const std::string &file)
{
    void *handle = dlopen(file.c_str(), RTLD_NOW);
    auto get = handle ? dlsym(handle, "g6_fake_control") : nullptr;
    if (!get) throw std::runtime_error(dlerror());
    return *reinterpret_cast<FakeControl *(*)()>(get)();
}

// Starts of all devices of the fake backend in a file.
int starts(const std::string &file)
{
    int sum = 0;
    for (const FakeDevice &d : control_of(file).device) sum += d.calls[kStart];
    return sum;
}

// Objects of the fake backend in a file that were destroyed.
int destroyed(const std::string &file)
{
    int sum = 0;
    for (const FakeDevice &d : control_of(file).device) sum += d.calls[kDestroy];
    return sum;
}

class Grape5Choice : public FakeTest {
protected:
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
        const int before = starts(file);
        const PointForces f = compute(device, l);
        expect_target(l, f, ni - 1, point_tolerance("single"));
        return starts(file) > before;
    }
};

TEST_F(Grape5Choice, auto_gives_large_blocks_of_device_0_to_a_gpu)
{
    const std::string folder = fake_folder() + "/../ranked", cuda = folder + "/g6_cuda.so";
    setenv("G6_BACKEND_DIR", folder.c_str(), 1);
    g5_close();
    g5_set_eps_to_all(1.0 / 32);
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
    const Variable backend("G6_BACKEND", "fake"), devices("G6_DEVICES", "0");
    const auto used = [](int device) { return fake_control().device[device].calls[kStart] > 0; };
    const std::string file = fake_folder() + "/g6_fake.so";
    int list[1] = {2};
    g5_close();
    g5_set_eps_to_all(1.0 / 32);
    EXPECT_EQ(g5_open_special(1, list), 0);
    EXPECT_TRUE(computes(file, 0, 30));
    EXPECT_TRUE(used(2) && !used(0));
    g5_close();
    EXPECT_TRUE(computes(file, 0, 30));
    EXPECT_TRUE(used(0));
}

TEST_F(Grape5Choice, a_named_backend_computes_all_blocks_of_all_devices)
{
    const Variable backend("G6_BACKEND", "fake"), devices("G6_DEVICES", "0");
    g5_close();
    g5_set_eps_to_all(1.0 / 32);
    const std::string file = fake_folder() + "/g6_fake.so";
    EXPECT_TRUE(computes(file, 0, 1));
    EXPECT_TRUE(computes(file, 0, 2000));
    EXPECT_TRUE(computes(file, 7, 30));
    EXPECT_EQ(fake_control().device[0].want, 0u) << "jerk or neighbours";
}

// The cluster of a g5 device is none that a g6 call with an unknown id could mean.
TEST_F(Grape5Choice, g6_calls_do_not_reach_the_masses)
{
    const Variable backend("G6_BACKEND", "fake"), devices("G6_DEVICES", "0");
    g5_close();
    g5_set_eps_to_all(1.0 / 32);
    EXPECT_TRUE(computes(fake_folder() + "/g6_fake.so", 0, 5));
    g6_stats stats{};
    stats.size = sizeof stats;
    EXPECT_EQ(g6_get_stats(12345, &stats), 0);
    EXPECT_EQ(stats.blocks, 0);
    g6_close(12345);
}

TEST_F(Grape5Choice, a_lost_device_does_not_show)
{
    const Variable backend("G6_BACKEND", "fake"), devices("G6_DEVICES", "0");
    g5_close();
    g5_set_eps_to_all(1.0 / 32);
    EXPECT_TRUE(computes(fake_folder() + "/g6_fake.so", 0, 5));
    device(0).lose_at[kFinish] = 1;
    EXPECT_TRUE(computes(fake_folder() + "/g6_fake.so", 0, 5));
}

// The destructor of a device calls its driver, of which a child of fork() lacks the threads.
TEST_F(Grape5Choice, a_child_that_closes_leaves_the_devices_of_its_parent_alone)
{
    const Variable backend("G6_BACKEND", "fake"), devices("G6_DEVICES", "0");
    const std::string file = fake_folder() + "/g6_fake.so";
    g5_close();
    g5_set_eps_to_all(1.0 / 32);
    EXPECT_TRUE(computes(file, 0, 5));
    const int before = destroyed(file);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        g5_close();
        const bool alone = destroyed(file) == before && !computes(file, 0, 5);
        _exit(HasFailure() ? 1 : alone ? 0 : 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_TRUE(computes(file, 0, 5));
    g5_close();
    EXPECT_EQ(destroyed(file), before + 1);
}

}  // namespace
}  // namespace g6test
