// SPDX-License-Identifier: MIT
// What one cluster of a recorded session has been sent: j-particles, time, the block in flight.
#pragma once

#include "../common/recording.h"

#include <array>
#include <cstdint>
#include <set>
#include <unordered_map>

namespace g6check {

class SentParticles {
public:
    void write(int address, int index, double tj, const double *x);
    void clear() { *this = SentParticles(); }
    bool empty() const { return slots_.empty(); }

    // The first slot that nothing was written to.
    int first_empty() const { return first_empty_; }
    double earliest() const { return *times_.begin(); }
    double latest() const { return *times_.rbegin(); }
    // j-particles with this index.
    int with_index(int index) const;
    // Whether one with another index was sent with just this position.
    bool other_at(const double x[3], int index) const;

private:
    using Place = std::array<double, 3>;
    struct Slot {
        int index;
        double tj;
        Place x;
    };
    struct Hash {
        std::size_t operator()(const Place &p) const;
    };

    std::unordered_map<int, Slot> slots_;
    std::unordered_map<int, int> indices_;              // how many
    std::unordered_multimap<Place, int, Hash> places_;  // their addresses
    std::multiset<double> times_;
    int first_empty_ = 0;
};

struct SessionCluster {
    bool open = false, closed_once = false;
    SentParticles sent;
    double ti = 0;
    bool ti_set = false;
    bool buffered = false, unflushed = false;
    std::uint64_t fault = 0;  // call of a lasthalf that failed; 0: none, or it was noticed

    enum class Block { kNone, kPending, kCollected };
    Block block = Block::kNone;
    int nj = 0, ni = 0;
    bool has_radius = false, lists_read = false;
    int cut_pipe = -1;  // whose list was cut off
    std::uint64_t cut_call = 0;
    int cut_length = 0;
};

}  // namespace g6check
