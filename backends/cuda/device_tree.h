// SPDX-License-Identifier: MIT
// The tree of one CUDA device: its memory, and when it is built, refreshed or left alone.
//
// Invariants
//  * The structure is built anew when live slots, units or leaves changed, and when its age
//    costs more than building (libg6gpu/tree/rebuild.h, from counted work: runs repeat bit for
//    bit).
//  * After update() every body, box, moment and radius is that of the block's time.
//  * A step allocates nothing once sizes have been seen, and the host then waits for nothing but
//    results.
//  * All that it knows of the particles is in known_; the rest is memory, and where it lies.
#pragma once

#include "memory.h"
#include "tree.h"

#include "../../libg6gpu/settings/debug.h"
#include "../../libg6gpu/tree/rebuild.h"

#include <vector>

namespace g6::cuda {

class DeviceTree {
public:
    explicit DeviceTree(const char *debug) : group_wanted_(debug_number(debug, "cuda_group", 0)) {}
    // Indices and times of all slots that there are, whether they act or not, which it must know
    // from before its first update on; and what is about to be sent, before it leaves staging
    // memory.
    bool knows() const { return known_.slots; }
    void learn(const std::vector<int> &index, const std::vector<double> &time);
    void note(const G6JRecord *records, int nrecords, const G6JPoint *points, int npoints,
              int threads);
    // Particles are gone, or will change unnoticed.
    void forget() { known_ = Known{}; }

    void update(cudaStream_t s, const TreeRequest &r, const JMemory &j);
    void walk(cudaStream_t s, const TreeRequest &r, const JMemory &j, const IMemory &i, int ni,
              bool near, bool guard, int multiprocessors, G6Sums *out);
    // Work of the walk, once its results are there; none, and no results, when the tree lacked
    // something (TreeReport::is_whole()): the next update() builds one that does not.
    TreeReport finish(int ni);

    // Counts, then entries, of the neighbour lists of the last walk's i-particles.
    void count_lists(cudaStream_t s, bool own, int *count) const;
    void fill_lists(cudaStream_t s, bool own, const long long *offset, int *index, int *slot) const;

private:
    bool shape_holds(const TreeRequest &r) const;
    bool values_hold(const TreeRequest &r) const;
    void ask_room(const TreeRequest &r, bool moving) const;
    void reserve(const TreeRequest &r, bool moving);
    void make_room(cudaStream_t s, const TreeRequest &r, const TreeOrder &order);
    void reserve_cells(const TreeRequest &r);
    void build(cudaStream_t s, const TreeRequest &r, const JMemory &j, bool moving);
    bool number_by_slot();
    bool make_table(cudaStream_t stream);
    bool make_index(cudaStream_t s);
    template <class Record> void note_each(const Record *records, int n, int threads);
    void note_slot(int slot, int index);

    struct Known {
        bool slots = false;                      // index_of and live_slot are those of the device
        bool structure = false, values = false;  // are there, as request says
        TreeRequest request{};
        bool stale_index = true;  // some index changed
        RebuildPolicy policy;
        int room_bodies = 0;        // Cells have room for so many bodies, 0: not known,
        int room_leaf = 0;          // in such leaves.
        bool counts = false;        // even few bodies' cells: a guess was too low
        int levels = kLevels;       // of the keys of the next structure
        std::vector<int> index_of;  // of each slot
        std::vector<char> live_slot;
    };
    Known known_;
    // How many i-particles at most walk together, where a developer wants that; 0: group_size().
    const int group_wanted_;
    Tree tree_{};
    Targets targets_{};
    int room_ = 0;  // cells

    DeviceArray<TreeState> state_;
    DeviceArray<double> partial_;
    DeviceArray<Vec4<double>> at_, v_full_;
    DeviceArray<Vec4<float>> v_;
    DeviceArray<int> slot_, place_, table_, by_index_, sorted_index_;
    DeviceArray<unsigned long long> sample_;
    DeviceArray<char> space_;
    DeviceArray<Cell> cell_;
    DeviceArray<CellBox> box_;
    DeviceArray<float4> velocity_;
    DeviceArray<float2> quadrupole_;
    DeviceArray<int> divided_, arrived_;
    DeviceArray<int> order_, spare_order_;
    DeviceArray<int2> own_, group_;
    DeviceArray<unsigned long long> i_key_, spare_i_key_;
    DeviceArray<NearestBody> nearest_;
    MappedArray<TreeReport> report_;
};

}  // namespace g6::cuda
