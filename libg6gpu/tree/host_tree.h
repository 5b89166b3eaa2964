// SPDX-License-Identifier: MIT
// The core's Barnes-Hut tree over the j-particles of one cluster.
//
// Invariants
//  * After update() the view holds every live slot 0 ... nj-1 once, predicted to the block's time,
//  and every cell's box, moments and opening radius are those of its bodies then, whatever the age
//  of the structure: results stay within the criterion.
//  * The structure (order of bodies, links) is built anew when slots, units or settings changed,
//  and when its age costs more than building (rebuild.h).
//  * An update() that throws leaves an empty view, and the next one builds anew.
//  * Costs are counted, not timed, and no result depends on the number of threads: the same calls
//  give the same bits.
#pragma once

#include "../particles/jstore.h"
#include "keys.h"
#include "rebuild.h"
#include "sort.h"

#include <vector>

namespace g6 {

struct HostTreeRequest {
    Walk walk;
    double t;
    int nj;
    Scale scale;
    Motion motion;
    bool snap;         // use a2by18
    bool float_range;  // coordinates beyond G6_FARTHEST count as that
    int threads;       // 0: as OpenMP decides
};

class HostTree {
public:
    void update(const JStore &store, const HostTreeRequest &request);
    // Of a block that is computed without the tree.
    void note_writes(const JStore &store);
    // The next update builds anew; the view stays.
    void forget() { built_ = false; }
    // As new.
    void clear() { *this = HostTree{}; }
    const TreeView &view() const { return view_; }
    // Work of the walks since the last update.
    void note_walk(double interactions, double tests, int ni);

    double builds() const { return builds_; }
    double refreshes() const { return refreshes_; }

private:
    // What the cells' radii need beside the view.
    struct Extra {
        double cube[3], edge;       // of the octree's cell
        double size, reach, size2;  // sum of |m|; largest distance from the centre; sum of |m| d^2
        bool signs;                 // masses of both signs: never taken as a whole
    };

    bool shape_holds(const JStore &store, const HostTreeRequest &request) const;
    bool knows_written(const JStore &store) const;
    bool same_values(const JStore &store, const HostTreeRequest &request) const;
    void build(const JStore &store);
    void collect(const JStore &store);
    Cube root_cube() const;
    void sort_bodies();
    void make_cells();
    void sort_by_depth(const std::vector<unsigned char> &depth);
    void sort_by_index();
    void refresh(const JStore &store, bool fresh);
    bool predict(const JStore &store);
    void make_cubes();
    void make_moments();
    void leaf_moments(int cell);
    void cell_moments(int cell);
    void make_radii();
    void make_radius(int cell, double error);
    void make_view();
    int threads(std::size_t n) const { return tree_threads(n, request_.threads); }

    HostTreeRequest request_{};
    bool built_ = false;
    unsigned long long store_revision_ = 0;
    TreeView view_{};
    Cube cube_;
    RebuildPolicy policy_;
    double builds_ = 0, refreshes_ = 0;

    int bodies_ = 0, cells_ = 0;
    Array<int> slot_, index_, by_index_;
    Array<double> x_[3], v_[3], mass_;
    Array<std::uint64_t> key_;
    std::vector<unsigned char> in_tree_;  // of each slot below nj
    Array<KeyValue> pairs_, spare_;

    Array<G6Cell> cell_;
    Array<G6CellBox> box_;
    Array<Extra> extra_;
    Array<double[3]> velocity_;
    Array<double[6]> quadrupole_;
    Array<int> by_depth_;
    std::vector<int> depth_start_;
};

}  // namespace g6
