// SPDX-License-Identifier: MIT
// Exact nearest neighbours and neighbour lists by a search of the tree that skips cells whose box
// is too far away.  A box contains its bodies exactly, and distances to boxes and to bodies are
// rounded in the same way.  So a body is never nearer than its box, and no neighbour is lost.
#pragma once

#include "../backend.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace g6 {

// Place in the tree of the nearest body whose index is not that of i; of several at one distance,
// the one in the lowest slot; -1: there is none.  i: in device units.  guess: a place near which
// the search begins.  r2 receives the distance squared.
int nearest_body(const TreeView &tree, const G6IRecord &i, int guess, double &r2);

// Appends the places of all bodies with r2 < h2, ascending by slot.  own: lists the bodies with the
// i-particle's own index too.
void bodies_within(const TreeView &tree, const G6IRecord &i, bool own, std::vector<int> &places);

// Collects the neighbours of each i-particle, as places or slots, and joins them to the arrays of a
// NeighbourView (backend.h).
class FoundLists {
public:
    // ni empty lists.
    void begin(int ni)
    {
        lists_.resize(static_cast<std::size_t>(ni));
        for (std::vector<int> &list : lists_) list.clear();
    }
    std::vector<int> &of(int i) { return lists_[static_cast<std::size_t>(i)]; }
    template <class IndexOf, class SlotOf> NeighbourView join(IndexOf index_of, SlotOf slot_of)
    {
        offset_.assign(1, 0);
        index_.clear();
        slot_.clear();
        for (const std::vector<int> &list : lists_) {
            for (const int k : list) {
                index_.push_back(index_of(k));
                slot_.push_back(slot_of(k));
            }
            offset_.push_back(static_cast<std::int64_t>(index_.size()));
        }
        return {offset_.data(), index_.data(), slot_.data()};
    }

private:
    std::vector<std::vector<int>> lists_;
    std::vector<std::int64_t> offset_;
    std::vector<int> index_, slot_;
};

// Begin and end of the ascending places of all bodies with this index.
std::pair<const int *, const int *> same_index(const TreeView &tree, int index);

}  // namespace g6
