// SPDX-License-Identifier: MIT
// Kernels for short lists of point masses (point_sums.h), one table for each instruction set.
//
// Invariants
//  * Rows hold points in blocks of one vector's lanes: x, y, z and a fourth value of a block stand
//    behind each other, in float.  The last block is filled up with points whose fourth value is 0.
//  * Kernel files instantiate no template of the standard library (tiles.h).
#pragma once

namespace g6::cpu {

constexpr int kMostLanes = 16;

// Units of rows: x = (position - middle) length, and the fourth value likewise.
struct RowUnits {
    double middle[3], length, fourth;
};

// Points that are to be packed.  fourth: masses, or eps2 of targets.
struct Points {
    const double (*x)[3];
    const double *fourth;
    int fourth_stride;  // 1, or 0 for one value that serves all
    int n;
};

// Where to copy the points, too; both null: nowhere.
struct PointCopy {
    double (*x)[3];
    double *fourth;
};

// Largest sizes, in the rows' units.  Infinite where a value, given or in these units, is infinite
// or NaN in float.
struct Packed {
    float most_x, most_fourth;
};

struct PointKernels {
    // Whether all values are finite and below 2^1000.
    bool (*usable)(const double *values, long long n);
    double (*largest)(const double *values, long long n);  // of |values|
    // Writes the rows of points: 4 kMostLanes floats for each kMostLanes of them, rounded up.
    Packed (*pack)(const Points &points, const RowUnits &units, float *rows, PointCopy copy);
    // Sums over n points for targets first ... last-1: ax, ay, az, and the positive potential.
    // The arguments of all square roots are normal numbers.
    void (*sums)(const float *points, int n, const float *targets, int first, int last,
                 double (*out)[4]);
    // Mean relative error of the estimate of 1/sqrt(x) that sums() computes with.
    double (*root_bias)();
};

const PointKernels &point_kernels_generic();
#if defined(__x86_64__)
const PointKernels &point_kernels_avx2();
const PointKernels &point_kernels_avx512();
#endif

}  // namespace g6::cpu
