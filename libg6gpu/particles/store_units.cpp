// SPDX-License-Identifier: MIT
// Decides when a new sample is due, and changes its units where the block's time, the largest
// values or a common velocity need other ones.
#include "store_units.h"

#include "jstore.h"
#include "../base/vec3.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace g6 {
namespace {

// All limits are binary exponents (unit_factors.h).

// The largest mass times the largest velocity, in device units.
constexpr int kMostProductBits = 100;

// Where acceleration since the particles were sent may have brought typical ones to this velocity,
// in device units, the unit of velocity is chosen from predicted velocities.  Devices limit
// velocities from 2^62 units on.
constexpr int kFastBits = 40;

// A heavy particle that is farther than so many powers of two of the unit of length asks for a new
// sample: r^-3 vanishes from 2^37 units on (IParticles::Range).
constexpr int kFarBits = 30;

// Particles slower than this share of the common velocity are apart from it.  The velocity of a
// faster one grows at most by a factor 1 + 1 / kSlow, two bits, when it is subtracted, in whatever
// direction the particle moves.
constexpr double kSlow = 1.0 / 3;

bool is_slow(const JStore &store, int address, double enough)
{
    return store.written(address) && store.visit(address, [&](const auto &p) {
        if constexpr (std::is_same_v<decltype(p), const G6JRecord &>)
            return p.mass != 0 && largest(p.v) < enough;
        else
            return p.mass != 0;
    });
}

}  // namespace

Scale StoreUnits::choose(const JStore &store, int nj, bool narrow, double t)
{
    nj = std::min(nj, store.high_water());
    if (is_outdated(store, nj)) sample(store, nj);
    Scale scale = sample_.scale;
    drifted_ = narrow && drifts_away(t);
    outran_ = narrow && outruns_unit(t);
    if (drifted_ || outran_) {
        const PredictedFactors predicted = predict_sample(store, nj, t, sample_.heavy);
        if (drifted_) scale.length = std::min(scale.length, predicted.length);
        if (outran_) scale.velocity = factor_within_float(noted_.speed, predicted.velocity);
    }
    if (narrow && !outran_ && moves_together(store, nj, t)) {
        std::copy(sample_.common, sample_.common + 3, scale.common_velocity);
        scale.velocity = sample_.apart;
    }
    const double first = store.written(0) ? std::fabs(store.record(0).mass) : 0.0;
    if (narrow && first > 0 &&
        std::abs(std::ilogb(first) + std::ilogb(scale.mass)) <= kComfortable &&
        !beyond_float(noted_.mass, 1 / first))
        scale.mass = 1 / first;
    return scale;
}

// The sample is renewed once as many particles were written as could move the median, or one that
// the units do not serve.  Where the largest values decide, or a few moving particles, any particle
// may.
bool StoreUnits::is_outdated(const JStore &store, int nj) const
{
    const auto written_since = static_cast<long long>(store.revision() - sample_.revision);
    return nj != sample_.nj || written_since >= std::max(1, std::min(nj, store.live()) / 4) ||
           (written_since > 0 && (bounded_ || sample_.few_moving || is_outgrown()));
}

// Whether a particle written since the last sample is out of range in the units of that sample,
// which may have been chosen from few particles.
bool StoreUnits::is_outgrown() const
{
    const Scale &scale = sample_.scale;
    return beyond_float(noted_.mass, scale.mass) || beyond_float(noted_.speed, scale.velocity) ||
           (sample_.massless && below_float(noted_.least_mass, scale.mass)) ||
           (sample_.speedless && below_float(noted_.least_speed, scale.velocity)) ||
           (sample_.few_heavy && noted_.heavy_length > 0 &&
            std::ilogb(noted_.heavy_length) + std::ilogb(scale.length) > kFarBits);
}

void StoreUnits::sample(const JStore &store, int nj)
{
    largest_.mass = std::max(largest_.mass, noted_.mass);
    largest_.speed = std::max(largest_.speed, noted_.speed);
    sample_ = take_sample(store, nj, largest_);
    const double slowest = noted_.slowest;  // belongs to any_slow(), not to the sample
    noted_ = Sizes{};
    noted_.mass = largest_.mass;
    noted_.speed = largest_.speed;
    noted_.heavy = sample_.heavy;
    noted_.slowest = slowest;
    bound_sample(store);
}

// Lowers the factors of mass and velocity where the largest value would leave the range of float.
void StoreUnits::bound_sample(const JStore &store)
{
    Scale &scale = sample_.scale;
    const auto is_beyond = [&] {
        return beyond_float(noted_.mass, scale.mass) || beyond_float(noted_.speed, scale.velocity);
    };
    bounded_ = false;
    if (!is_beyond()) return;
    // The particles that had the largest values may have been overwritten, or lie in slots that do
    // not act: look for them anew.
    const LargestSizes acting = largest_sizes(store, 0, sample_.nj),
                       others = largest_sizes(store, sample_.nj, store.high_water());
    noted_.mass = acting.mass;
    noted_.speed = acting.speed;
    largest_.mass = std::max(acting.mass, others.mass);
    largest_.speed = std::max(acting.speed, others.speed);
    bounded_ = is_beyond();
    scale.mass = factor_within_float(noted_.mass, scale.mass);
    scale.velocity = factor_within_float(noted_.speed, scale.velocity);
}

// Whether typical particles have moved since they were sent to where r^-3 vanishes beside particles
// that did not move.
bool StoreUnits::drifts_away(double t) const
{
    const double s = std::fabs(t - sample_.time);
    if (!(s > 0) || !finite(s)) return false;
    const int most = kFarBits - std::ilogb(sample_.scale.length), bits = std::ilogb(s);
    return (sample_.speed > INT_MIN && sample_.speed + bits > most) ||
           (sample_.acc > INT_MIN && sample_.acc + 2 * bits > most);
}

// Whether typical particles have been accelerated to velocities far above the unit.
bool StoreUnits::outruns_unit(double t) const
{
    const double s = std::fabs(t - sample_.time);
    return sample_.acc > INT_MIN && s > 0 && finite(s) &&
           sample_.acc + std::ilogb(s) + std::ilogb(sample_.scale.velocity) > kFastBits;
}

// Whether the common velocity of the sample serves at time t: accelerations have changed it by at
// most a quarter since the particles were sent, the largest velocity is a float in the unit of the
// differences, and no particle is slow.  A pair of slow particles would lose the digits of its
// relative velocity.
bool StoreUnits::moves_together(const JStore &store, int nj, double t)
{
    const double common = largest(sample_.common), s = std::fabs(t - sample_.time);
    if (common == 0 || beyond_float(std::max(common, noted_.speed), sample_.apart)) return false;
    // |a| < 2^(acc + 2), and s is below twice its power of two.
    const bool accelerates = sample_.acc > INT_MIN && s != 0;
    if (accelerates && !(finite(s) && sample_.acc + std::ilogb(s) + 3 <= std::ilogb(common) - 2))
        return false;
    return !any_slow(store, nj, kSlow * common);
}

// Whether a particle in slots 0 ... nj-1 that has mass is slower than `enough`.  All are looked at
// only where a slow one was written since they were looked at last; then the first slow one is
// looked at again before the others.
bool StoreUnits::any_slow(const JStore &store, int nj, double enough)
{
    if (nj <= looked_at_ && std::min(slowest_, noted_.slowest) >= enough) return false;
    if (slow_one_ < nj && is_slow(store, slow_one_, enough)) return true;
    for (int a = 0; a < nj; a++)
        if (is_slow(store, a, enough)) {
            slow_one_ = a;
            return true;
        }
    looked_at_ = nj;
    slowest_ = enough;
    noted_.slowest = HUGE_VAL;
    return false;
}

void StoreUnits::bound_velocity(Scale &scale, double speed, double eps) const
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

}  // namespace g6
