// SPDX-License-Identifier: MIT
// What the host computes for a walk: neighbours in the core's tree, and single i-particles in
// double.
#include "host_walk.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/tree/criteria.h"
#include "../../libg6gpu/tree/search.h"
#include "../../libg6gpu/formulas/units.h"

#include <algorithm>
#include <cmath>

namespace g6::opencl {
namespace {

#include "host_formulas.h"

double inverse_root(double x)
{
    return x > 0 ? 1 / std::sqrt(x) : 0;
}

bool far(const G6Cell &c, const G6IRecord &i, Mac mac)
{
    const double r2 = g6_length2(c.x[0] - i.x[0], c.x[1] - i.x[1], c.x[2] - i.x[2]);
    const double a = static_cast<double>(i.aold);
    if (mac == Mac::kAcceleration && a > 0 && std::isfinite(a))
        return g6_far_for(r2, c.near2, c.weight, a);
    return g6_far(r2, c.radius2);
}

}  // namespace

void HostWalk::find_nearest()
{
    const TreeView &t = *tree_;
    nearest_.resize(i_.size());
    parallel_tasks(threads(i_.size() * 8), static_cast<int>(i_.size()), 64, [&](int n, int) {
        const G6IRecord &i = i_[static_cast<std::size_t>(n)];
        Nearest &found = nearest_[static_cast<std::size_t>(n)];
        found.place = nearest_body(t, {i.x, i.h2, i.index}, groups_.place(n), found.r2);
    });
}

void HostWalk::put_nearest(int n, G6Sums &sums) const
{
    const Nearest &found = nearest_[static_cast<std::size_t>(n)];
    sums.nn_slot = -1;
    if (found.place < 0) return;
    sums.nn_r2 = g6_result_r2(units_of(scale_), found.r2);
    sums.nn_slot = tree_->slot[found.place];
    sums.nn_index = tree_->index[found.place];
}

G6Sums HostWalk::sum(int n) const
{
    const TreeView &t = *tree_;
    const std::size_t at = static_cast<std::size_t>(n);
    const G6IRecord &i = i_[at];
    const double none[3] = {0, 0, 0};
    PairSums s{};
    for (int k = 0; k < t.cells;) {
        const G6Cell &c = t.cell[k];
        const bool own = c.first <= own_[at].high && c.first + c.count > own_[at].low;
        if (far(c, i, mac_) && !own) {
            const double dx = c.x[0] - i.x[0], dy = c.x[1] - i.x[1], dz = c.x[2] - i.x[2];
            const double rinv = inverse_root(g6_length2(dx, dy, dz) + i.eps2);
            const double *v = t.velocity ? t.velocity[k] : none;
            const double dvx = v[0] - i.v[0], dvy = v[1] - i.v[1], dvz = v[2] - i.v[2];
            if (t.quadrupole) {
                const double *q = t.quadrupole[k];
                g6_cell_quadrupole(&s, dx, dy, dz, c.mass, q[0], q[1], q[2], q[3], q[4], q[5],
                                   rinv);
                g6_cell_jerk(&s, dx, dy, dz, dvx, dvy, dvz, c.mass, rinv);
            } else {
                g6_pair_hermite(&s, dx, dy, dz, dvx, dvy, dvz, c.mass, rinv);
            }
            k = c.next;
            continue;
        }
        for (int p = c.first; c.next == k + 1 && p < c.first + c.count; p++) {
            if (t.index[p] == i.index) continue;
            const double dx = t.x[0][p] - i.x[0], dy = t.x[1][p] - i.x[1], dz = t.x[2][p] - i.x[2];
            const double v[3] = {t.v[0] ? t.v[0][p] : 0, t.v[0] ? t.v[1][p] : 0,
                                 t.v[0] ? t.v[2][p] : 0};
            g6_pair_hermite(&s, dx, dy, dz, v[0] - i.v[0], v[1] - i.v[1], v[2] - i.v[2], t.mass[p],
                            inverse_root(g6_length2(dx, dy, dz) + i.eps2));
        }
        k++;
    }
    G6Units u = units_of(scale_);
    if (!plan_.jerk) u.rate = 0;
    const double acc[3] = {s.ax, s.ay, s.az}, jerk[3] = {s.jx, s.jy, s.jz};
    G6Sums out{};
    out.nn_slot = -1;
    g6_put_result(out, u, acc, jerk, s.pot);
    return out;
}

void HostWalk::lists(bool own, std::vector<std::int64_t> &offset, std::vector<int> &index,
                     std::vector<int> &slot)
{
    const TreeView &t = *tree_;
    hits_.resize(i_.size());
    parallel_tasks(threads(i_.size() * 8), static_cast<int>(i_.size()), 16, [&](int n, int) {
        const G6IRecord &i = i_[static_cast<std::size_t>(n)];
        std::vector<int> &hits = hits_[static_cast<std::size_t>(number(n))];
        hits.clear();
        if (i.h2 > 0) bodies_within(t, {i.x, i.h2, i.index}, own, hits);
    });
    join_lists(t, hits_, offset, index, slot);
}

}  // namespace g6::opencl
