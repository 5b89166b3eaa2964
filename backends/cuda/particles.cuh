// SPDX-License-Identifier: MIT
// Functions that several kernels use: they predict a j-particle to the time of the block, keep the
// nearest neighbour, write the sums of an i-particle in the caller's units, and form sums and
// extremes over the lanes of a warp.
#pragma once

#include "kernels.h"
#include "prelude.cuh"

#include "../../libg6gpu/formulas/range.h"
#include "../../libg6gpu/formulas/units.h"

namespace g6::cuda {

constexpr unsigned kAllLanes = 0xffffffffu;  // mask of all lanes of a warp

// The whole warp calls these three.
template <class T> static __device__ __forceinline__ T warp_min(T v)
{
    for (int d = 16; d; d /= 2) v = min(v, __shfl_xor_sync(kAllLanes, v, d));
    return v;
}
template <class T> static __device__ __forceinline__ T warp_max(T v)
{
    for (int d = 16; d; d /= 2) v = max(v, __shfl_xor_sync(kAllLanes, v, d));
    return v;
}
// Exclusive prefix sum of v over the lanes of the warp.  total: the sum over all lanes.
static __device__ __forceinline__ int sum_before(int v, int &total)
{
    const int lane = threadIdx.x % 32;
    int sum = v;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(kAllLanes, sum, d);
        if (lane >= d) sum += other;
    }
    total = __shfl_sync(kAllLanes, sum, 31);
    return sum - v;
}

static __device__ __forceinline__ bool are_within(const double (&u)[3], double limit)
{
    return fabs(u[0]) <= limit && fabs(u[1]) <= limit && fabs(u[2]) <= limit;
}

// Words of a G6IRecord.
constexpr int kIEps2Word = 3, kIIdentityWord = 4, kIVWord = 5, kIH2Word = 8;

// The field to which a word of a row goes.  Not for the identity, which has no field.
static __device__ __forceinline__ int field_of_word(int word)
{
    return word - (word > kIdentityWord);
}

// First tile of a slice, or first unit of tiles where `tiles` counts units.
static __device__ __forceinline__ int first_tile(int slice, int tiles, int slices)
{
    return static_cast<int>(static_cast<long long>(slice) * tiles / slices);
}

// {index, whether the slot was written}.
static __device__ __forceinline__ int2 identity(const JMemory &j, int slot)
{
    const int2 *time = reinterpret_cast<const int2 *>(j.field[kTimeField]);
    return make_int2(j.index[slot], time[slot].y != kEmptyTime);
}

// A j-particle in device units.  Empty slots are massless at the origin, with id.y = 0.
struct PredictedBody {
    double x[3], v[3], m;
    int2 id;
};

// If a j-particle is beyond a limit of range.h, cuts its values to the limit and makes its mass
// NaN.  Few particles are beyond, and comparing costs less than cutting the values of all.
static __device__ __forceinline__ void keep_within(PredictedBody &p)
{
    if (are_within(p.x, G6_FARTHEST) && are_within(p.v, G6_FASTEST)) return;
    for (int c = 0; c < 3; c++) {  // fmin() and fmax() make a number of NaN
        p.x[c] = fmax(-G6_FARTHEST, fmin(G6_FARTHEST, p.x[c]));
        p.v[c] = fmax(-G6_FASTEST, fmin(G6_FASTEST, p.v[c]));
    }
    p.m = __longlong_as_double(0x7ff8000000000000LL);
}

static __device__ __forceinline__ PredictedBody predicted(const JMemory &j, int slot, int nj,
                                                          double t, Motion motion,
                                                          const Scale &scale)
{
    PredictedBody p{};
    if (slot >= nj) return p;
    // No branch on `written`: all other loads would then wait for the load of the time.
    const double m = j.field[kMassField][slot], sent = j.field[kTimeField][slot], s = t - sent;
    const int index = j.index[slot];
    const bool written = __double2hiint(sent) != kEmptyTime;
    for (int c = 0; c < 3; c++) {
        double x = j.field[c][slot], v = 0;
        if (motion != Motion::kAtRest) {
            const double v0 = j.field[kMotionField + c][slot],
                         a2 = j.field[kMotionField + 3 + c][slot],
                         j6 = j.field[kMotionField + 6 + c][slot];
            const double k18 = motion == Motion::kQuartic ? j.field[kSnapField + c][slot] : 0.0;
            x = g6_predict_x(x, v0, a2, j6, k18, s);
            v = (g6_predict_v(v0, a2, j6, k18, s) - scale.common_velocity[c]) * scale.velocity;
        }
        p.x[c] = written ? x * scale.length : 0.0;
        p.v[c] = written ? v : 0.0;
    }
    p.m = written ? m * scale.mass : 0.0;
    keep_within(p);
    p.id = make_int2(written ? index : 0, written);
    return p;
}

// The nearest body so far; of two at the same distance that in the lower slot.  Nobody is slot -1
// at infinity.
struct Found {
    double r2;
    int slot;
    // The bits of a distance and then the slot, without sign, make one number of 96 bits.  The
    // other body is nearer if its number minus this one has a borrow.  The slot of nobody, -1, is
    // the largest.  This takes a fraction of the time of comparing doubles.
    __device__ __forceinline__ void add(double other_r2, int other_slot)
    {
        int nearer;
        asm("{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.cc.u32 t, %3, %4; subc.cc.u32 t, %5, %6;"
            "  subc.u32 %0, 0, 0; }"
            : "=r"(nearer)
            : "r"(other_slot), "r"(slot), "r"(__double2loint(other_r2)), "r"(__double2loint(r2)),
              "r"(__double2hiint(other_r2)), "r"(__double2hiint(r2)));
        r2 = nearer ? other_r2 : r2;
        slot = nearer ? other_slot : slot;
    }
};
static __device__ __forceinline__ Found nobody()
{
    return {__longlong_as_double(0x7ff0000000000000LL), -1};
}

// Merges f over the lanes of a warp whose numbers differ only in the bits from, from/2, ..., to
// (powers of two).  Each of these lanes gets the nearest body of all of them.
static __device__ __forceinline__ void merge_lanes(Found &f, int from, int to)
{
    for (int d = from; d >= to; d /= 2)
        f.add(__shfl_xor_sync(kAllLanes, f.r2, d), __shfl_xor_sync(kAllLanes, f.slot, d));
}

// Writes out in the caller's units.  sum: acc, jerk and pot in device units, pot positive.  found:
// the nearest neighbour in j.
static __device__ __forceinline__ void write_sums(G6Sums &out, const double sum[7],
                                                  const Found &found, const G6Units &units,
                                                  const JMemory &j)
{
    g6_put_result(out, units, sum, sum + 3, sum[6]);
    out.nn_r2 = found.slot < 0 ? 0.0 : found.r2 * units.r2;
    out.nn_slot = found.slot;
    out.nn_index = found.slot < 0 ? 0 : j.index[found.slot];
}

static __device__ __forceinline__ void write_force(G6Force &out, const double sum[7],
                                                   const G6Units &units)
{
    for (int c = 0; c < 3; c++) out.acc[c] = sum[c] * units.acc;
    out.pot = g6_result_pot(units, sum[6]);
}

// Copies n results from shared memory in whole words, so that few transactions cross the bus.  All
// threads of the block call.
static __device__ __forceinline__ void copy_sums(G6Sums *out, const G6Sums *from, int n)
{
    constexpr int kWords = sizeof(G6Sums) / sizeof(double);
    for (int k = static_cast<int>(threadIdx.x); k < n * kWords; k += static_cast<int>(blockDim.x))
        reinterpret_cast<double *>(out)[k] = reinterpret_cast<const double *>(from)[k];
}

}  // namespace g6::cuda
