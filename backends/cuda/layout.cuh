// SPDX-License-Identifier: MIT
// How a predicted j-particle lies in device memory and in shared memory, for each precision, and
// the position difference that goes with it.  A layout is kPlanes arrays of 16-byte words, one word
// per particle and plane, so that a tile is a few straight copies and the inner loop reads whole
// words.  load() reads particle k of planes that are `stride` words apart: an int in shared memory,
// a size_t in device memory, where twice the distance may be more than 2^31.
//
// Precision of a difference r = x_j - x_i:
//   Split   x = hi + lo in float, r = (hi_j - hi_i) + (lo_j - lo_i): 48 bits
//   Single  positions in float: 24 bits
//   Full    doubles throughout
//
// Close pairs.  In Split, hi + lo differs from a coordinate x by up to 2^-49 |x|.  Of two particles
// near each other hi_j - hi_i is exact, and lo_j - lo_i, which is at most 2^-23 |x|, is rounded by
// at most 2^-48 |x|.  So a component of r has an error of up to
//     e = 2^-47 |x|
// beside the relative error of 2^-24 of any float.  Let X be the largest coordinate of the
// i-particle.  The error of the vector r is at most
//     sqrt(3) 2^-47 X  =  3.5 * 2^-24 |r|    at |r| = 2^-24 X,
// as much as the tolerance of mixed (tests/tolerance.h) allows.  A pair nearer than 2^-24 X is
// close, and is added by differences of doubles.
//     The softening eps does not change this limit.  Deep inside the softening the force m r/eps^3
// is small, but has the relative error of r, and all other forces on the i-particle may be smaller.
// The loop over a tile computes only s^2 = r^2 + eps^2, and keeps the smallest.  If this is below
// (2^-24 X)^2 + eps^2, plus 2^-21 of s^2 for roundings, the tile is added a second time, and each
// pair's r^2 is tested.  Where eps > 2^-14 X, pairs nearer than about eps / 1000 cause this.
#pragma once

#include "kernels.h"

#include <cuda_runtime.h>

namespace g6::cuda {

static __device__ __forceinline__ Word word(double a, double b)
{
    const int2 u = make_int2(__double2loint(a), __double2hiint(a)),
               w = make_int2(__double2loint(b), __double2hiint(b));
    return {make_float4(__int_as_float(u.x), __int_as_float(u.y), __int_as_float(w.x),
                        __int_as_float(w.y))};
}
// The word as two doubles, without the register moves that joining four floats would cost.
static __device__ __forceinline__ const double2 &doubles(const Word &w)
{
    return reinterpret_cast<const double2 &>(w);
}

// One j-particle as the inner loop sees it.
template <class Pos, class Real> struct JParticle {
    Pos x, y, z;
    Real vx, vy, vz, m;
};

struct Pair {  // hi and lo part of a position
    float hi, lo;
};
static __device__ __forceinline__ Pair split(double x)
{
    const float hi = __double2float_rn(x);
    return {hi, __double2float_rn(x - hi)};
}

template <bool kJerk> struct Split {
    using Pos = Pair;
    using Real = float;
    static constexpr int kPlanes = kJerk ? 3 : 2;
    static constexpr bool kRoomy = true;
    static __device__ __forceinline__ Pos position(double x) { return split(x); }
    static __device__ __forceinline__ float difference(Pos j, Pos i)
    {
        return (j.hi - i.hi) + (j.lo - i.lo);
    }
    static __device__ void store(Word *const *plane, int k, const double x[3], const double v[3],
                                 double m)
    {
        const Pair a = split(x[0]), b = split(x[1]), c = split(x[2]);
        plane[0][k] = {make_float4(a.hi, b.hi, c.hi, static_cast<float>(m))};
        plane[1][k] = {make_float4(a.lo, b.lo, c.lo, static_cast<float>(v[0]))};
        if (kJerk)
            plane[2][k] = {
                make_float4(static_cast<float>(v[1]), static_cast<float>(v[2]), 0.0f, 0.0f)};
    }
    template <class Stride>
    static __device__ __forceinline__ JParticle<Pos, Real> load(const Word *tile, Stride stride,
                                                                int k)
    {
        const Word h = tile[k], l = tile[stride + k];
        JParticle<Pos, Real> j{{h.f.x, l.f.x}, {h.f.y, l.f.y}, {h.f.z, l.f.z}, l.f.w,
                               0.0f,           0.0f,           h.f.w};
        if (kJerk) {
            const float2 c = *reinterpret_cast<const float2 *>(&tile[2 * stride + k]);
            j.vy = c.x;
            j.vz = c.y;
        }
        return j;
    }
};

struct Single {
    using Pos = float;
    using Real = float;
    static constexpr int kPlanes = 1;
    static constexpr bool kRoomy = false;
    static __device__ __forceinline__ Pos position(double x) { return static_cast<float>(x); }
    static __device__ __forceinline__ float difference(Pos j, Pos i) { return j - i; }
    static __device__ void store(Word *const *plane, int k, const double x[3], const double *,
                                 double m)
    {
        plane[0][k] = {make_float4(static_cast<float>(x[0]), static_cast<float>(x[1]),
                                   static_cast<float>(x[2]), static_cast<float>(m))};
    }
    template <class Stride>
    static __device__ __forceinline__ JParticle<Pos, Real> load(const Word *tile, Stride, int k)
    {
        const float4 a = tile[k].f;
        return {a.x, a.y, a.z, 0.0f, 0.0f, 0.0f, a.w};
    }
};

template <bool kJerk> struct Full {
    using Pos = double;
    using Real = double;
    static constexpr int kPlanes = kJerk ? 4 : 2;
    static constexpr bool kRoomy = false;
    static __device__ __forceinline__ Pos position(double x) { return x; }
    static __device__ __forceinline__ double difference(Pos j, Pos i) { return j - i; }
    static __device__ void store(Word *const *plane, int k, const double x[3], const double v[3],
                                 double m)
    {
        plane[0][k] = word(x[0], x[1]);
        plane[1][k] = word(x[2], m);
        if (kJerk) {
            plane[2][k] = word(v[0], v[1]);
            plane[3][k] = word(v[2], 0.0);
        }
    }
    template <class Stride>
    static __device__ __forceinline__ JParticle<Pos, Real> load(const Word *tile, Stride stride,
                                                                int k)
    {
        const double2 a = doubles(tile[k]), b = doubles(tile[stride + k]);
        JParticle<Pos, Real> j{a.x, a.y, b.x, 0.0, 0.0, 0.0, b.y};
        if (kJerk) {
            const double2 c = doubles(tile[2 * stride + k]);
            j.vx = c.x;
            j.vy = c.y;
            j.vz = *reinterpret_cast<const double *>(&tile[3 * stride + k]);
        }
        return j;
    }
};

}  // namespace g6::cuda
