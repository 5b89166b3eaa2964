// SPDX-License-Identifier: MIT
// The input of a walk as plain data, with one layout in C++ and OpenCL C.  One buffer holds it:
// first what belongs to the i-particles, then the tree.
#ifndef G6_OPENCL_WALK_LAYOUT_H
#define G6_OPENCL_WALK_LAYOUT_H

// Items of a work-group, and the most i-particles that share a walk: a power of two.  With 64 a
// group takes up to 27 KiB of local memory; OpenCL 1.2 has 32 KiB.
#define G6_ITEMS 64

// Where the arrays begin in the buffer, in words of 16 bytes.
typedef struct G6WalkLayout {
    int values, index, own, group;  // of i-particles: components, indices, places of own bodies
    int guess;                      // of i-particles: a place nearby, where nearest.cl begins
    int body, stride;               // planes as in layout.cl, in the order of the tree
    int body_index, exact;          // exact: positions in double, [3][stride]
    int body_slot, box;             // for nearest.cl
    int cell, quadrupole;           // walk.cl has their layout
    int end;                        // of all
} G6WalkLayout;

// i-particles that share a walk.  64 bytes.
typedef struct G6GroupExtent {
    float mid[6];      // of their box: high and low parts of x, y and z; or three doubles
    float reach[3];    // from there to its faces, rounded up
    float a;           // smallest known |acc|
    float least_far2;  // a cell is opened up to this distance squared, whatever the criterion
    int known;         // bit 0: some |acc| is known, bit 1: some is not
    int first, count;
    int own_low, own_high;  // places of bodies that have an index of the group lie in this range
} G6GroupExtent;

#if !defined(G6_FP64) || G6_FP64
// A cell for searches, in the order of the core's tree.  64 bytes.
typedef struct G6Box {
    double low[3], high[3];
    int next, first, count, pad;
} G6Box;

// The nearest neighbour of an i-particle: its distance squared in device units, and its place in
// the tree; -1: nobody.
typedef struct G6Nearest {
    double r2;
    int place, pad;
} G6Nearest;
#endif

#endif
