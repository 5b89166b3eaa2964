// SPDX-License-Identifier: MIT
// Exact nearest neighbours and neighbour lists by tree search: cells whose box is too far are
// passed over.  Boxes hold their bodies to the last bit and the distance to a box rounds as that to
// a body does, so nothing is lost at the edge.
#pragma once

#include "../backend.h"

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

// Places of the bodies with this index, ascending: begin and end.
std::pair<const int *, const int *> same_index(const TreeView &tree, int index);

}  // namespace g6
