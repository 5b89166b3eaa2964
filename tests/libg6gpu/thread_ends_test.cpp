// SPDX-License-Identifier: MIT
// Threads that are cancelled during a call, or that end in the user's log function.
#include "../child.h"
#include "../client.h"
#include "gp5util.h"
#include "libg6gpu/base/processors.h"
#include "libg6gpu/base/status.h"

#include <cerrno>
#include <cstddef>
#include <functional>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace g6test {
namespace {

// Runs f in a thread of its own.  Returns whether the thread was cancelled.
bool is_cancelled(std::function<void()> f)
{
    const auto run = [](void *function) -> void * {
        (*static_cast<std::function<void()> *>(function))();
        return nullptr;
    };
    pthread_t thread;
    void *result = nullptr;
    EXPECT_EQ(pthread_create(&thread, nullptr, run, &f), 0);
    EXPECT_EQ(pthread_join(thread, &result), 0);
    return result == PTHREAD_CANCELED;
}

class ThreadEnds : public testing::Test {
protected:
    ThreadEnds() { client.set_all(bodies); }
    ~ThreadEnds() override
    {
        g6_set_log(nullptr, 0, nullptr);
        g6::set_log_level(g6::kLogNone);
    }
    // The library serves other threads.
    void expect_service()
    {
        EXPECT_EQ(g6_set_log(nullptr, 0, nullptr), 0);
        client.run_and_check_with_lists(block);
        EXPECT_EQ(g6_set_ti(client.id(), NAN), G6_ERR_ARGUMENT);
        EXPECT_TRUE(last_error_has("NaN"));
    }
    int id() const { return client.id(); }

    const std::vector<Body> bodies = moving_bodies(20, 1);
    const IBlock block = block_of(bodies, 0, 5);
    Client client;
    // Each of these calls logs an error: one that has a CallScope from its beginning, one that has
    // none, one with a refused j-particle, and one that consists of two calls.
    const std::vector<std::function<void()>> failing = {
        [this] { g6_set_option(id(), "precision", "quadruple"); },
        [this] { g6_set_ti(id(), NAN); },
        [this] { g6_set_j_particle_mxonly(id(), -1, 0, 1, data(bodies[0].x)); },
        [this] {
            IBlock bad = block;
            bad.x[0][0] = NAN;
            client.first(bad, 20);
        },
        [] { g5_set_n(-1); },
    };
};

// Writing to stderr is a cancellation point, and so are reading a file and waiting for a thread.
TEST_F(ThreadEnds, a_cancelled_one_ends_after_its_call)
{
    std::vector<std::function<void()>> calls = failing;
    calls.push_back([this] { client.reopen(), client.set_all(bodies); });
    calls.push_back([this] { client.run_and_check(block), client.expect_lists(block, 20); });
    calls.push_back([this] { g6_print_chip_status(id()); });
    calls.push_back([this] { g6_reinitialize(id()); });
    calls.push_back([] { g6_set_log([](int, const char *, void *) {}, 4, nullptr); });
    // The first loop of a process looks for its processors, maybe in g6_set_j_particle().
    calls.push_back([] { g6::own_processors(); });
    for (size_t k = 0; k < calls.size(); ++k) {
        SCOPED_TRACE(k);
        bool returned = false;
        testing::internal::CaptureStderr();
        g6::set_log_level(g6::kLogDebug);
        EXPECT_TRUE(is_cancelled([&] {
            pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
            pthread_cancel(pthread_self());
            pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
            calls[k]();
            returned = true;
            pthread_testcancel();
        }));
        g6::set_log_level(g6::kLogNone);
        testing::internal::GetCapturedStderr();
        EXPECT_TRUE(returned);
        expect_service();
    }
}

TEST_F(ThreadEnds, one_keeps_its_own_cancellation_state)
{
    for (const int state : {PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE}) {
        int after = -1, nested = -1;
        EXPECT_FALSE(is_cancelled([&] {
            pthread_setcancelstate(state, nullptr);
            g6_set_ti(id(), NAN);
            {
                const g6::CallScope outer;
                g6_set_ti(id(), NAN);
                pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &nested);
            }
            pthread_setcancelstate(state, &after);
        }));
        EXPECT_EQ(nested, PTHREAD_CANCEL_DISABLE);
        EXPECT_EQ(after, state);
    }
}

TEST_F(ThreadEnds, one_may_end_in_the_log_function)
{
    for (size_t k = 0; k < failing.size(); ++k) {
        SCOPED_TRACE(k);
        // Its own objects use the library while the thread ends.
        struct AtEnd {
            Client &client;
            const IBlock &block;
            ~AtEnd() { client.run_and_check(block); }
        };
        bool returned = false;
        g6_set_log([](int, const char *, void *) { pthread_exit(nullptr); }, 1, nullptr);
        EXPECT_FALSE(is_cancelled([&] {
            const AtEnd at_end{client, block};
            failing[k]();
            returned = true;
        }));
        EXPECT_FALSE(returned);
        expect_service();
    }
}

// From now on this process cannot start threads.  False where the system offers no such filter.
bool refuse_threads()
{
    constexpr auto kNumber = static_cast<unsigned>(offsetof(seccomp_data, nr));
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program = {sizeof rules / sizeof rules[0], rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// A child of fork() has no threads, so that the loop over the slots up to the new address wants to
// start some.  A thread must not end amid that loop, nor may the function meet the cluster there.
TEST_F(ThreadEnds, a_loop_that_lacks_threads_does_not_call_the_log_function)
{
    ASSERT_EQ(g6_set_option(id(), "threads", "4"), 0);
    client.run_and_check(block);
    if (!good_in_a_child(refuse_threads)) GTEST_SKIP() << "no filter of system calls is allowed";
    EXPECT_TRUE(good_in_a_child([&] {
        refuse_threads();
        g6_set_log([](int, const char *, void *) { pthread_exit(nullptr); }, 4, nullptr);
        return g6_set_j_particle_mxonly(id(), 100000, 0, 1, data(bodies[0].x)) == 0;
    }));
}

TEST_F(ThreadEnds, one_that_is_cancelled_in_the_log_function_ends_after_its_call)
{
    for (size_t k = 0; k < failing.size(); ++k) {
        SCOPED_TRACE(k);
        const auto cancel = [](int, const char *, void *) {
            pthread_cancel(pthread_self());
            pthread_testcancel();
        };
        bool returned = false;
        g6_set_log(cancel, 1, nullptr);
        EXPECT_TRUE(is_cancelled([&] {
            failing[k]();
            returned = true;
            pthread_testcancel();
        }));
        EXPECT_TRUE(returned);
        expect_service();
    }
}

}  // namespace
}  // namespace g6test
