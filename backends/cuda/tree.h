// SPDX-License-Identifier: MIT
// Plain interface of the kernels in tree_build.cu, tree_cells.cu, tree_moments.cu, tree_walk.cu and
// tree_search.cu: a Barnes-Hut tree that lives on the device.
//
// Invariants
//  * Bodies lie in the order of their keys along the curve; a cell's bodies follow each other, and
//    so do its children.  Cell 0 is the root; the others come in any order.
//  * A cell has at least two children or none: levels of the octree may be skipped.  A leaf holds
//    at most `leaf` bodies unless their keys are equal.
//  * Keys are sorted by as many levels as the last structure needed, and one or more to spare; the
//    few bodies that agree in these are put in order afterwards.  All results are those of all
//    levels.
//  * The structure may be older than the bodies' places; boxes, moments and radii never are.
//  * A structure that lacks room for its cells, or levels of the keys for its leaves, is never
//    walked: kernels leave it alone, the report says so, and the host builds and walks again.
#pragma once

#include "../../libg6gpu/formulas/levels.h"
#include "kernels.h"

#include <climits>

namespace g6::cuda {

constexpr int kLevels = G6_KEY_LEVELS, kDepth = G6_TREE_DEPTH;

template <class Real> struct alignas(16) Vec4 {
    Real x, y, z, w;
};

// What walks read of a cell.  64 bytes, in device units.
struct alignas(16) Cell {
    double x[3];  // centre of mass; of masses of both signs: of sizes; of no mass: of the box
    double mass;  // of both signs: sum of sizes, and never taken as a whole
    float radius2, near2, weight;  // as in G6Cell
    float reach;  // to its farthest body, or more; negative: there are masses of both signs
    // The structure, which refreshes leave as it is.
    unsigned below;    // eight times its first child, and their number less one; or kLeaf
    int first, count;  // bodies
    int above;         // the cell that it is a child of, ~ that for the last child; or kRoot
};
constexpr unsigned kLeaf = ~0u;
constexpr int kRoot = INT_MIN;

// What radii and searches need beside.  32 bytes: one sector.  Boxes are rounded outward.
struct alignas(32) CellBox {
    // Behind a leading one, of the octree's cell in the grid of its level: `level` bits each.
    unsigned long long place;
    float low[3], high[3];
};

struct TreeState {
    double corner[3], size;  // the root's cube
    double typical;          // acceleration: of all mass at its root mean square distance
    int bodies;
    int below_root;  // cells but the root, whether there is room for them or not
    int divided;     // cells that are
    int deepest;     // level of one of them
    int crowded;     // whether some leaf would be divided if keys were sorted by more levels
    int groups, next_group;  // work of the walk, and what is left of it
    unsigned ticket;
    unsigned long long interactions, tests;
};

// Nearest body of an i-particle: distance squared in device units, slot, or -1 for nobody.
struct NearestBody {
    double r2;
    int slot;
};

// Bodies in the order of keys, in device units.  An array that is not needed is null.
struct Bodies {
    Vec4<double> *at;      // place and mass
    Vec4<float> *v;        // velocity, for Arithmetic::kSplit and kSingle with jerk
    Vec4<double> *v_full;  // the same for Arithmetic::kFull
    int *place;            // of each slot, -1: empty
    // Slot of place p: slot[p slot_step].  It fills the velocities' w where there are any.
    int *slot;
    int slot_step;
    unsigned long long *sample;  // every kSample-th key at the time of the build
};
constexpr int kSample = 32;

// What only the building needs: it lies where the bodies' places will.
struct TreeOrder {
    unsigned long long *key, *spare_key;
    int *slot, *spare_slot;
    // Of each cell that is divided, what it will have `below`: of a first child by its last body,
    // of any other by its first.  Later the spare arrays of indices and places.
    int *by_last, *by_first;
};
inline TreeOrder tree_order(Vec4<double> *room, int n)
{
    const size_t count = static_cast<size_t>(n);
    auto *key = reinterpret_cast<unsigned long long *>(room);
    auto *slot = reinterpret_cast<int *>(key + 2 * count);
    static_assert(2 * sizeof *key + 4 * sizeof *slot <= sizeof *room, "of each body");
    return {key, key + count, slot, slot + count, slot + 2 * count, slot + 3 * count};
}

// Where an index is.  In the commonest case it is the slot and a constant; else in a table of
// slots, when no two j-particles share an index and they fill their range; else places are sorted,
// ascending by index and then by place.
struct IndexTable {
    int low, count;      // entries for index low ... low+count-1; count 0: by the sorted places
    int first_slot;      // of index low, and of the others in this order, where there is no table
    const int *slot_of;  // -1: nobody
    int *sorted_index, *by_index;
};

struct Cells {
    Cell *cell;
    CellBox *box;
    float4 *velocity;    // null: no jerk
    float2 *quadrupole;  // [3][capacity] xx xy | xz yy | yz zz; null: monopole
    int *divided;        // [capacity / 2 + 1] those that are divided, in any order
    int *arrived;        // who of their children is made: tree_moments.cu; 0 before that
    int capacity;        // below 2^28
};

struct Tree {
    TreeState *state;
    Bodies body;
    IndexTable table;
    Cells cells;
    int levels;        // of the keys, by which they are sorted
    const int *index;  // of each slot
};

struct TreeRequest {
    Walk walk;
    double t;
    int nj;
    Motion motion;
    Scale scale;
    Arithmetic arithmetic;
    bool jerk;
};

// ---- building and refreshing --------------------------------------------------------------------

// Scratch for a sort of n pairs.
size_t sort_bytes(int n);
struct SortSpace {
    void *space;
    size_t bytes;
};

// Box, number of live slots, keys and their order; what is sorted and what is spare may change
// places.  partial: 7 doubles for each of kBoxBlocks blocks.
constexpr int kBoxBlocks = 1056;
void launch_tree_order(cudaStream_t s, const TreeRequest &r, const JMemory &j, const Tree &tree,
                       TreeOrder &order, const SortSpace &space, double *partial);
// Only counts: adds to the state's below_root, which must be 0 before.
void launch_tree_count_cells(cudaStream_t s, const TreeRequest &r, const Tree &tree,
                             const TreeOrder &order);
// The cells, once below_root is 0, and places of slots.
void launch_tree_cells(cudaStream_t s, const TreeRequest &r, const Tree &tree,
                       const TreeOrder &order);
// The sorted indices, of the places that slots have then.
void launch_tree_index(cudaStream_t s, const TreeRequest &r, const Tree &tree,
                       const TreeOrder &order, const SortSpace &space);
// Bodies at the time of the request; the order is gone.
void launch_tree_bodies(cudaStream_t s, const TreeRequest &r, const JMemory &j, const Tree &tree);
// All values of the cells.  built: also the places of their cubes, while the bodies are where they
// were when the structure was made.
void launch_tree_moments(cudaStream_t s, const TreeRequest &r, const Tree &tree, bool built);

// ---- walks --------------------------------------------------------------------------------------

struct Targets {
    IMemory i;
    int ni;
    int *order;   // i-particles in the order of their keys
    int2 *own;    // places of the first and the last body with the index of each, or {INT_MAX, -1}
    int2 *group;  // first and number, in that order, of those that walk together
};

// Fills order, own and group of targets; order and its spare may change places.  members: most
// i-particles of a group, up to 64.
struct TargetSpace {
    unsigned long long *key, *spare_key;
    int *spare_order;
    SortSpace sort;
};
void launch_targets(cudaStream_t s, const TreeRequest &r, const Tree &tree, Targets &targets,
                    TargetSpace space, int members);

struct WalkRequest {
    bool near;   // nearest holds the results of the search that went before
    bool guard;  // close pairs are possible
    int multiprocessors;
};
void launch_walk(cudaStream_t s, const TreeRequest &r, const WalkRequest &w, const JMemory &j,
                 const Tree &tree, const Targets &targets, const NearestBody *nearest, G6Sums *out);

// Exact searches.
void launch_nearest(cudaStream_t s, const Tree &tree, const Targets &targets, NearestBody *nearest);
void launch_tree_count(cudaStream_t s, const Tree &tree, const Targets &targets, bool own,
                       int *count);
void launch_tree_fill(cudaStream_t s, const Tree &tree, const Targets &targets, bool own,
                      const long long *offset, int *index, int *slot);

// The structure, and work done since the last report, into mapped memory.
struct TreeReport {
    int bodies, cells, deepest;
    int lacks_room, lacks_levels;
    unsigned long long interactions, tests;

    // Else nothing was walked.
    bool is_whole() const { return !lacks_room && !lacks_levels; }
};
void launch_report(cudaStream_t s, const Tree &tree, TreeReport *mapped);

}  // namespace g6::cuda
