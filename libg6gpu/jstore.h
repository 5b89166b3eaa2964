// SPDX-License-Identifier: MIT
// Host truth of all j-particles in double precision, and which of them the devices have not seen
// yet.
//
// Invariants
//  * Slots 0 ... high_water()-1 exist; a slot never written is empty.  Memory grows by
//    doubling: each new block holds as many slots as all before it, so that nothing is ever copied.
//  * dirty() holds each written-but-not-sent address once, in the order of first writing.
//  * While the journal runs, the state at its start can be brought back (rewind_journal), so that a
//  block in flight can
//    be repeated on another device although the client has written since.
#pragma once

#include "../backends/common/host_memory.h"
#include "backend.h"

#include <array>
#include <vector>

namespace g6 {

class JStore {
public:
    // The record of an address, marked as written and dirty; the caller fills in all of it but
    // slot. point: only x, mass and index are not zero.
    G6JRecord &write(int address, bool point)
    {
        if (address >= high_water_) extend(address);
        G6JRecord &r = at(address);
        if (journaling_ && !(r.slot & kJournaled)) save(address);
        if (!(r.slot & kDirty)) dirty_.push_back(address);
        r.slot = (r.slot & kJournaled) | kWritten | kDirty | (point ? kPoint : 0);
        if (point)
            any_points_ = true;
        else
            all_points_ = false;
        revision_++;
        return r;
    }

    int high_water() const { return high_water_; }
    const G6JRecord &record(int address) const { return at(address); }
    bool written(int address) const
    {
        return address < high_water_ && (at(address).slot & kWritten);
    }
    bool is_point(int address) const { return at(address).slot & kPoint; }

    const std::vector<int> &dirty() const { return dirty_; }
    void clear_dirty();
    // Every written slot becomes dirty: for a new device.
    void mark_all_dirty();

    void reserve(int n);
    // Forgets all particles, keeps memory.
    void clear();

    // Every particle came by a mass-and-position-only call (false for an empty store).
    bool all_points() const { return all_points_ && high_water_ > 0; }
    bool any_points() const { return any_points_; }
    Motion motion() const { return motion_; }
    void note_motion(Motion m)
    {
        if (m > motion_) motion_ = m;
    }
    // Changes with every write.
    unsigned long long revision() const { return revision_; }

    // Powers of two that bring typical |x|, m and |v| of slots 0 ... nj-1 near 1; all 1 when they
    // are within 2^-24 ... 2^24 of 1, as in N-body units.  float_mass: the mass factor is 1/m of
    // slot 0 instead, where that is not far off, so that the masses of a system of equal masses are
    // exact in float (1/1000 is off by 5e-8 there).
    Scale scale(int nj, bool float_mass);

    void start_journal();
    void stop_journal();
    // Brings back the state at the start of the journal, all of it dirty ...
    void rewind_journal();
    // ... and, once that was sent (clear_dirty), the present state again, with what differs dirty.
    void replay_journal();

private:
    enum Flag : int { kWritten = 1, kDirty = 2, kPoint = 4, kJournaled = 8 };

    void extend(int address);
    void save(int address);
    void swap_journal();

    // Block 0 holds the addresses below kFirstBlock, block b those from kFirstBlock 2^(b-1) to
    // kFirstBlock 2^b - 1.
    static constexpr int kFirstBlock = 1024, kFirstBits = 10;
    static int block_of(int address)
    {
        return address < kFirstBlock
                   ? 0
                   : 32 - __builtin_clz(static_cast<unsigned>(address) >> kFirstBits);
    }
    static int block_start(int block) { return block ? kFirstBlock << (block - 1) : 0; }
    G6JRecord &at(int address) const
    {
        const int b = block_of(address);
        return blocks_[static_cast<size_t>(b)][address - block_start(b)];
    }

    std::array<HostArray<G6JRecord>, 32 - kFirstBits> blocks_;  // slot member: flags
    int high_water_ = 0;
    std::vector<int> dirty_;
    bool all_points_ = true, any_points_ = false;
    Motion motion_ = Motion::kAtRest;
    unsigned long long revision_ = 0;

    bool journaling_ = false;
    std::vector<int> journal_address_;
    std::vector<G6JRecord> journal_;

    void sample_scale(int nj);

    Scale scale_;
    int scale_nj_ = -1;
    unsigned long long scale_revision_ = 0;
};

}  // namespace g6
