// SPDX-License-Identifier: MIT
// Computes the prediction and the forces of a block in long double, and the allowed errors of the
// library's results.
#include "truth_numbers.h"

namespace g6fuzz {
namespace {

// As in tests/tolerance.h, but terms may all round alike here: a near body and then 63 equal masses
// in one far place add 63 u in float instead of sqrt(64)/2 u.  So 9u + 63u (pot), 25u + 63u (acc),
// 50u + 63u (jerk), rounded up.  In double n such masses are added by at least four lanes of a
// vector, so that a lane's sum may be n/4 u/2 off.
struct Roundings {
    Real acc, jerk, pot, v;
};
Roundings roundings(bool in_float, int n)
{
    const Real alike = n * kDouble / 8;
    if (!in_float) return {1e-14L + alike, 1e-13L + alike, 1e-14L + alike, 8 * kDouble};
    return {96 * kFloat, 128 * kFloat, 80 * kFloat, 2 * kFloat};
}

bool any(const double *u)
{
    return u[0] != 0 || u[1] != 0 || u[2] != 0;
}

}  // namespace

struct Sizes : g6test::Sums {
    Real jerk_wide = 0;  // with the sum of both speeds
    Real farthest = 0;
};

Truth::Truth(const Task &task) : task_(task)
{
    float_ = task.settings.precision != Precision::kDouble;
    body_.reserve(task.j->size());
    for (const JParticle &j : *task.j) {
        if (j.address >= task.nj) break;
        Body b{g6test::predict(j, task.ti, task.settings.snap), &j, 0};
        const bool moves = any(j.v) || any(j.a2) || any(j.j6) || (task.settings.snap && any(j.k18));
        if (moves && task.ti != j.t) b.x_off = 8 * kDouble * b.x_size;
        if (task.float_positions) b.x_off += 2 * kFloat * b.x_size;
        body_.push_back(b);
    }
    find_units();
    const Real typical = units_.length.low;
    grid_ = typical > 0 ? std::ldexp(Real(1), std::ilogb(typical) - 4) : 1;
    if (float_) find_frame();
    find_bounds();
    tame_ = is_tame();
}

// Whether a factor that the predictor multiplies by the time (libg6gpu/formulas/predict.h) may
// overflow, as it can where the prediction itself fits into double.
bool Truth::may_overflow(const JParticle &j) const
{
    const Real s = std::fabs(Real(task_.ti) - Real(j.t));
    for (int c = 0; c < 3; c++) {
        const Real snap = task_.settings.snap ? std::fabs(Real(j.k18[c])) * s : 0;
        const Real a2 = std::fabs(Real(j.a2[c])), j6 = std::fabs(Real(j.j6[c]));
        if (!(std::max(2 * a2, 3 * (j6 + snap)) < kHuge / 4)) return true;
    }
    return false;
}

bool Truth::may_be_refused() const
{
    for (const Body &b : body_)
        if (!(b.x_size < kHuge / 4 && b.v_size < kHuge / 4) || may_overflow(*b.p)) return true;
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
void Truth::add_pair(Force &f, Sizes &z, const Body &b, const IParticle &i, bool exact,
                     bool tame) const
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
    Real v[3];
    for (int k = 0; k < 3; k++) v[k] = b.v[k] - i.v[k];
    const Real v_size =
        b.v_size + std::fabs(Real(i.v[0])) + std::fabs(Real(i.v[1])) + std::fabs(Real(i.v[2]));
    g6test::add_pair(z, p.d, v, b.p->mass, s2, off, v_size + 2 * frame_);
    z.jerk_wide += 4 * std::fabs(b.p->mass / (s2 * s)) * v_size;
    z.farthest = std::max(z.farthest, r);
    if (!exact && !tame) add_vanished(f, b, r, s, length(v));
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
    const bool tame = is_tame(quiet);
    for (const Body &b : body_)
        if (b.p->index != i.index) add_pair(f, z, b, quiet, exact, tame);
    for (int k = 0; k < 3; k++) f.acc[k] = z.acc[k], f.jerk[k] = z.jerk[k];
    f.pot = z.pot;
    Roundings u = roundings(float_ && !exact, task_.nj);
    if (task_.plain_sums) {
        const Real more = kDouble * Real(body_.size());
        u.acc += more, u.jerk += more, u.pot += more;
    }
    f.acc_off += u.acc * z.acc_size + z.acc_by_x, f.pot_off += u.pot * z.pot_size + z.pot_by_x;
    f.jerk_off += u.jerk * z.jerk_size + z.jerk_by_x + u.v * z.jerk_by_v;
    if (walks_ && !exact) {
        Real acc = walk_acc_ * z.acc_size, pot = walk_pot_ * z.pot_size;
        if (walk_most_) {
            acc = std::min(acc, walk_acc_most_ + other_acc_ * z.acc_size);
            pot = std::min(pot, walk_acc_most_ * z.farthest + other_pot_ * z.pot_size);
        }
        f.acc_off += acc, f.pot_off += pot, f.jerk_off += walk_jerk_ * z.jerk_wide;
    }
    // Sums below the smallest double vanish.
    f.acc_off += 1e-300L, f.jerk_off += 1e-300L, f.pot_off += 1e-300L;
    const Real most = kHuge / 1024;
    if (!(z.acc_size < most) || !(f.acc_off < most)) f.acc_known = false;
    if (!(z.jerk_size < most) || !(z.jerk_by_v < most) || !(f.jerk_off < most))
        f.jerk_known = false;
    if (!(z.pot_size < most) || !(f.pot_off < most)) f.pot_known = false;
    if (task_.tree_only || task_.points_only) {
        f.jerk[0] = f.jerk[1] = f.jerk[2] = f.jerk_off = 0;
        f.jerk_known = true, f.jerk_free = false;
    }
    return f;
}

}  // namespace g6fuzz
