// SPDX-License-Identifier: MIT
// Exact nearest neighbours and neighbour lists by tree search: cells whose box is too far are
// passed over.  Boxes hold their bodies to the last bit and the distance to a box rounds as that to
// a body does, so nothing is lost at the edge.
#pragma once

#include "../backend.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace g6 {

// What a search knows of an i-particle, in device units.
struct Seeker {
    const double *x;
    double h2;
    int index;
};

// Place in the tree of the nearest body with another index, ties to the lowest slot; -1: nobody.
// guess: a place near which to begin.  r2: its distance squared.
int nearest_body(const TreeView &tree, const Seeker &i, int guess, double &r2);

// Appends the places of all bodies with r2 < h2, ascending by slot; own: also those of i's index.
void bodies_within(const TreeView &tree, const Seeker &i, bool own, std::vector<int> &places);

// Lists of places as a NeighbourView has them: list k is entries offset[k] ... offset[k+1]-1.
void join_lists(const TreeView &tree, const std::vector<std::vector<int>> &lists,
                std::vector<std::int64_t> &offset, std::vector<int> &index, std::vector<int> &slot);

// Places of the bodies with this index, ascending: begin and end.
std::pair<const int *, const int *> same_index(const TreeView &tree, int index);

}  // namespace g6
