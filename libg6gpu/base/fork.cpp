// SPDX-License-Identifier: MIT
// The handlers that the system calls at fork(): in the parent, to note whether it has several
// threads; in the child, to count the fork and to renew mutexes.
#include "fork.h"

#include <iterator>
#include <pthread.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define G6_SINGLE_THREADED __libc_single_threaded
#else
#define G6_SINGLE_THREADED false
#endif

namespace g6 {

std::atomic<unsigned> g_fork_generation{0};

namespace {

std::atomic<bool> g_many{false};  // there were several threads before the last fork
std::atomic<bool> g_lost{false};  // a fork has lost threads

struct Renewed {
    void (*renew)(void *object);
    std::atomic<void *> object;  // set last
};
Renewed g_renewed[32];  // there are fewer objects
std::atomic<int> g_objects{0};

void before_fork()
{
    g_many = !G6_SINGLE_THREADED;
}
void in_child()
{
    g_fork_generation.fetch_add(1, std::memory_order_relaxed);
    if (g_many) g_lost = true;
    for (Renewed &r : g_renewed)
        if (void *const object = r.object) r.renew(object);
}

// Registered while the library is loaded, not at its first call: the application may start threads
// and fork earlier than that.
const bool g_registered = pthread_atfork(before_fork, nullptr, in_child) == 0;

}  // namespace

bool fork_lost_threads() noexcept
{
    return !g_registered || g_lost.load(std::memory_order_relaxed);
}

void renew_in_children(void *object, void (*renew)(void *object)) noexcept
{
    const int n = g_objects++;
    if (n >= static_cast<int>(std::size(g_renewed))) return;
    g_renewed[n].renew = renew;
    g_renewed[n].object = object;
}

}  // namespace g6
