// SPDX-License-Identifier: MIT
// Kernels for short lists of point masses (point_sums.h), one table for each instruction set.
//
// Invariants
//  * Rows hold points in blocks of kBlockPoints: x, y, z and a fourth value of a block stand behind
//    each other, in float.  The last block is filled up with points in the middle, whose fourth
//    value is 0 (of targets: anything).
//  * Kernel files instantiate no template of the standard library (tiles.h).
#pragma once

namespace g6::cpu {

constexpr int kMostLanes = 16;
constexpr int kBlockPoints = 4;         // points of a block
constexpr int kRow = 4 * kBlockPoints;  // floats of a block
// Of pairs that near_sums() takes in float, the smallest softened distance, in the rows' units.
constexpr float kLeastNear = 1.0f / (1 << 28);

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

// Where to copy the points, too; both null: nowhere.  There is room for kMostLanes points behind
// them, whose values stay.
struct PointCopy {
    double (*x)[3];
    double *fourth;
};

// Largest sizes, in the rows' units.  Infinite where a value is NaN, or not finite as a float in
// these units.
struct Packed {
    float most_x, most_fourth;
};

// The values from which the rows were made, for pairs that are summed in double.
struct PointSource {
    Points masses, targets;
    double length, fourth;          // units of the masses' rows
    double acc_factor, pot_factor;  // sums in double are divided by them
};

// acc and pot (positive) are the sums over rows times these units.
struct PointResults {
    double (*acc)[3], *pot;
    double acc_unit, pot_unit;
    double (*sums)[4];  // room for each target, up to a multiple of kMostLanes
};

struct PointKernels {
    // Whether all values are finite and below 2^1000.
    bool (*usable)(const double *values, long long n);
    double (*largest)(const double *values, long long n);  // of |values|
    // Writes the rows of points; there is room for a multiple of kMostLanes points.
    Packed (*pack)(const Points &points, const RowUnits &units, float *rows, PointCopy copy);
    // Results over n masses for targets first ... last-1.  first is a multiple of kMostLanes.  The
    // arguments of all square roots are normal numbers.
    void (*sums)(const float *masses, int n, const float *targets, int first, int last,
                 const PointResults &results);
    // As sums(), for all targets, which need not be packed as rows and have one eps2 for all.
    // units: those of the masses' rows.  Returns false, and writes nothing, where a coordinate is
    // beyond `most`, or NaN.
    bool (*sums_of_given)(const float *masses, int n, const Points &targets, const RowUnits &units,
                          float most, const PointResults &results);
    // As sums(), for pairs at any distance.  Coordinates are below 2^9, masses below 2^30.  Returns
    // the number of pairs that it sums in double.
    long long (*near_sums)(const float *masses, const float *targets, int first, int last,
                           const PointSource &source, const PointResults &results);
    // Mean relative error of the estimate of 1/sqrt(x) that sums() computes with.
    double (*root_bias)();
};

}  // namespace g6::cpu
