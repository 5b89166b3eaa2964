// SPDX-License-Identifier: MIT
// A Barnes-Hut tree that lives on the device: its data, and the launches of the kernels in
// tree_build.cu, tree_cells.cu, tree_moments.cu, tree_walk.cu and tree_search.cu.
//
// Words.  Structure: the order of the bodies, the cells and their links.  Place of a body: its
// position in this order.  Size of a body: |m|.
//
// Invariants
//  * Bodies lie in the order of their keys along a space-filling curve; a cell's bodies follow each
//    other, and so do its children.  Cell 0 is the root; the others come in any order.
//  * A cell has at least two children or none: levels of the octree may be skipped.  A leaf holds
//    at most `leaf` bodies unless their keys are equal.
//  * A build sorts the keys by their leading levels: as many as the last structure needed, and one
//    or more to spare.  A kernel then orders the few bodies whose keys agree in these levels.  So
//    the order is that of keys sorted by all levels.
//  * Bodies may have moved since the structure was made; boxes, moments and radii are those of the
//    block's time.
//  * A structure is not walked if there was no memory for all its cells, or if keys were sorted by
//    too few levels: kernels do nothing, the report says so, and the host builds and walks again.
#pragma once

#include "../../libg6gpu/formulas/levels.h"
#include "kernels.h"
#include "memory.h"

#include <climits>

namespace g6::cuda {

constexpr int kLevels = G6_KEY_LEVELS, kDepth = G6_TREE_DEPTH;

template <class Real> struct alignas(16) Vec4 {
    Real x, y, z, w;
};

// A cell, as walks read it.  64 bytes, in device units.
struct alignas(16) Cell {
    double x[3];  // centre of mass, by sizes; without mass the middle of the box
    double mass;  // with masses of both signs: sum of sizes, and the cell is always opened
    float radius2, near2, weight;  // as in G6Cell
    float reach;  // distance to its farthest body, or more; negative: masses of both signs
    // The structure, which a refresh leaves as it is.
    unsigned below;    // 8 * first child + number of children - 1; or kLeaf
    int first, count;  // bodies: places first ... first+count-1
    int above;         // the parent; ~ parent in its last child; kRoot in the root
};
constexpr unsigned kLeaf = ~0u;
constexpr int kRoot = INT_MIN;

// More of a cell, for radii and searches.  32 bytes: one sector.  Boxes are rounded outward.
struct alignas(32) CellBox {
    // Which cube of the octree the cell is: a leading 1 bit, then three grid coordinates of `level`
    // bits each (curve.cuh).
    unsigned long long place;
    float low[3], high[3];
};

struct TreeState {
    double corner[3], size;  // the root's cube
    double typical;          // acceleration by all mass at its root mean square distance
    int bodies;
    int below_root;  // number of cells but the root, with those beyond the capacity
    int divided;     // number of cells that have children
    int deepest;     // the largest level of these
    int crowded;     // whether some leaf would be divided if keys were sorted by more levels
    int groups, next_group;  // of i-particles: their number, and the first that no warp has taken
    unsigned ticket;         // blocks of box_kernel() that have ended
    unsigned long long interactions, tests;  // work of walks since the last report
};

// Nearest body of an i-particle: distance squared in device units, and slot; -1: there is none.
struct NearestBody {
    double r2;
    int slot;
};

// Bodies in the order of keys, in device units.  An array that is not needed is null.
struct Bodies {
    Vec4<double> *at;      // position and mass
    Vec4<float> *v;        // velocity, for Arithmetic::kSplit and kSingle with jerk
    Vec4<double> *v_full;  // the same for Arithmetic::kFull
    int *place;            // place[slot]; -1: the slot is empty
    // slot[p * slot_step] is the slot of the body at place p.  Where bodies have velocities, their
    // slots are stored in the members w of v or v_full, and `slot` points to the first of these.
    // Otherwise slots have an array of their own.
    int *slot;
    int slot_step;
    unsigned long long *sample;  // every kKeyStep-th key of the build, in order
};
constexpr int kKeyStep = 32;

// Memory for a build.  It is the memory of Bodies::at, which is written after the cells are made.
struct TreeOrder {
    unsigned long long *key, *spare_key;
    int *slot, *spare_slot;
    // Cell::below of each divided cell until the cells are linked, under the cell's name
    // (tree_cells.cu):
    //     by_last[place of its last body]    when it is its parent's first child
    //     by_first[place of its first body]  otherwise
    int *by_last, *by_first;
};
inline TreeOrder tree_order(Vec4<double> *memory, int n)
{
    const size_t count = static_cast<size_t>(n);
    auto *key = reinterpret_cast<unsigned long long *>(memory);
    auto *slot = reinterpret_cast<int *>(key + 2 * count);
    static_assert(2 * sizeof *key + 4 * sizeof *slot <= sizeof *memory, "of each body");
    return {key, key + count, slot, slot + count, slot + 2 * count, slot + 3 * count};
}

struct Cells {
    Cell *cell;
    CellBox *box;
    float4 *velocity;    // null: no jerk
    float2 *quadrupole;  // [3][capacity] xx xy | xz yy | yz zz; null: monopole
    int *divided;        // [capacity / 2 + 1] the cells that have children, in any order
    int *arrived;        // [capacity] how many children of each cell are made; 0 at first
    int capacity;        // below 2^28
};

struct Tree {
    TreeState *state;
    Bodies body;
    Cells cells;
    JMemory j;
    int levels;  // the leading levels by which the keys are sorted
};

// ---- building and refreshing --------------------------------------------------------------------

// Bytes of scratch, sort_space, for a sort of n pairs.
size_t sort_bytes(int n);

// Finds the root's cube and the number of bodies, makes keys and sorts them.  In `order` the sorted
// arrays and the spare ones may be exchanged.  partial: 7 doubles for each of kBoxBlocks blocks.
constexpr int kBoxBlocks = 1056;
void launch_tree_order(cudaStream_t s, const Request &r, const Tree &tree, TreeOrder &order,
                       const DeviceArray<char> &space, double *partial);
// Makes the cells and the places of slots.
void launch_tree_cells(cudaStream_t s, const Request &r, const Tree &tree, const TreeOrder &order);
// Writes the bodies at the time of the request, over the TreeOrder.
void launch_tree_bodies(cudaStream_t s, const Request &r, const Tree &tree);
// Makes all boxes, moments and radii.  built: the structure is new and the bodies have not moved
// since, so that CellBox::place can be made, too.
void launch_tree_moments(cudaStream_t s, const Request &r, const Tree &tree, bool built);

// ---- walks --------------------------------------------------------------------------------------

struct WalkTargets {
    IMemory i;
    int ni;
    int first, last;  // the device walks for order[first ... last-1]
    int *order;       // i-particles in the order of their keys
    int *alike;       // of each i-particle: one i-particle with its index, the same for all of them
    int2 *own;        // own[alike[n]]: places of the first and the last body with the index of
                      // i-particle n, or {INT_MAX, -1}
    int2 *group;      // of each group: the place of its first i-particle in order, and its size
};

// A hash table of the i-particles by their indices, with linear probing.  An entry has an index in
// its lower half, and one more than the number of an i-particle with this index in its upper half.
// A free entry is 0.
struct IndexTable {
    unsigned long long *entry;
    unsigned size;  // entries, twice as many as i-particles, so that searches are short
};

// The most i-particles that walk together.
constexpr int kMostMembers = 64;

struct TargetSpace {
    unsigned long long *key, *spare_key;
    int *spare_order;
    IndexTable table;  // all entries are free
};
// Fills order, alike, own and group of targets; order and spare_order may be exchanged.  members:
// most i-particles of a group, up to kMostMembers.
void launch_targets(cudaStream_t s, const Request &r, const Tree &tree, WalkTargets &targets,
                    TargetSpace space, const DeviceArray<char> &sort_space, int members);

// out: receives the sums.  nearest: the neighbours of the i-particles; null: not wanted.
void launch_walk(cudaStream_t s, const Request &r, const Tree &tree, const WalkTargets &targets,
                 const NearestBody *nearest, const SumsMemory &out);

// Exact searches: nearest neighbours, then counts or entries of neighbour lists.  own: lists hold
// the i-particle's own index too.
void launch_nearest(cudaStream_t s, const Tree &tree, const WalkTargets &targets,
                    NearestBody *nearest);
struct TreeLists {
    int *count;  // null: writes entries from these offsets on
    const long long *offset;
    int *index, *slot;
};
void launch_tree_lists(cudaStream_t s, const Tree &tree, const WalkTargets &targets, bool own,
                       const TreeLists &lists);

// Writes to mapped memory whether the structure is whole, and the work of walks since the last
// report.  If the structure is not whole, nothing was walked, and there are no results.
struct TreeReport {
    int cells, deepest;
    bool crowded;  // as in TreeState
    unsigned long long interactions, tests;
};
void launch_report(cudaStream_t s, const Tree &tree, TreeReport *mapped);

}  // namespace g6::cuda
