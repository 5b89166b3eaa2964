// SPDX-License-Identifier: MIT
// The handler that the system calls in the child of fork(): it counts the fork and renews mutexes.
#include "fork.h"

#include <iterator>
#include <pthread.h>

namespace g6 {

std::atomic<unsigned> g_fork_generation{0};

namespace {

struct Renewed {
    void (*renew)(void *object);
    std::atomic<void *> object;  // set last
};
Renewed g_renewed[32];  // there are fewer objects
std::atomic<int> g_objects{0};

void in_child()
{
    g_fork_generation.fetch_add(1, std::memory_order_relaxed);
    for (Renewed &r : g_renewed)
        if (void *const object = r.object) r.renew(object);
}

// Registered while the library is loaded, not at its first call: the application may start threads
// and fork earlier than that.
[[maybe_unused]] const bool g_registered = pthread_atfork(nullptr, nullptr, in_child) == 0;

}  // namespace

void renew_in_children(void *object, void (*renew)(void *object)) noexcept
{
    const int n = g_objects++;
    if (n >= static_cast<int>(std::size(g_renewed))) return;
    g_renewed[n].renew = renew;
    g_renewed[n].object = object;
}

}  // namespace g6
