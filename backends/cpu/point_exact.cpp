// SPDX-License-Identifier: MIT
// Short sums over point masses by the force kernels of the direct sum (kernels.cpp), whose
// differences of positions are as good as those of doubles.  Points do not move, only slots behind
// the last point are empty, and no point is left out as the target itself.
#include "point_sums.h"

#include "../../libg6gpu/base/parallel.h"

namespace g6::cpu {

// The largest coordinate of points and targets relative to an origin.
double CpuPointSums::extent_of(int n, const PointTargets &targets, const double *origin) const
{
    double extent = 0;
    const auto note = [&](const double x[3]) {
        for (int d = 0; d < 3; d++) extent = std::max(extent, std::fabs(x[d] - origin[d]));
    };
    for (int k = 0; k < n; k++) note(x_[static_cast<size_t>(k)]);
    for (int k = 0; k < targets.n; k++) note(targets.x[k]);
    return extent;
}

// Brings near 1 the larger one of the extent and the largest softening length, and the largest
// mass.
Scale CpuPointSums::scale_for(int n, double extent, const PointTargets &targets) const
{
    double most_eps2 = targets.eps2[0];
    for (int k = 1; targets.eps2_stride && k < targets.n; k++)
        most_eps2 = std::max(most_eps2, targets.eps2[k]);
    return {unit_of(std::max(extent, std::sqrt(most_eps2))),
            unit_of(points_.largest(mass_.data(), n)), 1};
}

// Every point is alive and has index 0.  The last tile is filled up with copies of the last point,
// which have no mass and are not alive.
template <class Real> void CpuPointSums::fill_tiles(int n, const Scale &scale)
{
    if (tiles_n_ == n && tiles_real_ == sizeof(Real) && tiles_scale_ == scale) return;
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
    tiles_real_ = sizeof(Real);
    tiles_n_ = n;
}

template <class Real>
void CpuPointSums::sum_exactly(int n, const PointTargets &targets, const Scale &scale, int threads,
                               double (*acc)[3], double *pot)
{
    fill_tiles<Real>(n, scale);
    const double length = scale.length;
    const auto kernel = kernels_.force[sizeof(Real) == 8][0][0];
    // Units are powers of two here.  Their product may be out of range where a result is not.
    const int pot_exponent = std::ilogb(scale.length) - std::ilogb(scale.mass),
              acc_exponent = pot_exponent + std::ilogb(scale.length);
    const auto run = [&](int first, int last) {
        for (int bundle = first; bundle < last; bundle++) {
            const int from = bundle * kBundle, count = std::min(kBundle, targets.n - from);
            IParticle i[kBundle];
            Partial out[kBundle];
            for (int k = 0; k < count; k++) {
                const double *x = targets.x[from + k];
                const double eps2 = targets.eps2[(from + k) * targets.eps2_stride];
                i[k] = {{x[0] * length, x[1] * length, x[2] * length},
                        eps2 * length * length,
                        -1,
                        0,
                        {},
                        0};
                out[k] = kNothing;
            }
            kernel(marks_.data(), nullptr, tiles_.data(), 0, static_cast<int>(marks_.size()), i,
                   count, out);
            for (int k = 0; k < count; k++) {
                for (int d = 0; d < 3; d++)
                    acc[from + k][d] = std::ldexp(out[k].acc[d], acc_exponent);
                pot[from + k] = std::ldexp(out[k].pot, pot_exponent);
            }
        }
    };
    const int bundles = (targets.n + kBundle - 1) / kBundle;
    if (threads > 1)
        parallel_ranges(threads, bundles, run);
    else
        run(0, bundles);
}

template void CpuPointSums::sum_exactly<float>(int, const PointTargets &, const Scale &, int,
                                               double (*)[3], double *);
template void CpuPointSums::sum_exactly<double>(int, const PointTargets &, const Scale &, int,
                                                double (*)[3], double *);

}  // namespace g6::cpu
