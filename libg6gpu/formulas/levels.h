/* SPDX-License-Identifier: MIT
 *
 * How deep a tree can be, for C++, CUDA C++ and OpenCL C.  The sizes of stacks follow from this.
 */
#ifndef G6_FORMULAS_LEVELS_H
#define G6_FORMULAS_LEVELS_H

/* Levels of the octree below the root's cube: a key has three bits for each. */
#define G6_KEY_LEVELS 21

/* Most cells on the way from the root to a leaf: one of each level, and the root. */
#define G6_TREE_DEPTH (G6_KEY_LEVELS + 1)

#endif
