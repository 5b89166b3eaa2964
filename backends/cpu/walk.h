// SPDX-License-Identifier: MIT
// The Barnes-Hut walk of the cpu device: for each group of i-particles one interaction list of
// cells and bodies (Barnes 1990), summed by the SIMD kernels.
//
// Invariants
//  * A cell is taken as a whole only when the whole box of the group lies outside its radius:
//  errors are no larger than those of a walk for each particle.
//  * A cell that holds a body with the index of one of the group's particles is always opened:
//  self-exclusion is exact whatever the criterion and wherever the particle is.
//  * A group is summed by one thread in a fixed order: bits do not depend on the number of threads.
#pragma once

#include "tiles.h"

#include "../common/host_memory.h"

#include <cstdint>
#include <vector>

namespace g6::cpu {

// Bodies of one tree that have the index of one of a group's i-particles.
class OwnBodies {
public:
    void find(const TreeView &tree, const IParticle *i, int n);
    // Whether places first ... last-1 hold one.
    bool any(int first, int last) const;

private:
    void add(const TreeView &tree, int index);

    struct Range {
        const int *begin, *end;  // ascending places
    };
    std::vector<int> places_;    // ascending
    std::vector<Range> crowds_;  // of indices that many bodies share
    int low_ = 0, high_ = -1;
};

struct WalkCounts {
    std::uint64_t interactions = 0, tests = 0;
};

// One thread's work: lists of one group after the other.
class Walker {
public:
    Walker(const Kernels &kernels, int precision);
    // Adds to out[n] the sums of i[n], which lie in one group; aold [n]: |acc| in device units, 0:
    // unknown.
    void run(const Block &block, const IParticle *i, const double *aold, int n, Partial *out);
    WalkCounts counts;

private:
    struct Extent {
        double low[3], high[3];
        double a;             // smallest known |acc|
        bool known, unknown;  // there are particles with, without a known one
    };
    template <class Real> void gather(const Block &block);
    template <class Real> void take_cell(const TreeView &tree, int k, bool quadrupole);
    template <class Real> void take_bodies(const TreeView &tree, int first, int last);
    template <class Real> void sum_cells();
    template <class Real> void sum_bodies();
    void measure(const IParticle *i, const double *aold, int n);
    bool far(const G6Cell &cell, Mac mac) const;

    static constexpr int kTiles = 16;  // entries that wait to be summed: 50 KiB of each kind, mixed
    const Kernels &kernels_;
    const int precision_;
    HostArray<char> cells_, bodies_;
    HostArray<Marks> marks_;
    int cell_count_ = 0, body_count_ = 0;
    OwnBodies own_;
    Extent extent_{};

    bool jerk_ = false, quadrupole_ = false;
    const IParticle *i_ = nullptr;
    int n_ = 0;
    Partial *out_ = nullptr;
};

}  // namespace g6::cpu
