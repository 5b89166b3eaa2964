// SPDX-License-Identifier: MIT
// Loops of the host on several threads.  host_threads.h says how many.
//
// Invariants
//  * The first exception of a loop leaves it on the caller's thread, whichever thread threw it,
//    once all threads have ended their work.  Iterations that have not begun by then are left out.
//    (An exception that leaves an OpenMP region ends the process.)
//  * A loop on one thread is a plain loop.  OpenMP takes memory for each region, and ends the
//    process where there is none.
//  * Floating-point exceptions stop no thread of a loop (quiet_float.h).
//  * Loops on several threads tell thread_limit() how much time they lost.
#pragma once

#include "quiet_float.h"
#include "thread_limit.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <exception>
#include <limits>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace g6 {

// Keeps the first exception of a region.
class FirstException {
public:
    template <class F> void run(F &&f) noexcept
    {
        if (thrown_.load(std::memory_order_relaxed)) return;
        try {
            f();
        } catch (...) {
            if (!thrown_.exchange(true)) exception_ = std::current_exception();
        }
    }
    // After the region.
    void rethrow() const
    {
        if (exception_) std::rethrow_exception(exception_);
    }

private:
    std::atomic<bool> thrown_{false};
    std::exception_ptr exception_;
};

// For ThreadLimit, in seconds.
inline double seconds_now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
// Processor time of the calling thread, in seconds.
inline double processor_seconds()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

#ifdef _OPENMP
// Keep the last or the first time of several threads.
inline void keep_last(std::atomic<double> &last, double time)
{
    for (double known = last; known < time && !last.compare_exchange_weak(known, time);) {
    }
}
inline void keep_first(std::atomic<double> &first, double time)
{
    for (double known = first; known > time && !first.compare_exchange_weak(known, time);) {
    }
}

// Calls f(thread, team, first) on each of the `team` threads that OpenMP gives, at most `threads`.
// f passes its iterations to first.run().
template <class F> void parallel_region(int threads, F &&f)
{
    FirstException first;
    std::atomic<int> late{0};
    // When the first thread entered the loop, and when the last one had nothing left to do.
    std::atomic<double> first_entered{std::numeric_limits<double>::infinity()}, last_left{0};
    const bool looks = thread_limit().looks();
    const double begin = seconds_now();
    // Of the caller's thread: when it had nothing left to do, and how long it had no processor.
    double done = begin, lacked = 0;
#pragma omp parallel num_threads(threads)
    {
        const QuietFloat quiet;
        const int own = omp_get_thread_num();
        const double entered = seconds_now(), had = looks ? processor_seconds() : 0;
        keep_first(first_entered, entered);
        f(own, omp_get_num_threads(), first);
        // without: the thread's time without a processor since it entered.
        const double left = own == 0 || looks ? seconds_now() : 0,
                     without = looks ? left - entered - (processor_seconds() - had) : 0;
        if (std::max(entered - first_entered, without) > ThreadLimit::kLate) late++;
        keep_last(last_left, left);
        if (own == 0) {
            done = left;
            lacked = entered - begin + without;
        }
    }
    thread_limit().note(
        threads, {begin, first_entered, done, lacked, last_left, seconds_now(), late, looks});
    first.rethrow();
}
#endif

// f(first, last) for equal shares of 0 ... n-1, one to a thread.  Several threads get no empty
// shares.
template <class Int, class F> void parallel_ranges(int threads, Int n, F &&f)
{
#ifdef _OPENMP
    if (threads > 1) {
        const auto begin = [&](int t) {
            return static_cast<Int>(static_cast<std::int64_t>(n) * t / threads);
        };
        return parallel_region(threads, [&](int own, int team, FirstException &first) {
            for (int t = own; t < threads; t += team)
                if (begin(t) < begin(t + 1)) first.run([&] { f(begin(t), begin(t + 1)); });
        });
    }
#endif
    (void)threads;
    const QuietFloat quiet;
    f(Int{0}, n);
}

// f(k) for k = 0 ... n-1 in equal shares.
template <class Int, class F> void parallel_for(int threads, Int n, F &&f)
{
    parallel_ranges(threads, n, [&](Int first, Int last) {
        for (Int k = first; k < last; k++) f(k);
    });
}

// f(k, thread) for k = 0 ... n-1, `chunk` of them at a time for the next thread that is free;
// thread: 0 ... threads-1.
template <class F> void parallel_tasks(int threads, int n, int chunk, F &&f)
{
#ifdef _OPENMP
    if (threads > 1) {
        std::atomic<std::int64_t> next{0};
        return parallel_region(threads, [&](int own, int, FirstException &first) {
            for (std::int64_t k; (k = next.fetch_add(chunk, std::memory_order_relaxed)) < n;)
                for (const auto end = std::min<std::int64_t>(n, k + chunk); k < end; k++)
                    first.run([&] { f(static_cast<int>(k), own); });
        });
    }
#endif
    (void)threads, (void)chunk;
    const QuietFloat quiet;
    for (int k = 0; k < n; k++) f(k, 0);
}

// The thread whose share of 0 ... n-1 holds k, where shares are equal and in order.
inline int share_of(int k, int n, int threads)
{
    const std::int64_t before = (static_cast<std::int64_t>(k) + 1) * threads;
    return static_cast<int>((before + n - 1) / n - 1);
}

// f(k, thread) for k = 0 ... n-1, each thread first for its equal share of these in order, then for
// what is left of the other threads' shares.  So a thread finds in its cache what it left there in
// the loop before, and none waits for one that is late.
template <class F> void parallel_shares(int threads, int n, F &&f)
{
#ifdef _OPENMP
    if (threads > 1) {
        struct alignas(64) Share {  // a line of the cache of its own
            std::atomic<int> next;
            int end;
        };
        std::vector<Share> share(static_cast<std::size_t>(threads));
        const auto begin = [&](int t) {
            return static_cast<int>(static_cast<std::int64_t>(n) * t / threads);
        };
        for (int t = 0; t < threads; t++) {
            share[static_cast<std::size_t>(t)].next = begin(t);
            share[static_cast<std::size_t>(t)].end = begin(t + 1);
        }
        return parallel_region(threads, [&](int own, int, FirstException &first) {
            for (int d = 0; d < threads; d++) {
                Share &s = share[static_cast<std::size_t>((own + d) % threads)];
                // To read a share's counter takes less than to add to it, which only one thread
                // can do at a time.
                if (s.next.load(std::memory_order_relaxed) >= s.end) continue;
                for (int k; (k = s.next.fetch_add(1, std::memory_order_relaxed)) < s.end;)
                    first.run([&] { f(k, own); });
            }
        });
    }
#endif
    (void)threads;
    const QuietFloat quiet;
    for (int k = 0; k < n; k++) f(k, 0);
}

}  // namespace g6
