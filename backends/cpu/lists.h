// SPDX-License-Identifier: MIT
// Interaction lists of a tree walk as the kernels of each instruction set fill and sum them.
//
// Invariants
//  * Positions are relative to the middle of the group that the list is for; the middle is
//    subtracted in double.  It is 0 in precision double.  Precision mixed then rounds positions to
//    float: a cell that acts is farther than 1/16 of the group's reach (Boxes::least2), and bodies
//    nearer than this are summed in double.
//  * Tiles are structures of arrays; a row is longer than a tile, so that vectors may be written
//    across the tile's end.
//  * Entries behind the last, up to the next multiple of kListStep, repeat the last without mass.
#pragma once

#include "../../libg6gpu/backend.h"
#include "../../libg6gpu/formulas/levels.h"

#include <cstdint>

namespace g6::cpu {

constexpr int kListTile = 512, kListStep = 16;
constexpr int kListRow = kListTile + 16;
constexpr int kGroupSize = 128;  // i-particles that share a list, at most

template <class Real> struct alignas(64) CellTile {
    Real x[3][kListRow], mass[kListRow], v[3][kListRow];
    Real s[6][kListRow];  // second moments; unset without quadrupoles
};

template <class Real> struct alignas(64) BodyTile {
    Real x[3][kListRow], mass[kListRow], v[3][kListRow];
    std::int32_t index[kListRow], place[kListRow];  // in the tree
};

struct Range {
    int first, last;
};

using IParticle = G6IRecord;  // in device units

// The i-particles that a list is summed for.
struct Partial;
struct ListUser {
    const TreeView *tree;
    const double *middle;
    double near2;        // mixed: nearer bodies, by distance squared, are summed in double
    const IParticle *i;  // [n], n <= kGroupSize
    int n;
    Partial *out;  // [n], added to
};

// ---- walks of several groups at once ------------------------------------------------------------

constexpr int kTogether = 8;  // one bit of a byte each

struct alignas(64) Boxes {
    double low[3][kTogether], high[3][kTogether];
    double least2[kTogether];  // a cell at a distance squared up to this is opened
    double a[kTogether];       // smallest known |acc|
    unsigned known, unknown;   // groups with particles whose |acc| is known, and with others
    int own_low, own_high;     // the groups' own bodies have places between these
    // Whether places first ... last-1 hold a body with the index of one of a group's particles.
    bool (*holds_own)(const void *who, int group, int first, int last);
    const void *who;
};

// A cell, the groups on which it acts as a whole, and the groups on which its bodies act, as bits.
struct ChosenCell {
    int cell;
    std::uint8_t whole, bodies;
};

// Where a walk is.  The groups in `active` test cell k.  Where some groups open a cell that acts as
// a whole on others, these others wait until the walk has left the cells inside it.
struct WalkState {
    static constexpr int kMostWaiting = G6_TREE_DEPTH + 1;  // one for each level, and one to spare
    int k = 0, waits = 0;
    unsigned active = 0;
    struct {
        int until;
        unsigned groups;
    } waiting[kMostWaiting];
    std::uint64_t tests = 0;
};

struct ListKernels {
    // Goes on until all cells are done or `most` cells are chosen; returns the number chosen.
    int (*walk[2])(const TreeView &tree, const Boxes &boxes, WalkState &state, ChosenCell *chosen,
                   int most);  // [criterion "acceleration"]
    // Fill tiles from their first entry on, by [precision]: CellTile<> or BodyTile<>.
    void (*copy_cells[2])(const TreeView &tree, const double *middle, const int *cell, int n,
                          void *tiles);
    void (*copy_bodies[2])(const TreeView &tree, const double *middle, const Range *range, int n,
                           void *tiles);
    // Sums, by [precision][jerk], and [quadrupole] of cells.  own: for each tile, which entries may
    // have the index of one of the group's particles.
    void (*cells[2][2][2])(const void *tiles, int count, const ListUser &user);
    void (*bodies[2][2])(const void *tiles, const Range *own, int count, const ListUser &user);
};

}  // namespace g6::cpu
