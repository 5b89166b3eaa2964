// SPDX-License-Identifier: MIT
// The log: its levels, and what a user's log function may do.
#include "../child.h"
#include "../client.h"
#include "libg6gpu/base/status.h"

#include <atomic>
#include <thread>
#include <unistd.h>

namespace g6test {
namespace {

// A call that fails, with the text in its message.
int fail(const std::string &text)
{
    return g6_set_option(0, "precision", text.c_str());
}

class Log : public testing::Test {
protected:
    void TearDown() override
    {
        g6_set_log(nullptr, 0, nullptr);
        g6::set_log_level(g6::kLogNone);
    }
    // Each line is kept, then act does what the test is about.
    void take_lines()
    {
        const auto take = [](int, const char *line, void *self) {
            Log &log = *static_cast<Log *>(self);
            log.lines.push_back(line);
            if (log.act) log.act();
        };
        ASSERT_EQ(g6_set_log(take, 4, this), 0);
    }
    bool has(size_t line, const char *part) const
    {
        return line < lines.size() && lines[line].find(part) != std::string::npos;
    }

    std::vector<std::string> lines;
    std::function<void()> act;
};

TEST_F(Log, without_a_function_the_level_is_that_of_the_environment)
{
    g6::set_log_level(g6::kLogWarn);
    take_lines();
    EXPECT_TRUE(g6::log_wanted(g6::kLogDebug));
    ASSERT_EQ(g6_set_log(nullptr, 0, nullptr), 0);
    EXPECT_TRUE(g6::log_wanted(g6::kLogWarn));
    EXPECT_FALSE(g6::log_wanted(g6::kLogInfo));
    // The number given with no function says nothing.
    ASSERT_EQ(g6_set_log(nullptr, 4, nullptr), 0);
    EXPECT_FALSE(g6::log_wanted(g6::kLogInfo));
}

TEST_F(Log, a_function_may_make_any_call)
{
    const std::vector<Body> bodies = moving_bodies(20, 1);
    int inner = 0;
    act = [&] {
        EXPECT_NE(fail("inner"), 0);
        EXPECT_TRUE(last_error_has("inner"));
        Client client({}, bodies);
        client.run_and_check(block_of(bodies, 0, 5));
        EXPECT_FALSE(all_backends().empty());
        inner++;
    };
    take_lines();
    EXPECT_NE(fail("outer"), 0);
    EXPECT_EQ(inner, 1);
    // Lines of a cluster that is opened come while the table of clusters is locked.
    Client client;
    EXPECT_GE(inner, 2);
}

// A particle that is sent to a closed cluster opens it, under the lock of the table.
TEST_F(Log, a_function_may_open_and_close_when_a_particle_opened_the_cluster)
{
    double x[3] = {2, 0, 0}, zero[3] = {};
    int opened = 0;
    const int id = 4711, another = 4712;
    act = [&] {
        EXPECT_EQ(g6_open(another), 0);
        EXPECT_EQ(g6_close(another), 0);
        EXPECT_EQ(g6_close(id), 0);
        opened++;
    };
    take_lines();
    EXPECT_EQ(g6_set_j_particle(id, 0, 7, 0, 0, 1, zero, zero, zero, zero, x), 0);
    EXPECT_GE(opened, 1);
    // The particle was there when the function closed its cluster, and went with it.
    act = nullptr;
    double acc[1][3], jerk[1][3], pot[1] = {-1}, xi[1][3] = {}, vi[1][3] = {}, h2[1] = {0};
    int index[1] = {1};
    g6calc_firsthalf(id, 1, 1, index, xi, vi, nullptr, nullptr, nullptr, 0, h2);
    EXPECT_EQ(g6calc_lasthalf(id, 1, 1, index, xi, vi, 0, h2, acc, jerk, pot), 0);
    EXPECT_EQ(pot[0], 0);
    EXPECT_EQ(g6_close(id), 0);
}

// The cluster is whole when the function gets the line, and the error of firsthalf already held.
TEST_F(Log, a_function_may_collect_the_block_that_failed)
{
    double x[1][3] = {{NAN, 0, 0}}, v[1][3] = {}, acc[1][3], jerk[1][3], pot[1], h2[1] = {0};
    int index[1] = {1}, held = 0;
    Client client({}, moving_bodies(5, 1));
    act = [&] { held = g6calc_lasthalf(client.id(), 5, 1, index, x, v, 0, h2, acc, jerk, pot); };
    take_lines();
    g6calc_firsthalf(client.id(), 5, 1, index, x, v, nullptr, nullptr, nullptr, 0, h2);
    EXPECT_EQ(held, G6_ERR_ARGUMENT);
}

// So is their last error.
TEST_F(Log, lines_of_the_functions_own_calls_are_dropped)
{
    act = [] { fail("inner"); };
    take_lines();
    fail("first"), fail("second");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_TRUE(has(0, "first") && has(1, "second"));
    EXPECT_TRUE(last_error_has("second"));
}

// A refused particle's text is made when somebody reads it.
TEST_F(Log, the_callers_last_error_may_be_older_than_the_function)
{
    double x[3] = {};
    act = [] { fail("inner"); };
    g6::set_log_level(g6::kLogNone);
    fail("older");
    EXPECT_EQ(g6_set_j_particle(4713, -1, 7, 0, 0, 1, x, x, x, x, x), G6_ERR_ARGUMENT);
    take_lines();
    EXPECT_EQ(g6_print_chip_status(4713), 0);
    EXPECT_GE(lines.size(), 1u);
    EXPECT_TRUE(last_error_has("address -1"));
    EXPECT_EQ(g6_close(4713), 0);
}

TEST_F(Log, lines_wait_for_the_end_of_the_outermost_call_and_keep_their_order)
{
    take_lines();
    {
        const g6::CallScope outer;
        g6::log(g6::kLogWarn, "one");
        fail("two");
        g6::log(g6::kLogWarn, "three");
        EXPECT_TRUE(lines.empty());
    }
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_TRUE(has(0, "one") && has(1, "two") && has(2, "three"));
    g6::log(g6::kLogWarn, "outside of any call");
    EXPECT_EQ(lines.size(), 4u);
}

TEST_F(Log, a_function_may_set_another_one)
{
    act = [] { g6_set_log(nullptr, 0, nullptr); };
    take_lines();
    {
        const g6::CallScope call;
        fail("first"), fail("second");
    }
    EXPECT_EQ(lines.size(), 1u);
}

TEST_F(Log, a_function_that_throws_does_no_harm)
{
    act = [] { throw std::runtime_error("from the log function"); };
    take_lines();
    EXPECT_EQ(fail("outer"), G6_ERR_OPTION);
    EXPECT_EQ(fail("again"), G6_ERR_OPTION);
    EXPECT_EQ(lines.size(), 2u);
}

// A thread of the parent never leaves the function in the child.
TEST_F(Log, a_forked_child_does_not_wait_for_threads_of_its_parent)
{
    std::atomic<bool> inside{false}, leave{false};
    act = [&] {
        inside = true;
        while (!leave) usleep(1000);
    };
    take_lines();
    std::thread thread([] { fail("outer"); });
    while (!inside) usleep(1000);
    EXPECT_TRUE(good_in_a_child([] { return g6_set_log(nullptr, 0, nullptr) == 0; }, 20));
    leave = true;
    thread.join();
}

TEST_F(Log, a_forked_child_waits_for_its_own_threads)
{
    std::atomic<bool> inside{false}, left{false};
    act = [&] {
        inside = true;
        usleep(100000);
        left = true;
    };
    take_lines();
    EXPECT_TRUE(good_in_a_child([&] {
        std::thread thread([] { fail("in the child"); });
        while (!inside) usleep(1000);
        const bool good = g6_set_log(nullptr, 0, nullptr) == 0 && left;
        thread.join();
        return good;
    }));
}

}  // namespace
}  // namespace g6test
