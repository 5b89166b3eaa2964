// SPDX-License-Identifier: MIT
// A mark that one call at a time can hold, so that two calls never work on one object.  A child of
// fork() finds every mark free, since a thread that holds a mark in the parent is not in the child.
#pragma once

#include "fork.h"

#include <atomic>
#include <utility>

namespace g6 {

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

    // Takes the mark.  Returns an empty Hold where a call of this or another thread holds it.
    Hold take() noexcept
    {
        const unsigned busy = fork_generation() + 1;
        return word_.exchange(busy, std::memory_order_acquire) == busy ? Hold() : Hold(word_);
    }

private:
    std::atomic<unsigned> word_{0};  // fork_generation() + 1 of the holder's process; 0: free
};

// Holds an object, or none, for one call: no other call can hold it while this one lives.
template <class T> class InUse {
public:
    InUse() = default;
    InUse(T *object, BusyMark::Hold hold) noexcept : object_(object), hold_(std::move(hold)) {}
    explicit operator bool() const noexcept { return object_ && hold_; }
    T &operator*() const noexcept { return *object_; }
    T *operator->() const noexcept { return object_; }

private:
    T *object_ = nullptr;
    BusyMark::Hold hold_;
};

}  // namespace g6
