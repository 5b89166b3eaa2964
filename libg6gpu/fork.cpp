// SPDX-License-Identifier: MIT
#include "fork.h"

#include <atomic>
#include <pthread.h>

namespace g6 {
namespace {

std::atomic<unsigned> g_generation{0};

void count_fork()
{
    g_generation.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

unsigned fork_generation() noexcept
{
    static const bool registered = pthread_atfork(nullptr, nullptr, count_fork) == 0;
    (void)registered;
    return g_generation.load(std::memory_order_relaxed);
}

}  // namespace g6
