// SPDX-License-Identifier: MIT
// What a walk does outside the SIMD kernels: it finds the own bodies and the box of each group, and
// cuts the chosen cells and bodies into tiles.  The kernels that choose cells and fill tiles are in
// list_entries.cpp, those that sum over tiles in list_kernels.cpp.
#include "walk.h"

#include "../../libg6gpu/tree/search.h"
#include "../../libg6gpu/formulas/range.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace g6::cpu {

// ---- own bodies -------------------------------------------------------------------------------

void OwnBodies::find(const TreeView &tree, const IParticle *i, int n)
{
    places_.clear();
    for (int k = 0; k < n; k++) {
        if (k > 0 && i[k].index == i[k - 1].index) continue;
        const auto range = same_index(tree, i[k].index);
        places_.insert(places_.end(), range.first, range.second);
    }
    std::sort(places_.begin(), places_.end());
}

bool OwnBodies::any(int first, int last) const
{
    if (last <= low() || first > high()) return false;
    const auto at = std::lower_bound(places_.begin(), places_.end(), first);
    return at != places_.end() && *at < last;
}

// ---- walks ------------------------------------------------------------------------------------

Walker::Walker(const Kernels &kernels, int precision) : kernels_(kernels), precision_(precision)
{
    cell_tiles_ = host_array<char>(
        kListTiles * (precision ? sizeof(CellTile<double>) : sizeof(CellTile<float>)));
    body_tiles_ = host_array<char>(
        kListTiles * (precision ? sizeof(BodyTile<double>) : sizeof(BodyTile<float>)));
}

void Walker::run(const Block &block, const Groups &groups, const double *aold, int first_group,
                 int count, Partial *out)
{
    tree_ = block.tree;
    jerk_ = block.want & kWantJerk;
    acceleration_ = block.walk.mac == Mac::kAcceleration;
    boxes_.known = boxes_.unknown = 0;
    boxes_.own_low = INT_MAX;
    boxes_.own_high = -1;
    boxes_.holds_own = holds_own;
    boxes_.who = this;
    for (int g = 0; g < count; g++) {
        const Group &group = groups.groups()[static_cast<size_t>(first_group + g)];
        const int first = group.first, n = group.last - first;
        const IParticle *const i = groups.i().data() + first;
        WalkGroup &m = member_[g];
        m.own.find(*tree_, i, n);
        boxes_.own_low = std::min(boxes_.own_low, m.own.low());
        boxes_.own_high = std::max(boxes_.own_high, m.own.high());
        measure(g, i, aold + first, n);
        m.user = {tree_, m.middle, boxes_.least2[g], i, n, out + first};
    }
    constexpr int kAtOnce = 16384;
    WalkState state;
    state.active = (1u << count) - 1;
    int chosen = 0;
    while (state.k < tree_->cells) {
        chosen_.resize(static_cast<size_t>(chosen) + kAtOnce + 1);  // a walk writes one more
        chosen += kernels_.lists.walk[acceleration_](
            *tree_, boxes_, state, &chosen_[static_cast<size_t>(chosen)], kAtOnce);
    }
    counts.tests += state.tests;
    cell_.renew(static_cast<size_t>(chosen) + 1);  // sum() writes one more
    leaf_.renew(static_cast<size_t>(chosen) + 1);
    for (int g = 0; g < count; g++) sum(member_[g], g, chosen);
}

bool Walker::holds_own(const void *walker, int group, int first, int last)
{
    return static_cast<const Walker *>(walker)->member_[group].own.any(first, last);
}

// Sets the box, the middle and the smallest known acceleration of a group.
void Walker::measure(int group, const IParticle *i, const double *aold, int n)
{
    double reach = 0;
    for (int c = 0; c < 3; c++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < n; k++) {
            low = std::min(low, i[k].x[c]);
            high = std::max(high, i[k].x[c]);
        }
        boxes_.low[c][group] = low;
        boxes_.high[c][group] = high;
        const double middle = precision_ ? 0 : 0.5 * low + 0.5 * high;
        member_[group].middle[c] = middle;
        reach = std::max({reach, high - middle, middle - low});
    }
    constexpr double kNear = 1.0 / 16;
    // In double the reciprocal powers of a cell's distance must not overflow.
    boxes_.least2[group] = precision_ ? G6_COINCIDENT : reach * reach * (kNear * kNear);
    boxes_.a[group] = HUGE_VAL;
    for (int k = 0; k < n; k++) {
        const bool known = aold[k] > 0 && std::isfinite(aold[k]);
        (known ? boxes_.known : boxes_.unknown) |= 1u << group;
        if (known) boxes_.a[group] = std::min(boxes_.a[group], aold[k]);
    }
}

// ---- sums -------------------------------------------------------------------------------------

// Sums the chosen cells that act as a whole on the group, and the bodies of opened leaves.
void Walker::sum(const WalkGroup &m, int group, int chosen)
{
    int cells = 0, leaves = 0;
    for (int k = 0; k < chosen; k++) {
        const ChosenCell &c = chosen_[static_cast<size_t>(k)];
        cell_[static_cast<size_t>(cells)] = leaf_[static_cast<size_t>(leaves)] = c.cell;
        cells += c.whole >> group & 1;
        leaves += c.bodies >> group & 1;
    }
    sum_cells(m, cells);
    sum_bodies(m, leaves);
}

void Walker::sum_cells(const WalkGroup &m, int count)
{
    const auto kernel = kernels_.lists.cells[precision_][jerk_][tree_->quadrupole != nullptr];
    for (int first = 0; first < count; first += kMostEntries) {
        const int n = std::min(kMostEntries, count - first);
        kernels_.lists.copy_cells[precision_](*tree_, m.middle, cell_.data() + first, n,
                                              cell_tiles_.get());
        kernel(cell_tiles_.get(), n, m.user);
    }
    counts.interactions += static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(m.user.n);
}

// Leaves that follow each other become one range.
void Walker::sum_bodies(const WalkGroup &m, int leaves)
{
    int count = 0;
    for (int k = 0; k < leaves; k++) {
        const G6Cell &c = tree_->cell[leaf_[static_cast<size_t>(k)]];
        const bool own = m.own.any(c.first, c.first + c.count);
        for (int first = c.first; first < c.first + c.count;) {
            const int n = std::min(c.first + c.count - first, kMostEntries - count);
            if (own) mark_own(count, count + n);
            if (!range_.empty() && range_.back().last == first)
                range_.back().last += n;
            else
                range_.push_back({first, first + n});
            first += n;
            count += n;
            if (count < kMostEntries) continue;
            flush_bodies(m, count);
            count = 0;
        }
    }
    if (count) flush_bodies(m, count);
}

void Walker::mark_own(int first, int last)
{
    for (int t = first / kListTile; t * kListTile < last; t++) {
        Range &own = own_[t];
        const int begin = std::max(first - t * kListTile, 0),
                  end = std::min(last - t * kListTile, kListTile);
        own = own.first == own.last ? Range{begin, end} : Range{own.first, end};
    }
}

void Walker::flush_bodies(const WalkGroup &m, int count)
{
    kernels_.lists.copy_bodies[precision_](*tree_, m.middle, range_.data(),
                                           static_cast<int>(range_.size()), body_tiles_.get());
    kernels_.lists.bodies[precision_][jerk_](body_tiles_.get(), own_, count, m.user);
    counts.interactions += static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(m.user.n);
    range_.clear();
    std::fill_n(own_, kListTiles, Range{});
}

}  // namespace g6::cpu
