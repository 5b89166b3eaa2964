// SPDX-License-Identifier: MIT
// All j-particles of a cluster in double precision; devices hold copies of them.  The store also
// knows which particles are dirty: written, but not sent to the devices.
//
// Invariants
//  * Slots 0 ... high_water()-1 exist.  A slot that was never written is empty.
//  * Particles are rows (formulas/rows.h).  Slots have at least the words of the widest particle
//    that was ever written, the log at least those of its widest entry, and no more than slots.
//  * Memory doubles when needed.
//  * The first write of an address since the last commit appends to a log; later calls overwrite
//    the entry.  So a client that writes thousands of particles at scattered addresses waits for no
//    cache misses.  Slots that are new since the last commit are written without the log.
//  * A commit copies the log into the slots.  begin_commit() leaves the copying to finish_commit(),
//    which the core calls while it waits for a device; whatever needs an empty log sooner calls
//    finish_commit() itself.  Until then the log has the rows of committed particles alone.
//  * When all particles were written, in the order of their slots, a commit exchanges the memory of
//    the log and of the slots, and copies no row.
//  * dirty() holds each address written since the last commit once, in the order of first writing,
//    and after mark_all_dirty() each address that was ever written.  Nothing may be written between
//    mark_all_dirty() and the next commit.
//  * Between two commits rewind() brings back the committed particles, so that a block in flight
//    can be repeated on another device although the client has written since.
//  * A call that throws leaves every particle as it was.  high_water() may have grown.
#pragma once

#include "store_units.h"
#include "../base/host_memory.h"
#include "../backend.h"

#include <algorithm>
#include <climits>

namespace g6 {

// Addresses of j-particles: a list that many threads may fill.
using Addresses = HostBuffer<int>;

class JStore {
public:
    // Writes a particle that needs so many words.  fill(row, words) fills in a row of that many
    // words or more, but not its member slot, in which the store keeps its flags; it must not
    // throw.
    template <class Fill> void write(int address, int words, const Fill &fill)
    {
        put(address, where_to_write(address, words), fill);
        needed_words_ = std::max(needed_words_, words);
    }
    // Properties of the addresses of one write_many().
    struct ManyAddresses {
        int lowest = INT_MAX, highest = -1;
        int logged = 0;         // so many go to the log, the others to their slots
        bool ascending = true;  // so that no address comes twice
        // Takes note of address number k.
        template <class Address> void add(int k, const Address &address, const JStore &store)
        {
            lowest = std::min(lowest, address(k));
            highest = std::max(highest, address(k));
            logged += address(k) < store.committed_high_;
            ascending = ascending && (k == 0 || address(k) > address(k - 1));
        }
        // Adds the addresses that `other` has taken note of.
        void add(const ManyAddresses &other)
        {
            lowest = std::min(lowest, other.lowest);
            highest = std::max(highest, other.highest);
            logged += other.logged;
            ascending = ascending && other.ascending;
        }
    };
    // Rows behind the end of the log, for a caller that fills them in while it checks the
    // particles.  write_many() adds them to the log.  Any other write before that invalidates them.
    class Ahead {
    public:
        Ahead() {}
        explicit operator bool() const { return rows_; }
        int words() const { return words_; }
        template <class Fill> void fill(int k, const Fill &fill)
        {
            G6JRecord &row = row_at(rows_, words_, static_cast<size_t>(k));
            fill(k, row, words_);
            row.slot = kWritten;
        }

    private:
        friend class JStore;
        double *rows_ = nullptr;
        int words_ = 0;
    };
    // Rows for n particles that need so many words; first_address: of the first particle.  The
    // result is false where this or a higher address is dirty, where n exceeds the committed slots,
    // where slots have fewer words, or where memory is short.
    Ahead write_ahead(int n, int words, int first_address) noexcept;
    // Has the effect of write() for address(0) ... address(n-1) in this order, but by several
    // threads.  fill(k, row, words) fills in the row of address(k) as in write().  all: the
    // properties of all n addresses.  ahead: false, or the result of write_ahead() with all n rows
    // filled in, which is ignored where the particles need more words than its rows have.
    template <class Address, class Fill>
    void write_many(int n, int words, const ManyAddresses &all, const Address &address,
                    const Fill &fill, Ahead ahead = {});

    int high_water() const { return high_water_; }
    G6JRecord record(int address) const
    {
        const Row r = row(address);
        return record_from(r.at, r.words);
    }
    // Copies the particle to a row of so many words; what the row has no room for is left out.
    void copy(int address, G6JRecord &to, int words) const
    {
        const Row r = row(address);
        copy_row(r.at, r.words, to, words);
    }
    // Starts to load the particle into the processor's cache, for a caller that reads it soon.
    // always_inline, because GCC 12 drops the call of a function that does nothing but prefetch.
    [[gnu::always_inline]] void prefetch(int address) const
    {
        const Row r = row(address);
        const auto *first = reinterpret_cast<const double *>(&r.at);
        for (int w = 0; w < r.words; w += 8) __builtin_prefetch(first + w);
        __builtin_prefetch(first + r.words - 1);
    }
    // Starts to load the entry of where_, which prefetch() reads to find the particle, and which a
    // write changes.  A loop over many particles calls this some particles ahead.
    [[gnu::always_inline]] void prefetch_where(int address) const
    {
        __builtin_prefetch(where_.data() + address);
    }
    bool written(int address) const
    {
        if (address >= (hidden_ ? committed_high_ : high_water_)) return false;
        return row(address).at.slot & kWritten;
    }

    const Addresses &dirty() const { return dirty_; }
    // Words that the dirty particles need, or more.
    int dirty_words() const { return is_all_logged() ? log_words_ : slot_words_; }
    // Words that any particle needs, or more.
    int words() const { return slot_words_; }
    // The rows of the addresses in dirty(), in the same order, of dirty_words() words, when the log
    // has all of them and no others; else null.
    const double *dirty_log() const { return is_all_logged() ? log_.data() : nullptr; }
    // Commits what was written, and leaves nothing dirty.  Called when the devices have all dirty
    // particles, or get them in another way.
    void commit() noexcept
    {
        begin_commit();
        finish_commit();
    }
    // As commit(), but finish_commit() copies the log into the slots.
    void begin_commit() noexcept;
    void finish_commit() noexcept
    {
        if (is_committing()) empty_log();
    }
    // Commits, then marks every written slot as dirty: for a device that holds nothing.
    void mark_all_dirty();

    // Hides what was written since the last commit.
    void rewind() noexcept;
    // Shows what rewind() has hidden, as dirty.
    void replay() noexcept;
    bool is_rewound() const { return hidden_; }

    // Host threads, as the setting "threads" has them.
    void use_threads(int wanted) { threads_ = wanted; }
    // Memory for slots 0 ... n-1.  Throws Error(G6_ERR_MEMORY).
    void reserve(int n);
    // Forgets all particles, keeps memory.
    void clear() noexcept;

    // Takes note that a particle came by another call than one with mass and position only.
    void note_full_call() { full_call_ = true; }
    // Every particle came by a mass-and-position-only call (false for an empty store).
    bool all_by_point_calls() const { return live_ > 0 && !full_call_; }
    // Words of the widest particle that was ever written.
    int needed_words() const { return needed_words_; }
    Motion motion() const
    {
        return needed_words_ > kJerkWords   ? Motion::kQuartic
               : needed_words_ > kRestWords ? Motion::kCubic
                                            : Motion::kAtRest;
    }
    // The units take note of each particle that is written (StoreUnits::note()).
    StoreUnits &units() { return units_; }
    // Number of slots that were written.
    int live() const { return live_; }
    // Changes with every write.
    unsigned long long revision() const { return revision_; }

    // Factors to device units for the particles in slots 0 ... nj-1 (store_units.h).  block: sizes
    // of the block's i-particles.  narrow: devices compute in float.  Then
    //  * the mass factor is 1/m of slot 0, unless m is far off the median, or the largest mass
    //    would leave the range.  Equal masses are thus exact in float (1/1000 would be rounded by
    //    5e-8);
    //  * the scale has the velocity that the particles have in common (store_units.h).
    Scale scale(int nj, bool narrow, const BlockSizes &block = {})
    {
        return units_.choose(*this, nj, narrow, block);
    }

private:
    static constexpr int kWritten = 1;  // in the member slot of a row: the slot was written
    // An entry of where_, which says where the newest value of an address is: 0 or more for the row
    // of this number in the log, or one of these three.
    enum Where : int {
        kInSlot = -1,  // in its slot, where it was written since the last commit
        kClean = -2,   // in its slot: nothing was written since the last commit
        kEmpty = -3,   // the address was never written
    };
    static bool is_new(int where) { return where >= kInSlot; }
    int where_to_read(int address) const
    {
        return hidden_ ? static_cast<int>(kClean) : where_[static_cast<size_t>(address)];
    }
    struct Row {
        const G6JRecord &at;
        int words;
    };
    Row row(int address) const
    {
        const int where = where_to_read(address);
        if (where < 0) return {at(address), slot_words_};
        return {row_at(log_.data(), log_words_, static_cast<size_t>(where)), log_words_};
    }
    // Fills the row of an address whose newest value belongs at `where`.
    template <class Fill> void put(int address, int where, const Fill &fill)
    {
        // `fill` writes into the final row.  A copy of a record that was built elsewhere would be
        // slower: its vector loads would wait for the single stores that built the record.
        G6JRecord &row =
            where >= 0 ? row_at(log_.data(), log_words_, static_cast<size_t>(where)) : at(address);
        fill(row, where >= 0 ? log_words_ : slot_words_);
        row.slot = kWritten;
    }
    bool is_committing() const { return !committing_.empty(); }
    int where_to_write(int address, int words)
    {
        finish_commit();
        if (address >= high_water_) extend(address);
        if (words > slot_words_) widen_slots(words);
        int &where = where_[static_cast<size_t>(address)];
        if (!is_new(where)) {
            dirty_.make_room(1);
            const int fresh = address < committed_high_ ? append_to_log(words) : int{kInSlot};
            dirty_.add(address);
            dirty_end_ = std::max(dirty_end_, address + 1);
            live_ += where == kEmpty;
            where = fresh;
        } else if (where >= 0 && words > log_words_) {
            widen_log(words);
        }
        revision_++;
        return where;
    }
    int append_to_log(int words)
    {
        if (logged_ == 0)
            log_words_ = words;
        else if (words > log_words_)
            widen_log(words);
        log_.append(static_cast<size_t>(log_words_));
        return logged_++;
    }
    bool is_all_logged() const
    {
        return !hidden_ && !log_has_repeats_ && static_cast<size_t>(logged_) == dirty_.size();
    }

    void empty_log() noexcept;
    bool log_has_all_slots() const;
    void widen_slots(int words);
    void widen_log(int words);
    void reserve_log(int n, int words);

    void extend(int address);

    G6JRecord &at(int address)
    {
        return row_at(slots_.data(), slot_words_, static_cast<size_t>(address));
    }
    const G6JRecord &at(int address) const
    {
        return row_at(slots_.data(), slot_words_, static_cast<size_t>(address));
    }

    HostBuffer<double> slots_;  // high_water_ rows of slot_words_ words
    int slot_words_ = kRestWords;
    int threads_ = 0;
    int high_water_ = 0, committed_high_ = 0;
    // The log of what was written since the last commit: logged_ rows of log_words_ words, where
    // log_words_ <= slot_words_.
    HostBuffer<double> log_;
    int log_words_ = kRestWords, logged_ = 0;
    // Some address has more than one row in the log; only its last row counts.
    bool log_has_repeats_ = false;
    HostBuffer<int> where_;  // [address]: a Where, or the number of an entry in the log
    int live_ = 0;           // slots that were written
    Addresses dirty_, hidden_dirty_;
    Addresses committing_;  // the addresses of a commit that is not finished
    int dirty_end_ = 0;     // one above the highest address written since the last commit; 0: none
    bool hidden_ = false;
    bool full_call_ = false;
    int needed_words_ = kRestWords;
    unsigned long long revision_ = 0;
    StoreUnits units_;

    template <class Address, class Fill>
    void write_together(int n, const ManyAddresses &all, const Address &address, const Fill &fill,
                        bool filled);
    template <class Address>
    void keep_last_repeats(int n, const Address &address, int logged_before);
};

// As long as this object lives, the store shows the j-particles as they were at the last commit.
class JStoreAtCommit {
public:
    explicit JStoreAtCommit(JStore &store) : store_(store) { store_.rewind(); }
    ~JStoreAtCommit() { store_.replay(); }
    JStoreAtCommit(const JStoreAtCommit &) = delete;
    JStoreAtCommit &operator=(const JStoreAtCommit &) = delete;

private:
    JStore &store_;
};

}  // namespace g6

#include "jstore_many.h"
