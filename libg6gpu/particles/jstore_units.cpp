// SPDX-License-Identifier: MIT
// The units in which devices compute, chosen from a sample of the j-particles (JStore::scale()).
#include "jstore.h"

#include "common_velocity.h"
#include "predictor.h"
#include "../base/status.h"
#include "../base/vec3.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>

namespace g6 {
namespace {

// All limits are binary exponents; a float holds 2^-126 ... 2^127.

// Masses and velocities need no scaling when their median is between 2^-24 and 2^24.
constexpr int kComfortable = 24;

// Lengths need none between 2^-4 and 2^4, as in N-body units.  Devices sum pairs closer than some
// 3e-7 units, and particles farther than some 2^25, with more care and more slowly
// (formulas/range.h).
constexpr int kComfortableLength = 4;

// The largest mass or velocity in device units: its product with r^-3 of a close pair is a float.
constexpr int kMostBits = 60;

// The largest softening over the typical length: typical lengths then keep 26 powers in float.
constexpr int kMostSoftening = 100;

// The largest mass times the largest velocity, in device units.
constexpr int kMostProductBits = 100;

// The velocity of a particle that has been accelerated since it was sent, in units of velocity, from
// which on predicted velocities are looked at.  Devices limit velocities from 2^62 units on.
constexpr int kFastBits = 40;

// Particles slower than this share of the common velocity are apart from it.  The velocity of a
// faster one grows at most by a factor 1 + 1 / kSlow, two bits, when it is subtracted, in whatever
// direction the particle moves.
constexpr double kSlow = 1.0 / 3;

// Particles of a sample.
constexpr int kSamples = 129;

// The factor of lengths, whose square must be a finite double, and the other factors.
constexpr int kMostLength = 500, kMost = 1000;

// The same for velocities of i-particles in double.  No double is beyond the range of velocities in
// units of 2^700 (G6_FASTEST_DOUBLE), and slow i-particles beside such fast ones keep their digits.
constexpr int kMostVelocityDouble = 700;

bool beyond_float(double largest, double factor)
{
    return largest > 0 && std::ilogb(largest) + std::ilogb(factor) > kMostBits;
}

// Whether products with so small a mass or velocity may vanish.  HUGE_VAL: there is none.
bool below_float(double least, double factor)
{
    return least < HUGE_VAL && std::ilogb(least) + std::ilogb(factor) < -kMostBits;
}

// A heavy particle that is farther than so many powers of two of the unit of length asks for a new
// sample: r^-3 vanishes from 2^37 units on (IParticles::Range).
constexpr int kFarBits = 30;

// Of an even number of values: a long unit of length harms nobody, but a large unit of mass or
// velocity takes digits from small values.
enum class Median { kLower, kUpper };

// Power of two near 1/median of values with these binary exponents, or 1 where the median is
// comfortable.  most: bound on the result's exponent.
double power_of_two(std::vector<int> &exponents, Median median, int most, int comfortable)
{
    if (exponents.empty()) return 1.0;
    const size_t n = exponents.size();
    auto middle =
        exponents.begin() + static_cast<long>(median == Median::kLower ? (n - 1) / 2 : n / 2);
    std::nth_element(exponents.begin(), middle, exponents.end());
    return std::abs(*middle) <= comfortable
               ? 1.0
               : std::ldexp(1.0, -std::max(-most, std::min(most, *middle)));
}

// The unit of length for lengths with these binary exponents.
double length_of(std::vector<int> &exponents)
{
    return power_of_two(exponents, Median::kUpper, kMostLength, kComfortableLength);
}

// The upper median, INT_MIN where there is none.
int median_of(std::vector<int> &exponents)
{
    if (exponents.empty()) return INT_MIN;
    const auto middle = exponents.begin() + static_cast<long>(exponents.size() / 2);
    std::nth_element(exponents.begin(), middle, exponents.end());
    return *middle;
}

// Mass from which on a particle is heavy beside others as heavy as `largest`.
double least_heavy(double largest)
{
    return std::max(std::ldexp(largest, -kMostBits), std::numeric_limits<double>::denorm_min());
}

void add_exponent(std::vector<int> &exponents, double value)
{
    if (value > 0) exponents.push_back(std::ilogb(value));
}

}  // namespace

double JStore::length_factor(double size)
{
    std::vector<int> lengths;
    add_exponent(lengths, size);
    return power_of_two(lengths, Median::kUpper, kMostLength, kComfortableLength);
}

double JStore::fit_length(double factor, double eps, bool narrow)
{
    const int bits = eps > 0 ? std::ilogb(eps) + std::ilogb(factor) : 0;
    if (narrow && bits > kMostSoftening)
        throw Error(G6_ERR_ARGUMENT,
                    "softening sqrt(eps2) = %g is more than 1e30 times the typical length %g; "
                    "set G6_PRECISION=double, whose range holds it",
                    eps, 1 / factor);
    return bits > kComfortable ? length_factor(eps) : factor;
}

double JStore::velocity_factor(const std::vector<double> &speeds, bool narrow)
{
    std::vector<int> exponents;
    for (double speed : speeds) add_exponent(exponents, speed);
    // In double slow ones keep their digits in a large unit, too, and so does a fast one.
    const Median median = narrow ? Median::kLower : Median::kUpper;
    return power_of_two(exponents, median, narrow ? kMost : kMostVelocityDouble, kComfortable);
}

void JStore::fit_velocity(Scale &scale, double speed, double eps) const
{
    speed = std::max(speed, noted_.speed);
    if (speed == 0) return;
    const int mass_bits =
        noted_.mass > 0 ? std::max(0, std::ilogb(noted_.mass) + std::ilogb(scale.mass)) : 0;
    const int eps_bits = eps > 0 ? std::min(0, std::ilogb(eps) + std::ilogb(scale.length)) : 0;
    // The largest velocity at most doubles when the common one is subtracted.
    const int twice = any(scale.common_velocity) ? 1 : 0,
              product = std::max(kMostBits, std::min(kMostProductBits, 122 + 3 * eps_bits)),
              most = std::min(kMostBits, product - mass_bits) - twice;
    if (std::ilogb(speed) + std::ilogb(scale.velocity) > most)
        scale.velocity = std::ldexp(1.0, most - std::ilogb(speed));
}

Scale JStore::scale(int nj, bool float_mass, double t)
{
    nj = std::min(nj, high_water_);
    // The sample is renewed once as many particles were written as could move the median.
    const auto written_since = static_cast<long long>(revision_ - scale_revision_);
    if (nj != scale_nj_ || written_since >= std::max(1, std::min(nj, live_) / 4) ||
        (written_since > 0 && (scale_bounded_ || is_outgrown())))
        sample_scale(nj);
    Scale scale = scale_;
    scale_drifted_ = float_mass && drifts_away(t);
    if (scale_drifted_) scale.length = predicted_length_factor(nj, t);
    scale_predicted_ = float_mass && outruns_unit(t);
    if (scale_predicted_) scale.velocity = predicted_velocity_factor(nj, t);
    if (float_mass && !scale_predicted_ && moves_together(nj, t)) {
        std::copy(scale_common_, scale_common_ + 3, scale.common_velocity);
        scale.velocity = scale_apart_;
    }
    const double first = written(0) ? std::fabs(record(0).mass) : 0.0;
    if (float_mass && first > 0 &&
        std::abs(std::ilogb(first) + std::ilogb(scale.mass)) <= kComfortable &&
        !beyond_float(noted_.mass, 1 / first))
        scale.mass = 1 / first;
    return scale;
}

// Whether a particle written since the last sample is out of range in the units of that sample,
// which may have been chosen from few particles.
bool JStore::is_outgrown() const
{
    return beyond_float(noted_.mass, scale_.mass) || beyond_float(noted_.speed, scale_.velocity) ||
           (scale_massless_ && below_float(noted_.least_mass, scale_.mass)) ||
           (scale_speedless_ && below_float(noted_.least_speed, scale_.velocity)) ||
           (scale_few_heavy_ && noted_.heavy_length > 0 &&
            std::ilogb(noted_.heavy_length) + std::ilogb(scale_.length) > kFarBits);
}

// Whether typical particles have been accelerated to velocities far above the unit.
bool JStore::outruns_unit(double t) const
{
    const double s = std::fabs(t - scale_time_);
    return scale_acc_ > INT_MIN && s > 0 && finite(s) &&
           scale_acc_ + std::ilogb(s) + std::ilogb(scale_.velocity) > kFastBits;
}

// Whether the common velocity of the sample serves at time t: accelerations have changed it by at
// most a quarter since the particles were sent, the largest velocity is a float in the unit of the
// differences, and no particle is slow.  A pair of slow particles would lose the digits of its
// relative velocity.
bool JStore::moves_together(int nj, double t)
{
    const double common = largest(scale_common_), s = std::fabs(t - scale_time_);
    if (common == 0 || beyond_float(std::max(common, noted_.speed), scale_apart_)) return false;
    // |a| < 2^(scale_acc_ + 2), and s is below twice its power of two.
    const bool accelerates = scale_acc_ > INT_MIN && s != 0;
    if (accelerates && !(finite(s) && scale_acc_ + std::ilogb(s) + 3 <= std::ilogb(common) - 2))
        return false;
    return !any_slow(nj, kSlow * common);
}

bool JStore::is_slow(int address, double enough) const
{
    return written(address) && visit(address, [&](const auto &p) {
               if constexpr (std::is_same_v<decltype(p), const G6JRecord &>)
                   return p.mass != 0 && largest(p.v) < enough;
               else
                   return p.mass != 0;
           });
}

// Whether a particle in slots 0 ... nj-1 that has mass is slower than `enough`.  All are looked at
// only where a slow one was written since they were looked at last; then the first slow one is
// looked at again before the others.
bool JStore::any_slow(int nj, double enough)
{
    if (nj <= looked_at_ && std::min(slowest_, noted_.slowest) >= enough) return false;
    if (slow_one_ < nj && is_slow(slow_one_, enough)) return true;
    for (int a = 0; a < nj; a++)
        if (is_slow(a, enough)) {
            slow_one_ = a;
            return true;
        }
    looked_at_ = nj;
    slowest_ = enough;
    noted_.slowest = HUGE_VAL;
    return false;
}

// Whether typical particles have moved since they were sent to where r^-3 vanishes beside particles
// that did not move.
bool JStore::drifts_away(double t) const
{
    const double s = std::fabs(t - scale_time_);
    if (!(s > 0) || !finite(s)) return false;
    const int most = kFarBits - std::ilogb(scale_.length), bits = std::ilogb(s);
    return (scale_speed_ > INT_MIN && scale_speed_ + bits > most) ||
           (scale_acc_ > INT_MIN && scale_acc_ + 2 * bits > most);
}

double JStore::predicted_length_factor(int nj, double t) const
{
    std::vector<int> lengths, heavy_lengths;
    each_sample(nj, [&](const G6JRecord &r) {
        double x[3], v[3];
        predict(r, t, true, x, v);
        if (!finite3(x)) return;
        add_exponent(lengths, largest(x));
        if (std::fabs(r.mass) >= noted_.heavy) add_exponent(heavy_lengths, largest(x));
    });
    const double of_all = length_of(lengths);
    return std::min(
        {scale_.length, of_all, heavy_lengths.empty() ? of_all : length_of(heavy_lengths)});
}

double JStore::predicted_velocity_factor(int nj, double t) const
{
    std::vector<int> velocities;
    each_sample(nj, [&](const G6JRecord &r) {
        double x[3], v[3];
        predict(r, t, true, x, v);
        if (finite3(v)) add_exponent(velocities, largest(v));
    });
    const double factor = power_of_two(velocities, Median::kLower, kMost, kComfortable);
    return beyond_float(noted_.speed, factor)
               ? std::ldexp(1.0, kMostBits - std::ilogb(noted_.speed))
               : factor;
}

// Calls f with the records of all particles in slots 0 ... nj-1.
template <class F> void JStore::each_written(int nj, F &&f) const
{
    for (int a = 0; a < nj; a++)
        if (written(a)) f(record(a));
}

// Calls f with records of some particles, evenly chosen from those in slots 0 ... nj-1.
template <class F> void JStore::each_sample(int nj, F &&f) const
{
    const int samples = std::min(nj, kSamples);
    // The k-th of `samples` places in 0 ... n-1.
    auto place = [&](int k, int n) {
        return static_cast<int>(static_cast<long long>(k) * n / samples);
    };
    int full = 0;
    for (int k = 0; k < samples; k++) full += written(place(k, nj));
    if (2 * full > samples) {
        for (int k = 0; k < samples; k++)
            if (written(place(k, nj))) f(record(place(k, nj)));
        return;
    }
    // Most slots are empty: choose evenly among the particles, not among the slots.
    int live = 0;
    for (int a = 0; a < nj; a++) live += written(a);
    for (int a = 0, seen = 0, k = 0; a < nj && k < samples; a++) {
        if (!written(a)) continue;
        if (live <= samples || seen == place(k, live)) {
            f(record(a));
            k++;
        }
        seen++;
    }
}

// The unit of length is the median of all particles, or that of the heavy ones where this is longer:
// in a unit that is too short for them, r^-3 of a heavy particle vanishes.  Particles near each
// other lose nothing in a long unit.
void JStore::sample_scale(int nj)
{
    largest_mass_ = std::max(largest_mass_, noted_.mass);
    largest_speed_ = std::max(largest_speed_, noted_.speed);
    const double slowest = noted_.slowest;
    std::vector<int> lengths, masses, velocities, accelerations, heavy_lengths;
    Directions directions;  // of the particles that have mass
    double least = least_heavy(largest_mass_);
    int sampled = 0, heavy = 0;
    const auto add_heavy = [&](const G6JRecord &r) {
        if (std::fabs(r.mass) < least) return;
        heavy++;
        add_exponent(heavy_lengths, largest(r.x));
    };
    each_sample(nj, [&](const G6JRecord &r) {
        sampled++;
        add_heavy(r);
        add_exponent(lengths, largest(r.x));
        add_exponent(masses, std::fabs(r.mass));
        add_exponent(velocities, largest(r.v));
        add_exponent(accelerations, largest(r.a2));
        if (r.mass != 0) directions.add(r.v);
        scale_time_ = sampled == 1 ? r.t : std::min(scale_time_, r.t);
    });
    scale_acc_ = median_of(accelerations);
    scale_speed_ = median_of(velocities);
    scale_massless_ = masses.empty();
    scale_speedless_ = velocities.empty();
    scale_few_heavy_ = 16 * heavy < sampled;
    if (scale_few_heavy_) {
        double heaviest = 0;
        each_written(nj,
                     [&](const G6JRecord &r) { heaviest = std::max(heaviest, std::fabs(r.mass)); });
        least = least_heavy(heaviest);
        heavy_lengths.clear();
        if (heaviest > 0) each_written(nj, add_heavy);
    }
    if (scale_massless_ && largest_mass_ > 0)
        each_written(nj, [&](const G6JRecord &r) { add_exponent(masses, std::fabs(r.mass)); });
    if (scale_speedless_ && largest_speed_ > 0)
        each_written(nj, [&](const G6JRecord &r) { add_exponent(velocities, largest(r.v)); });
    scale_lengthless_ = lengths.empty() && heavy_lengths.empty();
    const double of_all = length_of(lengths);
    scale_ = {heavy_lengths.empty() ? of_all
              : lengths.empty()     ? length_of(heavy_lengths)
                                    : std::min(of_all, length_of(heavy_lengths)),
              power_of_two(masses, Median::kLower, kMost, kComfortable),
              power_of_two(velocities, Median::kLower, kMost, kComfortable)};
    std::fill_n(scale_common_, 3, 0.0);
    if (directions.may_be_common()) sample_common_velocity(nj);
    scale_nj_ = nj;
    scale_revision_ = revision_;
    noted_ = Sizes{};
    noted_.mass = largest_mass_;
    noted_.speed = largest_speed_;
    noted_.heavy = least;
    noted_.slowest = slowest;
    bound_scale();
}

// In a system that moves together the unit of velocity is that of the differences.
void JStore::sample_common_velocity(int nj)
{
    std::vector<std::array<double, 3>> velocities;
    each_sample(nj, [&](const G6JRecord &r) {
        if (r.mass != 0) velocities.push_back({r.v[0], r.v[1], r.v[2]});
    });
    double common[3];
    if (!find_common_velocity(velocities, common)) return;
    std::copy(common, common + 3, scale_common_);
    std::vector<int> differences;
    for (const auto &v : velocities)
        add_exponent(differences, largest_difference(v.data(), scale_common_));
    scale_apart_ = differences.empty()
                       ? scale_.velocity
                       : power_of_two(differences, Median::kLower, kMost, kComfortable);
}

// Lowers the factors of mass and velocity where the largest value would leave the range of float.
void JStore::bound_scale()
{
    auto bound = [](double largest, double &factor) {
        const bool beyond = beyond_float(largest, factor);
        if (beyond) factor = std::ldexp(1.0, kMostBits - std::ilogb(largest));
        return beyond;
    };
    scale_bounded_ = false;
    if (!beyond_float(noted_.mass, scale_.mass) && !beyond_float(noted_.speed, scale_.velocity))
        return;
    // The particles that had the largest values may have been overwritten, or lie in slots that do
    // not act: look for them anew.
    largest_mass_ = largest_speed_ = noted_.mass = noted_.speed = 0;
    for (int a = 0; a < high_water_; a++) {
        if (!written(a)) continue;
        const G6JRecord r = record(a);
        const double mass = std::fabs(r.mass), speed = largest(r.v);
        largest_mass_ = std::max(largest_mass_, mass);
        largest_speed_ = std::max(largest_speed_, speed);
        if (a >= scale_nj_) continue;
        noted_.mass = std::max(noted_.mass, mass);
        noted_.speed = std::max(noted_.speed, speed);
    }
    const bool mass = bound(noted_.mass, scale_.mass), speed = bound(noted_.speed, scale_.velocity);
    scale_bounded_ = mass || speed;
}

}  // namespace g6
