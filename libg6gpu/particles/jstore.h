// SPDX-License-Identifier: MIT
// All j-particles of a cluster in double precision; devices hold copies of them.  The store also
// knows which particles are dirty: written, but not sent to the devices.
//
// Invariants
//  * Slots 0 ... high_water()-1 exist.  A slot that was never written is empty.
//  * Memory grows in blocks, each as large as all earlier ones together, so that growing moves no
//    record.
//  * The first write of an address since the last commit appends to a log; later ones overwrite the
//    entry.  There are two logs: one of records, one of points (mass and position alone).  commit()
//    copies the logs into the slots.  So a client that writes thousands of particles at scattered
//    addresses waits for no cache misses, and a particle at rest costs 40 bytes instead of 144.
//    The core calls commit() while the device computes, which hides the copying.  Slots beyond
//    those of the last commit are written in the slots themselves.
//  * When all particles were written as points, in the order of their slots, commit() copies
//    nothing: it exchanges the memory of the log and of the slots.  So it does with records, where
//    the log has memory for whole blocks (write_ahead()).
//  * dirty() holds each address written since the last commit once, in the order of first writing,
//    and then those that mark_all_dirty() or mark_dirty() has added for a device that lacks them.
//  * Between two commits rewind() brings back the committed state, so that a block in flight can be
//    repeated on another device although the client has written since.
//  * A call that throws leaves every particle as it was.
#pragma once

#include "store_units.h"
#include "../base/host_memory.h"
#include "../backend.h"

#include <algorithm>
#include <array>
#include <climits>
#include <type_traits>
#include <vector>

namespace g6 {

// Addresses of j-particles: a list that many threads may fill.
using Addresses = std::vector<int, Uninitialised<int>>;

class JStore {
public:
    // The record of an address, marked as written and dirty.  The caller fills in all of it but
    // the member slot, in which the store keeps its flags, before the next write.
    G6JRecord &write(int address)
    {
        const int where = where_to_write<G6JRecord>(address);
        kinds_ |= kFullCall;
        return where == kInSlot ? mark(at(address)) : mark(log_.data()[where]);
    }
    // A particle at rest: only x, mass and index are not zero.  point_call: it came by a
    // mass-and-position-only call.
    void write_point(int address, const double x[3], double mass, int index, bool point_call)
    {
        const int where = where_to_write<G6JPoint>(address);
        kinds_ |= point_call ? kPointCall : kFullCall;
        put<G6JPoint>(address, where, [&](G6JPoint &p) {
            p = {{x[0], x[1], x[2]}, mass, index, 0};
        });
    }
    // What is known of the addresses of one write_many().
    struct ManyAddresses {
        int highest = -1;
        int logged = 0;         // so many go to the log, the others to their slots
        bool ascending = true;  // so that no address comes twice
        // Takes note of address number k.
        template <class Address> void add(int k, const Address &address, const JStore &store)
        {
            highest = std::max(highest, address(k));
            logged += address(k) < store.committed_high_;
            ascending = ascending && (k == 0 || address(k) > address(k - 1));
        }
        // Those that `other` has taken note of.
        void add(const ManyAddresses &other)
        {
            highest = std::max(highest, other.highest);
            logged += other.logged;
            ascending = ascending && other.ascending;
        }
    };
    // Memory after the last record of the log, which is filled in while the particles are still
    // being checked; write_many() makes them count.  It holds until the next write.
    template <class Record> class Ahead {
    public:
        explicit operator bool() const { return at_; }
        template <class Fill> void fill(int k, const Fill &fill)
        {
            fill(k, at_[k]);
            mark(at_[k]);
        }

    private:
        friend class JStore;
        Record *at_ = nullptr;
    };
    // False where particles are dirty, where n exceeds the committed slots, or without memory.
    template <class Record> Ahead<Record> write_ahead(int n) noexcept;
    // Writes address(k) for k = 0 ... n-1 as the calls above do in this order, but by several
    // threads; of an address that comes twice the last one stays.  Record is G6JRecord, or G6JPoint
    // for particles at rest, none of which counts as a mass-and-position-only call.
    // fill(k, record) fills in all but the member slot; it must not throw.  all: what add() noted
    // of all n addresses.  ahead: false, or that of write_ahead(n) with all n filled in.
    template <class Record, class Address, class Fill>
    void write_many(int n, const ManyAddresses &all, const Address &address, const Fill &fill,
                    Ahead<Record> ahead = {});

    int high_water() const { return high_water_; }
    // f(particle), which is a G6JPoint if the particle lies in a list of points, and else a
    // G6JRecord.
    template <class F> auto visit(int address, F &&f) const
    {
        const int where = where_to_read(address);
        if (in_points(where)) return f(points_.data()[number(where)]);
        if (where < 0 && rests(address)) return f(resting_.data()[address]);
        return f(where >= 0 ? log_.data()[where] : at(address));
    }
    G6JRecord record(int address) const
    {
        return visit(address, [](const auto &p) -> G6JRecord { return full(p); });
    }
    // The same of a particle for which is_point() is true.
    G6JPoint point(int address) const
    {
        return visit(address, [](const auto &p) -> G6JPoint {
            return {{p.x[0], p.x[1], p.x[2]}, p.mass, p.index, p.slot};
        });
    }
    // Starts to load the particle into the processor's cache, for a caller that reads it soon.
    // always_inline, because GCC 12 drops the call of a function that does nothing but prefetch.
    [[gnu::always_inline]] void prefetch(int address) const
    {
        const char *const first =
            visit(address, [](const auto &p) { return reinterpret_cast<const char *>(&p); });
        for (size_t line = 0; line < sizeof(G6JRecord); line += 64)
            __builtin_prefetch(first + line);
    }
    // Starts to load the entry of where_, which prefetch() reads to find the particle.  A caller of
    // prefetch() calls this some particles ahead.
    [[gnu::always_inline]] void prefetch_where(int address) const
    {
        __builtin_prefetch(where_.data() + address);
    }
    bool written(int address) const
    {
        if (address >= (hidden_ ? committed_high_ : high_water_)) return false;
        return flags(address) & kWritten;
    }
    // Whether a G6JPoint has all of the particle.
    bool is_point(int address) const { return flags(address) & kPoint; }

    const Addresses &dirty() const { return dirty_; }
    // The records of the addresses in dirty(), in the same order, when the log of records has all
    // of them and no others; else null.
    const G6JRecord *dirty_log() const
    {
        const bool all =
            !hidden_ && !log_has_repeats_ && points_.empty() && log_.size() == dirty_.size();
        return all ? log_.data() : nullptr;
    }
    // Whether is_point() may be true of some dirty particle, and whether it may be false of some.
    bool any_dirty_point() const { return dirty_kinds_ & kAtRest; }
    bool any_dirty_record() const { return dirty_kinds_ & kMoves; }
    // Copies the log into the slots, and leaves nothing dirty: for when the devices have all that
    // was dirty, or get it in another way.
    void commit() noexcept;
    // Commits, then marks every written slot as dirty: for a device that holds nothing.
    void mark_all_dirty();
    // Marks these addresses, which were written, as dirty too.  The list may name an address twice;
    // it is sorted here.
    void mark_dirty(Addresses &addresses);

    // Hides what was written since the last commit.
    void rewind() noexcept;
    // Shows what rewind() has hidden, as dirty.
    void replay() noexcept;

    // Host threads, as the setting "threads" has them.
    void use_threads(int wanted) { threads_ = wanted; }
    // Memory for slots 0 ... n-1.  Throws Error(G6_ERR_MEMORY).
    void reserve(int n);
    // Forgets all particles, keeps memory.
    void clear() noexcept;

    // Every particle came by a mass-and-position-only call (false for an empty store).
    bool all_by_point_calls() const { return (kinds_ & kPointCall) && !(kinds_ & kFullCall); }
    Motion motion() const { return motion_; }
    void note_motion(Motion m)
    {
        if (m > motion_) motion_ = m;
    }
    // The units take note of each particle that is written (StoreUnits::note()).
    StoreUnits &units() { return units_; }
    const StoreUnits &units() const { return units_; }
    // Slots that were written.
    int live() const { return live_; }
    // Changes with every write.
    unsigned long long revision() const { return revision_; }

    // Factors to device units for the particles in slots 0 ... nj-1 (store_units.h), in a block
    // with such i-particles.  narrow: devices compute in float.  Then
    //  * the mass factor is 1/m of slot 0, unless that is far off the median, or the largest mass
    //    would leave the range: so equal masses are exact in float, where 1/1000 alone is rounded
    //    by 5e-8;
    //  * the scale has the velocity that the particles have in common (common_velocity.h).
    Scale scale(int nj, bool narrow, const BlockSizes &block = {})
    {
        return units_.choose(*this, nj, narrow, block);
    }

private:
    enum Flag : int { kWritten = 1, kPoint = 2 };
    // Where the newest value of an address stands, as where_ has it:
    //     0 or more              entry of this number in the log of records
    //     kFirstPoint or less    entry number kFirstPoint - where in the log of points
    //     otherwise              one of the three below
    enum Where : int {
        kInSlot = -1,  // in its slot, where it was written since the last commit
        kClean = -2,   // in its slot: nothing was written since the last commit
        kEmpty = -3,   // nowhere: the address was never written
        kFirstPoint = -4,
    };
    static bool in_points(int where) { return where <= kFirstPoint; }
    static int number(int where) { return in_points(where) ? kFirstPoint - where : where; }
    static bool is_new(int where) { return where >= kInSlot || in_points(where); }
    int where_to_read(int address) const
    {
        return hidden_ ? static_cast<int>(kClean) : where_[static_cast<size_t>(address)];
    }
    int flags(int address) const
    {
        return visit(address, [](const auto &p) { return p.slot; });
    }

    // The logs by the type of their records.
    template <class Record> auto &log_of()
    {
        if constexpr (std::is_same_v<Record, G6JPoint>)
            return points_;
        else
            return log_;
    }
    template <class Record> static int where_in_log(size_t number)
    {
        const int n = static_cast<int>(number);
        return std::is_same_v<Record, G6JPoint> ? kFirstPoint - n : n;
    }
    static G6JRecord full(const G6JPoint &p)
    {
        return {{p.x[0], p.x[1], p.x[2]}, {}, {}, {}, {}, p.mass, 0, p.index, p.slot};
    }
    template <class Record> static Record &mark(Record &r)
    {
        r.slot = std::is_same_v<Record, G6JPoint> ? kWritten | kPoint : kWritten;
        return r;
    }
    static const G6JRecord &full(const G6JRecord &r) { return r; }
    // Fills the record of an address whose newest value stands there.
    template <class Record, class Fill> void put(int address, int where, const Fill &fill);
    template <class Record> int where_to_write(int address)
    {
        if (address >= high_water_) extend(address);
        int &where = where_[static_cast<size_t>(address)];
        const bool other_log =
            where != kInSlot && in_points(where) != std::is_same_v<Record, G6JPoint>;
        if (!is_new(where) || other_log) {
            int fresh = kInSlot;
            if (dirty_.size() == dirty_.capacity()) more_dirty();
            if (address < committed_high_) {
                fresh = where_in_log<Record>(log_of<Record>().size());
                log_of<Record>().append(1);  // the last step that can fail
            }
            if (!is_new(where)) {
                dirty_.push_back(address);
                live_ += where == kEmpty;
            }
            where = fresh;
        }
        dirty_kinds_ |= std::is_same_v<Record, G6JPoint> ? kAtRest : kMoves;
        revision_++;
        return where;
    }

    // Whether the slot is in resting_.
    bool rests(int address) const { return static_cast<size_t>(address) < resting_.size(); }
    template <class Record> bool log_has_all_slots() const;
    bool log_becomes_slots();
    void end_rest();

    void extend(int address);
    void more_dirty();
    void add_written(int slots);

    // The addresses that each block of memory holds:
    //     block 0   0 ... kFirstBlock - 1
    //     block b   kFirstBlock 2^(b-1) ... kFirstBlock 2^b - 1
    static constexpr int kFirstBlock = 1024, kFirstBits = 10;
    static int block_of(int address)
    {
        return address < kFirstBlock
                   ? 0
                   : 32 - __builtin_clz(static_cast<unsigned>(address) >> kFirstBits);
    }
    static int block_start(int block) { return block ? kFirstBlock << (block - 1) : 0; }
    // All slots of the blocks that n slots need.
    static size_t slots_of_blocks(int n) { return size_t{kFirstBlock} << block_of(n - 1); }
    G6JRecord &at(int address) const
    {
        const int b = block_of(address);
        return blocks_[static_cast<size_t>(b)][address - block_start(b)];
    }

    // Each block is in memory of its own, or a part of whole_.  member slot: Flag bits.
    std::array<G6JRecord *, 32 - kFirstBits> blocks_{};
    std::array<HostArray<G6JRecord>, 32 - kFirstBits> block_memory_;
    HostBuffer<G6JRecord> whole_;
    int threads_ = 0;
    int high_water_ = 0, committed_high_ = 0;
    HostBuffer<G6JRecord> log_;    // the log of records written since the last commit
    HostBuffer<G6JPoint> points_;  // the log of points written since the last commit
    // An address has more than one record in a log; only the last of them counts.
    bool log_has_repeats_ = false;
    // Committed slots 0 ... resting_.size()-1 when all particles in them are points.  blocks_ is
    // not used for these slots.  The size is at most committed_high_.
    HostBuffer<G6JPoint> resting_;
    Addresses where_;  // [address]: a Where, or the number of an entry in a log
    int live_ = 0;     // slots that were written
    Addresses dirty_, hidden_dirty_;
    bool hidden_ = false;
    // By which calls particles came, and whether is_point() is true of them.
    enum Kind : unsigned { kPointCall = 1, kFullCall = 2, kAtRest = 4, kMoves = 8 };
    unsigned kinds_ = 0;        // the calls, of all writes
    unsigned dirty_kinds_ = 0;  // what the dirty particles are
    Motion motion_ = Motion::kAtRest;
    unsigned long long revision_ = 0;
    StoreUnits units_;

    template <class Record, class Address, class Fill>
    void write_together(int n, const ManyAddresses &all, const Address &address, const Fill &fill,
                        bool filled);
    template <class Record, class Address>
    void keep_last_repeats(int n, const Address &address, size_t log_end);
};

template <class Record, class Fill> void JStore::put(int address, int where, const Fill &fill)
{
    // `fill` writes into the log itself: of a record that is built elsewhere first, the vector
    // loads of the copy wait for the single stores that built it.
    if (where != kInSlot) {
        Record &r = log_of<Record>().data()[number(where)];
        fill(r);
        mark(r);
    } else if constexpr (std::is_same_v<Record, G6JRecord>) {
        fill(at(address));
        mark(at(address));
    } else {
        Record r{};
        fill(r);
        at(address) = full(mark(r));
    }
}

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
