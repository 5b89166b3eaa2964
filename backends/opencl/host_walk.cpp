// SPDX-License-Identifier: MIT
// Fills the buffer that the kernels of a walk read (walk_layout.h) with i-particles, groups, bodies
// and cells, and searches the core's tree for neighbours.
#include "host_walk.h"

#include "../gpu/tile.h"
#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/tree/search.h"
#include "../../libg6gpu/formulas/range.h"
#include "../../libg6gpu/formulas/units.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace g6::opencl {
namespace {

using gpu::kWordBytes;

std::size_t words(std::size_t bytes)
{
    return (bytes + kWordBytes - 1) / kWordBytes;
}

float round_up(double x)
{
    const float f = static_cast<float>(x);
    return static_cast<double>(f) < x ? std::nextafterf(f, std::numeric_limits<float>::infinity())
                                      : f;
}

}  // namespace

// ---- i-particles ------------------------------------------------------------------------------

void HostWalk::set_block(const Block &b, const WalkPlan &plan)
{
    plan_ = plan;
    scale_ = b.scale;
    tree_ = b.tree;
    const std::size_t ni = static_cast<std::size_t>(b.ni);
    const int workers = threads(ni);
    constexpr int kSpread = 8;
    groups_.make(b, plan.together, kSpread, workers);
    own_.resize(ni);
    parallel_for(workers, ni, [&](std::size_t n) {
        const auto range = same_index(*tree_, particles()[n].index);
        own_[n] = range.first == range.second ? OwnRange{INT_MAX, -1}
                                              : OwnRange{*range.first, range.second[-1]};
    });
    group_.resize(groups_.groups().size());
    parallel_for(workers, group_.size(),
                 [&](std::size_t g) { make_extent(groups_.groups()[g], group_[g]); });
}

void HostWalk::make_extent(const Group &g, G6GroupExtent &out) const
{
    constexpr float kLarge = std::numeric_limits<float>::infinity();
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    out = G6GroupExtent{};
    out.a = kLarge;
    out.first = g.first;
    out.count = g.last - g.first;
    out.own_low = INT_MAX;
    out.own_high = -1;
    double largest = 0;
    for (int n = g.first; n < g.last; n++) {
        const std::size_t k = static_cast<std::size_t>(n);
        const G6IRecord &i = particles()[k];
        for (int c = 0; c < 3; c++) {
            low[c] = std::min(low[c], i.x[c]);
            high[c] = std::max(high[c], i.x[c]);
            largest = std::max(largest, std::fabs(i.x[c]));
        }
        const bool known = i.aold > 0 && i.aold < kLarge;
        out.known |= known ? 1 : 2;
        if (known) out.a = std::min(out.a, i.aold);
        out.own_low = std::min(out.own_low, own_[k].low);
        out.own_high = std::max(out.own_high, own_[k].high);
    }
    for (int c = 0; c < 3; c++) {
        double mid = 0.5 * low[c] + 0.5 * high[c];
        if (plan_.full) {
            std::memcpy(out.mid + 2 * c, &mid, sizeof mid);
        } else {
            out.mid[2 * c] = high_part(mid);
            out.mid[2 * c + 1] = low_part(mid);
            mid = static_cast<double>(out.mid[2 * c]) + out.mid[2 * c + 1];
        }
        out.reach[c] = round_up(std::max(high[c] - mid, mid - low[c]));
    }
    // Up to this distance a cell's sums in float could overflow or lose digits (range.h).  Sums in
    // double do so at distance 0 only; the limit is then nearly the least normal float.
    out.least_far2 = plan_.full ? 1e-37f : round_up(g6_close_limit(largest));
}

// ---- neighbours -------------------------------------------------------------------------------

void HostWalk::find_nearest()
{
    nearest_.resize(particles().size());
    parallel_shares(threads(particles().size() * 8), static_cast<int>(particles().size()),
                    [&](int n, int) {
                        G6Nearest &found = nearest_[static_cast<std::size_t>(n)];
                        found.place = groups_.nearest(n, found.r2);
                    });
}

void HostWalk::put_nearest(int n, G6Sums &sums) const
{
    const G6Nearest &found = nearest_[static_cast<std::size_t>(n)];
    sums.nn_slot = -1;
    if (found.place < 0) return;
    sums.nn_r2 = found.r2 * units_of(scale_).r2;
    sums.nn_slot = tree_->slot[found.place];
    sums.nn_index = tree_->index[found.place];
}

// ---- layout -----------------------------------------------------------------------------------

std::size_t HostWalk::value_bytes() const
{
    return plan_.fp64 ? 8 * sizeof(double) : kIFloats * sizeof(float);
}

G6WalkLayout HostWalk::layout(std::size_t begin) const
{
    const std::size_t ni = particles().size(), bodies = static_cast<std::size_t>(tree_->bodies),
                      cells = static_cast<std::size_t>(tree_->cells), stride = (bodies + 3) / 4 * 4;
    std::size_t at = begin;
    const auto reserve = [&](std::size_t n) {
        const std::size_t first = at;
        at += n;
        return static_cast<int>(std::min<std::size_t>(first, INT_MAX));
    };
    G6WalkLayout p{};
    p.stride = static_cast<int>(stride);
    p.values = reserve(words(ni * value_bytes()));
    p.index = reserve(words(ni * 4));
    p.own = reserve(words(ni * 8));
    p.group = reserve(words(group_.size() * sizeof(G6GroupExtent)));
    p.guess = reserve(words(plan_.search ? ni * 4 : 0));
    p.body = reserve(planes() * stride);
    p.body_index = reserve(stride / 4);
    p.exact = reserve(plan_.exact ? words(3 * stride * 8) : 0);
    p.body_slot = reserve(plan_.search ? stride / 4 : 0);
    p.box = reserve(plan_.search ? words(cells * sizeof(G6Box)) : 0);
    p.cell = reserve(cells * cell_words());
    p.quadrupole = reserve(plan_.quadrupole ? cells * quadrupole_words() : 0);
    p.end = reserve(0);
    return p;
}

void HostWalk::pack_i(char *to) const
{
    const std::size_t ni = particles().size();
    const G6WalkLayout p = layout(0);
    const auto at = [&](int place) { return to + static_cast<std::size_t>(place) * kWordBytes; };
    if (plan_.fp64) {
        auto *value = reinterpret_cast<double *>(at(p.values));
        for (std::size_t n = 0; n < ni; n++) {
            const G6IRecord &i = particles()[n];
            for (std::size_t c = 0; c < 3; c++) {
                value[c * ni + n] = i.x[c];
                value[(3 + c) * ni + n] = i.v[c];
            }
            value[6 * ni + n] = i.eps2;
            value[7 * ni + n] = i.h2;
        }
    } else {
        for (std::size_t n = 0; n < ni; n++)
            put_i(reinterpret_cast<float *>(at(p.values)), ni, n, particles()[n]);
    }
    auto *index = reinterpret_cast<int *>(at(p.index));
    for (std::size_t n = 0; n < ni; n++) index[n] = particles()[n].index;
    std::memcpy(at(p.own), own_.data(), ni * sizeof(OwnRange));
    std::memcpy(at(p.group), group_.data(), group_.size() * sizeof(G6GroupExtent));
    auto *guess = reinterpret_cast<int *>(at(p.guess));
    for (std::size_t n = 0; plan_.search && n < ni; n++)
        guess[n] = groups_.place(static_cast<int>(n));
}

// Orders the cells level by level, so that the children of a cell lie beside each other.
void HostWalk::order_cells()
{
    if (ordered_ == tree_->structure && order_.size() == static_cast<std::size_t>(tree_->cells))
        return;
    const std::size_t cells = static_cast<std::size_t>(tree_->cells);
    order_.clear();
    order_.reserve(cells);
    link_.resize(cells);
    if (cells) order_.push_back(0);
    for (std::size_t at = 0; at < order_.size(); at++) {
        const int k = order_[at], next = tree_->cell[k].next,
                  first = static_cast<int>(order_.size());
        for (int child = k + 1; child < next; child = tree_->cell[child].next)
            order_.push_back(child);
        const int children = static_cast<int>(order_.size()) - first;
        link_[at] = children ? first << 3 | (children - 1) : -1;
    }
    ordered_ = tree_->structure;
}

void HostWalk::pack_tree(char *to)
{
    order_cells();
    const std::size_t bodies = static_cast<std::size_t>(tree_->bodies),
                      cells = static_cast<std::size_t>(tree_->cells);
    const G6WalkLayout p = layout(0);
    const auto at = [&](int place) { return to + static_cast<std::size_t>(place) * kWordBytes; };
    char *const body = at(p.body), *const cell = at(p.cell), *const moments = at(p.quadrupole);
    auto *const index = reinterpret_cast<int *>(at(p.body_index));
    auto *const exact = reinterpret_cast<double *>(at(p.exact));
    auto *const slot = reinterpret_cast<int *>(at(p.body_slot));
    char *const box = at(p.box);
    const int workers = threads(bodies);
    parallel_for(workers, bodies, [&](std::size_t k) {
        put_particle(body + k * kWordBytes, static_cast<std::size_t>(p.stride) * kWordBytes,
                     body_of(*tree_, k));
        index[k] = tree_->index[k];
        if (plan_.search) slot[k] = tree_->slot[k];
        for (std::size_t c = 0; plan_.exact && c < 3; c++)
            exact[c * static_cast<std::size_t>(p.stride) + k] = tree_->x[c][k];
    });
    parallel_for(workers, cells, [&](std::size_t k) {
        pack_cell(cell, k);
        if (plan_.search) pack_box(box, k);
        if (plan_.quadrupole) pack_quadrupole(moments, k);
    });
}

// A particle as G6_LOAD_J (layout.cl) reads it; step: bytes from one word to the next.
void HostWalk::put_particle(char *to, std::size_t step, const Body &b) const
{
    if (!plan_.full) return put_body(to, step, plan_.jerk ? 3 : 2, b);
    const double word[4][2] = {{b.x[0], b.x[1]}, {b.x[2], b.m}, {b.v[0], b.v[1]}, {b.v[2], 0}};
    for (std::size_t w = 0; w < planes(); w++) std::memcpy(to + w * step, word[w], kWordBytes);
}

void HostWalk::pack_cell(char *cells, std::size_t at) const
{
    const std::size_t k = static_cast<std::size_t>(order_[at]);
    const G6Cell &c = tree_->cell[k];
    const double none[3] = {0, 0, 0}, *v = tree_->velocity ? tree_->velocity[k] : none;
    char *to = cells + at * cell_words() * kWordBytes;
    put_particle(to, kWordBytes, {{c.x[0], c.x[1], c.x[2]}, {v[0], v[1], v[2]}, c.mass});
    const struct {
        float radius2, near2, weight;
        int link, first, count;
    } test = {c.radius2, c.near2, c.weight, link_[at], c.first, c.count};
    std::memcpy(to + (plan_.full ? 64 : 40), &test, sizeof test);
}

void HostWalk::pack_box(char *boxes, std::size_t k) const
{
    const G6Cell &c = tree_->cell[k];
    G6Box box{};
    static_assert(offsetof(G6Box, next) == sizeof(G6CellBox), "the same low and high");
    std::memcpy(&box, &tree_->box[k], sizeof(G6CellBox));
    box.next = c.next;
    box.first = c.first;
    box.count = c.count;
    std::memcpy(boxes + k * sizeof box, &box, sizeof box);
}

void HostWalk::pack_quadrupole(char *words, std::size_t at) const
{
    const std::size_t k = static_cast<std::size_t>(order_[at]);
    const double *s = tree_->quadrupole[k];
    char *to = words + at * quadrupole_words() * kWordBytes;
    if (plan_.full) {
        std::memcpy(to, s, 6 * sizeof *s);
        return;
    }
    float value[8] = {};
    for (int c = 0; c < 6; c++) value[c] = high_part(s[c]);
    std::memcpy(to, value, sizeof value);
}

}  // namespace g6::opencl
