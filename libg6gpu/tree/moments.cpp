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

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Least distance squared, in device units, at which a cell may act as a whole: the powers of its
// reciprocal do not overflow in float.
constexpr double kNearest2 = 1e-12;

// A float that is not less than x.
float up(double x)
{
    return static_cast<float>(x * (1 + 2.4e-7));
}

double distance2(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
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

// Loads a record into the cache ahead of its use: bodies follow each other in the order of keys,
// but their records lie in the order of slots.
constexpr std::size_t kAhead = 16;
void prefetch(const G6JRecord &r)
{
    const char *p = reinterpret_cast<const char *>(&r);
    for (std::size_t at = 0; at < sizeof r; at += 64) __builtin_prefetch(p + at);
}

// u limited to -limit ... limit; NaN, from a prediction that overflowed, becomes a limit.
double within(double u, double limit)
{
    return std::max(-limit, std::min(limit, u));
}

constexpr G6CellBox kEmptyBox = {{kInfinity, kInfinity, kInfinity},
                                 {-kInfinity, -kInfinity, -kInfinity}};

}  // namespace

// Predicts the bodies, in the order of slot_ and in device units.  Returns whether an index
// changed.
bool HostTree::predict(const JStore &store)
{
    const std::size_t n = static_cast<std::size_t>(bodies_);
    const Scale s = request_.scale;
    const bool narrow = request_.float_range;
    const double farthest = narrow ? G6_FARTHEST : G6_FARTHEST_DOUBLE,
                 fastest = narrow ? G6_FASTEST : G6_FASTEST_DOUBLE;
    const bool moving = request_.motion != Motion::kAtRest;
    std::atomic<bool> changed{false};
    parallel_ranges(threads(n), n, [&](std::size_t first, std::size_t last) {
        bool other = false;
        for (std::size_t k = first; k < last; k++) {
            if (k + kAhead < n) prefetch(store.record(slot_[k + kAhead]));
            const G6JRecord &r = store.record(slot_[k]);
            double x[3] = {r.x[0], r.x[1], r.x[2]}, v[3] = {0, 0, 0};
            if (moving) g6::predict(r, request_.t, request_.snap, x, v);
            for (int c = 0; c < 3; c++) {
                x_[c][k] = within(x[c] * s.length, farthest);
                v_[c][k] = within(v[c] * s.velocity, fastest);
            }
            mass_[k] = r.mass * s.mass;
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
                ((grid_place(x_[c][body], cube_.corner[c], cube_.size) >> shift) + 0.5) * e.edge;
    });
}

void HostTree::make_moments()
{
    quadrupole_.resize(request_.walk.multipole ? static_cast<std::size_t>(cells_) : 0);
    for (int d = static_cast<int>(depth_start_.size()) - 2; d >= 0; d--) {
        const int first = depth_start_[static_cast<std::size_t>(d)],
                  last = depth_start_[static_cast<std::size_t>(d) + 1];
        // A cell costs about as much as its bodies or children.
        const int workers = threads(static_cast<std::size_t>(last - first) * 8);
        parallel_for(workers, last - first, [&](int n) {
            const int k = by_depth_[static_cast<std::size_t>(first + n)];
            cell_[static_cast<std::size_t>(k)].next == k + 1 ? leaf_moments(k) : cell_moments(k);
        });
    }
}

void HostTree::leaf_moments(int k)
{
    const std::size_t cell = static_cast<std::size_t>(k);
    G6Cell &c = cell_[cell];
    Extra &e = extra_[cell];
    G6CellBox &box = box_[cell] = kEmptyBox;
    const std::size_t first = static_cast<std::size_t>(c.first),
                      last = first + static_cast<std::size_t>(c.count);
    double mass = 0, size = 0, x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (std::size_t p = first; p < last; p++) {
        const double at[3] = {x_[0][p], x_[1][p], x_[2][p]}, m = std::fabs(mass_[p]);
        mass += mass_[p];
        size += m;
        for (int d = 0; d < 3; d++) {
            x[d] += m * at[d];
            v[d] += m * v_[d][p];
        }
        widen(box, at, at);
    }
    for (int d = 0; d < 3; d++) {
        const double centre = size > 0 ? x[d] / size : 0.5 * box.low[d] + 0.5 * box.high[d];
        c.x[d] = std::max(box.low[d], std::min(box.high[d], centre));
        velocity_[cell][d] = size > 0 ? v[d] / size : 0;
    }
    c.mass = mass;
    e.size = size;
    e.signs = std::fabs(mass) < size * (1 - 1e-9);
    double far2 = 0, size2 = 0, s[6] = {};
    for (std::size_t p = first; p < last; p++) {
        const double d[3] = {x_[0][p] - c.x[0], x_[1][p] - c.x[1], x_[2][p] - c.x[2]};
        const double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        far2 = std::max(far2, d2);
        size2 += std::fabs(mass_[p]) * d2;
        if (request_.walk.multipole) g6_add_second(s, mass_[p], d);
    }
    e.reach = std::sqrt(far2);
    e.size2 = size2;
    if (request_.walk.multipole) std::copy(s, s + 6, quadrupole_[cell]);
}

void HostTree::cell_moments(int k)
{
    const std::size_t cell = static_cast<std::size_t>(k);
    G6Cell &c = cell_[cell];
    Extra &e = extra_[cell];
    G6CellBox &box = box_[cell] = kEmptyBox;
    double mass = 0, size = 0, x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    auto each = [&](auto &&f) {
        for (int child = k + 1; child < c.next; child = cell_[static_cast<std::size_t>(child)].next)
            f(static_cast<std::size_t>(child));
    };
    each([&](std::size_t child) {
        const double m = extra_[child].size;
        mass += cell_[child].mass;
        size += m;
        for (int d = 0; d < 3; d++) {
            x[d] += m * cell_[child].x[d];
            v[d] += m * velocity_[child][d];
        }
        widen(box, box_[child].low, box_[child].high);
    });
    for (int d = 0; d < 3; d++) {
        const double centre = size > 0 ? x[d] / size : 0.5 * box.low[d] + 0.5 * box.high[d];
        c.x[d] = std::max(box.low[d], std::min(box.high[d], centre));
        velocity_[cell][d] = size > 0 ? v[d] / size : 0;
    }
    c.mass = mass;
    e.size = size;
    e.signs = std::fabs(mass) < size * (1 - 1e-9);
    double reach = 0, size2 = 0, s[6] = {};
    each([&](std::size_t child) {
        const G6Cell &other = cell_[child];
        const double d2 = distance2(other.x, c.x);
        reach = std::max(reach, std::sqrt(d2) + extra_[child].reach);
        size2 += extra_[child].size2 + extra_[child].size * d2;
        if (!request_.walk.multipole) return;
        const double d[3] = {other.x[0] - c.x[0], other.x[1] - c.x[1], other.x[2] - c.x[2]};
        for (int n = 0; n < 6; n++) s[n] += quadrupole_[child][n];
        g6_add_second(s, other.mass, d);
    });
    e.reach = std::min(reach, reach_of_box(c.x, box));
    e.size2 = size2;
    if (request_.walk.multipole) std::copy(s, s + 6, quadrupole_[cell]);
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

// The size l of a cell and the centre from which the offset s of its centre of mass counts are
// those of its cube while the cube holds the bodies.  Once a body has left the cube, they are those
// of the bodies' box.
void HostTree::make_radius(int k, double error)
{
    G6Cell &c = cell_[static_cast<std::size_t>(k)];
    const Extra &e = extra_[static_cast<std::size_t>(k)];
    const G6CellBox &box = box_[static_cast<std::size_t>(k)];
    const Walk &walk = request_.walk;
    double l = e.edge, centre[3];
    bool inside = true;
    for (int d = 0; d < 3; d++) {
        inside =
            inside && box.low[d] >= e.cube[d] - e.edge / 2 && box.high[d] <= e.cube[d] + e.edge / 2;
        l = std::max(l, box.high[d] - box.low[d]);
    }
    for (int d = 0; d < 3; d++)
        centre[d] = inside ? e.cube[d] : 0.5 * box.low[d] + 0.5 * box.high[d];
    const double s = std::sqrt(distance2(c.x, centre));
    double radius = kInfinity, weight = kInfinity;
    if (!e.signs && walk.theta > 0) {
        switch (walk.mac) {
        case Mac::kBh:
        case Mac::kAcceleration: radius = g6_radius_bh(l, s, walk.theta); break;
        case Mac::kBmax: radius = g6_radius_bmax(e.reach, walk.theta); break;
        case Mac::kMultipole:
            radius =
                !(error > 0) ? e.reach
                : walk.multipole
                    ? g6_radius_quadrupole(e.reach, e.size2, error,
                                           e.reach + std::pow(4 * e.reach * e.size2 / error, 0.2))
                    : g6_radius_multipole(e.reach, e.size2, error);
            break;
        }
        radius = std::max(radius, e.reach);
        weight = g6_weight(std::fabs(c.mass), l, walk.tolerance());
    }
    c.radius2 = up(std::max(radius * radius, kNearest2));
    c.near2 = radius == kInfinity ? c.radius2 : up(std::max(e.reach * e.reach, kNearest2));
    c.weight = up(weight);
}

}  // namespace g6
