// SPDX-License-Identifier: MIT
// Direct sums in mixed precision on the tensor cores for doubles of GPUs of compute capability 9.0.
//
// A tensor core multiplies small matrices of doubles, 16 x 8 by 8 x 8 in one instruction, at twice
// the rate of the other arithmetic in double.  Most of a pair is such products.  With positions
// from a common centre, i-particles as rows and j-particles as columns:
//     r2[i][j] = |x_i|^2 + eps_i^2 - 2 x_i.x_j + |x_j|^2    (x, y, z, 1) times (x, y, z, |x|^2)
//     rv[i][j] = x_i.v_i - x_i.v_j - v_i.x_j + x_j.v_j      the same with eight terms
//     acc_i    = sum_j w m_j x_j - x_i sum_j w m_j          w[i][j] = r2^(-3/2)
//     jerk_i   = sum_j w m_j v_j - v_i sum_j w m_j          u[i][j] = -3 w rv / r2
//                + sum_j u m_j x_j - x_i sum_j u m_j
// The root, w, u and the sum of m/r are computed in float.  A product leaves r2 and rv in the
// registers from which the next product takes w and u, so that threads exchange nothing.
//
// Precision: positions, masses and sums are in double.  r2 loses digits where r is much smaller
// than |x_i|: at r = 2^-12 |x_i| its eight roundings make an error of at most 2^-23 of it, which is
// that of the root.
//
// Invariants
//  * An i-particle is careful in a tile when it meets its own index there, or a j-particle closer
//    than 2^-12 |x_i| or than G6_CLOSE, or when it or one of the tile is so far or so fast that w
//    or u may leave the range of float, or when it is not a number.  Its sums over that tile are computed pair by pair in
//    double (add_row()), and what the products gave is dropped.
//  * So the result of an i-particle follows from itself and from the j-particles, and not from the
//    other i-particles of its block: any number of devices gives the same bits.  That is why the
//    centre is a median of j-particles.
//  * An empty slot is massless, and so far away (kEmptyR2) that it is nobody's neighbour.
//
// Rates: docs/measurements/direct-cuda.md.  A product of 16 x 8 x 8 takes 32 clocks of a tensor
// core, and 16 x 8 pairs take 3.5 of these with jerk and 1.5 without.  Other instructions do not
// all overlap with it: a product and n of them take about n + 20 clocks together.  So the loop has
// as few of them as can be, 59 for 16 x 8 pairs with jerk and 38 without, and no branch:
//  * r2 becomes a float by one shift: times kLift, its exponent ends in the bits of the float's.
//  * w becomes a double by two shifts, 2^-896 times too small.  Its columns' masses are as much too
//    large.
//  * rv and u are converted by the unit that also computes the root, and has time for both.
//  * Whether a pair is close is asked once a tile, of the smallest r2.
#include "tensor.h"

#include "launch.cuh"
#include "tile.cuh"

#include <climits>
#include <cuda_pipeline.h>

namespace g6::cuda {
namespace {

struct TensorArgs {
    ForceArgs force;
    TensorMemory from;
};

constexpr int kWarps = 4, kThreads = 32 * kWarps;
// j-particles in shared memory at once: as many as leave room for four blocks or for three.
template <int kGroups> constexpr int kStage = kTensorTiles<kGroups> * kTile;
// The four rows that a warp reads at once lie in different banks.
template <int kGroups> constexpr int kStride = kStage<kGroups> + 4;

constexpr double kLift = 0x1p128, kBitsScale = 0x1p896;
// Squares of distances and of velocities from which on an i-particle is careful.
constexpr double kFarR2 = 0x1p50, kFastV2 = 0x1p76, kCloseShare = 0x1p-24;
constexpr double kEmptyR2 = 0x1p77;
constexpr int kNoKey = INT_MAX;

// Mean relative errors, which the sums are freed from.  The shift cuts r2 to 23 bits of mantissa,
// on average by 2^-24 / (2 ln 2) of it where the mantissa is spread evenly in its logarithm.
constexpr double kCutMean = -0.72134752 * 0x1p-24;
constexpr double kInverseMean = kRootMean - 0.5 * kCutMean;  // of 1/r
constexpr double kMinusThree = -3 * (1 - 2 * kInverseMean);  // u has two more factors 1/r than w

// Rows of shared memory, a double for each j-particle.  The numbers of rows that a warp reads
// together as doubles differ modulo 4, and those that it reads as double2 by 2 modulo 4.
constexpr int kX = 0, kZ = 1, kY = 2, kX2 = 3;
constexpr int kVx = 4, kXv = 5, kVy = 6, kVz = 7;
template <bool kJerk> struct Rows {
    static constexpr int kW = kJerk ? 8 : 4;  // times mass and kBitsScale: multiplied by w
    static constexpr int kWx = kW, kWz = kW + 1, kWy = kW + 2, kW1 = kW + 3;
    static constexpr int kWvx = kW + 4, kWvy = kW + 6, kWvz = kW + 7;
    static constexpr int kU1 = kW + 5;  // times mass: multiplied by u
    static constexpr int kUx = kW + 8, kUz = kW + 9, kUy = kW + 10;
    static constexpr int kCount = kJerk ? kUy + 1 : kW1 + 1;
};

template <bool kJerk, int kGroups> struct Memory {
    static constexpr int kWidth = kStride<kGroups>;
    double row[2][Rows<kJerk>::kCount][kWidth];
    double zeros[kWidth], ones[kWidth];
    double2 saved[2 * kGroups][kThreads];  // sums of the products before the stage
    float mass[2][kStage<kGroups>];
    int2 range[2][kTensorTiles<kGroups>];
};

// Range of the indices of a tile that has a particle which is too far or too fast.
static __device__ __forceinline__ int2 far_range()
{
    return make_int2(INT_MAX, INT_MIN);
}

// ---- products ---------------------------------------------------------------------------------
//
// Thread 4 g + t of a warp holds, of a matrix of 16 rows: (g, k), (g + 8, k) for k = t and t + 4 of
// the left factor; (t, g) and (t + 4, g) of the right one; and (g, 2t), (g, 2t + 1), (g + 8, 2t),
// (g + 8, 2t + 1) of the product.

static __device__ __forceinline__ void multiply4(double (&d)[4], const double (&a)[2], double b,
                                                 const double (&c)[4])
{
#if __CUDA_ARCH__ == 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(b), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
#endif
}
static __device__ __forceinline__ void multiply8(double (&d)[4], const double (&a)[4], double b0,
                                                 double b1, const double (&c)[4])
{
#if __CUDA_ARCH__ == 900
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b0), "d"(b1), "d"(c[0]), "d"(c[1]),
          "d"(c[2]), "d"(c[3]));
#endif
}

// x / kLift, cut to a float.
static __device__ __forceinline__ float cut(double x)
{
    return __uint_as_float(__funnelshift_l(__double2loint(x), __double2hiint(x), 3));
}
// x / kBitsScale, for x > 0.
static __device__ __forceinline__ double widen(float x)
{
    const unsigned bits = __float_as_uint(x);
    return __hiloint2double(static_cast<int>(bits >> 3), static_cast<int>(bits << 29));
}

// Measure of a squared distance: the upper word of r2 kLift, and back.
static __device__ __forceinline__ int key_of_lifted(double lifted)
{
    return __double2hiint(lifted);
}
static __device__ __forceinline__ float distance_of(int key)
{
    return key == kNoKey ? __int_as_float(0x7f800000)
                         : static_cast<float>(__hiloint2double(key, 0) / kLift);
}

// ---- j-particles ------------------------------------------------------------------------------

// The median of coordinate c of 32 j-particles at equal distances in the slots.  The whole warp
// calls.
static __device__ __forceinline__ float median(const Predicted &p, int nj, int c)
{
    const int lane = threadIdx.x % 32;
    const float x =
        static_cast<float>(p.x[c][static_cast<int>(static_cast<long long>(lane) * nj / 32)]);
    int below = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        const float other = __shfl_sync(kAll, x, k);
        below += other < x || (other == x && k < lane);
    }
    const unsigned middle = __ballot_sync(kAll, below == 16);
    return __shfl_sync(kAll, x, __ffs(static_cast<int>(middle)) - 1);
}

// The rows of all j-particles, whole tiles of them.
template <bool kJerk>
__global__ void __launch_bounds__(kThreads)
    prepare_kernel(JMemory j, Predicted p, int nj, TensorMemory to)
{
    using R = Rows<kJerk>;
    const int slot = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    wait_for_previous();
    let_next_start();
    // A warp finds a coordinate of the centre.
    __shared__ double centre[3];
    __shared__ int is_far[kThreads / kTile];
    if (threadIdx.x < kThreads / kTile) is_far[threadIdx.x] = 0;
    if (threadIdx.x < 96) centre[threadIdx.x / 32] = median(p, nj, threadIdx.x / 32);
    __syncthreads();
    if (slot < 3) to.centre[slot] = centre[slot];
    const bool is_empty = slot >= nj || !identity(j, slot).y;
    const auto f = Split<kJerk>::load(p.plane[0], static_cast<int>(p.plane[1] - p.plane[0]), slot);
    const double x = is_empty ? 0 : p.x[0][slot] - centre[0],
                 y = is_empty ? 0 : p.x[1][slot] - centre[1],
                 z = is_empty ? 0 : p.x[2][slot] - centre[2], x2 = g6_length2(x, y, z), m = f.m,
                 scaled = m * kBitsScale;
    const auto put = [&](int row, double value) {
        to.row[static_cast<size_t>(row) * to.stride + slot] = value;
    };
    put(kX, x);
    put(kY, y);
    put(kZ, z);
    put(kX2, is_empty ? kEmptyR2 : x2);
    put(R::kWx, scaled * x);
    put(R::kWy, scaled * y);
    put(R::kWz, scaled * z);
    put(R::kW1, scaled);
    bool far = x2 >= kFarR2;
    if (kJerk) {
        const double vx = f.vx, vy = f.vy, vz = f.vz;
        put(kVx, vx);
        put(kVy, vy);
        put(kVz, vz);
        put(kXv, g6_fma(z, vz, g6_fma(y, vy, x * vx)));
        put(R::kWvx, scaled * vx);
        put(R::kWvy, scaled * vy);
        put(R::kWvz, scaled * vz);
        put(R::kUx, m * x);
        put(R::kUy, m * y);
        put(R::kUz, m * z);
        put(R::kU1, m);
        far = far || g6_length2(vx, vy, vz) >= kFastV2;
    }
    to.mass[slot] = f.m;
    if (far) is_far[threadIdx.x / kTile] = 1;
    __syncthreads();
    if (threadIdx.x % kTile == 0)
        to.range[slot / kTile] =
            is_far[threadIdx.x / kTile] ? far_range() : p.range[slot / kTile];
}

// ---- careful i-particles ----------------------------------------------------------------------

// Whether an i-particle of this index is careful in the tile for what the tile is.  A tile with an
// empty slot, whose range is all of int, is searched for the index.  The whole warp calls, each lane
// with its own index.
static __device__ __forceinline__ bool is_careful(const ForceArgs &a, int tile, int2 range,
                                                  int index)
{
    if (range.x > range.y) return true;
    if (range.x != INT_MIN || range.y != INT_MAX) return index >= range.x && index <= range.y;
    bool found = false;
    for (int half = 0; half < kTile; half += 32) {
        const int2 id = identity(a, tile * kTile + half + static_cast<int>(threadIdx.x % 32));
        const unsigned written = __ballot_sync(kAll, id.y);
        for (int k = 0; k < 32; k++)
            found = (__shfl_sync(kAll, id.x, k) == index && (written >> k & 1)) || found;
    }
    return found;
}

// Adds the forces of slots from ... to-1 on i-particle n in double to result[0],
// result[plane], ...; returns the key of the closest of them.  The whole warp calls.
template <bool kJerk>
static __device__ __noinline__ int add_row(const ForceArgs &a, int from, int to, int n, double *result,
                              size_t plane)
{
    const size_t c = static_cast<size_t>(a.i.capacity);
    const double *xi = a.i.x + n;
    const double eps2 = a.i.eps2[n];
    const int own = a.i.index[n], lane = threadIdx.x % 32;
    PairSumsD s = {0, 0, 0, 0, 0, 0, 0};
    int key = kNoKey;
    // No branch in the loop, so that all loads of two turns are under way at once.
#pragma unroll 2
    for (int first = from; first < to; first += 32) {
        const int slot = first + lane;
        const int2 id = identity(a, slot);
        const double dx = a.p.x[0][slot] - xi[0], dy = a.p.x[1][slot] - xi[c],
                     dz = a.p.x[2][slot] - xi[2 * c];
        const auto j = Split<kJerk>::load(a.p.plane[0],
                                          static_cast<int>(a.p.plane[1] - a.p.plane[0]), slot);
        const double soft = g6_length2(dx, dy, dz) + eps2;
        const bool counts = id.y && id.x != own, adds = counts && soft > G6_COINCIDENT;
        key = counts ? min(key, key_of_lifted(soft * kLift)) : key;
        g6_pair_hermite(&s, dx, dy, dz, kJerk ? j.vx - xi[3 * c] : 0.0,
                        kJerk ? j.vy - xi[4 * c] : 0.0, kJerk ? j.vz - xi[5 * c] : 0.0,
                        static_cast<double>(j.m), adds ? inverse_root(soft) : 0.0);
    }
    double sum[7] = {s.ax, s.ay, s.az, s.jx, s.jy, s.jz, s.pot};
    for (int d = 16; d; d /= 2) {
        key = min(key, __shfl_xor_sync(kAll, key, d));
#pragma unroll
        for (int k = 0; k < 7; k++) sum[k] += __shfl_xor_sync(kAll, sum[k], d);
    }
#pragma unroll
    for (int k = 0; k < 7; k++)
        if (lane == k && (kJerk || k < 3 || k == 6)) result[k * plane] += sum[k];
    __syncwarp();  // other lanes read the results at the end
    return key;
}

// ---- the kernel -------------------------------------------------------------------------------

// Smallest and second smallest key of a tile.
struct NearestTile {
    int key, runner, tile;
    __device__ __forceinline__ void add(int k, int t)
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

template <bool kJerk, int kGroups>
constexpr int kResident = kGroups == 1 ? 4 : 3;  // 128 and 168 registers

template <bool kJerk, bool kNear, int kGroups>
__global__ void __launch_bounds__(kThreads, (kResident<kJerk, kGroups>))
    tensor_kernel(const __grid_constant__ TensorArgs args)
{
    using R = Rows<kJerk>;
    constexpr int kRowsOfWarp = 16 * kGroups, kTiles = kTensorTiles<kGroups>,
                  kSlots = kStage<kGroups>, kWidth = kStride<kGroups>;
    static_assert(kSlots / 2 <= kThreads, "a thread copies two slots");
    const ForceArgs &a = args.force;
    extern __shared__ __align__(16) char bytes[];
    auto &memory = *reinterpret_cast<Memory<kJerk, kGroups> *>(bytes);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int t0 = first_tile(blockIdx.y, a.tiles, a.slices);
    const int t1 = first_tile(blockIdx.y + 1, a.tiles, a.slices);
    wait_for_previous();
    let_next_start();
    const auto fetch = [&](int stage, int buffer) {
        const size_t from = static_cast<size_t>(stage) * kTile;
        // A thread copies the same two doubles of each row.
        if (threadIdx.x < kSlots / 2) {
            const int place = 2 * static_cast<int>(threadIdx.x);
            const double *source = args.from.row + from + place;
            double *target = &memory.row[buffer][0][place];
#pragma unroll
            for (int row = 0; row < R::kCount; row++) {
                __pipeline_memcpy_async(target + row * kWidth, source, 16);
                source += args.from.stride;
            }
        }
        if (threadIdx.x < kSlots / 4)
            __pipeline_memcpy_async(&memory.mass[buffer][threadIdx.x * 4],
                                    &args.from.mass[from + threadIdx.x * 4], 16);
        if (threadIdx.x < kTiles)
            __pipeline_memcpy_async(&memory.range[buffer][threadIdx.x],
                                    &args.from.range[stage + static_cast<int>(threadIdx.x)],
                                    sizeof(int2));
        __pipeline_commit();
    };
    fetch(t0, 0);
    for (int k = threadIdx.x; k < kWidth; k += kThreads) {
        memory.zeros[k] = 0;
        memory.ones[k] = 1;
    }
    const double centre[3] = {args.from.centre[0], args.from.centre[1], args.from.centre[2]};
    __pipeline_wait_prior(0);
    __syncthreads();

    // The results hold the sums of add_row() until the end.
    const size_t plane = static_cast<size_t>(a.slices) * a.ni;
    const auto result_of = [&](int n) {
        return a.out.sum + static_cast<size_t>(n) * a.slices + blockIdx.y;
    };
    // The left factors of r2 and rv, what r2 starts with, and sums.  Column pairs of the sums, by
    // t: ax ay, az jz, jx jy, sum of w and of u.
    const int first = (static_cast<int>(blockIdx.x) * kWarps + warp) * kRowsOfWarp;
    const size_t capacity = static_cast<size_t>(a.i.capacity);
    double left2[kGroups][2], left_v[kGroups][4], start[kGroups][4], sum[kGroups][4];
    double pot[kGroups][2];
    int close[kGroups][2];  // keys below it are those of close pairs
    NearestTile best[kGroups][2];
    // Sums that start with the same number in two registers would be copied there each time.
    const volatile double *zero = memory.zeros;
#pragma unroll
    for (int q = 0; q < kGroups; q++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const double *xi = a.i.x + min(first + q * 16 + h * 8 + g, a.ni - 1);
            const double eps2 = a.i.eps2[min(first + q * 16 + h * 8 + g, a.ni - 1)];
            const double x = xi[0] - centre[0], y = xi[capacity] - centre[1],
                         z = xi[2 * capacity] - centre[2], x2 = g6_length2(x, y, z);
            left2[q][h] = kLift * (t == 0 ? -2 * x : t == 1 ? -2 * z : t == 2 ? -2 * y : 1);
            start[q][2 * h] = (x2 + eps2) * kLift + zero[2 * h];
            start[q][2 * h + 1] = (x2 + eps2) * kLift + zero[2 * h + 1];
            if (kJerk) {
                const double vx = xi[3 * capacity], vy = xi[4 * capacity], vz = xi[5 * capacity];
                const double xv = g6_fma(z, vz, g6_fma(y, vy, x * vx));
                left_v[q][h] = kMinusThree * (t == 0 ? -x : t == 1 ? 1 : t == 2 ? -y : -z);
                left_v[q][2 + h] = kMinusThree * (t == 0 ? -vx : t == 1 ? -vz : t == 2 ? -vy : xv);
            }
            close[q][h] = first + q * 16 + h * 8 + g < a.ni
                              ? key_of_lifted(fmax(x2 * kCloseShare, G6_CLOSE) * kLift)
                              : INT_MIN;
            sum[q][2 * h] = sum[q][2 * h + 1] = pot[q][h] = 0;
            best[q][h] = {kNoKey, kNoKey, t0};
        }
    }
    // A lane looks after one row of the warp.
    const unsigned rows = kGroups == 1 ? 0xffffu : kAll,
                   filled = first + 32 <= a.ni ? rows : rows & ((1u << max(0, a.ni - first)) - 1);
    bool is_far = false;
    int index = 0;
    if (filled >> lane & 1) {
        const int n = first + lane;
        for (int k = 0; k < 7; k++)
            if (kJerk || k < 3 || k == 6) result_of(n)[k * plane] = 0;
        const double *xi = a.i.x + n;
        index = a.i.index[n];
        const double r2 = g6_length2(xi[0] - centre[0], xi[capacity] - centre[1],
                                     xi[2 * capacity] - centre[2]) +
                          a.i.eps2[n];
        is_far = !(r2 < kFarR2);
        if (kJerk) {
            const double v2 = g6_length2(xi[3 * capacity], xi[4 * capacity], xi[5 * capacity]);
            is_far = is_far || !(v2 < kFastV2);
        }
    }
    __syncwarp();  // add_row() adds to the results from other lanes
    // Rows of the right factors, by the column g of the sums.
    const int w_row = g == 0   ? R::kWx
                      : g == 1 ? R::kWy
                      : g == 2 ? R::kWz
                      : g == 6 ? R::kW1
                      : g == 3 ? R::kWvz
                      : g == 4 ? R::kWvx
                               : R::kWvy;
    const int u_row = g == 3 ? R::kUz : g == 4 ? R::kUx : g == 5 ? R::kUy : R::kU1;
    const bool no_w = g == 7 || (!kJerk && g >= 3 && g != 6), no_u = g < 3 || g == 6;

    for (int stage = t0, buffer = 0; stage < t1; stage += kTiles, buffer ^= 1) {
        const bool more = stage + kTiles < t1;
        if (more) fetch(stage + kTiles, buffer ^ 1);
        const int tiles = min(kTiles, t1 - stage);
        {
            const auto &row = memory.row[buffer];
            const double *by_w = (no_w ? memory.zeros : row[w_row]) + 2 * t;
            const double *by_u = (no_u || !kJerk ? memory.zeros : row[u_row]) + 2 * t;
            const double *by_x = row[t] + g, *by_v = row[kJerk ? kVx + t : t] + g;
            const double *by_x1 = (t == 3 ? memory.ones : row[t]) + g;
            const float *mass = memory.mass[buffer] + 2 * t;
            int nearest[kGroups][2];
            float m_over_r[kGroups][2];
#pragma unroll
            for (int q = 0; q < kGroups; q++) {
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    memory.saved[2 * q + h][threadIdx.x] =
                        make_double2(sum[q][2 * h], sum[q][2 * h + 1]);
                    nearest[q][h] = kNoKey;
                    m_over_r[q][h] = 0;
                }
            }
#pragma unroll 2
            for (int k = 0; k < tiles * kTile; k += 8) {
                const double x = by_x[k], v = kJerk ? by_v[k] : 0, x1 = kJerk ? by_x1[k] : 0;
                const double2 bw = *reinterpret_cast<const double2 *>(&by_w[k]);
                const double2 bu = kJerk ? *reinterpret_cast<const double2 *>(&by_u[k])
                                         : make_double2(0, 0);
                const float2 m = *reinterpret_cast<const float2 *>(&mass[k]);
                double r2[kGroups][4], rv[kGroups][4];
                const double nothing[4] = {0, 0, 0, 0};
#pragma unroll
                for (int q = 0; q < kGroups; q++) {
                    multiply4(r2[q], left2[q], x, start[q]);
                    if (kJerk) multiply8(rv[q], left_v[q], v, x1, nothing);
                }
#pragma unroll
                for (int q = 0; q < kGroups; q++) {
                    double w[4], u[4];
#pragma unroll
                    for (int e = 0; e < 4; e++) {
                        // Element e of a product is element place of a left factor.
                        const int place = (e & 1) * 2 + e / 2;
                        const float rinv = inverse_root(cut(r2[q][e])), rinv2 = rinv * rinv,
                                    w_float = rinv * rinv2;
                        m_over_r[q][e / 2] =
                            g6_fma(e & 1 ? m.y : m.x, rinv, m_over_r[q][e / 2]);
                        w[place] = widen(w_float);
                        if (kJerk)
                            u[place] = w_float * (rinv2 * __double2float_rn(rv[q][e]));
                    }
#pragma unroll
                    for (int h = 0; h < 2; h++)
                        nearest[q][h] = min(min(nearest[q][h], key_of_lifted(r2[q][2 * h])),
                                            key_of_lifted(r2[q][2 * h + 1]));
                    multiply8(sum[q], w, bw.x, bw.y, sum[q]);
                    if (kJerk) multiply8(sum[q], u, bu.x, bu.y, sum[q]);
                }
            }
            bool near = false, is_care = is_far;
            for (int k = 0; k < tiles; k++)
                is_care = is_careful(a, stage + k, memory.range[buffer][k], index) || is_care;
            is_care = is_care && (filled >> lane & 1);
#pragma unroll
            for (int q = 0; q < kGroups; q++)
#pragma unroll
                for (int h = 0; h < 2; h++) near = near || nearest[q][h] < close[q][h];
            if (__any_sync(kAll, is_care || near)) {
                unsigned careful = __ballot_sync(kAll, is_care);
#pragma unroll
                for (int q = 0; q < kGroups; q++) {
#pragma unroll
                    for (int h = 0; h < 2; h++) {
                        unsigned lanes = __ballot_sync(kAll, nearest[q][h] < close[q][h]);
                        lanes |= lanes >> 1;
                        lanes |= lanes >> 2;
                        for (int k = 0; k < 8; k++)
                            careful |= (lanes >> (4 * k) & 1) << (q * 16 + h * 8 + k);
                    }
                }
#pragma unroll
                for (int q = 0; q < kGroups; q++) {
#pragma unroll
                    for (int h = 0; h < 2; h++) {
                        if (!(careful >> (q * 16 + h * 8 + g) & 1)) continue;
                        const double2 before = memory.saved[2 * q + h][threadIdx.x];
                        sum[q][2 * h] = before.x;
                        sum[q][2 * h + 1] = before.y;
                        m_over_r[q][h] = 0;
                        nearest[q][h] = kNoKey;
                    }
                }
                for (unsigned left = careful; left; left &= left - 1) {
                    const int r = __ffs(static_cast<int>(left)) - 1;
                    const int key =
                        add_row<kJerk>(a, stage * kTile, (stage + tiles) * kTile, first + r,
                                       result_of(first + r), plane);
#pragma unroll
                    for (int q = 0; q < kGroups; q++)
#pragma unroll
                        for (int h = 0; h < 2; h++)
                            if (t == 0 && r == q * 16 + h * 8 + g) nearest[q][h] = key;
                }
            }
#pragma unroll
            for (int q = 0; q < kGroups; q++) {
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    pot[q][h] += static_cast<double>(m_over_r[q][h]);
                    if (kNear) best[q][h].add(nearest[q][h], stage);
                }
            }
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }

#pragma unroll
    for (int q = 0; q < kGroups; q++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            double p = pot[q][h];
            NearestTile b = best[q][h];
#pragma unroll
            for (int d = 1; d < 4; d *= 2) {
                p += __shfl_xor_sync(kAll, p, d);
                b.merge({__shfl_xor_sync(kAll, b.key, d),
                         __shfl_xor_sync(kAll, b.runner, d),
                         __shfl_xor_sync(kAll, b.tile, d)});
            }
            const double w1 = __shfl_sync(kAll, sum[q][2 * h], lane | 3),
                         u1 = __shfl_sync(kAll, sum[q][2 * h + 1], lane | 3);
            const int r = q * 16 + h * 8 + g, n = first + r;
            if (n >= a.ni) continue;
            const double *xi = a.i.x + n;
            const double x = xi[0] - centre[0], y = xi[capacity] - centre[1],
                         z = xi[2 * capacity] - centre[2];
            double s0 = sum[q][2 * h], s1 = sum[q][2 * h + 1];
            int c0 = 0, c1 = 1;  // components of the results
            if (t == 0) {
                s0 = g6_fma(-x, w1, s0);
                s1 = g6_fma(-y, w1, s1);
            } else if (t == 1) {
                s0 = g6_fma(-z, w1, s0);
                if (kJerk) s1 = g6_fma(-xi[5 * capacity], w1, g6_fma(-z, u1, s1));
                c0 = 2;
                c1 = 5;
            } else if (t == 2 && kJerk) {
                s0 = g6_fma(-xi[3 * capacity], w1, g6_fma(-x, u1, s0));
                s1 = g6_fma(-xi[4 * capacity], w1, g6_fma(-y, u1, s1));
                c0 = 3;
                c1 = 4;
            } else if (t == 3) {
                s0 = p;
                c0 = 6;
            }
            const double restore = t == 3 ? 1 - kInverseMean : 1 - 3 * kInverseMean;
            double *const result = result_of(n);
            if (t != 2 || kJerk) result[c0 * plane] = g6_fma(s0, restore, result[c0 * plane]);
            if (t == 0 || (t < 3 && kJerk))
                result[c1 * plane] = g6_fma(s1, restore, result[c1 * plane]);
            const size_t place = static_cast<size_t>(n) * a.slices + blockIdx.y;
            if (kNear && t == 0) {
                a.out.key[place] = distance_of(b.key);
                a.out.runner[place] = distance_of(b.runner);
                a.out.tile[place] = b.tile;
            }
        }
    }
}

using TensorKernel = void (*)(TensorArgs);
struct Chosen {
    TensorKernel kernel;
    size_t bytes;  // of shared memory
};

template <bool kJerk, int kGroups> Chosen choose(bool near)
{
    return {near ? tensor_kernel<kJerk, true, kGroups> : tensor_kernel<kJerk, false, kGroups>,
            sizeof(Memory<kJerk, kGroups>)};
}

Chosen chosen(const Request &r, int per_warp)
{
    if (r.jerk) return per_warp == 1 ? choose<true, 1>(r.near) : choose<true, 2>(r.near);
    return per_warp == 1 ? choose<false, 1>(r.near) : choose<false, 2>(r.near);
}

}  // namespace

bool has_tensor_kernel(const Request &r)
{
    if (r.arithmetic != Arithmetic::kSplit) return false;
    int device = 0, major = 0;
    check(cudaGetDevice(&device), "compute capability");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
          "compute capability");
    return major == 9;
}

int tensor_blocks(const Request &r, int per_warp)
{
    const Chosen c = chosen(r, per_warp);
    check(cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(c.bytes)),
          "shared memory");
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, c.kernel, kThreads, c.bytes),
          "occupancy");
    return blocks;
}

size_t tensor_rows(bool jerk)
{
    return jerk ? Rows<true>::kCount : Rows<false>::kCount;
}

void launch_prepare(cudaStream_t s, const Request &r, const JMemory &j, const Predicted &p,
                    const TensorMemory &to)
{
    // Whole tiles: a block is two of them, and the last may be one past the end (tensor_slots()).
    launch_next(r.jerk ? prepare_kernel<true> : prepare_kernel<false>, blocks(r.nj, kThreads),
                kThreads, s, j, p, r.nj, to);
}

void launch_tensor(cudaStream_t s, const Request &r, int per_warp, const ForceArgs &a,
                   const TensorMemory &from)
{
    const Chosen c = chosen(r, per_warp);
    const int per_block = 16 * per_warp * kWarps;
    const dim3 grid(static_cast<unsigned>((r.ni - 1) / per_block + 1),
                    static_cast<unsigned>(r.slices));
    launch_next_with(c.bytes, c.kernel, grid, kThreads, s, TensorArgs{a, from});
}

}  // namespace g6::cuda
