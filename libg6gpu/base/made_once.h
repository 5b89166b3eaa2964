// SPDX-License-Identifier: MIT
// A value that is made at its first use and lives as long as the process, for a variable with
// static storage:
//     static MadeOnce<Table> table;
//     return table.get([] { return make_table(); });
//
// Invariant: nobody waits.  Threads that use the value first at the same time each make one, and
// all get the one that was ready first.  A static local variable makes them wait for one thread,
// which a child of fork() may not have: if its parent was forked while that thread made the value,
// the child waits for ever.
#pragma once

#include <atomic>
#include <memory>

namespace g6 {

template <class T> class MadeOnce {
public:
    // make() returns a T.  It may run more than once.
    template <class Make> const T &get(Make &&make)
    {
        const T *known = value_.load(std::memory_order_acquire);
        if (known) return *known;
        std::unique_ptr<const T> made(new T(make()));
        const bool first = value_.compare_exchange_strong(
            known, made.get(), std::memory_order_acq_rel, std::memory_order_acquire);
        return first ? *made.release() : *known;
    }

private:
    std::atomic<const T *> value_{nullptr};
};

}  // namespace g6
