// SPDX-License-Identifier: MIT
// The Barnes-Hut walk of the cpu device: for each group of i-particles one interaction list of
// cells and bodies (Barnes 1990), summed by the SIMD kernels.  Groups that lie near each other go
// through the tree together, a lane each.
//
// Invariants
//  * A cell acts as a whole only when the whole box of the group lies outside the cell's radius:
//    errors are no larger than with a walk for each particle.
//  * A cell that holds a body with the index of one of the group's particles is always opened:
//    self-exclusion is exact whatever the criterion and wherever the particle is.
//  * A group's list does not depend on which groups walk with it, and it is summed by one thread
//    in a fixed order: bits do not depend on the number of threads.
#pragma once

#include "tiles.h"

#include "../../libg6gpu/tree/groups.h"
#include "../../libg6gpu/base/host_memory.h"

#include <climits>
#include <vector>

namespace g6::cpu {

// Bodies of one tree that have the index of one of a group's i-particles.
class OwnBodies {
public:
    void find(const TreeView &tree, const IParticle *i, int n);
    // Whether places first ... last-1 hold one.
    bool any(int first, int last) const;
    // The first and the last of them; INT_MAX and -1 without any.
    int low() const { return places_.empty() ? INT_MAX : places_.front(); }
    int high() const { return places_.empty() ? -1 : places_.back(); }

private:
    std::vector<int> places_;  // ascending
};

// One thread's work: a few groups after the other.
class Walker {
public:
    Walker(const Kernels &kernels, int precision);
    // Adds to `out` the sums of the i-particles of groups first_group ... first_group + count - 1,
    // count <= kTogether.  aold and out have an element for each i-particle of the block, in the
    // order of keys.  aold: |acc| in device units; 0: unknown.
    void run(const Block &block, const Groups &groups, const double *aold, int first_group,
             int count, Partial *out);
    DeviceCounters counts;

private:
    struct WalkGroup {
        OwnBodies own;
        double middle[3];
        ListUser user;
    };
    void measure(int group, const IParticle *i, const double *aold, int n);
    void sum(const WalkGroup &m, int group, int chosen);
    void sum_cells(const WalkGroup &m, int count);
    void sum_bodies(const WalkGroup &m, int leaves);
    void flush_bodies(const WalkGroup &m, int count);
    void mark_own(int first, int last);
    static bool holds_own(const void *walker, int group, int first, int last);

    static constexpr int kListTiles = 8,
                         kMostEntries = kListTiles * kListTile;  // entries that are summed at once
    const Kernels &kernels_;
    const int precision_;
    HostArray<char> cell_tiles_, body_tiles_;
    HostBuffer<ChosenCell> chosen_;
    HostBuffer<int> cell_, leaf_;  // chosen for one group
    std::vector<Range> range_;
    Range own_[kListTiles] = {};  // entries of each tile
    WalkGroup member_[kTogether];
    Boxes boxes_{};
    const TreeView *tree_ = nullptr;
    bool acceleration_ = false, jerk_ = false;
};

}  // namespace g6::cpu
