// SPDX-License-Identifier: MIT
// Host truth of all j-particles in double precision, and which of them the devices have not seen
// yet.
//
// Invariants
//  * Slots 0 ... high_water()-1 exist; a slot never written is empty.  Memory grows by doubling:
//    each new block holds as many slots as all before it, so that nothing is ever copied.
//  * A write goes to the end of a log, so that thousands of particles at scattered addresses cost
//    no cache misses while the device waits; commit() brings the log into the slots, and the caller
//    does that while the device computes.  Slots beyond those committed are written in place.
//  * dirty() holds each address written since the last commit once, in the order of first writing.
//  * Until the next commit the committed state can be brought back (rewind), so that a block in
//    flight can be repeated on another device although the client has written since.
//  * A call that throws leaves every particle as it was.
#pragma once

#include "../base/host_memory.h"
#include "../backend.h"

#include <array>
#include <vector>

namespace g6 {

class JStore {
public:
    // The record of an address, marked as written and dirty; the caller fills in all of it but
    // slot.  point: only x, mass and index are not zero.  Valid until the next write.
    G6JRecord &write(int address, bool point)
    {
        if (address >= high_water_) extend(address);
        int &place = place_[static_cast<size_t>(address)];
        if (place == kClean || place == kEmpty) {
            int where = kInPlace;
            if (address < committed_high_) {
                where = static_cast<int>(log_.size());
                log_.append(1);
            }
            dirty_.push_back(address);  // the last step that can fail
            live_ += place == kEmpty;
            place = where;
        }
        G6JRecord &r = place == kInPlace ? at(address) : log_.data()[place];
        r.slot = kWritten | (point ? kPoint : 0);
        (point ? any_points_ : any_full_) = true;
        revision_++;
        return r;
    }

    int high_water() const { return high_water_; }
    const G6JRecord &record(int address) const
    {
        const int place = hidden_ ? kClean : place_[static_cast<size_t>(address)];
        return place < 0 ? at(address) : log_.begin()[place];
    }
    bool written(int address) const
    {
        if (address >= (hidden_ ? committed_high_ : high_water_)) return false;
        return record(address).slot & kWritten;
    }
    bool is_point(int address) const { return record(address).slot & kPoint; }

    const std::vector<int> &dirty() const { return dirty_; }
    // What is dirty was sent.
    void commit() noexcept;
    // Commits, and every written slot becomes dirty: for a device that holds nothing.
    void mark_all_dirty();
    // These too, some of them perhaps named twice.
    void mark_dirty(std::vector<int> &addresses);

    // Hides what was written since the last commit ...
    void rewind() noexcept;
    // ... and shows it again, dirty.
    void replay() noexcept;

    // Host threads, as the setting "threads" has them.
    void use_threads(int wanted) { threads_ = wanted; }
    // Memory for slots 0 ... n-1.  Throws Error(G6_ERR_MEMORY).
    void reserve(int n);
    // Forgets all particles, keeps memory.
    void clear() noexcept;

    // Every particle came by a mass-and-position-only call (false for an empty store).
    bool all_points() const { return any_points_ && !any_full_; }
    bool any_points() const { return any_points_; }
    Motion motion() const { return motion_; }
    void note_motion(Motion m)
    {
        if (m > motion_) motion_ = m;
    }
    // |mass| and largest |velocity component| of a particle that was written.
    void note_size(double mass, double speed)
    {
        if (mass > largest_mass_) largest_mass_ = mass;
        if (speed > largest_speed_) largest_speed_ = speed;
    }
    // Changes with every write.
    unsigned long long revision() const { return revision_; }

    // Powers of two that bring typical |x|, m and |v| of the particles in slots 0 ... nj-1 near 1;
    // all 1 when they are within 2^-24 ... 2^24 of 1, as in N-body units, and never so that the
    // largest mass or velocity leaves the range of float.  float_mass: the mass factor is 1/m of
    // slot 0 instead, where that is not far off, so that the masses of a system of equal masses are
    // exact in float (1/1000 is off by 5e-8 there).
    Scale scale(int nj, bool float_mass);
    // Whether no particle told a length, since all lie at the origin: then the length's factor is
    // that for the size of what else the block has.
    bool lengthless() const { return scale_lengthless_; }
    static double length_factor(double size);
    // The length's factor with a softening: its own where it is so large that the other lengths
    // hardly matter.  Throws Error where a softening is out of the range of float (narrow).
    static double fit_length(double factor, double eps, bool narrow);
    // The same as lengthless() of velocities, and the factor for typical speeds.
    bool speedless() const { return scale_speedless_; }
    static double velocity_factor(const std::vector<double> &speeds);
    // Lowers the velocity's factor until the largest velocity, of the store or the given one, is
    // within the range of float, and the largest mass times it, too, over the third power of the
    // smallest softening (0: unknown).
    void fit_velocity(Scale &scale, double speed, double eps) const;

private:
    enum Flag : int { kWritten = 1, kPoint = 2 };
    // Values of place_ beside a position in the log.
    enum Place : int { kClean = -1, kInPlace = -2, kEmpty = -3 };

    void extend(int address);
    void add_written(int slots);

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
    int threads_ = 0;
    int high_water_ = 0, committed_high_ = 0;
    HostBuffer<G6JRecord> log_;
    std::vector<int> place_;  // of each address
    int live_ = 0;            // slots that were written
    std::vector<int> dirty_, hidden_dirty_;
    bool hidden_ = false;
    bool any_full_ = false, any_points_ = false;
    Motion motion_ = Motion::kAtRest;
    double largest_mass_ = 0, largest_speed_ = 0;
    unsigned long long revision_ = 0;

    template <class F> void each_sample(int nj, F &&f) const;
    void sample_scale(int nj);
    void bound_scale();

    Scale scale_;
    int scale_nj_ = -1;
    bool scale_bounded_ = false;     // by the largest values
    bool scale_lengthless_ = false;  // no particle told a length
    bool scale_speedless_ = false;   // none a velocity
    unsigned long long scale_revision_ = 0;
};

}  // namespace g6
