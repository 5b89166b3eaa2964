// SPDX-License-Identifier: MIT
// Goes through the cells in tree order and skips a cell with all its children when its box is
// farther away than the nearest body so far, or than the radius of the list.
#include "search.h"

#include "criteria.h"

#include <algorithm>

namespace g6 {
namespace {

double box_distance2(const G6CellBox &box, const double x[3])
{
    const double dx = g6_outside(x[0], box.low[0], box.high[0]),
                 dy = g6_outside(x[1], box.low[1], box.high[1]),
                 dz = g6_outside(x[2], box.low[2], box.high[2]);
    return dx * dx + dy * dy + dz * dz;
}

double distance2(const TreeView &t, int p, const double x[3])
{
    const double dx = t.x[0][p] - x[0], dy = t.x[1][p] - x[1], dz = t.x[2][p] - x[2];
    return dx * dx + dy * dy + dz * dz;
}

// The nearest body found so far.
struct Best {
    double r2 = HUGE_VAL;
    int place = -1;

    void look(const TreeView &t, const G6IRecord &i, int first, int last)
    {
        for (int p = first; p < last; p++) {
            const double d2 = distance2(t, p, i.x);
            if (d2 > r2 || t.index[p] == i.index) continue;
            if (d2 < r2 || place < 0 || t.slot[p] < t.slot[place]) {
                r2 = d2;
                place = p;
            }
        }
    }
};

}  // namespace

int nearest_body(const TreeView &t, const G6IRecord &i, int guess, double &r2)
{
    constexpr int kAround = 4;
    Best best;
    best.look(t, i, std::max(0, guess - kAround), std::min(t.bodies, guess + kAround + 1));
    for (int k = 0; k < t.cells;) {
        const G6Cell &c = t.cell[k];
        if (box_distance2(t.box[k], i.x) > best.r2) {
            k = c.next;
            continue;
        }
        if (c.next == k + 1) best.look(t, i, c.first, c.first + c.count);
        k++;
    }
    r2 = best.r2;
    return best.place;
}

void bodies_within(const TreeView &t, const G6IRecord &i, bool own, std::vector<int> &places)
{
    const std::size_t before = places.size();
    for (int k = 0; k < t.cells;) {
        const G6Cell &c = t.cell[k];
        if (!(box_distance2(t.box[k], i.x) < i.h2)) {
            k = c.next;
            continue;
        }
        if (c.next == k + 1)
            for (int p = c.first; p < c.first + c.count; p++)
                if (distance2(t, p, i.x) < i.h2 && (own || t.index[p] != i.index))
                    places.push_back(p);
        k++;
    }
    std::sort(places.begin() + static_cast<std::ptrdiff_t>(before), places.end(),
              [&](int a, int b) { return t.slot[a] < t.slot[b]; });
}

std::pair<const int *, const int *> same_index(const TreeView &t, int index)
{
    const int *begin = t.by_index, *end = t.by_index + t.bodies;
    if (t.bodies == 0) return {begin, begin};
    // Most clients use consecutive indices, for which the guess is right.
    const std::int64_t guess = static_cast<std::int64_t>(index) - t.index[*begin];
    const int *at = end;
    if (guess >= 0 && guess < t.bodies && t.index[begin[guess]] == index &&
        (guess == 0 || t.index[begin[guess - 1]] != index))
        at = begin + guess;
    else
        at = std::partition_point(begin, end, [&](int p) { return t.index[p] < index; });
    if (at + 1 < end && t.index[at[0]] == index && t.index[at[1]] != index) return {at, at + 1};
    return {at, std::partition_point(at, end, [&](int p) { return t.index[p] == index; })};
}

}  // namespace g6
