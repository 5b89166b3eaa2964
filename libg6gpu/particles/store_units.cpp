// SPDX-License-Identifier: MIT
// Draws a sample of the j-particles, evenly over the written slots.  The units follow from the
// sample's median length, mass and velocity, and from the largest values of all particles.
#include "store_units.h"

#include "jstore.h"
#include "../base/vec3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace g6 {
namespace {

// Particles of a sample.
constexpr int kSamples = 129;

// All limits are binary exponents; a float holds 2^-126 ... 2^127.
struct Limits {
    int comfortable;  // a median between 2^-comfortable and 2^comfortable needs no unit
    // In units, the largest value must be below 2^(most + 1) and the median at least 2^least.
    int most, least;
    // Where the sample has no median, the largest value takes its place, with an exponent of at
    // most `lone`.
    int lone;
};
// r^-3 of a pair is above 2^-117 for coordinates up to G6_FARTHEST, four times the limit of the
// coordinates that the client sends.  Devices sum pairs closer than some 3e-7 units with more care
// and more slowly (range.h).
constexpr Limits kLength = {4, 34, -40, INT_MAX};
// The largest softening: s^-3, and its product with a small mass, are floats.
constexpr int kSoftest = 20;
// The product of the largest mass or velocity with r^-3 of a close pair is a float.
constexpr Limits kMass = {24, 60, -60, INT_MAX};
// Where less than a sixteenth of the sample moves, no median is used.  The largest velocity then
// does not make the unit larger than 1, which would take digits from slow i-particles.
constexpr Limits kSpeed = {24, 60, -60, 0};
// Greatest exponent of a unit.  The unit of the jerk, mass times velocity over length cubed, is
// then within the range of double, also where the unit of mass is the mass of the first particle.
constexpr int kMostUnit = 199;

// Calls f with some particles, evenly chosen from those in slots 0 ... nj-1.
template <class F> void each_sample(const JStore &store, int nj, F &&f)
{
    const int samples = std::min(nj, kSamples);
    // The k-th of `samples` numbers among 0 ... n-1.
    auto sampled = [&](int k, int n) {
        return static_cast<int>(static_cast<long long>(k) * n / samples);
    };
    int slot[kSamples];
    for (int k = 0; k < samples; k++) slot[k] = sampled(k, nj);
    // In a large store the particles are not in the cache: loads them all at the same time.
    for (int k = 0; k < samples; k++) store.prefetch_where(slot[k]);
    for (int k = 0; k < samples; k++) store.prefetch(slot[k]);
    int *const end = std::remove_if(slot, slot + samples, [&](int a) { return !store.written(a); });
    if (2 * (end - slot) > samples) {
        for (const int *a = slot; a < end; a++) f(store.record(*a));
        return;
    }
    // Most slots are empty: choose evenly among the particles, not among the slots.
    int live = 0;
    for (int a = 0; a < nj; a++) live += store.written(a);
    for (int a = 0, seen = 0, k = 0; a < nj && k < samples; a++) {
        if (!store.written(a)) continue;
        if (live <= samples || seen == sampled(k, live)) {
            f(store.record(a));
            k++;
        }
        seen++;
    }
}

// The same as std::ilogb() of a positive finite number, in a tenth of the time.
int exponent_of(double value)
{
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const int exponent = static_cast<int>(bits >> 52);
    return exponent > 0 ? exponent - 1023 : std::ilogb(value);
}

// The binary exponents of at most kSamples values; zeros are left out.
class Exponents {
public:
    void add(double value)
    {
        if (!(value > 0)) return;
        const int exponent = all_[size_++] = exponent_of(value);
        least_ = std::min(least_, exponent);
        most_ = std::max(most_, exponent);
    }
    size_t size() const { return size_; }
    // The two medians may differ where the number of values is even.  INT_MIN: there is no value.
    int lower_median() const { return of_rank(size_ == 0 ? 0 : (size_ - 1) / 2); }
    int upper_median() const { return of_rank(size_ / 2); }

private:
    // Bisects the range of the exponents, which is short.
    int of_rank(size_t rank) const
    {
        if (size_ == 0) return INT_MIN;
        int low = least_, high = most_;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            size_t up_to = 0;
            for (size_t k = 0; k < size_; k++) up_to += all_[k] <= middle;
            if (up_to > rank)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    int all_[kSamples], least_ = INT_MAX, most_ = INT_MIN;
    size_t size_ = 0;
};

// A unit is 2^exponent.
struct Unit {
    int exponent = 0;
    bool fits = true, bounded = false;
    double factor() const { return std::ldexp(1.0, -exponent); }
};

// median: INT_MIN if the sample has none; then `largest` takes its place, or `other` where this is
// 0.  softening: of the block; a large one makes the unit longer, as `largest` does.
Unit unit_of(int median, double largest, double other, const Limits &limits, double softening = 0)
{
    const bool sampled = median > INT_MIN;
    const double known = largest > 0 ? largest : other;
    if (!sampled && !(known > 0)) return {};
    const int typical = sampled ? median : std::min(limits.lone, std::ilogb(known)),
              most = largest > 0 ? std::ilogb(largest) - limits.most : INT_MIN,
              of_typical = std::abs(typical) <= limits.comfortable ? 0 : typical,
              soft = softening > 0 ? std::ilogb(softening) - kSoftest : INT_MIN,
              exponent = std::max({of_typical, most, soft});
    const bool vanishes = sampled && typical - exponent < limits.least;
    return {exponent, !vanishes && std::abs(exponent) <= kMostUnit, !sampled || most > of_typical};
}

// At most kSamples velocities.
struct Velocities {
    std::array<double, 3> all[kSamples];
    size_t n = 0;

    void add(const double v[3]) { all[n++] = {v[0], v[1], v[2]}; }
    const std::array<double, 3> *begin() const { return all; }
    const std::array<double, 3> *end() const { return all + n; }
    // Whether more than a sixteenth are counted.
    bool is_many(std::ptrdiff_t counted) const { return 16 * static_cast<size_t>(counted) > n; }
};

// Finds the common velocity of particles with these velocities.  Returns false, and leaves `common`
// alone, where there is none.
bool find_common_velocity(const Velocities &velocities, double common[3])
{
    // Where there is a common velocity, nearly all velocities have the sign of its largest
    // component.  This test saves the search for medians where directions are random.
    const auto has_a_sign = [&](size_t c) {
        const auto count = [&](auto &&is) {
            return std::count_if(velocities.begin(), velocities.end(), is);
        };
        return !velocities.is_many(count([&](const auto &v) { return !(v[c] > 0); })) ||
               !velocities.is_many(count([&](const auto &v) { return !(v[c] < 0); }));
    };
    if (velocities.n == 0 || (!has_a_sign(0) && !has_a_sign(1) && !has_a_sign(2))) return false;
    double values[kSamples];
    const auto median_of = [&](auto &&value) {
        double *const end = std::transform(velocities.begin(), velocities.end(), values, value),
                      *const middle = values + velocities.n / 2;
        std::nth_element(values, middle, end);
        return *middle;
    };
    double u[3];
    for (size_t c = 0; c < 3; c++) u[c] = median_of([&](const auto &v) { return v[c]; });
    const double typical =
        median_of([&](const auto &v) { return largest_difference(v.data(), u); });
    if (typical > 0)
        for (double &component : u)
            component -= std::remainder(component, std::ldexp(1.0, std::ilogb(typical)));
    if (velocities.is_many(std::count_if(velocities.begin(), velocities.end(), [&](const auto &v) {
            return !(4 * largest_difference(v.data(), u) < largest(u));
        })))
        return false;
    std::copy(u, u + 3, common);
    return true;
}

}  // namespace

Scale StoreUnits::choose(const JStore &store, int nj, bool narrow, const BlockSizes &block)
{
    nj = std::min(nj, store.high_water());
    const bool outdated = is_outdated(store, nj);
    if (outdated) draw_sample(store, nj);
    Scale chosen = scale(narrow, block);
    if ((!fit_ || (outdated && bounded_)) && measured_ != store.revision()) {
        measure(store);
        chosen = scale(narrow, block);
    }
    // The mass of the first particle is the unit where it is near the median: equal masses are then
    // exactly 1 in float.
    const double first = store.written(0) ? std::fabs(store.record(0).mass) : 0.0;
    if (narrow && first > 0 &&
        std::abs(std::ilogb(first) + std::ilogb(chosen.mass)) <= kMass.comfortable &&
        std::max(first, noted_.mass) < std::ldexp(first, kMass.most))
        chosen.mass = 1 / first;
    return chosen;
}

// The sample is drawn anew once a quarter of all particles were written, or of the particles with
// mass, which may be few: so many could move a median.
bool StoreUnits::is_outdated(const JStore &store, int nj) const
{
    const auto written_since = static_cast<long long>(store.revision() - sample_.revision);
    return nj != sample_.nj || written_since >= std::max(1, std::min(nj, store.live()) / 4) ||
           masses_written_ >= std::max(1, sample_.with_mass / 4);
}

// Where the number of values is even, the unit of length follows from the upper median, since a
// long unit of length loses nothing.  The units of mass and velocity follow from the lower median,
// since a large unit takes digits from small values.
//
// The common velocity is that of the particles that have mass.
void StoreUnits::draw_sample(const JStore &store, int nj)
{
    Exponents lengths, masses, speeds, differences;
    Velocities velocities;  // of particles with mass
    size_t sampled = 0;
    each_sample(store, nj, [&](const G6JRecord &particle) {
        const double *const v = particle.v;
        sampled++;
        lengths.add(largest(particle.x));
        masses.add(std::fabs(particle.mass));
        speeds.add(largest(v));
        if (particle.mass != 0) velocities.add(v);
    });
    sample_ = Sample{};
    sample_.nj = nj;
    sample_.revision = store.revision();
    sample_.with_mass = static_cast<int>(static_cast<double>(velocities.n) /
                                         static_cast<double>(std::max<size_t>(1, sampled)) *
                                         std::min(nj, store.live()));
    masses_written_ = 0;
    sample_.length = lengths.upper_median();
    sample_.mass = masses.lower_median();
    if (16 * speeds.size() >= sampled) sample_.speed = speeds.lower_median();
    if (!find_common_velocity(velocities, sample_.common)) return;
    for (const auto &v : velocities) differences.add(largest_difference(v.data(), sample_.common));
    sample_.apart = differences.size() == 0 ? sample_.speed : differences.lower_median();
}

void StoreUnits::measure(const JStore &store)
{
    noted_ = {};
    for (int a = 0; a < store.high_water(); a++) {
        if (!store.written(a)) continue;
        const G6JRecord r = store.record(a);
        noted_.add(std::fabs(r.mass), largest(r.v), largest(r.x));
    }
    measured_ = store.revision();
}

Scale StoreUnits::scale(bool narrow, const BlockSizes &block)
{
    const double longest = std::max(block.length, block.softening);
    const Unit length = unit_of(sample_.length, noted_.length, longest, kLength, block.softening),
               mass = unit_of(sample_.mass, noted_.mass, 0, kMass);
    Unit speed = unit_of(sample_.speed, noted_.speed, block.speed, kSpeed);
    Scale s{length.factor(), mass.factor(), speed.factor()};
    // The largest velocity at most doubles when the common one is subtracted.
    const Unit apart = unit_of(sample_.apart, 2 * noted_.speed, 0, kSpeed);
    if (narrow && any(sample_.common) && apart.fits) {
        std::copy_n(sample_.common, 3, s.common_velocity);
        s.velocity = apart.factor();
        speed = apart;
    }
    fit_ = length.fits && mass.fits && speed.fits;
    bounded_ = length.bounded || mass.bounded || speed.bounded;
    return s;
}

}  // namespace g6
