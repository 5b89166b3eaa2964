// SPDX-License-Identifier: MIT
// What is typical of a system, and how far a walk may be off.
#include "truth_numbers.h"

namespace g6fuzz {
namespace {

// A unit is 1 where the typical exponent is no farther from 0 than `comfortable`, and never above
// 2^most.
struct Limits {
    int comfortable, most;
};
constexpr Limits kLengths = {4, 500}, kOthers = {24, 1000}, kSpeedsInDouble = {24, 700};

Real unit_of(int exponent, const Limits &limits)
{
    return std::abs(exponent) <= limits.comfortable
               ? Real(1)
               : std::ldexp(Real(1), std::max(-limits.most, std::min(limits.most, exponent)));
}

// Typical is the median; one that was taken a few writes ago lies between the quartiles.
void find_unit(std::vector<int> &exponents, Real &low, Real &high, const Limits &limits)
{
    low = high = 1;
    if (exponents.empty()) return;
    std::sort(exponents.begin(), exponents.end());
    const size_t n = exponents.size();
    low = unit_of(exponents[n / 4], limits);
    high = unit_of(exponents[std::min(n - 1, 3 * n / 4)], limits);
}

}  // namespace

// Of an i-particle whose velocity is finite.
static void note_speed(std::vector<int> &to, const IParticle &i)
{
    const Real speed = std::max({std::fabs(i.v[0]), std::fabs(i.v[1]), std::fabs(i.v[2])});
    if (speed > 0 && std::isfinite(speed) && std::isfinite(i.v[0] + i.v[1] + i.v[2]))
        to.push_back(std::ilogb(speed));
}

void Truth::note_drift(Real heaviest)
{
    std::vector<int> all, heavy;
    for (const Body &b : body_) {
        const Real size = std::max({std::fabs(b.x[0]), std::fabs(b.x[1]), std::fabs(b.x[2])});
        if (!(size > 0) || !std::isfinite(size)) continue;
        all.push_back(std::ilogb(size));
        if (std::fabs(Real(b.p->mass)) >= std::ldexp(heaviest, -61)) heavy.push_back(all.back());
    }
    for (std::vector<int> *exponents : {&all, &heavy}) {
        Unit drifted;
        find_unit(*exponents, drifted.low, drifted.high, kLengths);
        units_.length.high = std::max(units_.length.high, drifted.high);
    }
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
    for (const Body &b : body_) {
        most_mass = std::max(most_mass, std::fabs(Real(b.p->mass)));
        most_speed = std::max(most_speed, largest(b.p->v));
    }
    for (const Body &b : body_)
        for (Real x : b.x) tells_length_ = tells_length_ || x != 0;
    tells_length_ = tells_length_ || !lengths.empty();
    if (lengths.empty()) {  // all at the origin: the largest length of the i-particles
        Real size = 0;
        for (const IParticle &i : task_.i)
            size = std::max({size, largest(i.x), std::sqrt(Real(i.eps2))});
        note(lengths, size);
    }
    find_unit(lengths, units_.length.low, units_.length.high, kLengths);
    // Particles that are not light beside the heaviest may have a longer unit.
    std::vector<int> heavy_lengths;
    Real heaviest = 0;
    for (const Body &b : body_) heaviest = std::max(heaviest, std::fabs(Real(b.p->mass)));
    for (const Body &b : body_)
        if (b.p->mass != 0 && std::fabs(Real(b.p->mass)) >= std::ldexp(heaviest, -61))
            note(heavy_lengths, largest(b.p->x));
    if (!heavy_lengths.empty()) {
        Unit heavy{};
        find_unit(heavy_lengths, heavy.low, heavy.high, kLengths);
        units_.length.high = std::max(units_.length.high, heavy.high);
    }
    // So may particles that have moved far since they were sent.
    if (float_) note_drift(heaviest);
    // A softening far above the other lengths is the unit.
    for (const IParticle &i : task_.i) {
        const Real eps = std::sqrt(Real(i.eps2));
        if (eps > units_.length.low * 8388608)
            units_.length.high =
                std::max({units_.length.high, eps, unit_of(std::ilogb(eps), kLengths)});
    }
    Limits speeds = kOthers;
    if (velocities.empty()) {  // all at rest: velocities are those of the i-particles
        for (const IParticle &i : task_.i) note_speed(velocities, i);
        if (!float_) speeds = kSpeedsInDouble;
    }
    find_unit(masses, units_.mass.low, units_.mass.high, kOthers);
    find_unit(velocities, units_.velocity.low, units_.velocity.high, speeds);
    fastest_ = (float_ ? kFastestFloat : kFastestDouble) * units_.velocity.low;
    // A mass or velocity that float could not hold makes the unit larger.
    const Real range = std::ldexp(Real(1), -60);
    units_.mass.high = std::max(units_.mass.high, most_mass * range);
    units_.velocity.high = std::max(units_.velocity.high, most_speed * range);
    if (!float_) return;
    for (const IParticle &i : task_.i) {
        const Real speed = largest(i.v);
        if (speed < 8 * kFastestFloat * std::max(units_.velocity.high, most_speed / kFastestFloat))
            most_speed = std::max(most_speed, speed);
    }
    units_.velocity.high = std::max(units_.velocity.high, most_speed * range);
    // Nor their product.
    bool soft = false;
    for (const IParticle &i : task_.i) soft = soft || i.eps2 > 0;
    const Real product = most_mass / units_.mass.low * std::ldexp(Real(1), soft ? -60 : -100);
    units_.velocity.high = std::max(units_.velocity.high, most_speed * product);
    if (body_.empty() || body_[0].p->address != 0) return;
    // The first mass may be the unit, so that equal masses are exact in float.
    const Real first = std::fabs(Real(body_[0].p->mass));
    const Real room = std::ldexp(Real(1), 26);
    if (first * room < units_.mass.low || first > units_.mass.high * room || first == 0) return;
    units_.mass.low = std::min(units_.mass.low, first);
    units_.mass.high = std::max(units_.mass.high, first);
}

// An i-particle is out of range where its largest coordinate is 2^37 (float) or 2^301 (double)
// units or more, and perhaps from half of that on.  Where all are, the nearest one is the unit.
Truth::Reach Truth::reach(const IParticle &i) const
{
    Reach reach{false, false, units_.length, farthest_};
    const Real size = largest(i.x), far = std::ldexp(Real(1), float_ ? 37 : 301);
    const auto exact = [&] { return Reach{true, any_lost_, units_.length, 0}; };
    if (size == 0) return reach;
    const Unit &unit = units_.length;
    if (size < std::ldexp(unit.low, -291) && i.eps2 < 1e-181L * unit.low * unit.low) return exact();
    if (size < far / 2 * unit.low) return reach;
    Real nearest = size;
    for (const IParticle &other : task_.i) nearest = std::min(nearest, largest(other.x));
    const bool is_unit = nearest >= far * unit.high;
    if (is_unit || nearest >= far / 2 * unit.low) {
        const Real own = unit_of(std::ilogb(nearest), kLengths);
        reach.length = {is_unit ? own : unit.low, std::max(unit.high, own)};
    }
    if (size >= far * reach.length.high) return exact();
    if (float_) reach.farthest = kFarthestFloat / 4 * reach.length.low;
    // Whether it is among the bodies that count as far depends on the unit.
    reach.lost = reach.farthest > 0 && size > reach.farthest / 64;
    return reach;
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
            for (int k = 0; k < 3 && !reach(i).exact; k++) {
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
