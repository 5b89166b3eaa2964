// SPDX-License-Identifier: MIT
// A mark that one call at a time can hold, so that calls of two threads never work on one object.
//
// Nearly every object serves one thread, whose calls are as short as g6_set_j_particle(): an atomic
// exchange would make that call a quarter longer.  So the mark has an owner, as in biased locking
// (Dice, Moir & Scherer 2003, "Quickly reacquirable locks"): the first thread that may own it.  The
// owner takes it by a plain store and a plain load.  Another thread that comes ends the ownership,
// and from then on every thread takes the mark by an exchange.
//
//     owner:  owned_ = busy;      is owner_ still this thread?
//     other:  owner_ = nobody;  barrier in all threads;  is owned_ busy?
//
// The store comes before the load in both threads, so that one of them sees the other.  The owner
// has no barrier for that: the other thread makes all threads of the process execute one, by
// membarrier(2), once in the life of the mark.  Where the system has no such call, there is no
// owner.
//
// Invariants
//  * owner_ goes from nobody to one thread to shared, and never back.  Only the owner writes owned_,
//    and only who holds shared_ writes owner_.
//  * A hold of a thread that this child of fork() does not have counts for nothing.
//  * When two threads meet as the ownership ends, both may be told that the mark is held.
#pragma once

#include "fork.h"

#include <atomic>
#include <cstdint>
#include <pthread.h>
#include <utility>

namespace g6 {

// A number that no other running thread has.
inline std::uintptr_t this_thread() noexcept
{
#if defined(__linux__) && defined(__x86_64__)
    std::uintptr_t self;  // the thread pointer: pthread_self() is a call of 2 ns
    asm("mov %%fs:0, %0" : "=r"(self));
    return self;
#elif defined(__linux__) && defined(__aarch64__)
    return reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
#else
    return (std::uintptr_t)pthread_self();
#endif
}

class BusyMark {
public:
    // The mark, or nothing, held until the end of this object's life.
    class Hold {
    public:
        Hold() = default;
        Hold(Hold &&other) noexcept : word_(std::exchange(other.word_, nullptr)) {}
        Hold &operator=(Hold &&other) noexcept
        {
            std::swap(word_, other.word_);
            return *this;
        }
        ~Hold()
        {
            if (word_) word_->store(0, std::memory_order_release);
        }
        explicit operator bool() const noexcept { return word_ != nullptr; }

    private:
        friend class BusyMark;
        explicit Hold(std::atomic<unsigned> &word) noexcept : word_(&word) {}
        std::atomic<unsigned> *word_ = nullptr;
    };

    // Nothing where a call holds the mark, of this thread or of another.  may_own: the calling
    // thread becomes the owner, if there was none.
    Hold take(bool may_own) noexcept
    {
        const unsigned busy = fork_generation() + 1;
        const std::uintptr_t self = this_thread();
        if (owner_.load(std::memory_order_relaxed) != self) return exchange(busy, self, may_own);
        if (owned_.load(std::memory_order_acquire) == busy) return {};
        owned_.store(busy, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);  // keeps the order of the compiler
        if (owner_.load(std::memory_order_relaxed) == self) return Hold(owned_);
        owned_.store(0, std::memory_order_release);
        return exchange(busy, self, may_own);
    }

private:
    static constexpr std::uintptr_t kNobody = 0, kShared = 1;  // no thread has such a number

    [[gnu::cold]] Hold exchange(unsigned busy, std::uintptr_t self, bool may_own) noexcept;

    std::atomic<std::uintptr_t> owner_{kNobody};
    // Both: the number of the process whose call holds the mark, 0 for none.
    std::atomic<unsigned> owned_{0}, shared_{0};
};

}  // namespace g6
