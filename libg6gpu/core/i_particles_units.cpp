// SPDX-License-Identifier: MIT
// Chooses the units of length, mass and velocity in which the devices compute a block.  They are
// the units of the j-particle store, changed where the i-particles or the softening need other
// ones, so that every intermediate stays within the range of float or double
// (libg6gpu/formulas/range.h).
#include "i_particles.h"

#include "../base/vec3.h"
#include "../particles/common_velocity.h"

#include "../formulas/range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace g6 {
namespace {

// Makes the unit of the potential, length / mass, a double (g6_units()).  Devices that compute in
// double have the range for masses as large as this makes them; otherwise they are up to 2^60.
void fit_mass(Scale &scale)
{
    constexpr int kMost = 1000;
    const int excess = std::ilogb(scale.length) - std::ilogb(scale.mass) - kMost;
    if (excess > 0) scale.mass = std::ldexp(scale.mass, excess);
}

// Keeps G6Units::rate, which is scale.length / scale.velocity, a double by a larger scale.velocity.
// Velocities in device units grow by as much: devices that compute in double take them up to
// G6_FASTEST_DOUBLE, some 2^332.
void fit_rate(Scale &scale)
{
    constexpr int kMost = 1000;
    const int excess = std::ilogb(scale.length) - std::ilogb(scale.velocity) - kMost;
    if (excess > 0) scale.velocity = std::ldexp(scale.velocity, excess);
}

}  // namespace

// What devices can compute with in a unit of length, in the caller's units.
struct IParticles::Range {
    Range(const Scale &scale, bool narrow);
    // The arguments are extremes of one i-particle or of several: of the largest coordinate, and of
    // the neighbour radius squared.  `smallest` leaves out i-particles at the origin, which have no
    // length of their own; HUGE_VAL: all are there.
    bool holds(double largest, double smallest, double least_h2, double greatest_h2) const
    {
        return largest < beyond && smallest >= nearest &&
               (least_h2 == 0 || least_h2 >= least_radius2) && holds_radius(greatest_h2);
    }
    // All j-particles are within an infinite radius, wherever devices put them.
    bool holds_radius(double h2) const { return h2 < wide_radius2 || !finite(h2); }

    double beyond;         // r^-3 of a pair is in the range of the sums up to this coordinate
    double nearest;        // distances from bodies at the origin count as 0 below this one
    double least_square;   // smaller squares of softened distances count as 0
    double least_radius2;  // comparisons of smaller squares of distances may lose digits
    double clamped;        // devices may bring j-particles nearer from this coordinate on
    double wide_radius2;   // radii that hold such a j-particle in its new place
    double apart;          // doubles from this one on differ by 2^-473 units at least, or not
};

IParticles::Range::Range(const Scale &scale, bool narrow)
{
    const double unit = 1 / scale.length;
    beyond = (narrow ? 0x1p37 : 0x1p301) * unit;
    nearest = 0x1p-290 * unit;  // its square is above G6_COINCIDENT
    least_square = G6_COINCIDENT * unit * unit;
    least_radius2 = 0x1p-960 * unit * unit;
    clamped = (narrow ? 0.99 * G6_FARTHEST : 0.99 * G6_FARTHEST_DOUBLE) * unit;
    wide_radius2 = clamped * clamped;
    apart = 0x1p-420 * unit;
}

Scale IParticles::scale(JStore &store, const StrayMasses &masses, bool narrow, bool jerk)
{
    Scale scale = store.scale(masses.nj, narrow, masses.t);
    closest_ = store.units().lengthless() ? 0 : std::sqrt(G6_COINCIDENT) / scale.length;
    fit_length(scale, masses, narrow);
    if (!narrow) fit_mass(scale);
    if (jerk) fit_velocity(scale, store, narrow);
    drop_vanishing_eps2(Range(scale, narrow));
    return scale;
}

// j-particles that lie close together at the origin, as a lone body does whose position is a
// rounding error, give a unit of length in which r^-3 of a distant i-particle vanishes.  Where all
// i-particles are that far, the nearest of them sets the unit.
void IParticles::fit_far(Scale &scale, const Range &range)
{
    double nearest = extremes_.farthest;
    for (const G6IRecord &i : kept_records()) nearest = std::min(nearest, largest(i.x));
    if (nearest >= range.beyond) scale.length = length_factor(nearest);
}

// Makes strays of the i-particles that is_stray() is true of.  One that is a stray already is at
// rest at the origin, where no test is true of it.
template <class F> void IParticles::set_aside(const F &is_stray)
{
    std::vector<Stray> found;
    for (int k = 0; k < size(); k++)
        if (is_stray(kept_records()[k])) found.push_back({k, kept_records()[k]});
    if (found.empty()) return;
    HostBuffer<G6IRecord> &kept = changeable_records();
    for (const Stray &s : found) kept[s.number] = {{}, {}, s.i.eps2, 0, s.i.index, s.i.aold};
    extremes_ = Extremes{};
    for (const G6IRecord &i : kept) extremes_.add(i);
    strays_.insert(strays_.end(), found.begin(), found.end());
    std::sort(strays_.begin(), strays_.end(),
              [](const Stray &a, const Stray &b) { return a.number < b.number; });
}

double IParticles::raised_radius2(double h2, const double x[3]) const
{
    const bool is_apart =
        std::min({std::fabs(x[0]), std::fabs(x[1]), std::fabs(x[2])}) >= apart_from_;
    return h2 > 0 && h2 < raised_below_ && is_apart ? raised_below_ : h2;
}

// Raises neighbour radii that are too small for devices, where this changes no list: nobody is
// closer to an i-particle whose coordinates are all `apart` than 2^-473 units, but those at its
// very position.
void IParticles::raise_radii(const Range &range)
{
    raised_below_ = range.least_radius2;
    apart_from_ = range.apart;
    extremes_ = Extremes{};
    for (G6IRecord &i : changeable_records()) {
        i.h2 = raised_radius2(i.h2, i.x);
        extremes_.add(i);
    }
}

// Where all j-particles lie at the origin, i-particles and softening set the unit of length.  A
// very large softening sets it too, since no other length matters beside it.  Radii as wide as
// devices have j-particles that they bring nearer are in their range where there is no such
// j-particle.
void IParticles::fit_length(Scale &scale, const StrayMasses &masses, bool narrow)
{
    const double eps = std::sqrt(extremes_.eps2);
    if (masses.store.units().lengthless()) {
        double size = eps;
        for (const G6IRecord &i : kept_records()) size = std::max(size, largest(i.x));
        scale.length = length_factor(size);
    }
    scale.length = fit_length_to_softening(scale.length, eps, narrow);
    Range range(scale, narrow);
    if (extremes_.farthest >= range.beyond) {
        fit_far(scale, range);
        range = Range(scale, narrow);
    }
    if (extremes_.least_h2 > 0 && extremes_.least_h2 < range.least_radius2) raise_radii(range);
    if (!range.holds_radius(extremes_.greatest_h2) && !any_beyond(masses, range.clamped, threads_))
        range.wide_radius2 = HUGE_VAL;
    if (!range.holds(extremes_.farthest, extremes_.nearest, extremes_.least_h2,
                     extremes_.greatest_h2))
        set_aside([&](const G6IRecord &i) {
            const double size = largest(i.x);
            return !range.holds(size, Extremes::positive(size), i.h2, i.h2);
        });
}

// A softening whose square would underflow in these units becomes 0.
void IParticles::drop_vanishing_eps2(const Range &range)
{
    if (extremes_.least_eps2 == 0 || extremes_.least_eps2 >= range.least_square) return;
    extremes_.least_of_all_eps2 = 0;
    vanishing_eps2_ = range.least_square;
    for (G6IRecord &i : changeable_records())
        if (i.eps2 < vanishing_eps2_) i.eps2 = 0;
}

bool IParticles::stands_for_eps2(double kept, double given) const
{
    return kept == 0 && given >= 0 && given < vanishing_eps2_;
}

// The largest components of the velocities that are numbers and not 0.
std::vector<double> IParticles::speeds()
{
    std::vector<double> found;
    for (const G6IRecord &i : kept_records())
        if (finite3(i.v) && any(i.v)) found.push_back(largest(i.v));
    return found;
}

// Makes strays of the i-particles whose velocity differs from `common` in a component by this much
// or more.
void IParticles::set_fast_aside(const double common[3], double first_beyond)
{
    for (G6IRecord &i : changeable_records())
        if (!finite3(i.v)) std::fill_n(i.v, 3, std::numeric_limits<double>::quiet_NaN());
    set_aside([&](const G6IRecord &i) {
        return finite3(i.v) && largest_difference(i.v, common) >= first_beyond;
    });
    extremes_ = Extremes{};
    for (const G6IRecord &i : kept_records()) extremes_.add(i);
}

// Where no j-particle moves, the i-particles set the unit of velocity.  They also set it where most
// of them are beyond the range of the j-particles' unit, as beside a lone j-particle that a
// rounding error moves in a system at rest; but not if the j-particles would be too slow for it.
// The common velocity is then set to 0: it does not matter beside such i-particles.  An i-particle
// that is too fast for the unit, measured from the common velocity, is a stray.
void IParticles::fit_velocity(Scale &scale, const JStore &store, bool narrow)
{
    constexpr int kMostAbove = 100;  // powers of two between the two units
    if (store.units().speedless()) {
        const std::vector<double> own = speeds();
        if (!own.empty()) scale.velocity = velocity_factor(own, narrow);
    }
    if (!narrow) fit_rate(scale);
    const int most = std::ilogb(narrow ? G6_FASTEST : G6_FASTEST_DOUBLE);
    const auto first_beyond = [&] { return std::ldexp(1.0, most - std::ilogb(scale.velocity)); };
    if (narrow && extremes_.speed >= first_beyond() && !store.units().speedless()) {
        const std::vector<double> own = speeds();
        const auto fast = std::count_if(own.begin(), own.end(),
                                        [&](double speed) { return speed >= first_beyond(); });
        const double factor = velocity_factor(own, narrow);
        if (2 * static_cast<size_t>(fast) > own.size() &&
            std::ilogb(scale.velocity) - std::ilogb(factor) <= kMostAbove)
            scale = {scale.length, scale.mass, factor};
    }
    const double *common = scale.common_velocity;
    if (extremes_.speed + largest(common) >= first_beyond()) set_fast_aside(common, first_beyond());
    if (narrow)
        store.units().bound_velocity(scale, extremes_.speed, std::sqrt(extremes_.least_eps2));
}

}  // namespace g6
