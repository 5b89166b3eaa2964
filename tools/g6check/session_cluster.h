// SPDX-License-Identifier: MIT
// What one cluster of a recorded session has been sent: j-particles, time, the block in flight.
#pragma once

#include "../common/recording.h"

#include <array>
#include <cstdint>
#include <set>
#include <unordered_map>

namespace g6check {

// A j-particle as it was sent: a2 is a/2, j6 the jerk / 6, k18 the snap / 18.
struct SentParticle {
    using Vector = std::array<double, 3>;
    int index;
    double tj;
    Vector x, v, a2, j6, k18;

    Vector predicted(double t) const;
};

class SentParticles {
public:
    void write(int address, const SentParticle &particle);
    void clear() { *this = SentParticles(); }
    bool empty() const { return slots_.empty(); }

    // The first slot that nothing was written to.
    int first_empty() const { return first_empty_; }
    double earliest() const { return *times_.begin(); }
    double latest() const { return *times_.rbegin(); }
    // j-particles with this index.
    int with_index(int index) const;
    // The address below nj of the only j-particle with this index, where this j-particle is far
    // from x at time t; else -1.  Far is more than the j-particle has moved since it was sent, and
    // more than a tenth of the system's size: a client may predict with fewer terms, or correct its
    // i-particles.
    int far_from(const double x[3], int index, double t, int nj);
    // Whether a j-particle with another index was sent with exactly this position.
    bool other_at(const double x[3], int index) const;

private:
    using Place = SentParticle::Vector;
    struct Hash {
        std::size_t operator()(const Place &p) const;
    };

    double size();

    std::unordered_map<int, SentParticle> slots_;
    std::unordered_map<int, std::set<int>> indices_;    // their addresses
    std::unordered_multimap<Place, int, Hash> places_;  // their addresses
    std::multiset<double> times_;
    int first_empty_ = 0;
    double size_ = 0;
    std::size_t unsized_ = 0;  // writes since size_ was found
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
