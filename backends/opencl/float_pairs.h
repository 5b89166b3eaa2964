// SPDX-License-Identifier: MIT
// Particles for kernels that compute in float, and sums from devices without doubles: a coordinate
// or a sum is a pair of floats, whose value is their sum; all else is one float.
#pragma once

#include "../../libg6gpu/backend.h"

#include <cstddef>

namespace g6::opencl {

inline float high_part(double x)
{
    return static_cast<float>(x);
}
inline float low_part(double x)
{
    return static_cast<float>(x - static_cast<double>(high_part(x)));
}

// A body in device units.
struct Body {
    double x[3], v[3], m;
};
Body body_of(const TreeView &tree, std::size_t place);
// Writes a body as G6_LOAD_J (layout.cl) reads it, in 2 or 3 words of 16 bytes: `step` bytes lie
// from one word to the next.
void put_body(char *to, std::size_t step, int words, const Body &b);

// Bytes of the sums of an i-particle as kernels write them, in device units: acc, jerk and pot,
// each as a double or as two floats.  acc[0] is NaN where floats are not enough, so that the core
// sums the i-particle (Device::finish()).
constexpr std::size_t kSumBytes = 7 * sizeof(double);
// The sums of i-particle n in such an array, in the caller's units.  fp64: they are doubles.
G6Sums sums_of(const char *sums, int n, bool fp64, const G6Units &units);

// Components of an i-particle in floats (pairs.cl).
constexpr int kIFloats = 10;
// Component c of i-particle k, in device units, to value[c * n + k].
void put_i(float *value, std::size_t n, std::size_t k, const G6IRecord &i);

}  // namespace g6::opencl
