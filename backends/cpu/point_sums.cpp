// SPDX-License-Identifier: MIT
// Point masses and short sums over them (libg6gpu/point_sums.h), by one of two kernels:
//
//  * The quick one (point_kernels.cpp), in precision single, for softened pairs.  Positions are
//    rounded to float relative to slot 0.  The unit of length is the smallest softening length eps
//    of the targets.  Where every coordinate is within kFarthest of them, a difference of two is off
//    by at most 2^-10 eps, so that a pair at the distance eps is about as good as the estimate of a
//    root with AVX2 makes it.
//  * The exact one (kernels.cpp), in precisions mixed and double: differences of positions are
//    taken in double.  Precision single takes it, too, where it cannot take the quick one.
//
// Invariants
//  * x_ and mass_ have what was set.  rows_ and tiles_ are made of them, for the next sums: rows_
//    of slots 0 ... rows_n_-1, tiles_ of slots 0 ... tiles_n_-1; 0: of nothing that is there.
//  * Units of rows and tiles are powers of two, which round nothing.
#include "tiles.h"

#include "../../libg6gpu/base/host_memory.h"
#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/point_sums.h"
#include "../../libg6gpu/settings/debug.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace g6::cpu {
namespace {

constexpr float kFarthest = 16384;

// A power of two near 1/size, for sizes > 0; else 1.
double unit_of(double size)
{
    constexpr int kMostExponent = 1000;
    const int exponent = size > 0 ? std::ilogb(size) : 0;
    return std::ldexp(1.0, -std::clamp(exponent, -kMostExponent, kMostExponent));
}

size_t row_floats(int n)
{
    return (static_cast<size_t>(n) + kMostLanes - 1) / kMostLanes * 4 * kMostLanes;
}

class CpuPointSums : public PointSums {
public:
    CpuPointSums(const Kernels &kernels, Precision precision)
        : kernels_(kernels), points_(*kernels.points), precision_(precision),
          bias_(points_.root_bias())
    {
        for (Marks *m : {&full_, &cut_}) {
            *m = Marks{};
            std::fill(m->alive, m->alive + kTile, -1);
            m->live = kTile;
        }
    }

    DeviceStatus set(int first, int n, const double (*x)[3], const double *mass,
                     double expected_eps2) override;
    int slots() const override { return static_cast<int>(mass_.size()); }
    Rows x() const override { return x_.data(); }
    const double *mass() const override { return mass_.data(); }
    DeviceStatus sum(int n, const PointTargets &targets, int threads, double (*acc)[3],
                     double *pot) override;

private:
    void grow(int slots);
    bool is_quick(int n, const PointTargets &targets);
    void note_eps2(double eps2);
    void pack_masses(int n);
    void sum_quickly(int n, int ni, int threads, double (*acc)[3], double *pot);
    Scale scale_for(int n, const PointTargets &targets) const;
    template <class Real> void fill_tiles(int n, const Scale &scale);
    template <class Real>
    void sum_exactly(int n, const PointTargets &targets, int threads, double (*acc)[3],
                     double *pot);

    const Kernels &kernels_;
    const PointKernels &points_;
    const Precision precision_;
    const double bias_;

    HostBuffer<double[3]> x_;
    HostBuffer<double> mass_;

    int rows_n_ = 0;
    RowUnits units_{{}, 1, 1};
    Packed packed_{};
    HostBuffer<float> rows_, target_rows_;
    HostBuffer<double[4]> sums_;
    double eps2_ = 0, length_ = 1;  // the unit of length for this softening

    int tiles_n_ = 0;
    Scale tiles_scale_;
    HostBuffer<char> tiles_;  // Predicted<float> or Predicted<double>
    Marks full_, cut_;        // of a whole tile, and of the last one
    HostBuffer<const Marks *> marks_;
};

// ---- masses -----------------------------------------------------------------------------------------

void CpuPointSums::grow(int slots)
{
    const auto wanted = static_cast<size_t>(slots), old = mass_.size();
    if (wanted <= old) return;
    x_.reserve(std::max(wanted, 2 * old));
    mass_.reserve(std::max(wanted, 2 * old));
    std::fill_n(*x_.append(wanted - old), 3 * (wanted - old), 0.0);
    std::fill_n(mass_.append(wanted - old), wanted - old, 0.0);
}

void CpuPointSums::note_eps2(double eps2)
{
    if (eps2_ == eps2) return;
    eps2_ = eps2;
    length_ = unit_of(std::sqrt(eps2));
}

DeviceStatus CpuPointSums::set(int first, int n, const double (*x)[3], const double *mass,
                               double expected_eps2)
{
    try {
        grow(first + n);
        rows_.reserve(row_floats(first + n));
    } catch (...) {
        return kDeviceOutOfMemory;
    }
    rows_n_ = tiles_n_ = 0;
    bool usable = true;
    if (first == 0 && x && mass && precision_ == Precision::kSingle) {
        note_eps2(expected_eps2);
        units_ = {{x[0][0], x[0][1], x[0][2]}, length_, units_.fourth};
        packed_ = points_.pack({x, mass, 1, n}, units_, rows_.data(), {x_.data(), mass_.data()});
        usable = (std::isfinite(packed_.most_x) && std::isfinite(packed_.most_fourth)) ||
                 (points_.usable(x[0], 3LL * n) && points_.usable(mass, n));
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

DeviceStatus CpuPointSums::sum(int n, const PointTargets &targets, int threads, double (*acc)[3],
                               double *pot)
{
    try {
        if (precision_ == Precision::kSingle && is_quick(n, targets))
            sum_quickly(n, targets.n, threads, acc, pot);
        else if (!points_.usable(targets.x[0], 3LL * targets.n))
            return kDeviceUnsupported;
        else if (precision_ == Precision::kDouble)
            sum_exactly<double>(n, targets, threads, acc, pot);
        else
            sum_exactly<float>(n, targets, threads, acc, pot);
        return kDeviceOk;
    } catch (...) {  // std::bad_alloc is all that there can be
        return kDeviceOutOfMemory;
    }
}

// ---- the quick kernel -----------------------------------------------------------------------------

void CpuPointSums::pack_masses(int n)
{
    rows_n_ = 0;
    packed_ = points_.pack({x_.data(), mass_.data(), 1, n}, units_, rows_.data(), {});
    rows_n_ = n;
}

// Makes the rows of masses and targets; whether the quick kernel can serve them.
bool CpuPointSums::is_quick(int n, const PointTargets &targets)
{
    const double *eps2 = targets.eps2;
    const double least =
        targets.eps2_stride == 0 ? eps2[0] : *std::min_element(eps2, eps2 + targets.n);
    if (!(least >= std::numeric_limits<double>::min())) return false;
    note_eps2(least);
    if (rows_n_ != n || units_.length != length_) {
        units_ = {{x_[0][0], x_[0][1], x_[0][2]}, length_, units_.fourth};
        pack_masses(n);
    }
    // Sums must not overflow, and no digits of a light mass vanish.
    if (packed_.most_fourth > 0x1p60f || packed_.most_fourth < 0x1p-40f) {
        units_.fourth = unit_of(points_.largest(mass_.data(), n));
        pack_masses(n);
    }
    if (packed_.most_x > kFarthest) return false;
    const RowUnits units{
        {units_.middle[0], units_.middle[1], units_.middle[2]}, length_, length_ * length_};
    const Packed targeted = points_.pack({targets.x, eps2, targets.eps2_stride, targets.n}, units,
                                         target_rows_.renew(row_floats(targets.n)), {});
    return targeted.most_x <= kFarthest && targeted.most_fourth <= kFarthest * kFarthest &&
           std::isnormal(length_ * (length_ / units_.fourth));
}

void CpuPointSums::sum_quickly(int n, int ni, int threads, double (*acc)[3], double *pot)
{
    double(*sums)[4] = sums_.renew(static_cast<size_t>(ni));
    // The same groups of targets for any number of threads.
    constexpr int kShare = 16;
    const auto run = [&](int first, int last) {
        points_.sums(rows_.data(), n, target_rows_.data(), first * kShare,
                     std::min(last * kShare, ni), sums);
    };
    const int shares = (ni + kShare - 1) / kShare;
    if (threads > 1)
        parallel_ranges(threads, shares, run);
    else
        run(0, shares);
    const double pot_unit = length_ / units_.fourth * (1 - bias_),
                 acc_unit = length_ * (length_ / units_.fourth) * (1 - 3 * bias_);
    for (int k = 0; k < ni; k++) {
        for (int d = 0; d < 3; d++) acc[k][d] = sums[k][d] * acc_unit;
        pot[k] = sums[k][3] * pot_unit;
    }
}

// ---- the exact kernel -----------------------------------------------------------------------------

// Brings the largest distance from the first target, or softening length, near 1.
Scale CpuPointSums::scale_for(int n, const PointTargets &targets) const
{
    double extent = 0, most_eps2 = targets.eps2[0];
    const auto note = [&](const double x[3]) {
        for (int d = 0; d < 3; d++) extent = std::max(extent, std::fabs(x[d] - targets.x[0][d]));
    };
    for (int k = 0; k < n; k++) note(x_[static_cast<size_t>(k)]);
    for (int k = 0; k < targets.n; k++) {
        note(targets.x[k]);
        most_eps2 = std::max(most_eps2, targets.eps2[k * targets.eps2_stride]);
    }
    return {unit_of(std::max(extent, std::sqrt(most_eps2))),
            unit_of(points_.largest(mass_.data(), n)), 1};
}

// All points of a tile are alive and have index 0; those behind the last have no mass, lie on it,
// and are not alive.
template <class Real> void CpuPointSums::fill_tiles(int n, const Scale &scale)
{
    if (tiles_n_ == n && tiles_scale_ == scale) return;
    tiles_n_ = 0;
    const int tiles = (n + kTile - 1) / kTile, rest = n % kTile;
    auto *tile = reinterpret_cast<Predicted<Real> *>(
        tiles_.renew(static_cast<size_t>(tiles) * sizeof(Predicted<Real>)));
    for (int k = 0; k < tiles * kTile; k++) {
        Predicted<Real> &to = tile[k / kTile];
        const int at = k % kTile;
        const auto from = static_cast<size_t>(std::min(k, n - 1));
        for (int d = 0; d < 3; d++) {
            to.x[d][at] = x_[from][d] * scale.length;
            to.v[d][at] = 0;
        }
        to.mass[at] = k < n ? static_cast<Real>(mass_[from] * scale.mass) : Real{};
    }
    for (int at = 0; at < kTile; at++) cut_.alive[at] = rest == 0 || at < rest ? -1 : 0;
    cut_.live = rest == 0 ? kTile : rest;
    if constexpr (sizeof(Real) == 4)
        for (int t = 0; t < tiles; t++) kernels_.split(tile + t);
    std::fill_n(marks_.renew(static_cast<size_t>(tiles)), tiles, &full_);
    marks_[static_cast<size_t>(tiles - 1)] = &cut_;
    tiles_scale_ = scale;
    tiles_n_ = n;
}

template <class Real>
void CpuPointSums::sum_exactly(int n, const PointTargets &targets, int threads, double (*acc)[3],
                               double *pot)
{
    const Scale scale = scale_for(n, targets);
    fill_tiles<Real>(n, scale);
    const double length = scale.length;
    const auto kernel = kernels_.force[sizeof(Real) == 8][0][0];
    const G6Units unit = units_of(scale);
    const auto run = [&](int first, int last) {
        for (int group = first; group < last; group++) {
            const int from = group * kGroup, count = std::min(kGroup, targets.n - from);
            IParticle i[kGroup];
            Partial out[kGroup];
            for (int k = 0; k < count; k++) {
                const double *x = targets.x[from + k];
                const double eps2 = targets.eps2[(from + k) * targets.eps2_stride];
                i[k] = {{x[0] * length, x[1] * length, x[2] * length},
                        {},
                        eps2 * length * length,
                        0,
                        -1};
                out[k] = {{}, {}, 0, std::numeric_limits<double>::infinity(), -1};
            }
            kernel(marks_.data(), nullptr, tiles_.data(), 0, static_cast<int>(marks_.size()), i,
                   count, out);
            for (int k = 0; k < count; k++) {
                for (int d = 0; d < 3; d++) acc[from + k][d] = g6_result_acc(unit, out[k].acc[d]);
                pot[from + k] = g6_result_pot(unit, -out[k].pot);
            }
        }
    };
    const int groups = (targets.n + kGroup - 1) / kGroup;
    if (threads > 1)
        parallel_ranges(threads, groups, run);
    else
        run(0, groups);
}

}  // namespace
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
