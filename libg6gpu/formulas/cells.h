// SPDX-License-Identifier: MIT
// Cells of a Barnes-Hut tree as plain data, with one layout in C++, CUDA C++ and OpenCL C (see
// records.h).
//
// Invariants
//  * Cells lie depth first: the cells below cell k are k+1 ... next-1.  So of the two links of
//    Makino (1990, J.  Comput.  Phys. 87, 148) next is stored and more is k+1; a leaf has next =
//    k+1, and a walk is at its end at the number of cells.
//  * Bodies lie in the order of their keys: those of a cell are first ... first+count-1, those of
//    its children follow each other there.
#ifndef G6_FORMULAS_CELLS_H
#define G6_FORMULAS_CELLS_H

// 64 bytes, in device units.
typedef struct G6Cell {
    double x[3];  // centre of mass; of mixed or no mass: of sizes, of the box
    double mass;
    float radius2;  // the cell acts as a whole beyond this distance squared
    // Criterion "acceleration": beyond near2, and where r^4 |a| > weight.  radius2 serves when |a|
    // is not known.
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
