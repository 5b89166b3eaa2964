// SPDX-License-Identifier: MIT
// Which devices compute: for a mode that a device does not support, with sapporo's way to name
// devices, and in a child of fork().
#include "fixture.h"

namespace g6test {
namespace {

class NoTree : public FakeTest {};

// The cpu walks in its place, as long as the mode is treewalk.
TEST_F(NoTree, the_cpu_serves_the_mode_that_a_backend_does_not_offer)
{
    const std::vector<Body> bodies = moving_bodies(60, 1);
    const IBlock block = block_of(bodies, 0, 10);
    Client client({"notree", "double", "0", ""}, bodies);
    client.option("theta", "0");
    client.option("direct", "0");
    client.run_and_check(block);
    EXPECT_STREQ(g6_backend_name(client.id()), "notree");
    for (int round = 0; round < 2; ++round) {
        client.option("mode", "treewalk");
        client.set(3, bodies[4 + round]);
        client.run_and_check_with_lists(block);
        EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
        client.option("mode", "hermite");
        client.set(5, bodies[6 + round]);
        client.run_and_check(block);
        EXPECT_STREQ(g6_backend_name(client.id()), "notree");
    }
    EXPECT_EQ(warnings().size(), 2u) << testing::PrintToString(warnings());
}

// ---- sapporo

// In a process of its own: what g6_open_special() chooses holds for all later openings.
int special(int ngpu, int *list, const std::vector<int> &expected)
{
    setenv("G6_BACKEND_DIR", fake_folder().c_str(), 1);
    setenv("G6_BACKEND", "fake", 1);
    if (g6_open_special(ngpu, list) != 0) return 2;
    double x[3] = {2, 0, 0}, xi[1][3] = {}, vi[1][3] = {}, acc[1][3], jerk[1][3], pot[1];
    int index[1] = {1};
    if (g6_set_j_particle_mxonly(0, 0, 7, 1, x) != 0) return 3;
    g6calc_firsthalf(0, 1, 1, index, xi, vi, nullptr, nullptr, nullptr, 0, nullptr);
    if (g6calc_lasthalf(0, 1, 1, index, xi, vi, 0, nullptr, acc, jerk, pot) != 0) return 4;
    if (pot[0] != -0.5) return 5;
    auto stats = sized<g6_stats>();
    if (g6_get_stats(0, &stats) != 0 || stats.devices != int(expected.size())) return 6;
    for (int d = 0; d < kFakeDevices; ++d) {
        bool wanted = false;
        for (int e : expected) wanted = wanted || e == d;
        if ((fake_control().device[d].calls[kOpen] > 0) != wanted) return 7;
    }
    return 0;
}

// A negative number means any that many; more than there are, and 0, mean all.
TEST(Special, a_list_or_a_number_chooses_the_devices)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    int list[2] = {3, 1};
    EXPECT_EXIT(std::exit(special(2, list, {1, 3})), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(std::exit(special(-2, nullptr, {0, 1})), testing::ExitedWithCode(0), "");
    for (int ngpu : {-9, 0})
        EXPECT_EXIT(std::exit(special(ngpu, nullptr, {0, 1, 2, 3})), testing::ExitedWithCode(0),
                    "");
    list[1] = -1;
    EXPECT_EXIT(std::exit(special(2, list, {0})), testing::ExitedWithCode(0),
                "fake device -1 is not there: there are 4, numbered from 0");
}

// Likewise.
int all_after_special(bool opened)
{
    setenv("G6_BACKEND_DIR", fake_folder().c_str(), 1);
    setenv("G6_BACKEND", "fake", 1);
    int list[1] = {2};
    if (g6_open_special(1, list) != 0 || g6_close(0) != 0) return 2;
    if (fake_control().device[0].calls[kOpen] != 0) return 3;
    if ((opened ? g6_open_all() : g6_set_ti_all(0)) != 0) return 4;
    for (int d = 0; d < kFakeDevices; ++d)
        if (fake_control().device[d].calls[kOpen] == 0) return 5;
    return 0;
}

TEST(Special, the_cluster_of_all_devices_has_all_of_them)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    for (bool opened : {true, false})
        EXPECT_EXIT(std::exit(all_after_special(opened)), testing::ExitedWithCode(0), "");
}

// ---- fork

// The driver threads of the parent's devices do not exist in its child: there the cpu computes,
// nobody calls the devices, and the child learns how it can have devices.  It goes on with the
// block that its parent has started, or with one that is finished, whose sums may lie in memory
// that only the parent's device has, or it begins with one of its own.
enum class Begin { kPending, kFinished, kNew };
class Forked : public FakeTest, public testing::WithParamInterface<Begin> {};
INSTANTIATE_TEST_SUITE_P(, Forked, testing::Values(Begin::kPending, Begin::kFinished, Begin::kNew));

TEST_P(Forked, child_leaves_the_devices_of_its_parent_alone)
{
    Client client(on("0,1"));
    const std::vector<Body> bodies = moving_bodies(60, 2);
    const IBlock block = block_of(bodies, 0, 10), other = block_of(bodies, 20, 10);
    client.set_all(bodies);
    client.run_and_check(block);
    client.first(other, 60);
    if (GetParam() == Begin::kFinished) client.expect_right(other, client.last(other, 60));
    fake_control() = FakeControl{};
    EXPECT_TRUE(good_in_a_child([&] {
        const auto is_told = [&] {
            const std::string remedy = "make the first call of this library after fork()";
            for (const std::string &text : warnings())
                if (text.find(remedy) != std::string::npos) return true;
            return false;
        };
        int calls = 0;
        EXPECT_GT(g6_getnjmax(client.id()), 0);
        EXPECT_TRUE(devices_of("fake").empty());
        for (const g6_backend_info &b : all_backends())
            EXPECT_TRUE(b.name != std::string("fake") || b.ndevices == 0);
        if (GetParam() != Begin::kNew) client.expect_right(other, client.last(other, 60));
        client.set(3, bodies[4]);
        client.run_and_check_with_lists(block);
        EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
        EXPECT_TRUE(is_told());
        lines.clear();
        Client own(on("0"), bodies);
        own.run_and_check(block);
        EXPECT_TRUE(is_told());
        for (const FakeDevice &d : fake_control().device)
            for (int n : d.calls) calls += n;
        EXPECT_EQ(calls, 0);
        return !HasFailure();
    }));
    client.expect_right(other, client.last(other, 60));
    client.run_and_check(block);
    EXPECT_STREQ(g6_backend_name(client.id()), "fake");
}

}  // namespace
}  // namespace g6test
