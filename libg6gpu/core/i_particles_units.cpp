// SPDX-License-Identifier: MIT
// Chooses the units of length, mass and velocity in which the devices compute a block.  They are
// the units of the j-particle store, changed where the i-particles or the softening need other
// ones, so that every intermediate stays within the range of float or double
// (libg6gpu/formulas/range.h).
#include "i_particles.h"

#include "../base/vec3.h"

#include "../formulas/range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace g6 {
namespace {

// The smaller of the two; 0 means that there is no such value.
double least_positive(double a, double b)
{
    return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

// Binary exponents of an i-particle's largest coordinate in device units.  Up to kFarthest r^-3 of
// a pair is in the range of the sums.  Below kNearest distances from bodies at the origin count as
// 0, since their squares are below G6_COINCIDENT.
constexpr int kFarthest = 36, kFarthestInDouble = 300, kNearest = -290;

int farthest_bits(bool narrow)
{
    return narrow ? kFarthest : kFarthestInDouble;
}

// Binary exponent of a length > 0 in device units.
int bits_of(double length, const Scale &scale)
{
    return std::ilogb(length) + std::ilogb(scale.length);
}

// Smaller squares of lengths, in the caller's units, may underflow or count as 0 on a device.
double least_square(const Scale &scale)
{
    return G6_COINCIDENT / scale.length / scale.length;
}

}  // namespace

void IParticles::Extremes::add(const G6IRecord &r)
{
    const double size = largest(r.x);
    add(Extremes{r.eps2, r.eps2, r.h2, largest(r.v), size, size > 0 ? size : HUGE_VAL, r.eps2});
}

void IParticles::Extremes::add(const Extremes &other)
{
    if (other.eps2 > eps2) eps2 = other.eps2;
    least_eps2 = least_positive(least_eps2, other.least_eps2);
    least_h2 = least_positive(least_h2, other.least_h2);
    if (other.speed > speed && finite(other.speed)) speed = other.speed;
    farthest = std::max(farthest, other.farthest);
    nearest = std::min(nearest, other.nearest);
    least_of_all_eps2 = std::min(least_of_all_eps2, other.least_of_all_eps2);
}

Scale IParticles::scale(JStore &store, int nj, bool narrow, bool jerk)
{
    Scale scale = store.scale(nj, narrow);
    fit_length(scale, store, narrow);
    if (jerk) fit_velocity(scale, store, narrow);
    return scale;
}

// j-particles that lie close together at the origin, as a lone body does whose position is a
// rounding error, give a unit of length in which r^-3 of a distant i-particle vanishes.  Where all
// i-particles are that far, the nearest of them sets the unit.
void IParticles::fit_far(Scale &scale, bool narrow) const
{
    const int far = farthest_bits(narrow);
    if (extremes_.farthest == 0 || bits_of(extremes_.farthest, scale) <= far) return;
    double nearest = extremes_.farthest;
    for (const G6IRecord &i : records()) nearest = std::min(nearest, largest(i.x));
    if (nearest > 0 && bits_of(nearest, scale) > far) scale.length = JStore::length_factor(nearest);
}

// An i-particle at the origin has no length of its own, so that only its neighbour radius may make
// a stray of it.
void IParticles::set_strays_aside(const Scale &scale, bool narrow)
{
    const int far = farthest_bits(narrow);
    const double least_h2 = least_square(scale);
    const auto fits = [&](double largest, double smallest, double h2) {
        if (h2 > 0 && h2 < least_h2) return false;
        return largest == 0 ||
               (bits_of(largest, scale) <= far && bits_of(smallest, scale) >= kNearest);
    };
    if (fits(extremes_.farthest, extremes_.nearest, extremes_.least_h2)) return;
    const auto is_stray = [&](const G6IRecord &i) {
        return !fits(largest(i.x), largest(i.x), i.h2);
    };
    for (int k = 0; k < size(); k++)
        if (is_stray(records()[k])) strays_.push_back({k, records()[k]});
    if (strays_.empty()) return;
    twin_ = StagedI::kNone;
    HostBuffer<G6IRecord> &kept = changeable_records();
    for (const Stray &s : strays_) kept[s.number] = {{}, {}, s.i.eps2, 0, s.i.index, s.i.aold};
    extremes_ = Extremes{};
    for (const G6IRecord &i : kept) extremes_.add(i);
}

// Where all j-particles lie at the origin, i-particles and softening set the unit of length.  A
// very large softening sets it too, since no other length matters beside it.  A softening whose
// square would underflow in these units becomes 0.
void IParticles::fit_length(Scale &scale, const JStore &store, bool narrow)
{
    const double eps = std::sqrt(extremes_.eps2);
    if (store.lengthless()) {
        double size = eps;
        for (const G6IRecord &i : records()) size = std::max(size, largest(i.x));
        scale.length = JStore::length_factor(size);
    }
    scale.length = JStore::fit_length(scale.length, eps, narrow);
    fit_far(scale, narrow);
    set_strays_aside(scale, narrow);
    const double least = least_square(scale);
    if (extremes_.least_eps2 == 0 || extremes_.least_eps2 >= least) return;
    twin_ = StagedI::kNone;
    extremes_.least_of_all_eps2 = 0;
    for (G6IRecord &i : changeable_records())
        if (i.eps2 < least) i.eps2 = 0;
}

// Where no j-particle moves, the i-particles set the unit of velocity.  An i-particle whose
// velocity is beyond the range gets the jerk NaN; the other i-particles keep right results.
void IParticles::fit_velocity(Scale &scale, const JStore &store, bool narrow)
{
    if (store.speedless()) {
        std::vector<double> speeds;
        for (const G6IRecord &i : records())
            if (finite3(i.v)) speeds.push_back(largest(i.v));
        scale.velocity = JStore::velocity_factor(speeds);
    }
    const int most = std::ilogb(narrow ? G6_FASTEST : G6_FASTEST_DOUBLE);
    const auto beyond = [&](double speed) {
        return speed > 0 && std::ilogb(speed) + std::ilogb(scale.velocity) >= most;
    };
    if (beyond(extremes_.speed)) {
        extremes_.speed = 0;
        twin_ = StagedI::kNone;
        for (G6IRecord &i : changeable_records()) {
            if (!finite3(i.v) || beyond(largest(i.v)))
                std::fill_n(i.v, 3, std::numeric_limits<double>::quiet_NaN());
            extremes_.add(i);
        }
    }
    if (narrow) store.fit_velocity(scale, extremes_.speed, std::sqrt(extremes_.least_eps2));
}

}  // namespace g6
