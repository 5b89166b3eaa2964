// SPDX-License-Identifier: MIT
// Exact nearest neighbours and neighbour lists by a search of the tree, which leaves out cells
// whose box is too far away.  A box holds its bodies to the last bit, and the distance to a box is
// rounded as the distance to a body is.  So no neighbour is lost at the edge.
#pragma once

#include "../backend.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace g6 {

// An i-particle that seeks its neighbours, in device units.
struct Seeker {
    const double *x;
    double h2;
    int index;
};

// Place in the tree of the nearest body with another index; of several at one distance, the one in
// the lowest slot; -1: there is none.  guess: a place near which to begin.  r2 receives the
// distance squared.
int nearest_body(const TreeView &tree, const Seeker &i, int guess, double &r2);

// Appends the places of all bodies with r2 < h2, ascending by slot.  own: lists the bodies with the
// i-particle's own index too.
void bodies_within(const TreeView &tree, const Seeker &i, bool own, std::vector<int> &places);

// Turns lists of places into the arrays of a NeighbourView (backend.h).
void join_lists(const TreeView &tree, const std::vector<std::vector<int>> &lists,
                std::vector<std::int64_t> &offset, std::vector<int> &index, std::vector<int> &slot);

// Begin and end of the ascending places of all bodies with this index.
std::pair<const int *, const int *> same_index(const TreeView &tree, int index);

}  // namespace g6
