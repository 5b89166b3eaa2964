// SPDX-License-Identifier: MIT
// i-particles of a block in the order of their keys, and divided into groups that share one walk.
//
// A group is a run of i-particles that follow each other, cut where the next is far away: between
// two whose smallest common cell holds many bodies.
#pragma once

#include "../backend.h"
#include "sort.h"

#include <vector>

namespace g6 {

struct Group {
    int first, last;  // in the order of keys
};

// n i-particles, `stride` doubles apart; positions times `scale` are in device units.
struct Targets {
    const double *x;
    const int *index;
    std::size_t stride;
    int n;
    double scale;
};

class Groups {
public:
    // n positions in device units, stride doubles apart.
    void sort(const TreeView &tree, const double *x, std::size_t stride, int n, int threads);
    // The same without keys and sorting, for i-particles that are where the bodies at place [n] of
    // the tree are.  False, and nothing done, when they are few or two share a place.
    bool follow(const TreeView &tree, const int *place, int n, int threads);
    // The same for i-particles that are mostly the bodies themselves: clients ask for those.  The
    // tree's order is right for any; a sample of i-particles must be about where the bodies of
    // their indices are.
    bool follow_bodies(const TreeView &tree, const Targets &i, int threads);
    // Groups of at most `wanted`.  spread: how many times more bodies may lie around a group when
    // few of them are i-particles; large where one list for few costs much, as where lanes stay
    // empty.
    void divide_runs(const TreeView &tree, int wanted, int spread, int threads);
    const std::vector<Group> &groups() const { return groups_; }
    // Number in the block of the n-th i-particle, and its key.
    int number(int n) const { return static_cast<int>(pairs_[static_cast<std::size_t>(n)].value); }
    std::uint64_t key(int n) const { return pairs_[static_cast<std::size_t>(n)].key; }
    // A place in the tree near it, after divide_runs().
    int place(int n) const { return place_[static_cast<std::size_t>(n)]; }

private:
    void find_places(const TreeView &tree, int threads);
    bool crowded(const TreeView &tree, int n, int most) const;

    Array<KeyValue> pairs_, spare_;
    std::vector<Group> groups_;
    // For divide_runs().
    Array<int> place_, at_, found_;
    bool placed_ = false;
    std::vector<unsigned char> begins_;  // a group
};

}  // namespace g6
