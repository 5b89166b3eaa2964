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
#pragma once

#include "quiet_float.h"

#include <atomic>
#include <cstdint>
#include <exception>
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

// f(first, last) for equal shares of 0 ... n-1, one to a thread.
template <class Int, class F> void parallel_ranges(int threads, Int n, F &&f)
{
#ifdef _OPENMP
    if (threads > 1) {
        const auto begin = [&](int t) {
            return static_cast<Int>(static_cast<std::int64_t>(n) * t / threads);
        };
        FirstException first;
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int t = 0; t < threads; t++)
            first.run([&] {
                const QuietFloat quiet;
                f(begin(t), begin(t + 1));
            });
        return first.rethrow();
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
        FirstException first;
#pragma omp parallel num_threads(threads)
        {
            const QuietFloat quiet;
#pragma omp for schedule(dynamic, chunk)
            for (int k = 0; k < n; k++) first.run([&] { f(k, omp_get_thread_num()); });
        }
        return first.rethrow();
    }
#endif
    (void)threads, (void)chunk;
    const QuietFloat quiet;
    for (int k = 0; k < n; k++) f(k, 0);
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
        FirstException first;
#pragma omp parallel num_threads(threads)
        {
            const QuietFloat quiet;
            const int own = omp_get_thread_num();
            for (int d = 0; d < threads; d++) {
                Share &s = share[static_cast<std::size_t>((own + d) % threads)];
                for (int k; (k = s.next.fetch_add(1, std::memory_order_relaxed)) < s.end;)
                    first.run([&] { f(k, own); });
            }
        }
        return first.rethrow();
    }
#endif
    (void)threads;
    const QuietFloat quiet;
    for (int k = 0; k < n; k++) f(k, 0);
}

}  // namespace g6
