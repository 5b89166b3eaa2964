// SPDX-License-Identifier: MIT
// Plain interface of the kernels in tree_build.cu, tree_walk.cu and tree_search.cu: a Barnes-Hut
// tree that lives on the device.
//
// Invariants
//  * Bodies lie in the order of their keys along the curve; a cell's bodies follow each other, and
//  so do its children.  Cells come in rounds: round 0 is the root, the children of round r make
//  round r + 1; a round is done before the next begins.
//  * A cell has at least two children or none: one level of the octree may be skipped, so 22 rounds
//  are enough for 21 levels of keys.  A leaf holds at most `leaf` bodies unless their keys are
//  equal.
//  * The structure may be older than the bodies' places; boxes, moments and radii never are.
//  * When there is no room for a cell's children it stays a leaf and the state says so: results are
//  right all the same, and the next build has more room.
#pragma once

#include "kernels.h"

namespace g6::cuda {

constexpr int kRounds = 22;

// What walks read of a cell.  64 bytes, in device units.
struct alignas(16) Cell {
    double x[3];  // centre of mass; of mixed or no mass: of sizes, of the box
    double mass;
    float radius2, near2, weight;  // as in G6Cell
    int child, children;           // 0 children: a leaf
    int first, count;              // bodies
    int next;                      // after all below it; -1: the end
};

// What radii need beside.  Boxes are rounded outward.
struct CellMoments {
    double cube[3], edge;       // of the octree's cell
    double size, reach, size2;  // sum of |m|; largest distance from the centre; sum of |m| d^2
    float low[3], high[3];
    int level;
    int signs;  // masses of both signs: never taken as a whole
};

struct TreeState {
    double corner[3], size;  // the root's cube
    int bodies, cells;
    int start[kRounds + 2];  // first cell of each round
    int wanted_cells;  // more than there was room for: the structure is coarser than asked for
    int groups, next_group;  // work of the walk, and what is left of it
    unsigned ticket;
    unsigned long long interactions, tests;
};

// Nearest body of an i-particle: distance squared in device units, slot, or -1 for nobody.
struct NearestBody {
    double r2;
    int slot;
};

// Bodies in the order of keys, in device units.
struct Bodies {
    double *x[3];
    float4 *vm;        // velocity and mass
    double *v[3], *m;  // the same for Arithmetic::kFull, else null
    int *index, *slot;
    unsigned long long *key;  // at the time of the build
    int *by_index;            // places, ascending by index
    int *sorted_index;        // the indices in that order
};

struct Cells {
    Cell *cell;
    CellMoments *moments;
    float4 *velocity;
    float2 *quadrupole;  // [3][capacity] xx xy | xz yy | yz zz; null: monopole
    int capacity;
};

struct Tree {
    TreeState *state;
    Bodies body;
    Cells cells;
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

// Scratch for sorts of n pairs.
struct SortSpace {
    unsigned long long *key;
    int *value;
    void *space;
    size_t bytes;
};
size_t sort_bytes(int n);

// Box and number of live slots.  partial: 7 doubles for each of kBoxBlocks blocks.
constexpr int kBoxBlocks = 264;
void launch_tree_order(cudaStream_t s, const TreeRequest &r, const JMemory &j, const Tree &tree,
                       const SortSpace &space, double *partial);
void launch_tree_bodies(cudaStream_t s, const TreeRequest &r, const JMemory &j, const Tree &tree);
void launch_tree_cells(cudaStream_t s, const TreeRequest &r, const Tree &tree);
// The octree's cubes, while the bodies are where they were at the build.
void launch_tree_cubes(cudaStream_t s, const Tree &tree);
void launch_tree_index(cudaStream_t s, const TreeRequest &r, const Tree &tree,
                       const SortSpace &space);
void launch_tree_moments(cudaStream_t s, const TreeRequest &r, const Tree &tree);

// ---- walks --------------------------------------------------------------------------------------

struct Targets {
    IMemory i;
    int ni;
    int *order;   // i-particles in the order of their keys
    int2 *own;    // places of the first and the last body with the index of each, or {INT_MAX, -1}
    int2 *group;  // first and number, in that order, of those that walk together
};

// members: most i-particles of a group, up to 64.
void launch_targets(cudaStream_t s, const TreeRequest &r, const Tree &tree, const Targets &targets,
                    const SortSpace &space, unsigned long long *key, int members);

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

// Cells, and work done since the last report, into mapped memory.
struct TreeReport {
    int bodies, cells, wanted_cells;
    unsigned long long interactions, tests;
};
void launch_report(cudaStream_t s, const Tree &tree, TreeReport *mapped);

}  // namespace g6::cuda
