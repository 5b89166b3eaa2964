// SPDX-License-Identifier: MIT
// Takes a sample that is spread evenly over the written slots, and forms the medians of its
// lengths, masses and velocities; of all particles, where the sample lacks one of these.
#include "store_sample.h"

#include "common_velocity.h"
#include "jstore.h"
#include "predictor.h"
#include "../base/vec3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace g6 {
namespace {

// Particles of a sample.
constexpr int kSamples = 129;

// Calls f with the records of all particles in slots first ... last-1.
template <class F> void each_written(const JStore &store, int first, int last, F &&f)
{
    for (int a = first; a < last; a++)
        if (store.written(a)) f(store.record(a));
}

// Calls f with records of some particles, evenly chosen from those in slots 0 ... nj-1.
template <class F> void each_sample(const JStore &store, int nj, F &&f)
{
    const int samples = std::min(nj, kSamples);
    // The k-th of `samples` places in 0 ... n-1.
    auto place = [&](int k, int n) {
        return static_cast<int>(static_cast<long long>(k) * n / samples);
    };
    int full = 0;
    for (int k = 0; k < samples; k++) full += store.written(place(k, nj));
    if (2 * full > samples) {
        for (int k = 0; k < samples; k++)
            if (store.written(place(k, nj))) f(store.record(place(k, nj)));
        return;
    }
    // Most slots are empty: choose evenly among the particles, not among the slots.
    int live = 0;
    for (int a = 0; a < nj; a++) live += store.written(a);
    for (int a = 0, seen = 0, k = 0; a < nj && k < samples; a++) {
        if (!store.written(a)) continue;
        if (live <= samples || seen == place(k, live)) {
            f(store.record(a));
            k++;
        }
        seen++;
    }
}

// Mass from which on a particle is heavy beside others as heavy as `largest`.
double least_heavy(double largest)
{
    return std::max(std::ldexp(largest, -kMostBits), std::numeric_limits<double>::denorm_min());
}

// The lengths of heavy particles.
class HeavyLengths {
public:
    explicit HeavyLengths(double heavy) : heavy_(heavy) {}
    void add(const G6JRecord &r)
    {
        if (std::fabs(r.mass) < heavy_) return;
        count_++;
        lengths_.add(largest(r.x));
    }
    int count() const { return count_; }
    double heavy() const { return heavy_; }
    Exponents &lengths() { return lengths_; }

private:
    double heavy_;
    int count_ = 0;
    Exponents lengths_;
};

HeavyLengths all_heavy_lengths(const JStore &store, int nj)
{
    const double heaviest = largest_sizes(store, 0, nj).mass;
    HeavyLengths found(least_heavy(heaviest));
    if (heaviest > 0) each_written(store, 0, nj, [&](const G6JRecord &r) { found.add(r); });
    return found;
}

// The unit of length is the median of all particles, or that of the heavy ones where this is
// longer: in a unit that is too short for them, r^-3 of a heavy particle vanishes.  Particles near
// each other lose nothing in a long unit.
double longer_unit(Exponents &lengths, Exponents &heavy_lengths)
{
    if (heavy_lengths.empty()) return length_factor(lengths);
    if (lengths.empty()) return length_factor(heavy_lengths);
    return std::min(length_factor(lengths), length_factor(heavy_lengths));
}

// In a system that moves together the unit of velocity is that of the differences.
void sample_common_velocity(const JStore &store, StoreSample &s)
{
    std::vector<std::array<double, 3>> velocities;
    each_sample(store, s.nj, [&](const G6JRecord &r) {
        if (r.mass != 0) velocities.push_back({r.v[0], r.v[1], r.v[2]});
    });
    if (!find_common_velocity(velocities, s.common)) return;
    Exponents differences;
    for (const auto &v : velocities) differences.add(largest_difference(v.data(), s.common));
    s.apart = differences.empty() ? s.scale.velocity : velocity_factor(differences);
}

}  // namespace

// Where the sample has no mass, no velocity or next to no heavy particle, all particles are looked
// at.
StoreSample take_sample(const JStore &store, int nj, const LargestSizes &bounds)
{
    StoreSample s;
    s.nj = nj;
    s.revision = store.revision();
    Exponents lengths, masses, velocities, accelerations;
    HeavyLengths heavy(least_heavy(bounds.mass));
    Directions directions;  // of the particles that have mass
    int sampled = 0, moving = 0;
    each_sample(store, nj, [&](const G6JRecord &r) {
        sampled++;
        moving += largest(r.v) > 0;
        heavy.add(r);
        lengths.add(largest(r.x));
        masses.add(std::fabs(r.mass));
        velocities.add(largest(r.v));
        accelerations.add(largest(r.a2));
        if (r.mass != 0) directions.add(r.v);
        s.time = sampled == 1 ? r.t : std::min(s.time, r.t);
    });
    s.acc = accelerations.upper_median();
    s.speed = velocities.upper_median();
    s.massless = masses.empty();
    s.speedless = velocities.empty();
    s.few_heavy = 16 * heavy.count() < sampled;
    if (s.few_heavy) heavy = all_heavy_lengths(store, nj);
    if (s.massless && bounds.mass > 0)
        each_written(store, 0, nj, [&](const G6JRecord &r) { masses.add(std::fabs(r.mass)); });
    if (s.speedless && bounds.speed > 0)
        each_written(store, 0, nj, [&](const G6JRecord &r) { velocities.add(largest(r.v)); });
    s.heavy = heavy.heavy();
    s.lengthless = lengths.empty() && heavy.lengths().empty();
    s.scale = {longer_unit(lengths, heavy.lengths()), mass_factor(masses),
               velocity_factor(velocities)};
    s.few_moving = 16 * moving < sampled && s.scale.velocity != 1;
    if (directions.may_be_common()) sample_common_velocity(store, s);
    return s;
}

PredictedFactors predict_sample(const JStore &store, int nj, double t, double heavy)
{
    Exponents lengths, heavy_lengths, velocities;
    each_sample(store, nj, [&](const G6JRecord &r) {
        double x[3], v[3];
        predict(r, t, true, x, v);
        if (finite3(x)) {
            lengths.add(largest(x));
            if (std::fabs(r.mass) >= heavy) heavy_lengths.add(largest(x));
        }
        if (finite3(v)) velocities.add(largest(v));
    });
    return {longer_unit(lengths, heavy_lengths), velocity_factor(velocities)};
}

LargestSizes largest_sizes(const JStore &store, int first, int last)
{
    LargestSizes found;
    each_written(store, first, last, [&](const G6JRecord &r) {
        found.mass = std::max(found.mass, std::fabs(r.mass));
        found.speed = std::max(found.speed, largest(r.v));
    });
    return found;
}

}  // namespace g6
