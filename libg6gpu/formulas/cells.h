// SPDX-License-Identifier: MIT
// Cells of a Barnes-Hut tree as plain data, with one layout in C++, CUDA C++ and OpenCL C (see
// records.h).
//
// Invariants
//  * Cells lie depth first: the cells below cell k are k+1 ... next-1.  Makino (1990, J. Comput.
//    Phys. 87, 148) gives a cell two links: "more" to its first child, and "next" to the cell at
//    which a walk goes on if it does not open this one.  Here "more" is k+1, and only next is
//    stored.
//  * A leaf has next = k+1.  A walk ends where next is the number of cells.
//  * Bodies lie in the order of their keys.  The bodies of a cell are first ... first+count-1,
//    child after child.
#ifndef G6_FORMULAS_CELLS_H
#define G6_FORMULAS_CELLS_H

// 64 bytes, in device units.
typedef struct G6Cell {
    double x[3];  // mean position weighted by |m|; without mass the middle of the box
    double mass;
    float radius2;  // the cell acts as a whole beyond this distance squared
    // With the criterion "acceleration" and a known |a| the cell acts as a whole where
    //     r^2 > near2  and  r^4 |a| > weight
    float near2;
    float weight;
    int next;
    int first, count;
    int level;  // of the octree: its cube's edge is 2^-level of the root's
    int pad;
} G6Cell;

// Smallest box around a cell's bodies at the block's time.  48 bytes.
typedef struct G6CellBox {
    double low[3], high[3];
} G6CellBox;

#endif
