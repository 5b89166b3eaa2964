// SPDX-License-Identifier: MIT
// All j-particles of a cluster in double precision; devices hold copies of them.  The store also
// knows which particles are dirty: written, but not sent to the devices.
//
// Invariants
//  * Slots 0 ... high_water()-1 exist.  A slot that was never written is empty.
//  * Memory grows by doubling: each new block of memory holds as many slots as all blocks before
//    it, so that no record is ever moved.
//  * write() appends to a log.  commit() copies the log into the slots.  So a client that writes
//    thousands of particles at scattered addresses waits for no cache misses, and the caller of
//    commit() has the copying done while the device computes.  Slots that no commit has covered
//    are written in place.
//  * dirty() holds each address written since the last commit once, in the order of first writing.
//  * Between two commits rewind() brings back the committed state, so that a block in flight can be
//    repeated on another device although the client has written since.
//  * A call that throws leaves every particle as it was.
#pragma once

#include "../base/host_memory.h"
#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../backend.h"

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace g6 {

class JStore {
public:
    // The record of an address, marked as written and dirty.  The caller fills in all of it but
    // the member slot, before the next write.  point: only x, mass and index are not zero.
    G6JRecord &write(int address, bool point)
    {
        if (address >= high_water_) extend(address);
        int &place = place_[static_cast<size_t>(address)];
        if (!is_new(place)) {
            int where = kInPlace;
            if (address < committed_high_) {
                where = static_cast<int>(log_.size());
                log_.append(1);
            }
            if (dirty_.size() == dirty_.capacity()) more_dirty();  // the last step that can fail
            dirty_.push_back(address);
            live_ += place == kEmpty;
            place = where;
        }
        G6JRecord &r = place == kInPlace ? at(address) : log_.data()[place];
        r.slot = flags_of(point);
        kinds_ |= point ? kPointCall | kAtRest : kFullCall | kMoves;
        revision_++;
        return r;
    }
    // Like write(address(k), false) and fill(k, record) for k = 0 ... n-1 in this order, but by
    // several threads; of an address that comes twice the last one stays.  fill() must leave the
    // member slot alone and not throw.  at_rest: only x, mass and index are not zero, and
    // is_point() is true of the particles.
    template <class Address, class Fill>
    void write_many(int n, const Address &address, bool at_rest, const Fill &fill);

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
    // Whether a G6JPoint has all of the particle.
    bool is_point(int address) const { return record(address).slot & kPoint; }

    const std::vector<int> &dirty() const { return dirty_; }
    // For when the devices have all that was dirty: copies the log into the slots, and leaves
    // nothing dirty.
    void commit() noexcept;
    // Commits, then marks every written slot as dirty: for a device that holds nothing.
    void mark_all_dirty();
    // Marks these addresses as dirty too.  The list may name an address twice; it is sorted here.
    void mark_dirty(std::vector<int> &addresses);

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
    bool all_points() const { return (kinds_ & kPointCall) && !(kinds_ & kFullCall); }
    // Whether is_point() is true of some particle, and whether it is false of some.
    bool any_at_rest() const { return kinds_ & kAtRest; }
    bool any_moving() const { return kinds_ & kMoves; }
    Motion motion() const { return motion_; }
    void note_motion(Motion m)
    {
        if (m > motion_) motion_ = m;
    }
    // Takes note of the |mass| and the largest |velocity component| of a particle just written.
    void note_size(double mass, double speed)
    {
        if (mass > largest_mass_) largest_mass_ = mass;
        if (speed > largest_speed_) largest_speed_ = speed;
    }
    // Changes with every write.
    unsigned long long revision() const { return revision_; }

    // Factors to device units for the particles in slots 0 ... nj-1:
    //  * powers of two near 1 / (median |x|, m, |v|), taken from a sample of the particles;
    //  * 1 where the median is within 2^-24 ... 2^24, as in N-body units;
    //  * smaller where the largest mass or velocity would leave the range of float.
    // float_mass: the mass factor is 1/m of slot 0, unless that is far off the median.  Then equal
    // masses are exact in float: 1/1000 alone is rounded by 5e-8.
    Scale scale(int nj, bool float_mass);
    // After scale(): all sampled particles lie at the origin, so that none has told a length.  The
    // caller then takes length_factor() of another length of the block.
    bool lengthless() const { return scale_lengthless_; }
    static double length_factor(double size);
    // The length factor for a block with the softening eps: that of eps alone where eps is so large
    // that other lengths hardly matter.  narrow: devices compute in float; an eps that is out of
    // its range then throws Error(G6_ERR_ARGUMENT).
    static double fit_length(double factor, double eps, bool narrow);
    // After scale(): all sampled particles are at rest.  The caller then takes velocity_factor() of
    // the speeds of the i-particles.
    bool speedless() const { return scale_speedless_; }
    static double velocity_factor(const std::vector<double> &speeds);
    // Lowers scale.velocity until these two are within the range of float, in device units:
    //     v
    //     m v / eps^3
    // v: largest speed, of the store and the argument; m: largest mass; eps: smallest softening, 0
    // where it is not known.
    void fit_velocity(Scale &scale, double speed, double eps) const;

private:
    enum Flag : int { kWritten = 1, kPoint = 2 };
    static int flags_of(bool point) { return kWritten | (point ? kPoint : 0); }
    // place_ of an address: 0 or more is a position in the log; else one of these.
    enum Place : int {
        kInPlace = -1,  // written since the last commit, in its slot
        kClean = -2,    // not written since then
        kEmpty = -3,    // never written
    };
    static bool is_new(int place) { return place >= kInPlace; }

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
    G6JRecord &at(int address) const
    {
        const int b = block_of(address);
        return blocks_[static_cast<size_t>(b)][address - block_start(b)];
    }

    std::array<HostArray<G6JRecord>, 32 - kFirstBits> blocks_;  // member slot: Flag bits
    int threads_ = 0;
    int high_water_ = 0, committed_high_ = 0;
    HostBuffer<G6JRecord> log_;
    std::vector<int> place_;  // of each address
    int live_ = 0;            // slots that were written
    std::vector<int> dirty_, hidden_dirty_;
    bool hidden_ = false;
    // By which calls the writes came, and whether is_point() is true of the particles.
    enum Kind : unsigned { kPointCall = 1, kFullCall = 2, kAtRest = 4, kMoves = 8 };
    unsigned kinds_ = 0;
    Motion motion_ = Motion::kAtRest;
    double largest_mass_ = 0, largest_speed_ = 0;
    unsigned long long revision_ = 0;

    // What look_at() finds out about the addresses of one write_many().
    struct ManyAddresses {
        int highest = -1;
        int logged = 0;         // so many go to the log, the others to their slots
        bool ascending = true;  // so that no address comes twice
    };
    template <class Address> ManyAddresses look_at(int n, const Address &address) const;
    template <class Address> int mark_run(int first, int n, const Address &address);

    template <class F> void each_sample(int nj, F &&f) const;
    void sample_scale(int nj);
    void bound_scale();

    Scale scale_;
    int scale_nj_ = -1;
    bool scale_bounded_ = false;  // the largest mass or velocity decided a factor
    bool scale_lengthless_ = false;
    bool scale_speedless_ = false;
    unsigned long long scale_revision_ = 0;
};

template <class Address, class Fill>
void JStore::write_many(int n, const Address &address, bool at_rest, const Fill &fill)
{
    const ManyAddresses m = look_at(n, address);
    if (m.highest >= high_water_) extend(m.highest);
    log_.reserve(log_.size() + static_cast<size_t>(m.logged));
    dirty_.reserve(dirty_.size() + static_cast<size_t>(n));
    const auto place_of = [&](int k) -> int & { return place_[static_cast<size_t>(address(k))]; };
    const auto put = [&](int k) {
        const int place = place_of(k);
        G6JRecord &r = place == kInPlace ? at(address(k)) : log_.data()[place];
        r.slot = flags_of(at_rest);
        fill(k, r);
    };
    const bool apart = m.ascending && dirty_.empty() && (m.logged == 0 || m.logged == n);
    for (int first = 0; first < n;) {
        const int run = apart ? n : mark_run(first, n, address);
        const int log_end = static_cast<int>(log_.size());
        const bool logged = run > 0 && address(first) < committed_high_;
        if (logged) log_.append(static_cast<size_t>(run));
        const size_t dirty_end = dirty_.size();
        dirty_.resize(dirty_end + static_cast<size_t>(run));
        std::atomic<int> more{0};
        parallel_ranges(host_threads(run, threads_), run, [&](int begin, int end) {
            int empty = 0;
            for (int k = begin; k < end; k++) {
                int &place = place_of(first + k);
                if (apart) {
                    empty += place == kEmpty;
                    place = logged ? log_end + k : kInPlace;
                }
                dirty_[dirty_end + static_cast<size_t>(k)] = address(first + k);
                put(first + k);
            }
            more += empty;
        });
        live_ += more;
        first += run;
        while (first < n && is_new(place_of(first))) put(first++);
    }
    revision_ += static_cast<unsigned long long>(n);
    if (n > 0) kinds_ |= kFullCall | (at_rest ? kAtRest : kMoves);
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

// Gives places to address(first), address(first + 1) ... up to one that was written since the last
// commit, or that belongs in the log where address(first) belongs in its slot, or the reverse.
// Returns how many have got one.
template <class Address> int JStore::mark_run(int first, int n, const Address &address)
{
    const bool logged = address(first) < committed_high_;
    const int log_end = static_cast<int>(log_.size());
    int last = first;
    for (; last < n; last++) {
        int &place = place_[static_cast<size_t>(address(last))];
        if (is_new(place) || (address(last) < committed_high_) != logged) break;
        live_ += place == kEmpty;
        place = logged ? log_end + (last - first) : kInPlace;
    }
    return last - first;
}

}  // namespace g6
