// SPDX-License-Identifier: MIT
// JStore::write_many(): many particles at once, by several threads.
//
// Invariants
//  * The store is afterwards as if the particles had been written one by one in their order.
//  * Threads fill a run of particles, no two of which have the same address.  A particle whose
//    address came before stands between two runs, and the caller's thread writes it.
#pragma once

#include "jstore.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace g6 {

template <class Record, class Address, class Fill>
void JStore::write_many(int n, const Address &address, const Fill &fill)
{
    constexpr bool kPoints = std::is_same_v<Record, G6JPoint>;
    auto &log = log_of<Record>();
    const ManyAddresses m = look_at(n, address);
    if (m.highest >= high_water_) extend(m.highest);
    log.reserve(log.size() + static_cast<size_t>(m.logged));
    dirty_.reserve(dirty_.size() + static_cast<size_t>(n));
    const auto place_of = [&](int k) -> int & { return place_[static_cast<size_t>(address(k))]; };
    const auto fill_in = [&](int k, int place) {
        put<Record>(address(k), place, [&](Record &r) { fill(k, r); });
    };
    // Whether no address comes twice, and all records have their place in the same memory.
    bool apart = m.ascending && dirty_.empty() && (m.logged == 0 || m.logged == n);
    if (!apart && dirty_.empty() && m.logged == n && host_threads(n, threads_) > 1)
        apart = are_apart<Record>(n, address);
    for (int first = 0; first < n;) {
        const int run = apart ? n : mark_run<Record>(first, n, address);
        const size_t log_end = log.size(), dirty_end = dirty_.size();
        const bool logged = run > 0 && address(first) < committed_high_;
        if (logged) log.append(static_cast<size_t>(run));
        dirty_.resize(dirty_end + static_cast<size_t>(run));
        std::atomic<int> more{0};
        parallel_ranges(host_threads(run, threads_), run, [&](int begin, int end) {
            int empty = 0;
            for (int k = begin; k < end; k++) {
                int &place = place_of(first + k);
                if (apart) {
                    empty += place == kEmpty;
                    place = logged ? place_at<Record>(log_end + static_cast<size_t>(k)) : kInPlace;
                }
                dirty_[dirty_end + static_cast<size_t>(k)] = address(first + k);
                fill_in(first + k, place);
            }
            more += empty;
        });
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

template <class Address> JStore::ManyAddresses JStore::look_at(int n, const Address &address) const
{
    ManyAddresses all;
    std::mutex mutex;
    parallel_ranges(host_threads(n, threads_), n, [&](int first, int last) {
        ManyAddresses m;
        for (int k = first; k < last; k++) {
            m.highest = std::max(m.highest, address(k));
            m.logged += address(k) < committed_high_;
            m.ascending = m.ascending && (k == 0 || address(k) > address(k - 1));
        }
        const std::lock_guard<std::mutex> lock(mutex);
        all.highest = std::max(all.highest, m.highest);
        all.logged += m.logged;
        all.ascending = all.ascending && m.ascending;
    });
    return all;
}

// Whether no two of these addresses are the same.  None of them was written since the last commit.
// Each address gets the place that its number gives it; where two want the same place_, one of them
// finds the other's there.
template <class Record, class Address> bool JStore::are_apart(int n, const Address &address)
{
    const auto place_of = [&](int k) { return &place_[static_cast<size_t>(address(k))]; };
    const auto wanted = [&](int k) { return place_at<Record>(static_cast<size_t>(k)); };
    const auto each = [&](auto &&f) { parallel_for(host_threads(n, threads_), n, f); };
    HostBuffer<int> before;
    before.renew(static_cast<size_t>(n));
    each([&](int k) { before[static_cast<size_t>(k)] = *place_of(k); });
    each([&](int k) { __atomic_store_n(place_of(k), wanted(k), __ATOMIC_RELAXED); });
    std::atomic<bool> apart{true};
    each([&](int k) {
        if (__atomic_load_n(place_of(k), __ATOMIC_RELAXED) != wanted(k)) apart = false;
    });
    each([&](int k) {
        __atomic_store_n(place_of(k), before[static_cast<size_t>(k)], __ATOMIC_RELAXED);
    });
    return apart;
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
