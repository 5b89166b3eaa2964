// SPDX-License-Identifier: MIT
// Distinct clusters may be used from different threads at the same time.  Also run alone under
// ThreadSanitizer.
#include "../client.h"

#include <atomic>
#include <memory>
#include <thread>

namespace g6test {
namespace {

constexpr int kThreads = 4, kRounds = 6, kSteps = 6;

// Whole sessions on one id: open, particles, block steps with lists, close.  Google Test's EXPECT
// is thread-safe here.
void sessions(int id, int seed)
{
    std::vector<Body> bodies = moving_bodies(40 + seed, unsigned(seed));
    const int n = int(bodies.size());
    for (int round = 0; round < kRounds; ++round) {
        Client client({"cpu", seed % 2 ? "double" : "mixed", "", ""}, id);
        client.set_all(bodies);
        for (int k = 0; k < kSteps; ++k) {
            const double ti = k / 64.0;
            client.set_ti(ti);
            bodies[k].x[1] += 0.0625;
            client.set(k, bodies[k]);
            const IBlock block = block_of(bodies, k, 10, ti);
            client.expect_right(block, client.run(block, n, k % 2 ? Half::kLast2 : Half::kLast));
            if (k % 3 == 0) client.expect_lists(block, n);
        }
    }
}

TEST(Threads, use_distinct_clusters_at_once)
{
    at_once(kThreads, [](int t) { sessions(5000 + t, t); });
}

TEST(Threads, have_their_own_last_error)
{
    Client client;
    g6_set_option(client.id(), "precision", "quadruple");
    std::string other = "unset";
    std::thread([&other] { other = g6_last_error(); }).join();
    EXPECT_EQ(other, "");
    EXPECT_TRUE(last_error_has("quadruple"));
}

TEST(Threads, may_ask_about_backends_and_settings_at_once)
{
    at_once(kThreads, [](int) {
        for (int k = 0; k < 200; ++k) {
            EXPECT_FALSE(all_backends().empty());
            EXPECT_EQ(g6_npipes(), 48);
            EXPECT_GE(get_device_count(), 1);
        }
    });
}

// The table of clusters is one for all threads.
TEST(Threads, may_open_and_close_at_once)
{
#ifdef __SANITIZE_THREAD__
    constexpr int kTimes = 2000;  // it sees a race without waiting for its consequences
#else
    constexpr int kTimes = 400000;
#endif
    constexpr int kIds = 64;
    for (int t = 0; t < kThreads; ++t)  // known ids: what follows is quick
        for (int k = 0; k < kIds; ++k) EXPECT_EQ(g6_open(8000 + kIds * t + k), 0);
    at_once(kThreads, [](int t) {
        for (int k = 0; k < kTimes; ++k) {
            const int id = 8000 + kIds * t + k % kIds;
            if (g6_close(id) != 0 || g6_open(id) != 0) ADD_FAILURE() << id;
        }
    });
    for (int t = 0; t < kThreads; ++t)
        for (int k = 0; k < kIds; ++k) EXPECT_EQ(g6_close(8000 + kIds * t + k), 0);
    sessions(8000, 1);
}

// What a log function gets as user data.  in_use: threads that are in the function.
struct LogUser {
    std::atomic<int> in_use{0};
    std::atomic<bool> gone{false};
};

void note_use(int, const char *, void *data)
{
    LogUser &user = *static_cast<LogUser *>(data);
    ++user.in_use;
    EXPECT_FALSE(user.gone);
    std::this_thread::yield();
    --user.in_use;
}

TEST(Threads, leave_a_log_function_before_another_takes_its_place)
{
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&stop] {
            while (!stop) g6_set_option(0, "precision", "quadruple");
        });
    std::vector<std::unique_ptr<LogUser>> users;
    for (int k = 0; k < 50; ++k) {
        users.push_back(std::make_unique<LogUser>());
        EXPECT_EQ(g6_set_log(note_use, 4, users.back().get()), 0);
        std::this_thread::yield();
        EXPECT_EQ(g6_set_log(nullptr, 0, nullptr), 0);
        EXPECT_EQ(users.back()->in_use, 0);
        users.back()->gone = true;
    }
    stop = true;
    for (std::thread &t : threads) t.join();
}

}  // namespace
}  // namespace g6test
