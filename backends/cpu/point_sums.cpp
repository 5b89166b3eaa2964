// SPDX-License-Identifier: MIT
// Point masses and short sums over them (libg6gpu/point_sums.h), by one of two kernels:
//
//  * The quick one (point_forces.h), in precision single.  Positions are rounded to float relative
//    to slot 0.  It has two forms:
//     - Softened: the unit of length is the smallest softening length eps of the targets.  Where
//       every coordinate is within kFarthest, a difference of two is off by at most 2^-10 eps, so
//       that a pair at the distance eps is about as good as the estimate of a root with AVX2 makes
//       it.
//     - Near, for all other softenings, and for none: pairs so near that float positions are not
//       good enough are summed in double.  The unit of length is of the size of the list.
//  * The exact one (point_exact.cpp), in precisions mixed and double: differences of positions are
//    taken in double.  Precision single uses the exact kernel, too, where the quick one finds too
//    many near pairs, or values beyond the range of float.
#include "point_sums.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/settings/debug.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <new>

namespace g6::cpu {
namespace {

constexpr float kFarthest = 16384;

// Limits of a list's size in the rows' units.  A list whose size is below kLeastSize, because its
// softening is far longer, would have accelerations that vanish in float: the exact kernel sums it
// in double.
constexpr float kLeastSize = 0x1p-60f, kMostSize = 0x1p60f;

// Limits of the largest mass in the rows' units: sums must not overflow, and no digits of a light
// mass vanish.
constexpr float kMostMass = 0x1p30f, kLeastMass = 0x1p-40f;

// The largest softening length whose pairs do not vanish in float beside smaller softenings, in
// units in which a list's size is from 2^-8 to 2^8.
constexpr double kMostSoftening = 0x1p20;

// Targets of one call of a kernel, the same for any number of threads.
constexpr int kTargetsOfCall = 16;

// The unit of length for lists of this size that have near pairs: 2^(16 k), in which the size is
// from 2^-8 to 2^8.  Few lists of a run change the unit; where one does, its rows are packed twice.
double near_unit(double size)
{
    if (!(size > 0)) return 1;
    const double sixteenths = std::floor((std::ilogb(size) + 8) / 16.0);
    return std::ldexp(1.0, static_cast<int>(std::clamp(-16 * sixteenths, -1008.0, 1008.0)));
}

size_t row_floats(int n)
{
    return (static_cast<size_t>(n) + kMostLanes - 1) / kMostLanes * 4 * kMostLanes;
}

}  // namespace

// ---- masses ------------------------------------------------------------------------------------

void CpuPointSums::grow(int slots)
{
    const auto wanted = static_cast<size_t>(slots), old = mass_.size();
    rows_.reserve(row_floats(slots));
    const size_t capacity =
        std::max(wanted, 2 * old) + kMostLanes;  // pack() writes behind the last
    x_.reserve(capacity);
    mass_.reserve(capacity);
    std::fill_n(*x_.append(wanted - old), 3 * (wanted - old), 0.0);
    std::fill_n(mass_.append(wanted - old), wanted - old, 0.0);
}

double CpuPointSums::length_for(double eps2)
{
    if (eps2_ != eps2) {
        eps2_ = eps2;
        length_ = unit_of(std::sqrt(eps2));
    }
    return length_;
}

DeviceStatus CpuPointSums::set(int first, int n, const double (*x)[3], const double *mass)
{
    rows_n_ = tiles_n_ = 0;
    at_once_ = false;
    try {
        if (first + n > slots()) grow(first + n);
    } catch (...) {
        return kDeviceOutOfMemory;
    }
    bool usable = true;
    if (first == 0 && x && mass && precision_ == Precision::kSingle) {
        usable =
            set_at_once(n, x, mass) || (points_.usable(x[0], 3LL * n) && points_.usable(mass, n));
        rows_n_ = usable ? n : 0;
    } else {
        const auto from = static_cast<size_t>(first), count = static_cast<size_t>(n);
        usable = (!x || points_.usable(x[0], 3LL * n)) && (!mass || points_.usable(mass, n));
        if (x) std::copy_n(x[0], 3 * count, x_[from]);
        if (mass) std::copy_n(mass, count, &mass_[from]);
    }
    if (usable) return kDeviceOk;
    std::fill_n(x_[static_cast<size_t>(first)], 3 * static_cast<size_t>(n), 0.0);
    std::fill_n(&mass_[static_cast<size_t>(first)], n, 0.0);
    return kDeviceUnsupported;
}

// Whether pack_suitably() would find that rows about slot 0 suffice, in the softened form, for the
// softening of the last list and targets within kFarthest.
bool CpuPointSums::rows_fit_at_once() const
{
    return softened_ && units_.length == length_ && packed_.most_x >= kLeastSize &&
           packed_.most_x <= kFarthest && packed_.most_fourth >= kLeastMass &&
           packed_.most_fourth <= kMostMass;
}

// Packs in the units of the last sum, since the next sum is likely to need the same.
bool CpuPointSums::set_at_once(int n, const double (*x)[3], const double *mass)
{
    if (precision_ != Precision::kSingle || n > slots()) return false;
    rows_n_ = tiles_n_ = 0;
    for (int d = 0; d < 3; d++) units_.middle[d] = x[0][d];
    packed_ = points_.pack({x, mass, 1, n}, units_, rows_.data(), {x_.data(), mass_.data()});
    at_once_ = rows_fit_at_once();
    if (!at_once_ && !(std::isfinite(packed_.most_x) && std::isfinite(packed_.most_fourth)))
        return false;
    rows_n_ = n;
    return true;
}

bool CpuPointSums::sum_at_once(int n, const PointTargets &targets, double (*acc)[3], double *pot)
{
    if (!at_once_ || rows_n_ != n || targets.eps2_stride != 0 || targets.eps2[0] != eps2_ ||
        static_cast<size_t>(targets.n) > sums_.size())
        return false;
    return points_.sums_of_given(rows_.data(), n, {targets.x, targets.eps2, 0, targets.n}, units_,
                                 kFarthest, results(acc, pot));
}

DeviceStatus CpuPointSums::sum(int n, const PointTargets &targets, int threads, double (*acc)[3],
                               double *pot)
{
    try {
        if (precision_ == Precision::kSingle && sum_quickly(n, targets, threads, acc, pot))
            return kDeviceOk;
        if (!points_.usable(targets.x[0], 3LL * targets.n)) return kDeviceUnsupported;
        const double extent = extent_of(n, targets, targets.x[0]);
        const Scale scale = scale_for(n, extent, targets);
        // Beside the largest softening, pairs with the smallest one may vanish in float.
        const bool vanishes = extent * scale.length * kMostSoftening < 1;
        if (precision_ == Precision::kDouble || vanishes)
            sum_exactly<double>(n, targets, scale, threads, acc, pot);
        else
            sum_exactly<float>(n, targets, scale, threads, acc, pot);
        return kDeviceOk;
    } catch (...) {  // std::bad_alloc is all that there can be
        return kDeviceOutOfMemory;
    }
}

// ---- the quick kernel --------------------------------------------------------------------------

void CpuPointSums::set_units(const RowUnits &units)
{
    if (units.length != units_.length || units.fourth != units_.fourth) {
        pot_unit_ = units.length / units.fourth;
        acc_unit_ = units.length * pot_unit_;
    }
    units_ = units;
}

void CpuPointSums::pack_masses(int n, const RowUnits &units)
{
    rows_n_ = 0;
    set_units(units);
    packed_ = points_.pack({x_.data(), mass_.data(), 1, n}, units, rows_.data(), {});
    rows_n_ = n;
}

void CpuPointSums::pack_targets(const PointTargets &targets)
{
    const double(&m)[3] = units_.middle, length = units_.length;
    target_packed_ = points_.pack({targets.x, targets.eps2, targets.eps2_stride, targets.n},
                                  {{m[0], m[1], m[2]}, length, length * length},
                                  target_rows_.renew(row_floats(targets.n)), {});
}

void CpuPointSums::pack(int n, const PointTargets &targets, const RowUnits &units)
{
    pack_masses(n, units);
    pack_targets(targets);
}

bool CpuPointSums::sizes_fit() const
{
    const float size = std::max(packed_.most_x, target_packed_.most_x);
    return size >= kLeastSize && size <= kMostSize && target_packed_.most_fourth <= FLT_MAX;
}

// Packs in units in which the sizes fit.  Returns whether there are such units.  All points may lie
// at one place.
bool CpuPointSums::find_sizes(int n, const PointTargets &targets)
{
    RowUnits units = units_;
    const double extent = extent_of(n, targets, units.middle);
    double size = extent;
    for (int k = 0; k < (targets.eps2_stride ? targets.n : 1); k++)
        size = std::max(size, std::sqrt(targets.eps2[k]));
    units.length = unit_of(size);
    pack(n, targets, units);
    return sizes_fit() || (extent == 0 && std::max(packed_.most_x, target_packed_.most_x) == 0);
}

// Packs masses and targets for the form that fits the list.  Returns whether one fits.
bool CpuPointSums::pack_suitably(int n, const PointTargets &targets)
{
    at_once_ = false;
    if (rows_n_ != n)
        pack_masses(n, {{x_[0][0], x_[0][1], x_[0][2]}, units_.length, units_.fourth});
    pack_targets(targets);
    if (!sizes_fit() && !find_sizes(n, targets)) return false;
    double least = targets.eps2[0];
    for (int k = 1; targets.eps2_stride && k < targets.n; k++)
        least = std::min(least, targets.eps2[k]);
    const float most_x = std::max(packed_.most_x, target_packed_.most_x);
    softened_ = false;
    RowUnits units = units_;
    if (least >= std::numeric_limits<double>::min()) {
        const double wanted = length_for(least), most = kFarthest,
                     ratio = wanted == units.length ? 1 : wanted / units.length;
        softened_ = most_x * ratio <= most && (most_x * ratio >= kLeastSize || most_x == 0) &&
                    target_packed_.most_fourth * (ratio * ratio) <= most * most;
    }
    if (softened_)
        units.length = length_;
    else
        units.length = near_unit(most_x / units.length);
    if (packed_.most_fourth > kMostMass || packed_.most_fourth < kLeastMass)
        units.fourth = unit_of(points_.largest(mass_.data(), n));
    if (units.length != units_.length || units.fourth != units_.fourth) pack(n, targets, units);
    if (!std::isnormal(acc_unit_)) return softened_ = false;
    if (!softened_ && !(target_packed_.most_fourth <= kMostSoftening * kMostSoftening))
        return false;
    at_once_ = rows_fit_at_once();
    return true;
}

PointSource CpuPointSums::source(int n, const PointTargets &targets) const
{
    return {{x_.data(), mass_.data(), 1, n},
            {targets.x, targets.eps2, targets.eps2_stride, targets.n},
            units_.length,
            units_.fourth,
            acc_factor_,
            pot_factor_};
}

PointResults CpuPointSums::results(double (*acc)[3], double *pot)
{
    return {acc, pot, acc_unit_ * acc_factor_, pot_unit_ * pot_factor_, sums_.data()};
}

long long CpuPointSums::sum_near(int n, const PointTargets &targets, int first, int last,
                                 const PointResults &results)
{
    return points_.near_sums(rows_.data(), target_rows_.data(), first, last, source(n, targets),
                             results);
}

bool CpuPointSums::sum_quickly(int n, const PointTargets &targets, int threads, double (*acc)[3],
                               double *pot)
{
    if (!pack_suitably(n, targets)) return false;
    if (const size_t wanted = row_floats(targets.n) / 4; sums_.size() < wanted) sums_.renew(wanted);
    const PointResults out = results(acc, pot);
    const int first = softened_ ? 0 : std::min(kTargetsOfCall, targets.n);
    // Where many pairs of the first targets are near, the exact kernel sums the whole list.
    if (first > 0 && sum_near(n, targets, 0, first, out) > first + 1LL * first * n / 8)
        return false;
    const auto run = [&](int from, int to) {
        const int begin = first + from * kTargetsOfCall,
                  end = std::min(first + to * kTargetsOfCall, targets.n);
        if (softened_)
            points_.sums(rows_.data(), n, target_rows_.data(), begin, end, out);
        else
            sum_near(n, targets, begin, end, out);
    };
    const int shares = (targets.n - first + kTargetsOfCall - 1) / kTargetsOfCall;
    if (threads > 1)
        parallel_ranges(threads, shares, run);
    else if (shares > 0)
        run(0, shares);
    return true;
}

}  // namespace g6::cpu

namespace g6 {

PointSums *make_point_sums(Precision precision, const char *debug) noexcept
{
    try {
        const cpu::Kernels *kernels = cpu::choose_kernels(debug_value(debug, "isa").c_str());
        if (!kernels) kernels = cpu::choose_kernels("");
        return new cpu::CpuPointSums(*kernels, precision);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

}  // namespace g6
