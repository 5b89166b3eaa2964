// SPDX-License-Identifier: MIT
// How many threads loops have while other programs keep processors busy.
//
// A loop ends when all its threads have entered and left it.  If another program has the processor
// of one of them, that thread comes or goes some milliseconds late, when the system gives it a
// processor again.  Many loops of the library take 20 to 200 us, and a block step has several of
// them.  So one busy processor can make a step a hundred times as long.  ThreadLimit takes threads
// away while most time is lost, and tries more of them again later.
//
// Invariants
//  * A limit changes how long loops take, and no result: bits are the same for any number of
//    threads.
//  * The idle time of the caller's thread in a loop counts as lost only if one of the threads had no
//    processor for kLate or longer.  Work that threads share unevenly is no loss.  In long loops the
//    caller's thread works meanwhile, so that little is lost.
//  * Any number of host threads may call.  A call that meets another one leaves the limit as it is,
//    so that no thread waits, and a child of fork() finds no lock that nobody will open.
#pragma once

#include <algorithm>
#include <atomic>

namespace g6 {

// What is known of a loop's threads at its end: times in seconds of one clock.
struct LoopTimes {
    double begin;          // the loop was called
    double first_entered;  // the first thread entered it
    // Of the caller's thread: when it had nothing left to do, and how long before that it had not
    // entered the loop or had no processor.
    double done, lacked;
    double last_left;  // the last thread had nothing left to do; known if `looked`
    double end;
    int late;  // threads that were late to enter, or without a processor after that
    bool looked;

    // The time in which the caller's thread had nothing left to do, or no processor.
    double idle() const { return end - done + lacked; }
};

class ThreadLimit {
public:
    // Threads that enter a loop so much later than others, in seconds, were without a processor.
    // Sleeping threads wake in 0.2 ms at most.
    static constexpr double kLate = 1e-3;
    static constexpr int kWatched = 16;  // a block step has a few loops, long and short ones
    // The limit is judged after each kWindow seconds of loops.  If kMostLost of that time was lost,
    // sixteen threads do the work of four, and there will be fewer.
    static constexpr double kWindow = 0.02, kMostLost = 0.75;
    // After so many seconds twice as many threads are tried.  If these lose time before the next
    // trial is due, it comes after twice the time.
    static constexpr double kFirstPatience = 0.1, kMostPatience = 2;

    // How many of the wanted threads a loop should have.  now: a function that tells the time.
    template <class Now> int of(int wanted, Now &&now)
    {
        if (limit_.load(std::memory_order_relaxed) == kNone) return wanted;
        raise(wanted, now());
        return std::min(wanted, limit_.load(std::memory_order_relaxed));
    }

    // Whether one of the last kWatched loops was so long that the next one should look how long each
    // of its threads is without a processor, which takes half a microsecond.
    bool looks() const { return watched_.load(std::memory_order_relaxed) > 0; }

    // A loop has ended.
    void note(int threads, const LoopTimes &t)
    {
        // OpenMP begins a loop when all threads have left the one before, and one may leave late.
        const bool began_late = t.first_entered - t.begin > kLate;
        // The caller's thread fell asleep while it waited, and woke late.
        const bool woke_late = t.looked && t.end - t.last_left > kLate;
        note(threads, std::max<int>(t.late, began_late || woke_late), t.end - t.begin, t.idle(),
             t.end);
    }
    // late: how many threads were without a processor for kLate or longer; if not looks(), known of
    // those alone that entered late.  idle: LoopTimes::idle().
    void note(int threads, int late, double seconds, double idle, double now)
    {
        const int left = watched_.load(std::memory_order_relaxed);
        watched_.store(seconds > kLate ? kWatched : std::max(0, left - 1),
                       std::memory_order_relaxed);
        if (busy_.test_and_set(std::memory_order_acquire)) return;
        seconds_ += seconds;
        if (late > 0) lost_ += idle;
        most_late_ = std::max(most_late_, late);
        if (seconds_ >= kWindow) {
            const bool loses = lost_ > kMostLost * seconds_;
            // The last verdict left as many threads as had processors.  If these lose time too, the
            // system does not give them the processors that have become free.
            if (loses) lower(std::max(1, lowered_ ? threads / 2 : threads - most_late_), now);
            lowered_ = loses;
            seconds_ = lost_ = 0;
            most_late_ = 0;
        }
        busy_.clear(std::memory_order_release);
    }

private:
    static constexpr int kNone = 1 << 30;

    void lower(int threads, double now)
    {
        if (on_trial_)
            patience_ = now < trial_ ? std::min(2 * patience_, kMostPatience) : kFirstPatience;
        on_trial_ = false;
        trial_ = now + patience_;
        limit_ = std::min<int>(limit_, threads);
    }
    void raise(int wanted, double now)
    {
        if (wanted <= limit_ || busy_.test_and_set(std::memory_order_acquire)) return;
        if (wanted > limit_ && now >= trial_) {
            if (on_trial_) patience_ = kFirstPatience;
            on_trial_ = true;
            trial_ = now + patience_;
            limit_ = 2 * limit_ < wanted ? 2 * limit_ : kNone;
        }
        busy_.clear(std::memory_order_release);
    }

    std::atomic<int> limit_{kNone};
    std::atomic<int> watched_{0};  // loops that look
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
    double seconds_ = 0, lost_ = 0;  // of the loops since the last verdict
    int most_late_ = 0;
    double trial_ = 0, patience_ = kFirstPatience;  // when the next trial is due
    bool on_trial_ = false;                         // the limit was raised last
    bool lowered_ = false;                          // by the last verdict
};

// That of all loops of this library.  A backend that was loaded has one of its own, which limits
// nothing: its numbers of threads are the core's (host_threads.h).
inline ThreadLimit &thread_limit()
{
    static ThreadLimit limit;
    return limit;
}

}  // namespace g6
