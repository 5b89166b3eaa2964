// SPDX-License-Identifier: MIT
// The typical sizes of a system, and how far a walk may be off.
#include "truth_numbers.h"

namespace g6fuzz {
namespace {

// A unit is 1 where the typical exponent is no farther from 0 than `comfortable`.
Real unit_of(int exponent, int comfortable)
{
    return std::abs(exponent) <= comfortable ? Real(1) : std::ldexp(Real(1), exponent);
}

// Typical is the median; one that was taken a few writes ago lies between the quartiles.
void find_unit(std::vector<int> &exponents, Real &low, Real &high, int comfortable)
{
    low = high = 1;
    if (exponents.empty()) return;
    std::sort(exponents.begin(), exponents.end());
    const size_t n = exponents.size();
    low = unit_of(exponents[n / 4], comfortable);
    high = unit_of(exponents[std::min(n - 1, 3 * n / 4)], comfortable);
}

}  // namespace

// The largest value sent may raise a unit, to where it is 2^most.
void Truth::find_units()
{
    const auto find = [&](Unit &unit, int comfortable, int most, auto &&size, Real other) {
        std::vector<int> exponents;
        Real largest = 0;
        for (const Body &b : body_) {
            const Real value = size(*b.p);
            if (value > 0) exponents.push_back(std::ilogb(value));
        }
        for (const JParticle &j : *task_.j) largest = std::max(largest, size(j));
        const Real lone = largest > 0 ? largest : other;
        if (exponents.empty() && lone > 0)
            exponents = {std::ilogb(std::min(Real(1), lone)), std::ilogb(lone)};
        find_unit(exponents, unit.low, unit.high, comfortable);
        unit.high = std::max(unit.high, std::ldexp(largest, -most));
    };
    // Those of the i-particles count where no j-particle has any.
    Real longest = 0, fastest = 0, soft = 0;
    for (const IParticle &i : task_.i) {
        soft = std::max(soft, std::sqrt(Real(i.eps2)));
        longest = std::max({longest, largest(i.x), soft});
        if (finite3(i.v)) fastest = std::max(fastest, largest(i.v));
    }
    find(
        units_.length, 4, 34, [](const JParticle &j) { return largest(j.x); }, longest);
    units_.length.high = std::max(units_.length.high, std::ldexp(soft, -20));
    find(
        units_.mass, 24, 60, [](const JParticle &j) { return std::fabs(Real(j.mass)); }, 0);
    find(
        units_.velocity, 24, 60, [](const JParticle &j) { return largest(j.v); }, fastest);
    if (!float_ || body_.empty() || body_[0].p->address != 0) return;
    // The first mass may be the unit, so that equal masses are exact in float.
    const Real first = std::fabs(Real(body_[0].p->mass));
    const Real room = std::ldexp(Real(1), 26);
    if (first * room < units_.mass.low || first > units_.mass.high * room || first == 0) return;
    units_.mass.low = std::min(units_.mass.low, first);
    units_.mass.high = std::max(units_.mass.high, first);
}

// Where nearly all bodies that have mass move together, velocities are measured from what they have
// in common, and one that differs from it is rounded by a share of the difference.
//
// Let u be the common velocity and U its largest component.  When the library found it, at least
// 15/16 of these bodies differed from it by less than U/4 in each component.  Fewer than 1/4 of
// them were written since, so that 11/16 still do; a sample of 129 may be off by 1/16.  As these
// are more than half, the median c of each component differs from u by less than U/4, too.  So
//     the largest component of c is at least 3/4 U,
//     these bodies differ from c by less than U/2, at most 2/3 of it, in each component,
//     |u| < |c| + sqrt(3) U/4, at most |c| (1 + sqrt(3)/3), below 2 |c|.
void Truth::find_frame()
{
    std::vector<const Body *> massive;
    for (const Body &b : body_)
        if (b.p->mass != 0) massive.push_back(&b);
    const size_t n = massive.size();
    if (n == 0) return;
    Real common[3], most = 0;
    for (int k = 0; k < 3; k++) {
        std::vector<Real> values;
        for (const Body *b : massive) values.push_back(b->p->v[k]);
        std::nth_element(values.begin(), values.begin() + static_cast<long>(n / 2), values.end());
        common[k] = values[n / 2];
        most = std::max(most, std::fabs(common[k]));
    }
    const auto together = std::count_if(massive.begin(), massive.end(), [&](const Body *b) {
        Real d = 0;
        for (int k = 0; k < 3; k++) d = std::max(d, std::fabs(b->p->v[k] - common[k]));
        return d < 2 * most / 3;
    });
    if (8 * static_cast<size_t>(together) >= 5 * n) frame_ = 2 * length(common);
}

// Whether the host is sure to sum the i-particle.
bool Truth::is_exact(const IParticle &i) const
{
    return largest(i.x) >= kFarthest * units_.length.high;
}

// Whether the range of double decides about a pair that the host is not sure to sum.
bool Truth::is_too_close(Real softened_distance) const
{
    return softened_distance < kClosest * units_.length.high;
}

// Cells lie beyond d > l/theta + s (bh) or d > b/theta (bmax): b/d stays below kappa.  With that
//   acc   3 kappa^2 (1+kappa)^2 / (1-kappa)^2  (Salmon & Warren 1994, eq. 9, of the bodies' terms)
//   pot   kappa^2 (1+kappa) / (1-kappa)
//   jerk  15 kappa (1+kappa)^3 / (1-kappa)^4    (cells have a mean velocity)
// twice, for softening and quadrupoles.  Whatever the criterion, d > b: a body is nearer than 2 d,
// so a cell's term is at most 4 times its bodies' (pot: 2, jerk: 8; with the quadrupole's 13
// times).  Criterion multipole: each cell errs by at most theta^4/48 of the typical acceleration;
// combined: or it passes bh at 0.8 theta.
void Truth::find_bounds()
{
    const Settings &s = task_.settings;
    if (s.mode == Mode::kTreeWalk && float_) {
        Real low[3] = {kHuge, kHuge, kHuge}, high[3] = {-kHuge, -kHuge, -kHuge};
        for (const IParticle &i : task_.i)
            for (int k = 0; k < 3 && !is_exact(i); k++) {
                low[k] = std::min(low[k], Real(i.x[k]));
                high[k] = std::max(high[k], Real(i.x[k]));
            }
        Real spread[3];
        for (int k = 0; k < 3; k++) spread[k] = std::max(Real(0), high[k] - low[k]);
        // Positions relative to the middle of a group are floats.
        walk_position_ = std::ldexp(length(spread), -23);
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
    if (s.mac != Mac::kMultipole && s.mac != Mac::kCombined) return;
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
    if (s.mac == Mac::kCombined) {
        const Real k = root3 * 0.8L * t / (1 + root3 * 0.4L * t), one = 1 - k;
        if (k >= 0.9L) return;
        other_acc_ = 6 * k * k * (1 + k) * (1 + k) / (one * one) + rounded;
        other_pot_ = 2 * k * k * (1 + k) / one + rounded;
    }
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

}  // namespace g6fuzz
