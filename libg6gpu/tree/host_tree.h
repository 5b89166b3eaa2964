// SPDX-License-Identifier: MIT
// The core's Barnes-Hut tree over the j-particles of one cluster (Barnes & Hut 1986, Nature 324,
// 446): an octree whose bodies are sorted along a space-filling curve, so that the bodies of a cell
// follow each other.
//
// The tree is made in two steps.  A build makes the structure: the order of the bodies, and the
// cells with their links.  A refresh predicts the bodies to the time of a block and makes every
// cell's box, moments and opening radius from them.  One structure serves several blocks while
// bodies move, and is refreshed for each.
//
// Invariants
//  * After update() the view holds every live slot 0 ... nj-1 once, at the time of the block.
//  * The box, moments and opening radius of every cell are those of its bodies at that time,
//    however old the structure is.  So results stay within the criterion.
//  * The structure is built anew when slots, units or settings have changed, and when the walks
//    through an old structure cost too much (rebuild.h).
//  * An update() that throws leaves an empty view, and the next one builds anew.
//  * Costs are counted, not timed, and no result depends on the number of threads: the same calls
//    give the same bits.
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
    int ni;  // i-particles that will walk
    Scale scale;
    Motion motion;
    int threads;  // the setting "threads"
};

class HostTree {
public:
    // Makes view() show the store's particles at the time of the request.
    void update(const JStore &store, const HostTreeRequest &request);
    // Makes the next update() build anew; the view stays.
    void forget() { built_ = false; }
    void clear() { *this = HostTree{}; }
    const TreeView &view() const { return view_; }
    // Takes note of the work of the walks for ni i-particles since the last update.  interactions:
    // pairs and cells that they summed; tests: cells that they looked at.
    void note_walk(double interactions, double tests, int ni)
    {
        policy_.walked(interactions, tests, ni);
    }

    double builds() const { return builds_; }

private:
    // What the opening radius of a cell needs beside the view.
    struct Extra {
        double cube[3], edge;  // centre and edge of the cell's cube in the octree
        double size;           // sum of |m|
        double reach;          // largest distance of a body from the centre of mass
        double size2;          // sum of |m| d^2, d: distance from the centre of mass
        bool signs;            // the bodies have masses of both signs: the cell is always opened
    };

    struct FirstMoments;

    bool shape_holds(const JStore &store, const HostTreeRequest &request) const;
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
    void leaf_moments(std::size_t cell);
    void cell_moments(std::size_t cell);
    void store_first(std::size_t cell, const FirstMoments &sum);
    void make_radii();
    void make_radius(int cell, double error);
    void make_view();
    bool moves() const { return request_.motion != Motion::kAtRest; }
    int threads(std::size_t n) const { return tree_threads(n, request_.threads); }

    HostTreeRequest request_{};
    bool built_ = false;
    int live_ = 0;  // slots of the store that were written when the structure was built
    unsigned long long store_revision_ = 0;
    TreeView view_{};
    Cube cube_;
    RebuildPolicy policy_;
    double builds_ = 0;

    int bodies_ = 0, cells_ = 0;
    HostBuffer<int> slot_, index_, by_index_;
    HostBuffer<double> x_[3], v_[3], mass_;
    HostBuffer<std::uint64_t> key_;
    HostBuffer<KeyValue> pairs_, spare_;

    HostBuffer<G6Cell> cell_;
    HostBuffer<G6CellBox> box_;
    HostBuffer<Extra> extra_;
    HostBuffer<double[3]> velocity_;
    HostBuffer<double[6]> quadrupole_;
    HostBuffer<int> by_depth_;
    std::vector<int> depth_start_;
};

}  // namespace g6
