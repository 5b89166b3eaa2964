// SPDX-License-Identifier: MIT
// Which backends this machine has; a skip tells why the physics tests left a backend out.
#include "../physics.h"

namespace g6test {
namespace {

class Backends : public testing::TestWithParam<const char *> {};

TEST_P(Backends, is_usable)
{
    for (const g6_backend_info &b : all_backends()) {
        if (std::string(b.name) != GetParam()) continue;
        if (b.reason[0]) GTEST_SKIP() << b.name << ": " << b.reason;
        EXPECT_GE(b.ndevices, 1);
        return;
    }
    GTEST_SKIP() << GetParam() << ": not built (no g6_" << GetParam() << ".so in "
                 << getenv("G6_BACKEND_DIR") << ")";
}

INSTANTIATE_TEST_SUITE_P(, Backends, testing::Values("cuda", "opencl"),
                         [](const auto &info) { return std::string(info.param); });

TEST(BackendList, cpu_is_always_usable)
{
    bool found = false;
    for (const g6_backend_info &b : all_backends()) {
        if (std::string(b.name) != "cpu") continue;
        found = true;
        EXPECT_STREQ(b.reason, "");
        EXPECT_STREQ(b.path, "built in");
        EXPECT_EQ(b.ndevices, 1);
    }
    EXPECT_TRUE(found);
}

TEST(BackendList, every_device_of_a_usable_backend_is_described)
{
    const std::vector<g6_backend_info> backends = all_backends();
    auto info = sized<g6_device_info>();
    for (int n = 0; n < int(backends.size()); ++n) {
        if (backends[n].reason[0]) continue;
        for (int d = 0; d < backends[n].ndevices; ++d) {
            EXPECT_EQ(g6_get_device_info(n, d, &info), 0);
            EXPECT_STRNE(info.name, "");
            EXPECT_GT(info.compute_units, 0);
        }
        EXPECT_NE(g6_get_device_info(n, backends[n].ndevices, &info), 0);
        EXPECT_NE(g6_get_device_info(n, -1, &info), 0);
    }
}

// A program built against an older header has a smaller struct: nothing beyond its size may be
// written.
TEST(BackendList, writes_no_more_than_the_size_that_the_caller_gives)
{
    g6_backend_info info;
    std::memset(&info, 0x55, sizeof info);
    info.size = offsetof(g6_backend_info, ndevices);
    EXPECT_EQ(g6_get_backend_info(0, &info), 0);
    EXPECT_EQ(info.ndevices, 0x55555555);
}

G6_PHYSICS_SUITE(BackendChoice);

TEST_P(BackendChoice, the_named_backend_computes)
{
    client.set_all(moving_bodies(20, 1));
    client.run_and_check(block_of(moving_bodies(20, 1), 0, 5));
    EXPECT_EQ(g6_backend_name(client.id()), GetParam().backend);
    const g6_stats stats = client.stats();
    EXPECT_EQ(stats.devices == 1, GetParam().devices == "0");
    const int devices = g6_devices_for(client.id(), 1 << 20, 1 << 20);
    EXPECT_GE(devices, 1);
    EXPECT_LE(devices, stats.devices);
}

}  // namespace
}  // namespace g6test
