// SPDX-License-Identifier: MIT
// JStore::write_many(): many particles at once, by several threads.
//
// Invariants
//  * The store is afterwards as if the particles had been written one by one in their order.
//  * The threads share all particles in one loop (write_together()) where no particle is dirty and
//    - all addresses lie in the log, or all beyond it, and they ascend;
//    - or all lie in the log, and there are several threads, or the caller has filled the log
//      (write_ahead()).  An address that comes twice then has two records in the log, and
//      keep_last_repeats() makes the last of them count.
//  * Otherwise the caller's thread writes them one by one.
#pragma once

#include "jstore.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace g6 {

template <class Record> JStore::Ahead<Record> JStore::write_ahead(int n) noexcept
{
    Ahead<Record> ahead;
    auto &log = log_of<Record>();
    if (!dirty_.empty() || committed_high_ < n) return ahead;
    try {
        log.reserve(std::max(log.size() + static_cast<size_t>(n), slots_of_blocks(n)));
    } catch (...) {
        return ahead;
    }
    ahead.at_ = log.data() + log.size();
    return ahead;
}

template <class Record, class Address, class Fill>
void JStore::write_many(int n, const ManyAddresses &m, const Address &address, const Fill &fill,
                        Ahead<Record> ahead)
{
    if (n == 0) return;
    if (m.highest >= high_water_) extend(m.highest);
    log_of<Record>().reserve(log_of<Record>().size() + static_cast<size_t>(m.logged));
    dirty_.reserve(dirty_.size() + static_cast<size_t>(n));
    const bool none_logged = m.logged == 0, all_logged = m.logged == n, all_new = dirty_.empty(),
               apart = m.ascending && (none_logged || all_logged);
    const bool filled = ahead && all_logged;
    if (all_new && (apart || filled || (all_logged && host_threads(n, threads_) > 1)))
        write_together<Record>(n, m, address, fill, filled);
    else
        for (int k = 0; k < n; k++)
            put<Record>(address(k), where_to_write<Record>(address(k)),
                        [&](Record &r) { fill(k, r); });
    kinds_ |= kFullCall;
    dirty_kinds_ |= std::is_same_v<Record, G6JPoint> ? kAtRest : kMoves;
}

// No particle is dirty, and either all addresses belong in the log or none does.  The threads set
// where_ as they go.
template <class Record, class Address, class Fill>
void JStore::write_together(int n, const ManyAddresses &m, const Address &address, const Fill &fill,
                            bool filled)
{
    auto &log = log_of<Record>();
    const size_t log_end = log.size();
    const bool logged = m.logged > 0;
    if (logged) log.append(static_cast<size_t>(n));
    dirty_.resize(static_cast<size_t>(n));
    std::atomic<int> more{0};
    std::atomic<bool> repeats{false};
    parallel_ranges(host_threads(n, threads_), n, [&](int begin, int end) {
        int empty = 0;
        bool again = false;
        for (int k = begin; k < end; k++) {
            const int where = logged ? where_in_log<Record>(log_end + static_cast<size_t>(k))
                                     : static_cast<int>(kInSlot);
            int &known = where_[static_cast<size_t>(address(k))];
            const int before = m.ascending ? std::exchange(known, where)
                                           : __atomic_exchange_n(&known, where, __ATOMIC_RELAXED);
            empty += before == kEmpty;
            again = again || is_new(before);
            dirty_[static_cast<size_t>(k)] = address(k);
            if (!filled) put<Record>(address(k), where, [&](Record &r) { fill(k, r); });
        }
        more += empty;
        if (again) repeats = true;
    });
    if (repeats) keep_last_repeats<Record>(n, address, log_end);
    live_ += more;
    revision_ += static_cast<unsigned long long>(n);
}

// Only these n addresses are dirty.  Where one comes more than once, its last record counts, and
// dirty_ lists it once, where it came first.
template <class Record, class Address>
void JStore::keep_last_repeats(int n, const Address &address, size_t log_end)
{
    const auto where_of = [&](int k) -> int & { return where_[static_cast<size_t>(address(k))]; };
    log_has_repeats_ = true;
    for (int k = 0; k < n; k++) where_of(k) = kClean;
    dirty_.clear();
    for (int k = 0; k < n; k++) {
        if (where_of(k) == kClean) dirty_.push_back(address(k));
        where_of(k) = where_in_log<Record>(log_end + static_cast<size_t>(k));
    }
}

}  // namespace g6
