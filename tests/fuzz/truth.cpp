// SPDX-License-Identifier: MIT
// Computes the prediction and the forces of a block in long double, and how far the library's
// results may be off.
#include "truth_numbers.h"

namespace g6fuzz {
namespace {

// As in tests/tolerance.h, but terms may all round alike here (equal masses in one place): 64 of
// them in float add 64/2 u instead of sqrt(64)/2 u.  So 9u + 32u (pot), 25u + 32u (acc), 50u + 32u
// (jerk), rounded up.
struct Roundings {
    Real acc, jerk, pot, v;
};
Roundings roundings(bool in_float)
{
    if (!in_float) return {1e-14L, 1e-13L, 1e-14L, 8 * kDouble};
    return {64 * kFloat, 96 * kFloat, 48 * kFloat, 2 * kFloat};
}

bool any(const double *u)
{
    return u[0] != 0 || u[1] != 0 || u[2] != 0;
}

}  // namespace

// Sums of the terms' sizes, and of the errors that wrong positions and velocities make in them.
struct Sizes {
    Real acc = 0, jerk = 0, pot = 0, acc_x = 0, jerk_x = 0, jerk_v = 0, pot_x = 0;
    Real jerk_wide = 0;  // with the sum of both speeds
    Real farthest = 0;
};

Truth::Body Truth::predict(const JParticle &j, double ti, bool snap)
{
    const Real s = Real(ti) - Real(j.t);
    Body b;
    b.p = &j;
    b.x_size = b.v_size = 0;
    for (int k = 0; k < 3; k++) {
        const Real k18 = snap ? j.k18[k] : 0;
        const Real x[] = {j.x[k], j.v[k] * s, j.a2[k] * s * s, j.j6[k] * s * s * s,
                          Real(0.75) * k18 * s * s * s * s};
        const Real v[] = {j.v[k], 2 * j.a2[k] * s, 3 * j.j6[k] * s * s, 3 * k18 * s * s * s};
        b.x[k] = b.v[k] = 0;
        for (Real term : x) b.x[k] += term, b.x_size += std::fabs(term);
        for (Real term : v) b.v[k] += term, b.v_size += std::fabs(term);
    }
    const bool moves = any(j.v) || any(j.a2) || any(j.j6) || (snap && any(j.k18));
    b.x_off = moves && s != 0 ? 8 * kDouble * b.x_size : 0;
    return b;
}

Truth::Truth(const Task &task) : task_(task)
{
    float_ = task.settings.precision != Precision::kDouble;
    body_.reserve(task.j->size());
    for (const JParticle &j : *task.j) {
        if (j.address >= task.nj) break;
        body_.push_back(predict(j, task.ti, task.settings.snap));
        if (task.float_positions) body_.back().x_off += 2 * kFloat * body_.back().x_size;
    }
    find_units();
    const Real typical = units_.length.low;
    grid_ = typical > 0 ? std::ldexp(Real(1), std::ilogb(typical) - 4) : 1;
    if (float_) find_frame();
    find_bounds();
    tame_ = is_tame();
}

bool Truth::may_be_refused() const
{
    for (const Body &b : body_)
        if (!(b.x_size < kHuge / 4 && b.v_size < kHuge / 4)) return true;
    const auto is_usual = [](const Unit &u) { return u.low > 1e-60L && u.high < 1e60L; };
    const bool usual =
        is_usual(units_.length) && is_usual(units_.mass) && is_usual(units_.velocity);
    for (int n = 0; n < static_cast<int>(task_.i.size()); n++) {
        const IParticle &i = task_.i[static_cast<size_t>(n)];
        if (i.eps2 > kHuge / 4) return true;
        if (usual && is_tame(i) && !has_close_pair(i)) continue;
        const Force f = force(n);
        if (!f.acc_known || !f.pot_known || !f.jerk_known) return true;
    }
    return false;
}

// Whether some 1/r^2 may be beyond double, however ordinary the coordinates are.
bool Truth::has_close_pair(const IParticle &i) const
{
    return std::any_of(body_.begin(), body_.end(), [&](const Body &b) {
        const Real s2 = separation(b, i).r2 + i.eps2;
        return b.p->index != i.index && s2 > 0 && is_too_close(std::sqrt(s2));
    });
}

Truth::Separation Truth::separation(const Body &b, const IParticle &i) const
{
    Separation s;
    s.exact = b.x_off == 0 && !task_.float_positions;
    s.off = b.x_off;
    for (int k = 0; k < 3; k++) {
        const Real xi = i.x[k];
        s.d[k] = b.x[k] - xi;
        s.exact = s.exact && whole(b.x[k], grid_) && whole(xi, grid_);
        if (task_.float_positions) s.off += 2 * kFloat * std::fabs(xi);
    }
    s.r2 = s.d[0] * s.d[0] + s.d[1] * s.d[1] + s.d[2] * s.d[2];
    return s;
}

// Products below the smallest number of the arithmetic may have vanished.  In units of the device,
// with t that number: the mass, m/s, m/s^3, the terms of (r.v) and alpha.
void Truth::add_vanished(Force &f, const Body &b, Real r, Real s, Real dv) const
{
    const Real t = 4 * (float_ ? kLeastFloat : kLeastDouble);
    const Real mass = std::fabs(Real(b.p->mass));
    for (Real l : {units_.length.low, units_.length.high})
        for (Real u : {units_.mass.low, units_.mass.high})
            for (Real w : {units_.velocity.low, units_.velocity.high}) {
                const Real d = r / l, q = s / l, m = mass / u, e = dv / w;
                const Real lost = m < t ? m : 0;  // of the mass itself
                const Real acc = std::min(m / (q * q), t * (d + 1 + 1 / q) + lost / (q * q));
                const Real pot = std::min(m / q, t * (1 + 1 / q) + lost / q);
                const Real jerk = t * (1 + 4 * e * (1 + 1 / (q * q)) +
                                       m / (q * q * q) * (1 + d + 9 * d / (q * q))) +
                                  4 * e * lost / (q * q * q);
                f.acc_off = std::max(f.acc_off, f.acc_off + acc * u / (l * l));
                f.pot_off += pot * u / l;
                f.jerk_off += jerk * u * w / (l * l * l);
            }
}

// exact: the host is sure to sum.
void Truth::add_pair(Force &f, Sizes &z, const Body &b, const IParticle &i, bool exact) const
{
    const Separation p = separation(b, i);
    const Real s2 = p.r2 + i.eps2;
    if (s2 == 0 && p.off == 0) return;  // coincident and unsoftened: contributes nothing
    const Real s = std::sqrt(s2), r = std::sqrt(p.r2);
    if (b.p->mass == 0) return;
    Real off = p.off;
    // In mixed walks near pairs are summed in double.
    if (!exact)
        off += task_.single_walks ? walk_position_ : std::min(walk_position_, std::ldexp(r, -18));
    // Nothing is known of a pair that the rounding of positions or the range of double decides.
    if (off > s / 64 || (!exact && is_too_close(s))) {
        f.acc_known = f.jerk_known = f.pot_known = false;
        return;
    }
    Real v[3], rv = 0;
    for (int k = 0; k < 3; k++) v[k] = b.v[k] - i.v[k], rv += p.d[k] * v[k];
    const Real m3 = b.p->mass / (s2 * s), m = std::fabs(m3), dv = length(v);
    const Real v_size =
        b.v_size + std::fabs(Real(i.v[0])) + std::fabs(Real(i.v[1])) + std::fabs(Real(i.v[2]));
    for (int k = 0; k < 3; k++) {
        f.acc[k] += m3 * p.d[k];
        f.jerk[k] += m3 * (v[k] - 3 * rv / s2 * p.d[k]);
    }
    f.pot -= m3 * s2;
    // tests/reference.h has the derivatives.
    z.acc += m * r, z.acc_x += 2 * m * off;
    z.jerk += 4 * m * dv, z.jerk_v += 4 * m * (v_size + 2 * frame_),
        z.jerk_x += 24 * m * dv / s * off;
    z.pot += m * s2, z.pot_x += m * s * off;
    z.jerk_wide += 4 * m * v_size;
    z.farthest = std::max(z.farthest, r);
    if (!exact && !is_tame(i)) add_vanished(f, b, r, s, dv);
}

Force Truth::force(int n) const
{
    const IParticle &i = task_.i[static_cast<size_t>(n)];
    Force f;
    Sizes z;
    IParticle quiet = i;
    const bool exact = is_exact(i);
    f.jerk_free = !finite3(i.v);
    if (f.jerk_free) quiet.v[0] = quiet.v[1] = quiet.v[2] = 0;
    for (const Body &b : body_)
        if (b.p->index != i.index) add_pair(f, z, b, quiet, exact);
    Roundings u = roundings(float_ && !exact);
    if (task_.plain_sums) {
        const Real more = kDouble * Real(body_.size());
        u.acc += more, u.jerk += more, u.pot += more;
    }
    f.acc_off += u.acc * z.acc + z.acc_x, f.pot_off += u.pot * z.pot + z.pot_x;
    f.jerk_off += u.jerk * z.jerk + z.jerk_x + u.v * z.jerk_v;
    if (walks_ && !exact) {
        Real acc = walk_acc_ * z.acc, pot = walk_pot_ * z.pot;
        if (walk_most_) {
            acc = std::min(acc, walk_acc_most_ + other_acc_ * z.acc);
            pot = std::min(pot, walk_acc_most_ * z.farthest + other_pot_ * z.pot);
        }
        f.acc_off += acc, f.pot_off += pot, f.jerk_off += walk_jerk_ * z.jerk_wide;
    }
    // Sums below the smallest double vanish.
    f.acc_off += 1e-300L, f.jerk_off += 1e-300L, f.pot_off += 1e-300L;
    const Real most = kHuge / 1024;
    if (!(z.acc < most) || !(f.acc_off < most)) f.acc_known = false;
    if (!(z.jerk < most) || !(z.jerk_v < most) || !(f.jerk_off < most)) f.jerk_known = false;
    if (!(z.pot < most) || !(f.pot_off < most)) f.pot_known = false;
    if (task_.tree_only || task_.points_only) {
        f.jerk[0] = f.jerk[1] = f.jerk[2] = f.jerk_off = 0;
        f.jerk_known = true, f.jerk_free = false;
    }
    return f;
}

}  // namespace g6fuzz
