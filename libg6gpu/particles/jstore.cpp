// SPDX-License-Identifier: MIT
// Work of the store on many particles: growth of its memory, wider rows, commits of the log into
// the slots, and marking of dirty addresses.  jstore.h and jstore_many.h write particles.
#include "jstore.h"

#include "../base/prefetch.h"
#include "../base/status.h"

#include <algorithm>

namespace g6 {

// Memory that the machine does not have is refused here: the system would grant it and kill the
// program when it is used.
void JStore::reserve(int n)
{
    const size_t needed = static_cast<size_t>(std::max(n, 0)) * static_cast<size_t>(slot_words_);
    if (needed <= slots_.capacity()) return;
    for (const size_t size :
         {std::max(needed, 2 * slots_.capacity()), needed + needed / 8, needed}) {
        if (static_cast<double>(slots_.size() + size) * sizeof(double) > physical_memory())
            continue;
        try {
            return slots_.reserve(size);
        } catch (const std::bad_alloc &) {
        }
    }
    throw Error(G6_ERR_MEMORY,
                "%.1f GiB of host memory are needed for %d j-particles and are not there; use "
                "fewer particles",
                static_cast<double>(needed) * sizeof(double) / 1073741824.0, n);
}

void JStore::extend(int address)
{
    reserve(address + 1);
    const size_t n = static_cast<size_t>(address) + 1, added = n - where_.size();
    std::fill_n(where_.append(added), added, int{kEmpty});
    slots_.resize(n * static_cast<size_t>(slot_words_));
    // The caller fills the slot of this address; slots between the old end and this one are empty.
    const auto clear = [&](int a) {
        std::fill_n(reinterpret_cast<double *>(&at(a)), slot_words_, 0.0);
    };
    const int more = address + 1 - high_water_;
    if (more == 1)
        clear(address);
    else
        parallel_for(host_threads(more, threads_), more, [&](int k) { clear(high_water_ + k); });
    high_water_ = address + 1;
}

// Widens the slots to so many words.  Throws and changes nothing where memory is short.
void JStore::widen_slots(int words)
{
    const auto w = static_cast<size_t>(words), n = static_cast<size_t>(high_water_);
    HostBuffer<double> wider;
    try {
        if (high_water_ * (words * 8.0) > physical_memory()) throw std::bad_alloc();
        wider.reserve(slots_.capacity() / static_cast<size_t>(slot_words_) * w);
    } catch (const std::bad_alloc &) {
        throw Error(G6_ERR_MEMORY,
                    "no host memory for velocities and derivatives of %d j-particles; use fewer "
                    "particles",
                    high_water_);
    }
    wider.resize(n * w);
    parallel_for(host_threads(high_water_, threads_), n, [&](size_t k) {
        copy_row(row_at(slots_.data(), slot_words_, k), slot_words_, row_at(wider.data(), words, k),
                 words);
    });
    std::swap(slots_, wider);
    slot_words_ = words;
}

// Widens the rows of the log to so many words.  The last row moves first, since rows move up.
void JStore::widen_log(int words)
{
    log_.resize(static_cast<size_t>(logged_) * static_cast<size_t>(words));
    for (int k = logged_ - 1; k >= 0; k--) {
        const G6JRecord full =
            record_from(row_at(log_.data(), log_words_, static_cast<size_t>(k)), log_words_);
        copy_row(full, kRecordWords, row_at(log_.data(), words, static_cast<size_t>(k)), words);
    }
    log_words_ = words;
}

// Reserves memory for n more rows.  A log larger than 1/64 of all slots gets memory for all of them
// at once, because one thread copies the rows where it grows.
void JStore::reserve_log(int n, int words)
{
    const auto w = static_cast<size_t>(words), needed = log_.size() + static_cast<size_t>(n) * w,
               all = static_cast<size_t>(high_water_) * w;
    if (needed <= log_.capacity()) return;
    try {
        log_.reserve(std::max({needed, 2 * log_.capacity(), needed >= all / 64 ? all : 0}));
    } catch (const std::bad_alloc &) {
        log_.reserve(needed);
    }
}

// Whether the log that is being committed has a row for every slot, in the order of the slots.
bool JStore::log_has_all_slots() const
{
    const int n = high_water_;
    if (n == 0 || logged_ != n || committing_.size() != static_cast<size_t>(n)) return false;
    std::atomic<bool> in_order{true};
    parallel_ranges(host_threads(n, threads_), n, [&](int first, int last) {
        for (int a = first; a < last && in_order; a++)
            if (where_[static_cast<size_t>(a)] != a) in_order = false;
    });
    return in_order;
}

void JStore::begin_commit() noexcept
{
    finish_commit();
    if (hidden_) return dirty_.clear();
    dirty_end_ = 0;
    committed_high_ = high_water_;
    std::swap(committing_, dirty_);
}

// Ends the commit that has begun.
void JStore::empty_log() noexcept
{
    const bool whole = log_words_ == slot_words_ && log_has_all_slots();
    if (whole) std::swap(slots_, log_);
    const bool copies = !whole && logged_ > 0;
    const int n = static_cast<int>(committing_.size());
    const auto address = [&](int k) { return committing_[static_cast<size_t>(k)]; };
    const auto copy_to_slot = [&](int a) {
        int &where = where_[static_cast<size_t>(a)];
        if (copies && where >= 0)
            copy_row(row_at(log_.data(), log_words_, static_cast<size_t>(where)), log_words_, at(a),
                     slot_words_);
        where = kClean;
    };
    // Slots lie at scattered places in memory, so each is requested some steps before its turn.
    constexpr int kAhead = 8;
    const size_t bytes = static_cast<size_t>(slot_words_) * sizeof(double);
    parallel_ranges(host_threads(n, threads_), n, [&](int first, int last) {
        for (int k = first - kAhead; k < last; k++) {
            if (copies && k + kAhead < last) request_to_write(&at(address(k + kAhead)), bytes);
            if (k >= first) copy_to_slot(address(k));
        }
    });
    log_.clear();
    logged_ = 0;
    log_has_repeats_ = false;
    committing_.clear();
}

void JStore::mark_all_dirty()
{
    commit();
    dirty_.clear();
    for (int a = 0; a < high_water_; a++)
        if (written(a)) dirty_.add(a);
}

void JStore::rewind() noexcept
{
    finish_commit();
    hidden_ = true;
    std::swap(hidden_dirty_, dirty_);
    dirty_.clear();
}

void JStore::replay() noexcept
{
    hidden_ = false;
    std::swap(dirty_, hidden_dirty_);
    hidden_dirty_.clear();
}

// Makes this a new store that keeps the memory it has.
void JStore::clear() noexcept
{
    JStore fresh;
    fresh.slot_words_ = slot_words_;
    const auto keep = [&](auto... lists) {
        (std::swap(fresh.*lists, this->*lists), ...);
        ((fresh.*lists).clear(), ...);
    };
    keep(&JStore::slots_, &JStore::log_, &JStore::where_, &JStore::dirty_);
    fresh.revision_ = revision_ + 1;
    fresh.threads_ = threads_;
    *this = std::move(fresh);
}

}  // namespace g6
