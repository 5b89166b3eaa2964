// SPDX-License-Identifier: MIT
// Loops of the host on the threads of one pool (thread_pool.h).  host_threads.h says how many.
//
// Invariants
//  * The first exception of a loop leaves it on the caller's thread, whichever thread threw it,
//    once all threads have ended their work.  Iterations that have not begun by then are left out.
//  * A loop on one thread is a plain loop.
//  * A loop is complete whether all of its threads join or the caller works alone: each thread
//    begins with its own share and then takes what the other threads have not begun.
//  * Floating-point exceptions stop no thread of a loop (quiet_float.h).
#pragma once

#include "quiet_float.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

namespace g6 {

// The pool as plain data, through which a backend that is loaded at run time uses the core's pool.
struct PoolTable {
    // Calls work(argument, thread) on the calling thread, as thread 0, and at the same time on up
    // to threads - 1 other threads, each with a number of its own below `threads`.  Returns when
    // all of these calls have returned.
    void (*run)(int threads, void (*work)(void *argument, int thread), void *argument);
    int (*threads)(int wanted);  // pool_threads()
};

// The pool of all loops in this library or backend.  A backend gets it with its first device.
inline const PoolTable *&loop_pool()
{
    static const PoolTable *pool = nullptr;
    return pool;
}

constexpr int kMostThreads = 256;

// The thread whose share of 0 ... n-1 holds k, where shares are equal and in order.
inline int share_of(int k, int n, int threads)
{
    const std::int64_t before = (static_cast<std::int64_t>(k) + 1) * threads;
    return static_cast<int>((before + n - 1) / n - 1);
}

// Calls f(k, thread) for k = 0 ... n-1, thread: 0 ... threads-1.  Each thread takes first its own
// equal share of the k in order, then one by one what is left of the other threads' shares.  So a
// thread finds in its cache what it left there in the last loop, and no thread waits for a late
// one.
template <class F> void parallel_shares(int threads, int n, F &&f)
{
    if (threads <= 1 || !loop_pool()) {
        const QuietFloat quiet;
        for (int k = 0; k < n; k++) f(k, 0);
        return;
    }
    // Four shares fill a cache line: a thread without work looks at all shares.
    struct Share {
        std::atomic<std::int64_t> next;  // each thread may add one beyond the end
        std::int64_t end;
    };
    const int count = std::min(threads, kMostThreads);
    const auto begin = [&](int t) {
        return static_cast<int>(static_cast<std::int64_t>(n) * t / count);
    };
    Share share[kMostThreads];
    for (int t = 0; t < count; t++) {
        share[t].next.store(begin(t), std::memory_order_relaxed);
        share[t].end = begin(t + 1);
    }
    std::atomic<bool> thrown{false};
    std::exception_ptr first;
    auto work = [&](int thread) {
        const QuietFloat quiet;
        for (int d = 0; d < count; d++) {
            Share &s = share[(thread + d) % count];
            // To read a share's counter takes less than to add to it, which only one thread can do
            // at a time.
            if (s.next.load(std::memory_order_relaxed) >= s.end) continue;
            for (std::int64_t k; (k = s.next.fetch_add(1, std::memory_order_relaxed)) < s.end;)
                try {
                    if (!thrown.load(std::memory_order_relaxed)) f(static_cast<int>(k), thread);
                } catch (...) {
                    if (!thrown.exchange(true)) first = std::current_exception();
                }
        }
    };
    using Work = decltype(work);
    const auto call = [](void *argument, int thread) { (*static_cast<Work *>(argument))(thread); };
    loop_pool()->run(count, call, &work);
    if (first) std::rethrow_exception(first);
}

// Calls f(first, last) for as many equal shares of 0 ... n-1 as there are threads.  With several
// threads it leaves out empty shares.
template <class Int, class F> void parallel_ranges(int threads, Int n, F &&f)
{
    if (threads <= 1) {
        const QuietFloat quiet;
        return f(Int{0}, n);
    }
    const int count = std::min(threads, kMostThreads);
    const auto begin = [&](int share) {
        return static_cast<Int>(static_cast<std::int64_t>(n) * share / count);
    };
    parallel_shares(count, count, [&](int s, int) {
        if (begin(s) < begin(s + 1)) f(begin(s), begin(s + 1));
    });
}

// Calls f(k) for k = 0 ... n-1, in equal shares.
template <class Int, class F> void parallel_for(int threads, Int n, F &&f)
{
    parallel_ranges(threads, n, [&](Int first, Int last) {
        for (Int k = first; k < last; k++) f(k);
    });
}

}  // namespace g6
