// SPDX-License-Identifier: MIT
// The cpu device's PointSums (libg6gpu/point_sums.h): it keeps the points as they were set, and
// copies of them in the layouts of its two kernels.  The head of point_sums.cpp says which kernel
// computes which sum.
//
// Invariants
//  * x_ and mass_ have what was set.  rows_ (for the quick kernel) and tiles_ (for the exact one)
//    are copies that later sums use, too: rows_ of slots 0 ... rows_n_-1, tiles_ of slots
//    0 ... tiles_n_-1.  The number (rows_n_, tiles_n_) of a copy that is out of date is 0.
//  * Units of rows and tiles are powers of two, which round nothing.
#pragma once

#include "tiles.h"

#include "../../libg6gpu/base/host_memory.h"
#include "../../libg6gpu/point_sums.h"

#include <algorithm>
#include <cmath>

namespace g6::cpu {

// A power of two near 1/size, for sizes > 0; else 1.
inline double unit_of(double size)
{
    constexpr int kMostExponent = 1000;
    const int exponent = size > 0 ? std::ilogb(size) : 0;
    return std::ldexp(1.0, -std::clamp(exponent, -kMostExponent, kMostExponent));
}

class CpuPointSums : public PointSums {
public:
    CpuPointSums(const Kernels &kernels, Precision precision)
        : kernels_(kernels), points_(*kernels.points), precision_(precision),
          acc_factor_(1 - 3 * points_.root_bias()), pot_factor_(1 - points_.root_bias())
    {
        for (Marks *m : {&full_, &cut_}) {
            *m = Marks{};
            std::fill(m->alive, m->alive + kTile, -1);
            m->live = kTile;
        }
    }

    DeviceStatus set(int first, int n, const double (*x)[3], const double *mass) override;
    int slots() const override { return static_cast<int>(mass_.size()); }
    Rows x() const override { return x_.data(); }
    const double *mass() const override { return mass_.data(); }
    DeviceStatus sum(int n, const PointTargets &targets, int threads, double (*acc)[3],
                     double *pot) override;
    bool set_at_once(int n, const double (*x)[3], const double *mass) override;
    bool sum_at_once(int n, const PointTargets &targets, double (*acc)[3], double *pot) override;

private:
    [[gnu::noinline]] void grow(int slots);
    double length_for(double eps2);
    bool sizes_fit() const;
    [[gnu::noinline]] bool find_sizes(int n, const PointTargets &targets);
    bool rows_fit_at_once() const;
    void set_units(const RowUnits &units);
    [[gnu::noinline]] void pack(int n, const PointTargets &targets, const RowUnits &units);
    void pack_masses(int n, const RowUnits &units);
    void pack_targets(const PointTargets &targets);
    bool pack_suitably(int n, const PointTargets &targets);
    PointSource source(int n, const PointTargets &targets) const;
    bool sum_quickly(int n, const PointTargets &targets, int threads, double (*acc)[3],
                     double *pot);
    PointResults results(double (*acc)[3], double *pot);
    long long sum_near(int n, const PointTargets &targets, int first, int last,
                       const PointResults &results);
    double extent_of(int n, const PointTargets &targets, const double *origin) const;
    Scale scale_for(int n, double extent, const PointTargets &targets) const;
    template <class Real> void fill_tiles(int n, const Scale &scale);
    template <class Real>
    [[gnu::noinline]] void sum_exactly(int n, const PointTargets &targets, const Scale &scale,
                                       int threads, double (*acc)[3], double *pot);

    const Kernels &kernels_;
    const PointKernels &points_;
    const Precision precision_;
    const double acc_factor_, pot_factor_;  // remove the mean error of the root

    HostBuffer<double[3]> x_;
    HostBuffer<double> mass_;

    int rows_n_ = 0;
    RowUnits units_{{}, 1, 1};
    Packed packed_{};
    HostBuffer<float> rows_, target_rows_;
    HostBuffer<double[4]> sums_;
    Packed target_packed_{};
    double acc_unit_ = 1, pot_unit_ = 1;  // of the sums over rows
    double eps2_ = 0, length_ = 1;        // the unit of length for this softening
    bool softened_ = false;               // the rows are for softened sums
    bool at_once_ = false;                // the rows serve sum_at_once()

    int tiles_n_ = 0;
    Scale tiles_scale_;
    size_t tiles_real_ = 0;   // bytes of a number in them
    HostBuffer<char> tiles_;  // Predicted<float> or Predicted<double>
    Marks full_, cut_;        // of a whole tile, and of the last one
    HostBuffer<const Marks *> marks_;
};

}  // namespace g6::cpu
