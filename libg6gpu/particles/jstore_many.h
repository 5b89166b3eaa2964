// SPDX-License-Identifier: MIT
// JStore::write_many(): many particles at once, by several threads.
//
// Invariants
//  * The store is afterwards as if one thread had written the particles in their order.
//  * The threads share all particles in one loop (write_together())
//    - where the addresses ascend, begin above all that were written since the last commit, and
//      either all go to the log or all to their slots;
//    - where no particle is dirty, all addresses go to the log, and there are several threads or
//      the caller has filled the log (write_ahead()).  An address that comes twice then has two
//      rows in the log, and keep_last_repeats() makes the last of them count.
//  * Otherwise the caller's thread writes them one by one.
#pragma once

#include "jstore.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace g6 {

inline JStore::Ahead JStore::write_ahead(int n, int words, int first_address) noexcept
{
    Ahead ahead;
    finish_commit();
    if (first_address < dirty_end_ || committed_high_ < n || words > slot_words_) return ahead;
    if (logged_ > 0) words = log_words_;
    try {
        reserve_log(n, words);
    } catch (...) {
        return ahead;
    }
    ahead.rows_ = log_.data() + log_.size();
    ahead.words_ = words;
    return ahead;
}

template <class Address, class Fill>
void JStore::write_many(int n, int words, const ManyAddresses &m, const Address &address,
                        const Fill &fill, Ahead ahead)
{
    if (n == 0) return;
    finish_commit();
    if (m.highest >= high_water_) extend(m.highest);
    if (words > slot_words_) widen_slots(words);
    const bool all_logged = m.logged == n,
               apart = m.ascending && m.lowest >= dirty_end_ && (m.logged == 0 || all_logged);
    const bool filled = ahead && all_logged && words <= ahead.words() && (apart || dirty_.empty());
    if (logged_ == 0) log_words_ = filled ? ahead.words() : words;
    if (words > log_words_) widen_log(words);
    reserve_log(m.logged, log_words_);
    dirty_.make_room(static_cast<size_t>(n));
    const bool several = all_logged && host_threads(n, threads_) > 1;
    if (apart || (dirty_.empty() && (filled || several)))
        write_together(n, m, address, fill, filled);
    else
        for (int k = 0; k < n; k++)
            put(address(k), where_to_write(address(k), words),
                [&](G6JRecord &row, int row_words) { fill(k, row, row_words); });
    needed_words_ = std::max(needed_words_, words);
}

// Writes n particles by several threads, which set where_ as they go.  No address is dirty, and
// either all rows go to the log or none does.  filled: the rows of the log are filled in.
template <class Address, class Fill>
void JStore::write_together(int n, const ManyAddresses &m, const Address &address, const Fill &fill,
                            bool filled)
{
    const int logged_before = logged_;
    const bool logged = m.logged > 0;
    constexpr int kAhead = 32;  // entries of where_ that a thread requests before it needs them
    if (logged) {
        log_.append(static_cast<size_t>(n) * static_cast<size_t>(log_words_));
        logged_ += n;
    }
    const size_t dirty_before = dirty_.size();
    dirty_.resize(dirty_before + static_cast<size_t>(n));
    dirty_end_ = std::max(dirty_end_, m.highest + 1);
    std::atomic<int> more{0};
    std::atomic<bool> repeats{false};
    const int threads = host_threads(n, threads_);
    const bool exclusive = m.ascending || threads == 1;  // no two threads have one address
    parallel_ranges(threads, n, [&](int begin, int end) {
        int empty = 0;
        bool again = false;
        for (int k = begin; k < end; k++) {
            if (k + kAhead < end) prefetch_where(address(k + kAhead));
            const int where = logged ? logged_before + k : int{kInSlot};
            int &known = where_[static_cast<size_t>(address(k))];
            const int before = exclusive ? std::exchange(known, where)
                                         : __atomic_exchange_n(&known, where, __ATOMIC_RELAXED);
            empty += before == kEmpty;
            again = again || is_new(before);
            dirty_[dirty_before + static_cast<size_t>(k)] = address(k);
            if (!filled)
                put(address(k), where, [&](G6JRecord &row, int words) { fill(k, row, words); });
        }
        more += empty;
        if (again) repeats = true;
    });
    if (repeats) keep_last_repeats(n, address, logged_before);
    live_ += more;
    revision_ += static_cast<unsigned long long>(n);
}

// Makes the last row count of an address that comes more than once; dirty_ then lists the address
// once, where it came first.  Only these n addresses may be dirty.
template <class Address>
void JStore::keep_last_repeats(int n, const Address &address, int logged_before)
{
    const auto where_of = [&](int k) -> int & { return where_[static_cast<size_t>(address(k))]; };
    log_has_repeats_ = true;
    for (int k = 0; k < n; k++) where_of(k) = kClean;
    dirty_.clear();
    for (int k = 0; k < n; k++) {
        if (where_of(k) == kClean) dirty_.add(address(k));
        where_of(k) = logged_before + k;
    }
}

}  // namespace g6
