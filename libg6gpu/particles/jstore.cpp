// SPDX-License-Identifier: MIT
// What the store does for many particles at once: growth of its memory, commit() of the logs into
// the slots, and marking of dirty addresses.  The writing of particles is in jstore.h and
// jstore_many.h.
#include "jstore.h"

#include "../base/status.h"

#include <algorithm>
#include <climits>

namespace g6 {

// Memory that the machine does not have is refused here: the system would grant it and kill the
// program when it is used.
void JStore::reserve(int n)
{
    if (n <= 0) return;
    const double bytes = static_cast<double>(n) * (sizeof(G6JRecord) + sizeof(int));
    auto short_of_memory = [&] {
        return Error(G6_ERR_MEMORY,
                     "%.1f GiB of host memory are needed for %d j-particles and are not there; use "
                     "fewer particles",
                     bytes / 1073741824.0, n);
    };
    for (int b = 0; b <= block_of(n - 1); b++) {
        auto &memory = block_memory_[static_cast<size_t>(b)];
        G6JRecord *&block = blocks_[static_cast<size_t>(b)];
        if (block) continue;
        if (bytes > physical_memory()) throw short_of_memory();
        try {
            memory = host_array<G6JRecord>(static_cast<size_t>(b ? block_start(b) : kFirstBlock));
            block = memory.get();
        } catch (const std::bad_alloc &) {
            throw short_of_memory();
        }
    }
}

void JStore::extend(int address)
{
    if (address == INT_MAX)
        throw Error(G6_ERR_ARGUMENT,
                    "address %d is too large, since nj cannot count it; the highest is %d", address,
                    address - 1);
    reserve(address + 1);
    const size_t n = static_cast<size_t>(address) + 1;
    where_.resize(n, kEmpty);
    // The caller fills this slot; those between the old end and it are empty.
    const auto clear = [&](int a) { at(a) = G6JRecord{}; };
    const int more = address + 1 - high_water_;
    if (more == 1)
        clear(address);
    else
        parallel_for(host_threads(more, threads_), more, [&](int k) { clear(high_water_ + k); });
    high_water_ = address + 1;
}

// A function of its own, so that write(), which is called for each particle, stays short.
void JStore::more_dirty()
{
    dirty_.reserve(std::max<size_t>(64, 2 * dirty_.size()));
}

// Whether the log has every slot, in order.
template <class Record> bool JStore::log_has_all_slots() const
{
    const int n = high_water_;
    const auto all = static_cast<size_t>(n);
    const size_t logged = std::is_same_v<Record, G6JPoint> ? points_.size() : log_.size();
    if (n == 0 || logged != all || dirty_.size() != all) return false;
    std::atomic<bool> in_order{true};
    parallel_ranges(host_threads(n, threads_), n, [&](int first, int last) {
        for (int a = first; a < last && in_order; a++)
            if (where_[static_cast<size_t>(a)] != where_in_log<Record>(static_cast<size_t>(a)))
                in_order = false;
    });
    return in_order;
}

// Brings the slots in resting_ to blocks_, which have room for any record.
void JStore::end_rest()
{
    const int n = static_cast<int>(resting_.size());
    parallel_for(host_threads(n, threads_), n, [&](int a) { at(a) = full(resting_.data()[a]); });
    resting_.clear();
}

// If a log has every slot, in order, exchanges the memory of this log and of the slots, and returns
// true.  Returns false where the log of records has no memory for all slots of the last block.
bool JStore::log_becomes_slots()
{
    if (log_has_all_slots<G6JPoint>()) {
        std::swap(resting_, points_);
        return true;
    }
    if (!log_has_all_slots<G6JRecord>() || log_.capacity() < slots_of_blocks(high_water_))
        return false;
    std::swap(whole_, log_);
    for (int b = 0; b <= block_of(high_water_ - 1); b++) {
        block_memory_[static_cast<size_t>(b)].reset();
        blocks_[static_cast<size_t>(b)] = whole_.data() + block_start(b);
    }
    resting_.clear();
    return true;
}

void JStore::commit() noexcept
{
    dirty_kinds_ = 0;
    if (hidden_) return dirty_.clear();
    const bool whole = log_becomes_slots();
    if (!whole && !log_.empty()) end_rest();
    const int n = static_cast<int>(dirty_.size());
    parallel_for(host_threads(n, threads_), n, [&](int k) {
        const int a = dirty_[static_cast<size_t>(k)];
        int &where = where_[static_cast<size_t>(a)];
        if (!whole && where >= 0)
            at(a) = log_.data()[where];
        else if (!whole && in_points(where) && rests(a))
            resting_.data()[a] = points_.data()[number(where)];
        else if (!whole && in_points(where))
            at(a) = full(points_.data()[number(where)]);
        where = kClean;
    });
    log_.clear();
    points_.clear();
    log_has_repeats_ = false;
    dirty_.clear();
    committed_high_ = high_water_;
}

void JStore::add_written(int slots)
{
    dirty_.clear();
    for (int a = 0; a < slots; a++) {
        const int slot = rests(a) ? resting_.data()[a].slot : at(a).slot;
        if (!(slot & kWritten)) continue;
        dirty_.push_back(a);
        dirty_kinds_ |= slot & kPoint ? kAtRest : kMoves;
    }
}

void JStore::mark_all_dirty()
{
    commit();
    add_written(hidden_ ? committed_high_ : high_water_);
}

void JStore::mark_dirty(Addresses &addresses)
{
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    dirty_.reserve(dirty_.size() + addresses.size());
    for (int a : addresses)
        if (!is_new(where_to_read(a))) dirty_.push_back(a);
    if (!addresses.empty()) dirty_kinds_ = kAtRest | kMoves;
}

void JStore::rewind() noexcept
{
    hidden_ = true;
    hidden_dirty_.swap(dirty_);
    dirty_.clear();
}

void JStore::replay() noexcept
{
    hidden_ = false;
    dirty_.swap(hidden_dirty_);
    hidden_dirty_.clear();
    if (!dirty_.empty()) dirty_kinds_ = kAtRest | kMoves;
}

// Makes this a new store that keeps the memory it has.
void JStore::clear() noexcept
{
    JStore fresh;
    fresh.blocks_.swap(blocks_);
    fresh.block_memory_.swap(block_memory_);
    fresh.whole_ = std::move(whole_);
    fresh.log_ = std::move(log_);
    fresh.log_.clear();
    fresh.points_ = std::move(points_);
    fresh.points_.clear();
    fresh.resting_ = std::move(resting_);
    fresh.resting_.clear();
    for (auto list : {&JStore::where_, &JStore::dirty_}) {
        (fresh.*list).swap(this->*list);
        (fresh.*list).clear();
    }
    fresh.revision_ = revision_ + 1;
    fresh.threads_ = threads_;
    *this = std::move(fresh);
}

}  // namespace g6
