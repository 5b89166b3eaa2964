// SPDX-License-Identifier: MIT
// A refresh: predicts the bodies to the time of the block, then makes every cell's box, moments and
// opening radius, from the leaves up to the root.
#include "host_tree.h"

#include "../formulas/range.h"
#include "../base/parallel.h"
#include "../particles/predictor.h"
#include "../base/vec3.h"
#include "criteria.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace g6 {
namespace {

static_assert(static_cast<int>(Mac::kBh) == G6_MAC_BH &&
                  static_cast<int>(Mac::kBmax) == G6_MAC_BMAX &&
                  static_cast<int>(Mac::kMultipole) == G6_MAC_MULTIPOLE &&
                  static_cast<int>(Mac::kAcceleration) == G6_MAC_ACCELERATION &&
                  static_cast<int>(Mac::kCombined) == G6_MAC_COMBINED,
              "numbers of the formulas");

double square(const double d[3])
{
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

void widen(G6CellBox &box, const double low[3], const double high[3])
{
    for (int c = 0; c < 3; c++) {
        box.low[c] = std::min(box.low[c], low[c]);
        box.high[c] = std::max(box.high[c], high[c]);
    }
}

// Distance from x to the farthest corner of a box that holds x.
double reach_of_box(const double x[3], const G6CellBox &box)
{
    double r2 = 0;
    for (int c = 0; c < 3; c++) {
        const double d = std::max(x[c] - box.low[c], box.high[c] - x[c]);
        r2 += d * d;
    }
    return std::sqrt(r2);
}

// Records are loaded into the cache this many bodies ahead of their use: bodies are in the order of
// keys, but their records lie in the order of slots.
constexpr std::size_t kAhead = 16;

constexpr G6CellBox kEmptyBox = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

}  // namespace

// Predicts the bodies, in the order of slot_ and in device units.  Returns whether an index
// changed.
bool HostTree::predict(const JStore &store)
{
    const std::size_t n = static_cast<std::size_t>(bodies_);
    const Scale s = request_.scale;
    const bool moving = moves(), snap = request_.motion == Motion::kQuartic;
    std::atomic<bool> changed{false};
    parallel_ranges(threads(n), n, [&](std::size_t first, std::size_t last) {
        bool other = false;
        for (std::size_t k = first; k < last; k++) {
            if (k + 2 * kAhead < n) store.prefetch_where(slot_[k + 2 * kAhead]);
            if (k + kAhead < n) store.prefetch(slot_[k + kAhead]);
            const G6JRecord r = store.record(slot_[k]);
            double x[3] = {r.x[0], r.x[1], r.x[2]}, v[3] = {0, 0, 0};
            if (moving) g6::predict(r, request_.t, snap, x, v);
            mass_[k] = r.mass * s.mass;
            const auto within = [&](double u, double limit) {
                if (std::fabs(u) <= limit) return u;
                mass_[k] = std::numeric_limits<double>::quiet_NaN();
                return std::copysign(limit, u);
            };
            for (int c = 0; c < 3; c++) {
                x_[c][k] = within(x[c] * s.length, G6_FARTHEST);
                if (moving)
                    v_[c][k] = within((v[c] - s.common_velocity[c]) * s.velocity, G6_FASTEST);
            }
            other = other || index_[k] != r.index;
            index_[k] = r.index;
        }
        if (other) changed = true;
    });
    return changed;
}

// Finds each cell's cube in the octree, by the first of its bodies at the time of the build.
void HostTree::make_cubes()
{
    const std::size_t cells = static_cast<std::size_t>(cells_);
    parallel_for(threads(cells), cells, [&](std::size_t k) {
        const int shift = kKeyLevels - cell_[k].level;
        const std::size_t body = static_cast<std::size_t>(cell_[k].first);
        Extra &e = extra_[k];
        e.edge = std::ldexp(cube_.size, -cell_[k].level);
        for (int c = 0; c < 3; c++)
            e.cube[c] =
                cube_.corner[c] +
                ((g6_grid_coordinate(x_[c][body], cube_.corner[c], cube_.size) >> shift) + 0.5) *
                    e.edge;
    });
}

void HostTree::make_moments()
{
    quadrupole_.renew(request_.walk.multipole ? static_cast<std::size_t>(cells_) : 0);
    for (int d = static_cast<int>(depth_start_.size()) - 2; d >= 0; d--) {
        const int first = depth_start_[static_cast<std::size_t>(d)],
                  last = depth_start_[static_cast<std::size_t>(d) + 1];
        // A cell costs about as much as its bodies or children.
        const int workers = threads(static_cast<std::size_t>(last - first) * 8);
        parallel_for(workers, last - first, [&](int n) {
            const int k = by_depth_[static_cast<std::size_t>(first + n)];
            const std::size_t cell = static_cast<std::size_t>(k);
            cell_[cell].next == k + 1 ? leaf_moments(cell) : cell_moments(cell);
        });
    }
}

// The first moments of a cell, as sums over its bodies or its children.
struct HostTree::FirstMoments {
    double mass = 0, size = 0, x[3] = {0, 0, 0}, v[3] = {0, 0, 0};

    // Adds a body or child: mass, sum of |m|, mean position, mean velocity (null: at rest).
    void add(double part_mass, double part_size, const double *part_x, const double *part_v)
    {
        mass += part_mass;
        size += part_size;
        for (int d = 0; d < 3; d++) {
            x[d] += part_size * part_x[d];
            if (part_v) v[d] += part_size * part_v[d];
        }
    }
};

// Writes the mass and the means of a cell whose box is known.
void HostTree::store_first(std::size_t cell, const FirstMoments &sum)
{
    G6Cell &c = cell_[cell];
    Extra &e = extra_[cell];
    const G6CellBox &box = box_[cell];
    const double inverse = g6_each_size(sum.size);
    for (int d = 0; d < 3; d++) {
        c.x[d] = g6_mean_position(sum.x[d], sum.size, inverse, box.low[d], box.high[d]);
        if (moves()) velocity_[cell][d] = sum.v[d] * inverse;
    }
    c.mass = sum.mass;
    e.size = sum.size;
    e.signs = g6_mixes_signs(std::fabs(sum.mass), sum.size);
}

void HostTree::leaf_moments(std::size_t cell)
{
    const G6Cell &c = cell_[cell];
    G6CellBox &box = box_[cell] = kEmptyBox;
    const std::size_t first = static_cast<std::size_t>(c.first),
                      last = first + static_cast<std::size_t>(c.count);
    const bool moving = moves();
    FirstMoments sum;
    for (std::size_t p = first; p < last; p++) {
        const double x[3] = {x_[0][p], x_[1][p], x_[2][p]};
        double v[3];
        for (int d = 0; moving && d < 3; d++) v[d] = v_[d][p];
        sum.add(mass_[p], std::fabs(mass_[p]), x, moving ? v : nullptr);
        widen(box, x, x);
    }
    store_first(cell, sum);
    double far2 = 0, size2 = 0, second[6] = {};
    for (std::size_t p = first; p < last; p++) {
        const double d[3] = {x_[0][p] - c.x[0], x_[1][p] - c.x[1], x_[2][p] - c.x[2]};
        const double d2 = square(d);
        far2 = std::max(far2, d2);
        size2 += std::fabs(mass_[p]) * d2;
        if (request_.walk.multipole) g6_add_second(second, mass_[p], d);
    }
    extra_[cell].reach = std::sqrt(far2);
    extra_[cell].size2 = size2;
    if (request_.walk.multipole) std::copy(second, second + 6, quadrupole_[cell]);
}

void HostTree::cell_moments(std::size_t cell)
{
    const G6Cell &c = cell_[cell];
    G6CellBox &box = box_[cell] = kEmptyBox;
    const auto each_child = [&](auto &&f) {
        for (std::size_t child = cell + 1; child < static_cast<std::size_t>(c.next);
             child = static_cast<std::size_t>(cell_[child].next))
            f(child);
    };
    FirstMoments sum;
    each_child([&](std::size_t child) {
        sum.add(cell_[child].mass, extra_[child].size, cell_[child].x,
                moves() ? velocity_[child] : nullptr);
        widen(box, box_[child].low, box_[child].high);
    });
    store_first(cell, sum);
    double reach = 0, size2 = 0, second[6] = {};
    each_child([&](std::size_t child) {
        const G6Cell &other = cell_[child];
        const double d[3] = {other.x[0] - c.x[0], other.x[1] - c.x[1], other.x[2] - c.x[2]};
        const double d2 = square(d);
        reach = std::max(reach, std::sqrt(d2) + extra_[child].reach);
        size2 += extra_[child].size2 + extra_[child].size * d2;
        if (!request_.walk.multipole) return;
        for (int n = 0; n < 6; n++) second[n] += quadrupole_[child][n];
        g6_add_second(second, other.mass, d);
    });
    extra_[cell].reach = std::min(reach, reach_of_box(c.x, box));
    extra_[cell].size2 = size2;
    if (request_.walk.multipole) std::copy(second, second + 6, quadrupole_[cell]);
}

// The criterion "multipole" allows an error relative to a typical acceleration: that of the whole
// mass at its root mean square distance from the centre of mass.
void HostTree::make_radii()
{
    const std::size_t cells = static_cast<std::size_t>(cells_);
    if (cells == 0) return;
    const Extra &root = extra_[0];
    const double typical = root.size2 > 0 ? root.size * root.size / root.size2 : 0;
    const double error = request_.walk.tolerance() * typical;
    parallel_for(threads(cells), cells,
                 [&](std::size_t k) { make_radius(static_cast<int>(k), error); });
}

void HostTree::make_radius(int k, double error)
{
    G6Cell &c = cell_[static_cast<std::size_t>(k)];
    const Extra &e = extra_[static_cast<std::size_t>(k)];
    const G6CellBox &box = box_[static_cast<std::size_t>(k)];
    const Walk &walk = request_.walk;
    const G6Criterion criterion{static_cast<int>(walk.mac), walk.multipole, walk.theta, error,
                                walk.tolerance()};
    G6CellExtent extent{0, 0, e.reach, e.size2, std::fabs(c.mass), e.signs};
    g6_measure_cell(&extent, c.x, e.cube, e.edge, box.low, box.high);
    const G6Thresholds t = g6_thresholds(&extent, &criterion);
    c.radius2 = t.radius2;
    c.near2 = t.near2;
    c.weight = t.weight;
}

}  // namespace g6
