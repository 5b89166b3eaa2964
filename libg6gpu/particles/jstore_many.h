// SPDX-License-Identifier: MIT
// JStore::write_many(): many particles at once, by several threads.
//
// Invariants
//  * The store is afterwards as if the particles had been written one by one in their order.
//  * The threads share all particles in one loop where none is dirty yet and all addresses belong in
//    the log (with one thread: and ascend), or are all beyond it and ascend.  An address that comes twice then has two records in the log: the threads
//    find out that there is one, and the caller's thread afterwards tells which record counts
//    (settle_repeats()).
//  * Otherwise threads fill a run of particles, no two of which have the same address.  A particle
//    whose address came before stands between two runs, and the caller's thread writes it.
#pragma once

#include "jstore.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace g6 {

template <class Record, class Address, class Fill>
void JStore::write_many(int n, const ManyAddresses &m, const Address &address, const Fill &fill)
{
    constexpr bool kPoints = std::is_same_v<Record, G6JPoint>;
    auto &log = log_of<Record>();
    if (m.highest >= high_water_) extend(m.highest);
    log.reserve(log.size() + static_cast<size_t>(m.logged));
    dirty_.reserve(dirty_.size() + static_cast<size_t>(n));
    const auto place_of = [&](int k) -> int & { return place_[static_cast<size_t>(address(k))]; };
    const auto fill_in = [&](int k, int place) {
        put<Record>(address(k), place, [&](Record &r) { fill(k, r); });
    };
    const bool all_new = dirty_.empty(), apart = m.ascending && (m.logged == 0 || m.logged == n),
               in_log = m.logged == n && host_threads(n, threads_) > 1;
    const bool at_once = all_new && (apart || in_log);
    for (int first = 0; first < n;) {
        const int run = at_once ? n : mark_run<Record>(first, n, address);
        const size_t log_end = log.size(), dirty_end = dirty_.size();
        const bool logged = run > 0 && address(first) < committed_high_;
        if (logged) log.append(static_cast<size_t>(run));
        dirty_.resize(dirty_end + static_cast<size_t>(run));
        std::atomic<int> more{0};
        std::atomic<bool> repeats{false};
        parallel_ranges(host_threads(run, threads_), run, [&](int begin, int end) {
            int empty = 0;
            bool again = false;
            for (int k = begin; k < end; k++) {
                int &known = place_of(first + k);
                const int place = logged ? place_at<Record>(log_end + static_cast<size_t>(k))
                                         : static_cast<int>(kInPlace);
                if (at_once) {
                    const int before = apart ? std::exchange(known, place)
                                             : __atomic_exchange_n(&known, place, __ATOMIC_RELAXED);
                    empty += before == kEmpty;
                    again = again || is_new(before);
                }
                dirty_[dirty_end + static_cast<size_t>(k)] = address(first + k);
                fill_in(first + k, place);
            }
            more += empty;
            if (again) repeats = true;
        });
        if (repeats) settle_repeats<Record>(n, address, log_end);
        live_ += more;
        first += run;
        revision_ += static_cast<unsigned long long>(run);
        for (; first < n && is_new(place_of(first)); first++)
            fill_in(first, place_for_write<Record>(address(first)));
    }
    if (n == 0) return;
    kinds_ |= kFullCall;
    dirty_kinds_ |= kPoints ? kAtRest : kMoves;
}

// Only these n addresses are dirty.  Where one comes more than once, its last record counts, and
// dirty_ lists it once, at its first place.
template <class Record, class Address>
void JStore::settle_repeats(int n, const Address &address, size_t log_end)
{
    const auto place_of = [&](int k) -> int & { return place_[static_cast<size_t>(address(k))]; };
    log_has_repeats_ = true;
    for (int k = 0; k < n; k++) place_of(k) = kClean;
    dirty_.clear();
    for (int k = 0; k < n; k++) {
        if (place_of(k) == kClean) dirty_.push_back(address(k));
        place_of(k) = place_at<Record>(log_end + static_cast<size_t>(k));
    }
}

// Gives places to address(first), address(first + 1) ... up to one that was written since the last
// commit, or that belongs in the log where address(first) belongs in its slot, or the reverse.
// Returns how many have got one.
template <class Record, class Address>
int JStore::mark_run(int first, int n, const Address &address)
{
    const bool logged = address(first) < committed_high_;
    const size_t log_end = log_of<Record>().size();
    int last = first;
    for (; last < n; last++) {
        int &place = place_[static_cast<size_t>(address(last))];
        if (is_new(place) || (address(last) < committed_high_) != logged) break;
        live_ += place == kEmpty;
        place = logged ? place_at<Record>(log_end + static_cast<size_t>(last - first)) : kInPlace;
    }
    return last - first;
}

}  // namespace g6
