// SPDX-License-Identifier: MIT
// Exact nearest neighbours and neighbour lists by tree search: cells whose box is too far are
// passed over.  Boxes hold their bodies to the last bit and the distance to a box rounds as that to
// a body does, so nothing is lost at the edge.
#pragma once

#include "tiles.h"

#include <vector>

namespace g6::cpu {

// Place in the tree of the nearest body with another index, ties to the lowest slot; -1: nobody.
// guess: a place near which to begin.  r2: its distance squared.
int nearest_body(const TreeView &tree, const IParticle &i, int guess, double &r2);

// Appends the places of all bodies with r2 < h2, ascending by slot; own: also those of i's index.
void bodies_within(const TreeView &tree, const IParticle &i, bool own, std::vector<int> &places);

}  // namespace g6::cpu
