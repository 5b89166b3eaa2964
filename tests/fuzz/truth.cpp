// SPDX-License-Identifier: MIT
#include "truth.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6fuzz {
namespace {

const Real kDouble = std::ldexp(Real(1), -53), kFloat = std::ldexp(Real(1), -24);
const Real kLeastFloat = std::ldexp(Real(1), -126), kLeastDouble = std::ldexp(Real(1), -1022);
constexpr Real kHuge = std::numeric_limits<double>::max();

// In units of the device.  Distances whose third power a double cannot hold, or whose square it
// cannot.
constexpr Real kClosest = 1e-90L, kFarthestDouble = 1e150L;
constexpr Real kFarthestFloat = 1e18L;

// As in tests/tolerance.h, but terms may all round alike here (equal masses in one place): 64 of them
// in float add 64/2 u instead of sqrt(64)/2 u.  So 9u + 32u (pot), 25u + 32u (acc), 50u + 32u (jerk),
// rounded up.
struct Roundings {
    Real acc, jerk, pot, v;
};
Roundings roundings(bool in_float)
{
    if (!in_float) return {1e-14L, 1e-13L, 1e-14L, 8 * kDouble};
    return {64 * kFloat, 96 * kFloat, 48 * kFloat, 2 * kFloat};
}

Real length(const Real *u)
{
    return std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

Real largest(const double *u)
{
    return std::max({std::fabs(u[0]), std::fabs(u[1]), std::fabs(u[2])});
}

bool any(const double *u)
{
    return u[0] != 0 || u[1] != 0 || u[2] != 0;
}

bool finite3(const double *u)
{
    return std::isfinite(u[0]) && std::isfinite(u[1]) && std::isfinite(u[2]);
}

// A whole number of `unit` that is small enough for exact squares.
bool whole(Real x, Real unit)
{
    return std::fabs(x) < 1048576 * unit && x / unit == std::floor(x / unit);
}

bool same3(const double *a, const double *b)
{
    return std::equal(a, a + 3, b);
}

bool same_motion(const JParticle &a, const JParticle &b)
{
    return same3(a.x, b.x) && same3(a.v, b.v) && same3(a.a2, b.a2) && same3(a.j6, b.j6) &&
           same3(a.k18, b.k18) && a.t == b.t;
}

// A unit is 1 where the typical exponent lies within 24 of 0.
Real unit_of(int exponent)
{
    return std::abs(exponent) <= 24 ? Real(1)
                                    : std::ldexp(Real(1), std::max(-900, std::min(900, exponent)));
}

// Typical is the median; one that was taken a few writes ago lies between the quartiles.
void find_unit(std::vector<int> &exponents, Real &low, Real &high)
{
    low = high = 1;
    if (exponents.empty()) return;
    std::sort(exponents.begin(), exponents.end());
    const size_t n = exponents.size();
    low = unit_of(exponents[n / 4]);
    high = unit_of(exponents[std::min(n - 1, 3 * n / 4)]);
}

}  // namespace

// Sums of the terms' sizes and of what their errors in position and velocity make of them.
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
    b.far = false;
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
    find_bounds();
    tame_ = is_tame();
    if (float_) farthest_ = kFarthestFloat / 4 * units_.length.low;
    for (Body &b : body_) b.far = is_far(b.x);
}

bool Truth::is_far(const Real *x) const
{
    return farthest_ > 0 &&
           !(std::max({std::fabs(x[0]), std::fabs(x[1]), std::fabs(x[2])}) < farthest_);
}

bool Truth::is_far(const IParticle &i) const
{
    const Real x[3] = {i.x[0], i.x[1], i.x[2]};
    return is_far(x);
}

// One lost particle harms nobody: its pull is at most that from the farthest place.
void Truth::add_far(Force &f, const Body &b, const IParticle &i) const
{
    const Real r = farthest_ / 2, m = std::fabs(Real(b.p->mass));
    Real v[3];
    for (int k = 0; k < 3; k++) v[k] = b.v[k] - i.v[k];
    f.acc_off += m / r / r, f.pot_off += m / r, f.jerk_off += 4 * m * length(v) / r / r / r;
}

void Truth::find_units()
{
    std::vector<int> lengths, masses, velocities;
    const auto note = [](std::vector<int> &to, Real size) {
        if (size > 0) to.push_back(std::ilogb(size));
    };
    for (const Body &b : body_) {
        note(lengths, largest(b.p->x));
        note(masses, std::fabs(b.p->mass));
        note(velocities, largest(b.p->v));
    }
    Real most_mass = 0, most_speed = 0;
    for (const JParticle &j : *task_.j) {
        most_mass = std::max(most_mass, std::fabs(Real(j.mass)));
        most_speed = std::max(most_speed, largest(j.v));
    }
    find_unit(lengths, units_.length.low, units_.length.high);
    find_unit(masses, units_.mass.low, units_.mass.high);
    find_unit(velocities, units_.velocity.low, units_.velocity.high);
    if (!float_) return;
    // A mass or velocity that float could not hold makes the unit larger.
    const Real range = std::ldexp(Real(1), -100);
    units_.mass.high = std::max(units_.mass.high, most_mass * range);
    units_.velocity.high = std::max(units_.velocity.high, most_speed * range);
    if (body_.empty() || body_[0].p->address != 0) return;
    // The first mass may be the unit, so that equal masses are exact in float.
    const Real first = std::fabs(Real(body_[0].p->mass));
    const Real room = std::ldexp(Real(1), 26);
    if (first * room < units_.mass.low || first > units_.mass.high * room || first == 0) return;
    units_.mass.low = std::min(units_.mass.low, first);
    units_.mass.high = std::max(units_.mass.high, first);
}

// Cells lie beyond d > l/theta + s (bh) or d > b/theta (bmax): b/d stays below kappa.  With that
//   acc   3 kappa^2 (1+kappa)^2 / (1-kappa)^2    (Salmon & Warren 1994, eq. 9, of the bodies' terms)
//   pot   kappa^2 (1+kappa) / (1-kappa)
//   jerk  15 kappa (1+kappa)^3 / (1-kappa)^4      (cells have a mean velocity)
// twice, for softening and quadrupoles.  Whatever the criterion, d > b: a body is nearer than 2 d,
// so a cell's term is at most 4 times its bodies' (pot: 2, jerk: 8; with the quadrupole's 13 times).
// Criterion multipole: each cell errs by at most theta^4/48 of the typical acceleration.
void Truth::find_bounds()
{
    const Settings &s = task_.settings;
    if (s.mode == Mode::kTreeWalk && float_) {
        Real low[3] = {kHuge, kHuge, kHuge}, high[3] = {-kHuge, -kHuge, -kHuge};
        for (const IParticle &i : task_.i)
            for (int k = 0; k < 3; k++) {
                low[k] = std::min(low[k], Real(i.x[k]));
                high[k] = std::max(high[k], Real(i.x[k]));
            }
        const Real spread[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
        walk_position_ = std::ldexp(length(spread), -45);
    }
    const bool direct = s.direct >= 0 && static_cast<int>(task_.i.size()) < s.direct;
    walks_ = s.mode == Mode::kTreeWalk && !direct && s.theta > 0;
    if (!walks_) return;
    const Real more = s.multipole ? 13 : 1;
    walk_acc_ = 1 + 4 * more, walk_pot_ = 1 + 2 * more, walk_jerk_ = 36;
    const Real t = s.theta, root3 = std::sqrt(Real(3));
    Real kappa = 1;
    if (s.mac == Mac::kBh) kappa = root3 * t / (1 + root3 * t / 2);
    if (s.mac == Mac::kBmax) kappa = t;
    if (kappa < 0.9L) {
        const Real k = kappa, one = 1 - k;
        walk_acc_ = std::min(walk_acc_, 6 * k * k * (1 + k) * (1 + k) / (one * one));
        walk_pot_ = std::min(walk_pot_, 2 * k * k * (1 + k) / one);
        walk_jerk_ =
            std::min(walk_jerk_, 30 * k * (1 + k) * (1 + k) * (1 + k) / (one * one * one * one));
    }
    // Cells are good to 2^-20 in float.
    const Real rounded = float_ ? 16 * more * kFloat : 0;
    walk_acc_ += rounded, walk_pot_ += rounded, walk_jerk_ += 4 * rounded;
    if (s.mac != Mac::kMultipole) return;
    Real size = 0, centre[3] = {0, 0, 0}, size2 = 0;
    for (const Body &b : body_) {
        const Real m = std::fabs(Real(b.p->mass));
        size += m;
        for (int k = 0; k < 3; k++) centre[k] += m * b.x[k];
    }
    for (const Body &b : body_)
        for (int k = 0; k < 3; k++) {
            const Real d = b.x[k] - centre[k] / size;
            size2 += std::fabs(Real(b.p->mass)) * d * d;
        }
    if (!(size2 > 0)) return;
    walk_most_ = true;
    walk_acc_most_ = 2 * Real(body_.size()) * t * t * t * t / 48 * size * size / size2;
}

// All numbers so near the units that no product leaves the range of float or double.
bool Truth::is_tame() const
{
    const Real wide = float_ ? 1e6L : 1e50L;
    const Units &u = units_;
    const auto between = [&](Real value, const Unit &unit) {
        return value == 0 || (value <= wide * unit.low && value * wide >= unit.high);
    };
    for (const Body &b : body_) {
        const Real v = length(b.v), m = std::fabs(Real(b.p->mass));
        if (!(length(b.x) <= wide * u.length.low) || !between(m, u.mass)) return false;
        if (!between(v, u.velocity) || !(b.x_size <= wide * u.length.low)) return false;
    }
    return true;
}

bool Truth::is_tame(const IParticle &i) const
{
    const Real wide = float_ ? 1e6L : 1e50L;
    const auto small = [&](double value, const Unit &unit) {
        return std::fabs(Real(value)) <= wide * unit.low;
    };
    const Real speed = std::max({std::fabs(i.v[0]), std::fabs(i.v[1]), std::fabs(i.v[2])});
    if (speed > 0 && speed * wide < units_.velocity.high) return false;
    bool tame = tame_ && i.eps2 <= wide * wide * units_.length.low * units_.length.low;
    for (int k = 0; k < 3; k++)
        tame = tame && small(i.x[k], units_.length) && small(i.v[k], units_.velocity);
    return tame;
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
void Truth::add_vanished(Force &f, const Body &b, const IParticle &, Real r, Real s, Real dv) const
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

void Truth::add_pair(Force &f, Sizes &z, const Body &b, const IParticle &i) const
{
    if (b.far) return add_far(f, b, i);
    const Separation p = separation(b, i);
    const Real s2 = p.r2 + i.eps2;
    if (s2 == 0 && p.off == 0) return;  // coincident and unsoftened: contributes nothing
    const Real s = std::sqrt(s2), r = std::sqrt(p.r2);
    if (b.p->mass == 0) return;
    Real off = p.off;
    if (i.eps2 > 0) {  // else near pairs are summed in double
        off += walk_position_;
        if (float_ && task_.split_positions)
            for (int k = 0; k < 3; k++)
                off += std::ldexp(std::fabs(b.x[k]) + std::fabs(Real(i.x[k])), -46);
    }
    // Rounding of positions decides, or the range of double does.
    if (off > s / 64 || s < kClosest * units_.length.high ||
        (!float_ && r > kFarthestDouble * units_.length.low)) {
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
    z.jerk += 4 * m * dv, z.jerk_v += 4 * m * v_size, z.jerk_x += 24 * m * dv / s * off;
    z.pot += m * s2, z.pot_x += m * s * off;
    z.jerk_wide += 4 * m * v_size;
    z.farthest = std::max(z.farthest, r);
    if (!is_tame(i)) add_vanished(f, b, i, r, s, dv);
}

Force Truth::force(int n) const
{
    const IParticle &i = task_.i[static_cast<size_t>(n)];
    Force f;
    Sizes z;
    IParticle quiet = i;
    f.jerk_free = !finite3(i.v);
    if (f.jerk_free) quiet.v[0] = quiet.v[1] = quiet.v[2] = 0;
    for (const Body &b : body_)
        if (b.p->index != i.index) add_pair(f, z, b, quiet);
    Roundings u = roundings(float_);
    if (task_.plain_sums) {
        const Real more = kDouble * Real(body_.size());
        u.acc += more, u.jerk += more, u.pot += more;
    }
    f.acc_off += u.acc * z.acc + z.acc_x, f.pot_off += u.pot * z.pot + z.pot_x;
    f.jerk_off += u.jerk * z.jerk + z.jerk_x + u.v * z.jerk_v;
    if (walks_) {
        Real acc = walk_acc_ * z.acc, pot = walk_pot_ * z.pot;
        if (walk_most_) {
            acc = std::min(acc, walk_acc_most_);
            pot = std::min(pot, walk_acc_most_ * z.farthest);
        }
        f.acc_off += acc, f.pot_off += pot, f.jerk_off += walk_jerk_ * z.jerk_wide;
    }
    // Below the smallest double nothing is left.
    f.acc_off += 1e-300L, f.jerk_off += 1e-300L, f.pot_off += 1e-300L;
    const Real most = kHuge / 1024;
    if (is_far(i)) f.acc_known = f.jerk_known = f.pot_known = false;
    if (!(z.acc < most)) f.acc_known = false;
    if (!(z.jerk < most) || !(z.jerk_v < most)) f.jerk_known = false;
    if (!(z.pot < most)) f.pot_known = false;
    if (task_.tree_only || task_.points_only) {
        f.jerk[0] = f.jerk[1] = f.jerk[2] = f.jerk_off = 0;
        f.jerk_known = true, f.jerk_free = false;
    }
    return f;
}

Nearest Truth::nearest(int n) const
{
    const IParticle &i = task_.i[static_cast<size_t>(n)];
    struct Candidate {
        const Body *b;
        Separation s;
        Real low, high;
    };
    std::vector<Candidate> all;
    Nearest found;
    const bool anybody = is_far(i);
    found.high = std::numeric_limits<Real>::infinity();
    for (const Body &b : body_) {
        if (b.p->index == i.index) continue;
        const Separation s = separation(b, i);
        const Real r = std::sqrt(s.r2);
        // Squares below the smallest double are 0.
        const Real off = s.exact ? 0
                                 : s.off + 4 * kDouble * r + 1e-153L * units_.length.high +
                                       (r > kFarthestDouble * units_.length.low ? r : 0);
        if (anybody) {
            found.indices.push_back(b.p->index);
            continue;
        }
        if (b.far) {
            // The nearest only if nobody else is there.
            found.high = std::min(found.high, std::numeric_limits<Real>::max());
            if (farthest_ / 2 <= found.high) all.push_back({&b, s, farthest_ / 2, found.high});
            continue;
        }
        if (r - off > found.high) continue;
        found.high = std::min(found.high, r + off);
        all.push_back({&b, s, r - off, r + off});
    }
    found.low = found.high;
    for (size_t k = 0; k < all.size(); k++) {
        const Candidate &c = all[k];
        if (c.low > found.high) continue;
        found.low = std::min(found.low, c.low);
        // A tie that no rounding can break goes to the lowest address.
        bool later = false;
        for (size_t e = 0; e < k && !later; e++)
            later = (c.s.exact && all[e].s.exact && all[e].s.r2 == c.s.r2) ||
                    same_motion(*all[e].b->p, *c.b->p);
        if (!later) found.indices.push_back(c.b->p->index);
    }
    return found;
}

std::vector<Entry> Truth::list(int n) const
{
    const IParticle &i = task_.i[static_cast<size_t>(n)];
    std::vector<Entry> entries;
    if (!(i.h2 > 0) || task_.tree_only) return entries;
    // What is left of h2 for r^2, and how well it is known.
    const Real soft = task_.softened_lists ? i.eps2 : 0, h2 = Real(i.h2) - soft;
    const Real h2_off = soft > 0 ? 8 * kDouble * (Real(i.h2) + soft) : 0;
    for (const Body &b : body_) {
        if (b.p->index == i.index && !task_.own_in_lists) continue;
        const Separation s = separation(b, i);
        if (b.far || is_far(i)) {
            if (16 * i.h2 >= farthest_ * farthest_) entries.push_back({b.p->index, false});
            continue;
        }
        if (s.exact && (soft == 0 || whole(soft, grid_ * grid_ / 16))) {
            if (s.r2 < h2) entries.push_back({b.p->index, true});
            continue;
        }
        const Real r = std::sqrt(s.r2);
        const Real off = s.off + 1e-153L * units_.length.high +
                         (r > kFarthestDouble * units_.length.low ? r : 0);
        const Real least = std::max(Real(0), r - off), most = r + off;
        const Real slack = 8 * kDouble;
        if (!(least * least < h2 * (1 + slack) + h2_off)) continue;
        const bool certain =
            most * most < h2 * (1 - slack) - h2_off || (soft == 0 && s.r2 == 0 && s.off == 0);
        entries.push_back({b.p->index, certain});
    }
    return entries;
}

}  // namespace g6fuzz
