// SPDX-License-Identifier: MIT
// All pairs of one tile of j-particles with the i-particles of a thread: the inner loop of
// force.cu, whose head states speed limits and precision.
#pragma once

#include "kernels.h"
#include "layout.cuh"
#include "particles.cuh"

#include <climits>
#include <type_traits>

namespace g6::cuda {

// Softened distance squared up to which a pair adds nothing.  In float, close pairs are added in
// double.
template <class Real>
constexpr Real kCoincident = sizeof(Real) == 8 ? Real(G6_COINCIDENT) : Real(0);

// How far the loop over pairs is unrolled, so that several pairs are in flight.
template <class Real> constexpr int kUnroll = sizeof(Real) == 8 ? 16 : 8;

// What is tested for the pairs of a tile:
//   kNone      nothing: all pairs count
//   kOwn       all pairs count except those with the i-particles' own slots
//   kEachPair  each pair: empty slot, own index, coincident, close (added to the double sums)
// A tile that may have a close pair by its smallest distance (layout.cuh) is added with kEachPair.
enum class Care { kNone, kOwn, kEachPair };

template <Care kCare> using Constant = std::integral_constant<Care, kCare>;

// Whether a block of the layout gets more registers and a longer batch of tiles (force.cu says
// why).
template <class L, int kThreads, int kI>
constexpr bool kIsRoomy = L::kRoomy &&kThreads == 128 && kI == 2;

// Resident blocks to ask for: few leave registers for pairs in flight, many hide latency.
template <class L, int kThreads, int kI>
constexpr int kMinBlocks = (kIsRoomy<L, kThreads, kI> ? 3
                            : kI == 1                 ? 5
                            : kI == 2                 ? 4
                                                      : 3) *
                           128 / kThreads;

// Direct sums in mixed precision on tensor cores (tensor.cu), for the last shape of the table in
// force.cu.
//
// Resident blocks on one multiprocessor; 0: tensor.cu does not support the request on this device.
int tensor_blocks(const Request &r);
void launch_tensor(cudaStream_t s, const Request &r, dim3 grid, const ForceArgs &a,
                   const TensorMemory &from);

// ---- one pair ---------------------------------------------------------------------------------

template <class L, bool kJerk> struct IParticle {
    typename L::Pos x, y, z;
    typename L::Real vx, vy, vz, eps2;
    float close;  // in float the distance squared below which a pair is close; else close_key()
    int index;
};

// A measure of distance, in the order of r2 to 20 bits: the softened r2 itself in float, its high
// word in double.
static __device__ __forceinline__ float key_of(float r2)
{
    return r2;
}
static __device__ __forceinline__ float key_of(double r2)
{
    return __int_as_float(__double2hiint(r2));
}
// A tile whose smallest key is below this may have a close pair; in double, a coincident one.
template <class L, bool kJerk>
static __device__ __forceinline__ float close_key(const IParticle<L, kJerk> &i)
{
    return sizeof(typename L::Real) == 8
               ? i.close
               : g6_fma(static_cast<float>(i.eps2), static_cast<float>(G6_ROUNDED_UP), i.close);
}
// Positive floats, and high words of positive doubles, are ordered like integers.
static __device__ __forceinline__ float smaller(float a, float b)
{
    return __int_as_float(min(__float_as_int(a), __float_as_int(b)));
}

// The smallest key, its tile, and a lower bound of the keys of all other tiles.  In tensor.cu
// batches take the place of tiles; a batch is named by its first tile.
template <class Key> struct NearestTile {
    Key key, runner;
    int tile;
    __device__ __forceinline__ void add(Key k, int t)
    {
        runner = min(runner, max(key, k));
        if (k < key) {
            key = k;
            tile = t;
        }
    }
    __device__ __forceinline__ void merge(const NearestTile &o)
    {
        if (o.tile == tile)
            key = min(key, o.key);
        else
            add(o.key, o.tile);
        runner = min(runner, o.runner);
    }
};

template <class L, bool kJerk>
static __device__ __forceinline__ void
add_pair(typename PairSums<typename L::Real>::Type &s,
         const JParticle<typename L::Pos, typename L::Real> &j, const IParticle<L, kJerk> &i,
         typename L::Real dx, typename L::Real dy, typename L::Real dz, typename L::Real rinv)
{
    if (kJerk)
        g6_pair_hermite(&s, dx, dy, dz, j.vx - i.vx, j.vy - i.vy, j.vz - i.vz, j.m, rinv);
    else
        g6_pair_force(&s, dx, dy, dz, j.m, rinv);
}

// Adds a close pair to the double sums.
template <class L, bool kJerk>
static __device__ __noinline__ void add_close_pair(double *sum, const ForceArgs &a, int slot, int i)
{
    PairSumsD s = {sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6]};
    const double *xi = a.i.x + i;
    const size_t c = static_cast<size_t>(a.i.capacity);
    const double dx = a.p.x[0][slot] - xi[0], dy = a.p.x[1][slot] - xi[c],
                 dz = a.p.x[2][slot] - xi[2 * c];
    const double soft = g6_length2(dx, dy, dz) + a.i.eps2[i];
    if (!(soft > G6_COINCIDENT)) return;
    const auto j = L::load(a.p.plane[0], static_cast<size_t>(a.p.plane[1] - a.p.plane[0]), slot);
    g6_pair_hermite(&s, dx, dy, dz, kJerk ? j.vx - xi[3 * c] : 0.0, kJerk ? j.vy - xi[4 * c] : 0.0,
                    kJerk ? j.vz - xi[5 * c] : 0.0, static_cast<double>(j.m), inverse_root(soft));
    sum[0] = s.ax;
    sum[1] = s.ay;
    sum[2] = s.az;
    sum[3] = s.jx;
    sum[4] = s.jy;
    sum[5] = s.jz;
    sum[6] = s.pot;
}

// ---- one tile ---------------------------------------------------------------------------------

static __device__ __forceinline__ int2 identity(const ForceArgs &a, int slot)
{
    return slot < a.nj ? identity(a.j, slot) : make_int2(0, 0);
}

// Whether the range of a tile's indices is that of a tile with an empty slot.
static __device__ __forceinline__ bool has_empty_slot(int2 range)
{
    return range.x == INT_MIN && range.y == INT_MAX;
}

// Whether a tile without an empty slot has the index of one of the thread's i-particles, with 1.2
// instructions for each slot and i-particle.  The caller has compared the range of the tile's
// indices, which suffices only where indices ascend with addresses.  With the loop unrolled by 4 or
// 8 the loop over pairs lies elsewhere in the kernel's code and takes 1.4 % longer.
template <class I, int kI>
static __device__ __forceinline__ bool may_hold(const ForceArgs &a, int first_slot,
                                                const I (&i)[kI])
{
    const int4 *four = reinterpret_cast<const int4 *>(a.j.index + first_slot);
    bool found = false;
#pragma unroll 2
    for (int k = 0; k < kTile / 4; k++) {
        const int4 index = four[k];
#pragma unroll
        for (int q = 0; q < kI; q++) {
            const int own = i[q].index;
            found =
                found | (index.x == own) | (index.y == own) | (index.z == own) | (index.w == own);
        }
    }
    return found;
}

// Finds the i-particles' own indices in the tile, which is the same for the whole warp.  own: place
// in the tile, or -1.  Returns false if the tile has an empty slot, or one of these indices twice.
template <class I, int kI>
static __device__ __forceinline__ bool find_own(const ForceArgs &a, int first_slot,
                                                const I (&i)[kI], int (&own)[kI])
{
    const int lane = static_cast<int>(threadIdx.x % 32);
    bool simple = true;
#pragma unroll
    for (int q = 0; q < kI; q++) own[q] = -1;
    for (int half = 0; half < kTile; half += 32) {
        const int2 ids = identity(a, first_slot + half + lane);
        simple = simple && ids.y;
        for (int k = 0; k < 32; k++) {
            const int index = __shfl_sync(kAllLanes, ids.x, k);
#pragma unroll
            for (int q = 0; q < kI; q++) {
                if (index != i[q].index) continue;
                simple = simple && own[q] < 0;
                own[q] = half + k;
            }
        }
    }
    return __all_sync(kAllLanes, simple);
}

// All pairs of one tile with kI i-particles.  kOneTile: the whole warp sums the same tile.
template <class L, bool kJerk, bool kNear, Care kCare, bool kOneTile, int kI>
static __device__ __forceinline__ void
tile_pairs(const ForceArgs &a, const Word *tile, int stride, int first_slot,
           const IParticle<L, kJerk> (&i)[kI], const int (&i_number)[kI], const int (&own)[kI],
           typename PairSums<typename L::Real>::Type (&s)[kI], double (&sum)[kI][7],
           float (&nearest)[kI])
{
    using Real = typename L::Real;
#pragma unroll
    for (int q = 0; q < kI; q++) {
        s[q] = {0, 0, 0, 0, 0, 0, 0};
        nearest[q] = __int_as_float(0x7f800000);
    }
    // When each pair is checked, each lane of the warp fetches the identity of one slot of 32.
    constexpr bool kChecksEach = kCare == Care::kEachPair;
    int index = 0;
    unsigned written = 0;
    float even[kI];  // keys of the preceding j-particle
#pragma unroll(kChecksEach ? 2 : kUnroll <Real>)
    for (int k = 0; k < kTile; k++) {
        const auto j = L::load(tile, stride, k);
        int2 id = make_int2(0, 1);
        if (kChecksEach && kOneTile) {
            if (k % 32 == 0) {
                const int2 mine = identity(a, first_slot + k + static_cast<int>(threadIdx.x % 32));
                index = mine.x;
                written = __ballot_sync(kAllLanes, mine.y);
            }
            id.x = __shfl_sync(kAllLanes, index, k % 32);
            id.y = written >> (k % 32) & 1;
        } else if (kChecksEach) {
            id = identity(a, first_slot + k);
        }
#pragma unroll
        for (int q = 0; q < kI; q++) {
            const Real dx = L::difference(j.x, i[q].x), dy = L::difference(j.y, i[q].y),
                       dz = L::difference(j.z, i[q].z);
            const Real soft = g6_fma(dz, dz, g6_fma(dy, dy, g6_fma(dx, dx, i[q].eps2)));
            bool counts = true, adds = true;
            if (kCare == Care::kOwn) counts = adds = k != own[q];
            if (kChecksEach) {
                counts = id.y && id.x != i[q].index;
                const bool close = sizeof(Real) == 4 && kNear && a.guard && counts &&
                                   g6_length2(dx, dy, dz) < static_cast<Real>(i[q].close);
                if (close) add_close_pair<L, kJerk>(sum[q], a, first_slot + k, i_number[q]);
                adds = counts && soft > kCoincident<Real> && !close;
            }
            if (kNear && kCare == Care::kNone) {
                // Of two j-particles at once: from compute capability 9.0 on a minimum of three
                // integers is one instruction.
                if (k % 2) nearest[q] = smaller(smaller(nearest[q], even[q]), key_of(soft));
                even[q] = key_of(soft);
            } else if (kNear && counts) {
                nearest[q] = smaller(nearest[q], key_of(soft));
            }
            add_pair<L, kJerk>(s[q], j, i[q], dx, dy, dz, adds ? inverse_root(soft) : Real(0));
        }
    }
}

}  // namespace g6::cuda
