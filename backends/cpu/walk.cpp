// SPDX-License-Identifier: MIT
#include "walk.h"

#include "../../libg6gpu/tree/criteria.h"
#include "../../libg6gpu/tree/search.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>

namespace g6::cpu {

// ---- own bodies -------------------------------------------------------------------------------

void OwnBodies::find(const TreeView &tree, const IParticle *i, int n)
{
    places_.clear();
    crowds_.clear();
    low_ = INT_MAX;
    high_ = -1;
    for (int k = 0; k < n; k++)
        if (k == 0 || i[k].index != i[k - 1].index) add(tree, i[k].index);
    std::sort(places_.begin(), places_.end());
}

void OwnBodies::add(const TreeView &tree, int index)
{
    constexpr int kCrowd = 16;
    const auto range = same_index(tree, index);
    if (range.first == range.second) return;
    low_ = std::min(low_, *range.first);
    high_ = std::max(high_, range.second[-1]);
    if (range.second - range.first <= kCrowd)
        places_.insert(places_.end(), range.first, range.second);
    else
        crowds_.push_back({range.first, range.second});
}

bool OwnBodies::any(int first, int last) const
{
    if (last <= low_ || first > high_) return false;
    auto holds = [&](const int *begin, const int *end) {
        const int *at = std::lower_bound(begin, end, first);
        return at != end && *at < last;
    };
    if (holds(places_.data(), places_.data() + places_.size())) return true;
    return std::any_of(crowds_.begin(), crowds_.end(),
                       [&](const Range &r) { return holds(r.begin, r.end); });
}

// ---- lists ------------------------------------------------------------------------------------

Walker::Walker(const Kernels &kernels, int precision) : kernels_(kernels), precision_(precision)
{
    cells_ =
        host_array<char>(kTiles * (precision ? sizeof(CellTile<double>) : sizeof(CellTile<float>)));
    bodies_ = host_array<char>(kTiles *
                               (precision ? sizeof(Predicted<double>) : sizeof(Predicted<float>)));
    marks_ = host_array<Marks>(kTiles);
}

void Walker::run(const Block &block, const IParticle *i, const double *aold, int n, Partial *out)
{
    jerk_ = block.want & kWantJerk;
    quadrupole_ = block.tree->quadrupole != nullptr;
    i_ = i;
    n_ = n;
    out_ = out;
    measure(i, aold, n);
    own_.find(*block.tree, i, n);
    if (precision_)
        gather<double>(block);
    else
        gather<float>(block);
}

void Walker::measure(const IParticle *i, const double *aold, int n)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    extent_ = {{kInfinity, kInfinity, kInfinity},
               {-kInfinity, -kInfinity, -kInfinity},
               kInfinity,
               false,
               false};
    for (int k = 0; k < n; k++) {
        for (int c = 0; c < 3; c++) {
            extent_.low[c] = std::min(extent_.low[c], i[k].x[c]);
            extent_.high[c] = std::max(extent_.high[c], i[k].x[c]);
        }
        const bool known = aold[k] > 0 && std::isfinite(aold[k]);
        extent_.known = extent_.known || known;
        extent_.unknown = extent_.unknown || !known;
        if (known) extent_.a = std::min(extent_.a, aold[k]);
    }
}

bool Walker::far(const G6Cell &c, Mac mac) const
{
    const double dx = g6_outside(c.x[0], extent_.low[0], extent_.high[0]),
                 dy = g6_outside(c.x[1], extent_.low[1], extent_.high[1]),
                 dz = g6_outside(c.x[2], extent_.low[2], extent_.high[2]);
    const double r2 = dx * dx + dy * dy + dz * dz;
    if (mac != Mac::kAcceleration) return g6_far(r2, c.radius2);
    return (!extent_.known || g6_far_for(r2, c.near2, c.weight, extent_.a)) &&
           (!extent_.unknown || g6_far(r2, c.radius2));
}

template <class Real> void Walker::gather(const Block &block)
{
    const TreeView &tree = *block.tree;
    const Mac mac = block.walk->mac;
    std::uint64_t tests = 0;
    for (int k = 0; k < tree.cells; tests++) {
        const G6Cell &c = tree.cell[k];
        if (far(c, mac) && !own_.any(c.first, c.first + c.count)) {
            if (c.mass != 0) take_cell<Real>(tree, k, quadrupole_);
            k = c.next;
            continue;
        }
        if (c.next == k + 1) take_bodies<Real>(tree, c.first, c.first + c.count);
        k++;
    }
    sum_cells<Real>();
    sum_bodies<Real>();
    counts.tests += tests;
}

template <class Real> void Walker::take_cell(const TreeView &tree, int k, bool quadrupole)
{
    const int at = cell_count_ % kTile;
    auto &tile = reinterpret_cast<CellTile<Real> *>(cells_.get())[cell_count_ / kTile];
    const G6Cell &c = tree.cell[k];
    for (int d = 0; d < 3; d++) {
        tile.x[d][at] = c.x[d];
        tile.v[d][at] = tree.velocity ? static_cast<Real>(tree.velocity[k][d]) : Real{0};
    }
    tile.mass[at] = static_cast<Real>(c.mass);
    if (quadrupole)
        for (int d = 0; d < 6; d++) tile.s[d][at] = static_cast<Real>(tree.quadrupole[k][d]);
    if (++cell_count_ == kTiles * kTile) sum_cells<Real>();
}

template <class Real> void Walker::take_bodies(const TreeView &tree, int first, int last)
{
    const bool own = own_.any(first, last);
    while (first < last) {
        const int at = body_count_ % kTile, n = std::min(last - first, kTile - at);
        auto &tile = reinterpret_cast<Predicted<Real> *>(bodies_.get())[body_count_ / kTile];
        Marks &marks = marks_[static_cast<std::size_t>(body_count_ / kTile)];
        if (at == 0) {
            marks.low_index = INT_MAX;
            marks.high_index = INT_MIN;
            marks.live = kTile;
        }
        if (own) {  // some index of the group is here: each particle checks
            marks.low_index = INT_MIN;
            marks.high_index = INT_MAX;
        }
        for (int d = 0; d < 3; d++) {
            std::copy_n(tree.x[d] + first, n, tile.x[d] + at);
            for (int k = 0; k < n; k++)
                tile.v[d][at + k] = tree.v[d] ? static_cast<Real>(tree.v[d][first + k]) : Real{0};
        }
        for (int k = 0; k < n; k++) tile.mass[at + k] = static_cast<Real>(tree.mass[first + k]);
        std::copy_n(tree.index + first, n, marks.index + at);
        std::fill_n(marks.alive + at, n, -1);
        first += n;
        body_count_ += n;
        if (body_count_ == kTiles * kTile) sum_bodies<Real>();
    }
}

// ---- sums -------------------------------------------------------------------------------------

// Fills up the last step with entries of no mass at a place that is far enough.
template <class Real> static void pad(Predicted<Real> *tiles, int count)
{
    Predicted<Real> &tile = tiles[count / kTile];
    const int first = count % kTile;
    for (int at = first; at % kListStep; at++) {
        for (int d = 0; d < 3; d++) {
            tile.x[d][at] = tile.x[d][first - 1];
            tile.v[d][at] = 0;
        }
        tile.mass[at] = 0;
    }
}

template <class Real> void Walker::sum_cells()
{
    if (cell_count_ == 0) return;
    auto *tiles = reinterpret_cast<CellTile<Real> *>(cells_.get());
    const int last = cell_count_ / kTile;
    if (cell_count_ % kListStep) {
        CellTile<Real> &tile = tiles[last];
        pad<Real>(&tile, cell_count_ % kTile);
        for (int at = cell_count_ % kTile; at % kListStep; at++)
            for (int d = 0; quadrupole_ && d < 6; d++) tile.s[d][at] = 0;
    }
    const auto kernel = kernels_.cells[precision_][jerk_][quadrupole_];
    for (int k = 0; k < n_; k += kGroup)
        kernel(tiles, cell_count_, i_ + k, std::min(kGroup, n_ - k), out_ + k);
    counts.interactions += static_cast<std::uint64_t>(cell_count_) * static_cast<std::uint64_t>(n_);
    cell_count_ = 0;
}

template <class Real> void Walker::sum_bodies()
{
    if (body_count_ == 0) return;
    auto *tiles = reinterpret_cast<Predicted<Real> *>(bodies_.get());
    if (body_count_ % kListStep) {
        pad<Real>(tiles, body_count_);
        Marks &marks = marks_[static_cast<std::size_t>(body_count_ / kTile)];
        for (int at = body_count_ % kTile; at % kListStep; at++) marks.alive[at] = 0;
    }
    const auto kernel = kernels_.bodies[precision_][jerk_];
    for (int k = 0; k < n_; k += kGroup)
        kernel(marks_.get(), tiles, body_count_, i_ + k, std::min(kGroup, n_ - k), out_ + k);
    counts.interactions += static_cast<std::uint64_t>(body_count_) * static_cast<std::uint64_t>(n_);
    body_count_ = 0;
}

}  // namespace g6::cpu
