// SPDX-License-Identifier: MIT
// The tree of one CUDA device: its memory, and when it is built, refreshed or left alone.
//
// Invariants
//  * The structure is built anew when live slots, units, arithmetic or the leaf size have changed,
//    and when its age costs more than building (libg6gpu/tree/rebuild.h).  Costs are counted, not
//    timed, so that runs repeat bit for bit.
//  * After update() every body, box, moment and radius is that of the block's time.
//  * A block allocates nothing when an earlier one was as large, and the host then waits for
//    results only.
//  * All that it knows of the particles is in known_; the other members are memory.
#pragma once

#include "memory.h"
#include "tree.h"

#include "../../libg6gpu/settings/debug.h"
#include "../../libg6gpu/tree/rebuild.h"

namespace g6::cuda {

class DeviceTree {
public:
    explicit DeviceTree(const char *debug) : group_wanted_(debug_number(debug, "cuda_group", 0)) {}
    // For when all particles are gone.
    void forget() { known_ = Known{}; }

    void update(cudaStream_t s, const Request &r, const JMemory &j);
    void walk(cudaStream_t s, const Request &r, const IMemory &i, const SumsMemory &out);
    // The i-particles of the last walk, and which of them this device has walked for.
    const WalkTargets &targets() const { return targets_; }
    // The report of the walk, once its results are there.  When it is not is_whole, there are no
    // results, and the next update() builds a tree that has the cells that this one lacked.
    TreeReport finish();
    // The work of the last walk, over all devices that shared it.
    void note_walk(double interactions, double tests, int ni);

    // Counts, then entries, of the neighbour lists of the last walk's i-particles.
    void list(cudaStream_t s, bool own, const TreeLists &lists) const
    {
        launch_tree_lists(s, tree_, targets_, own, lists);
    }

private:
    bool shape_holds(const Request &r) const;
    bool values_hold(const Request &r) const;
    void reserve(const Request &r, bool moving);
    void find_capacity(int nj);

    struct Known {
        bool structure = false;  // there is one, and it is that of `request`
        Request request{};       // the last one
        RebuildPolicy policy;
        int cells = 0;  // of the last structure that has been walked
    };
    Known known_;
    // Most i-particles that walk together, as G6_DEBUG asks; 0: as walk_group_size() says.
    const int group_wanted_;
    int members_ = kMostMembers;  // the size of the groups of the last walk
    Tree tree_{};
    WalkTargets targets_{};
    int cell_capacity_ = 0;

    DeviceArray<TreeState> state_;
    DeviceArray<double> partial_;
    DeviceArray<Vec4<double>> at_, v_full_;
    DeviceArray<Vec4<float>> v_;
    DeviceArray<int> slot_, place_;
    DeviceArray<unsigned long long> sample_;
    DeviceArray<char> space_;
    DeviceArray<Cell> cell_;
    DeviceArray<CellBox> box_;
    DeviceArray<float4> velocity_;
    DeviceArray<float2> quadrupole_;
    DeviceArray<int> divided_, arrived_;
    DeviceArray<int> order_, spare_order_, alike_;
    DeviceArray<int2> own_, group_;
    DeviceArray<unsigned long long> i_key_, spare_i_key_, table_;
    DeviceArray<NearestBody> nearest_;
    MappedArray<TreeReport> report_;
};

}  // namespace g6::cuda
