// SPDX-License-Identifier: MIT
// The parts of the kernel in tensor.cu, whose head explains them: shared memory, products, careful
// i-particles, and the writing of results.
#pragma once

#include "bulk_copy.cuh"
#include "tensor.cuh"
#include "tile.cuh"

namespace g6::cuda {

struct TensorArgs {
    ForceArgs force;
    TensorMemory from;
};

constexpr int kWarps = 4, kThreads = 32 * kWarps;
// The i-particles of a warp: groups of 16, the rows of a product.  Lane k tests row k.
constexpr int kGroups = 2, kRows = 16 * kGroups;

// Shared memory: the batch that is summed, the next one, and constants.
template <bool kJerk> struct TensorShared {
    using Data = BatchData<kJerk>;
    Data data[2];
    double zeros[Data::kStride], ones[Data::kStride];
    double2 saved[2 * kGroups][kThreads];  // sums of the products before this batch
    Arrival filled[2];                     // tells when the batch in data[k] has come
    unsigned ended[2];                     // warps that have ended the batch in data[k]
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 900

// ---- products ---------------------------------------------------------------------------------
//
// Thread 4 g + t of a warp holds these elements (row, column): of the left operand (g, k) and
// (g + 8, k) for k = t and t + 4; of the right one (t, g) and (t + 4, g); of the product (g, 2t),
// (g, 2t + 1), (g + 8, 2t) and (g + 8, 2t + 1).

static __device__ __forceinline__ void multiply4(double (&d)[4], const double (&a)[2], double b,
                                                 const double (&c)[4])
{
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(b), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
}
static __device__ __forceinline__ void multiply8(double (&d)[4], const double (&a)[4], double b0,
                                                 double b1, const double (&c)[4])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b0), "d"(b1), "d"(c[0]), "d"(c[1]),
          "d"(c[2]), "d"(c[3]));
}

// ---- careful i-particles ----------------------------------------------------------------------

// far_range() marks a tile with a particle that is too far or too fast.
static __device__ __forceinline__ bool is_far_range(int2 range)
{
    return range.x > range.y;
}
// Whether the range of a tile's indices includes this index, or marks far or fast particles.
static __device__ __forceinline__ bool may_be_careful(int2 range, int index)
{
    return is_far_range(range) || (index >= range.x && index <= range.y);
}
// Whether a slot of the tile may have the index of one of the warp's i-particles: empty slots keep
// the index that they had.  The whole warp calls, each lane with its own index.
static __device__ __forceinline__ bool tile_may_hold(const ForceArgs &a, int tile, int index)
{
    const int *slots = a.j.index + tile * kTile + threadIdx.x % 32;
    const int low = slots[0], high = slots[32];
    bool found = false;
#pragma unroll 4
    for (int row = 0; row < kRows; row++) {
        const int own = __shfl_sync(kAllLanes, index, row);
        found = found | (low == own) | (high == own);
    }
    return __any_sync(kAllLanes, found);
}
// Whether an i-particle with this index is careful because the tile has its own index, or a
// particle that is far or fast.  The range does not suffice: it is wide where indices are not in
// the order of slots, and all of int where a slot is empty.  The whole warp calls, each lane with
// its own index.
static __device__ __forceinline__ bool is_careful(const ForceArgs &a, int tile, int2 range,
                                                  int index)
{
    if (is_far_range(range)) return true;
    if (!__any_sync(kAllLanes, may_be_careful(range, index)) || !tile_may_hold(a, tile, index))
        return false;
    bool found = false;
    for (int half = 0; half < kTile; half += 32) {
        const int2 id = identity(a, tile * kTile + half + static_cast<int>(threadIdx.x % 32));
        const unsigned written = __ballot_sync(kAllLanes, id.y);
        for (int k = 0; k < 32; k++)
            found = (__shfl_sync(kAllLanes, id.x, k) == index && (written >> k & 1)) || found;
    }
    return found;
}
// The same for some tiles.  In most batches the ranges suffice to tell that none is careful.
static __device__ __forceinline__ bool is_careful(const ForceArgs &a, int first, int tiles,
                                                  const int2 *range, int index)
{
    bool may_be = false, is = false;
    for (int k = 0; k < tiles; k++) may_be = may_be_careful(range[k], index) || may_be;
    if (!__any_sync(kAllLanes, may_be)) return false;
    for (int k = 0; k < tiles; k++) is = is_careful(a, first + k, range[k], index) || is;
    return is;
}

// Adds the forces of slots from ... to-1 on i-particle n in double to result[0], result[plane], ...
// Returns the key of the nearest of these particles.  The whole warp calls.
template <bool kJerk>
static __device__ __noinline__ int add_row(const ForceArgs &a, int from, int to, int n,
                                           double *result, size_t plane)
{
    const size_t c = static_cast<size_t>(a.i.capacity);
    const double *xi = a.i.x + n;
    const double eps2 = a.i.eps2[n];
    const int own = a.i.index[n], lane = threadIdx.x % 32;
    PairSumsD s = {0, 0, 0, 0, 0, 0, 0};
    int key = kNoDistance;
    // No branch in the loop, so that all loads of two iterations are in flight at once.
#pragma unroll 2
    for (int first = from; first < to; first += 32) {
        const int slot = first + lane;
        const int2 id = identity(a, slot);
        const double dx = a.p.x[0][slot] - xi[0], dy = a.p.x[1][slot] - xi[c],
                     dz = a.p.x[2][slot] - xi[2 * c];
        const auto j = Split<kJerk>::load(a.p.plane[0],
                                          static_cast<size_t>(a.p.plane[1] - a.p.plane[0]), slot);
        const double soft = g6_length2(dx, dy, dz) + eps2;
        const bool counts = id.y && id.x != own, adds = counts && soft > G6_COINCIDENT;
        key = counts ? min(key, key_of_lifted(soft * kLift)) : key;
        g6_pair_hermite(&s, dx, dy, dz, kJerk ? j.vx - xi[3 * c] : 0.0,
                        kJerk ? j.vy - xi[4 * c] : 0.0, kJerk ? j.vz - xi[5 * c] : 0.0,
                        static_cast<double>(j.m), adds ? inverse_root(soft) : 0.0);
    }
    double sum[7] = {s.ax, s.ay, s.az, s.jx, s.jy, s.jz, s.pot};
    for (int d = 16; d; d /= 2) {
        key = min(key, __shfl_xor_sync(kAllLanes, key, d));
#pragma unroll
        for (int k = 0; k < 7; k++) sum[k] += __shfl_xor_sync(kAllLanes, sum[k], d);
    }
#pragma unroll
    for (int k = 0; k < 7; k++)
        if (lane == k && (kJerk || k < 3 || k == 6)) result[k * plane] += sum[k];
    __syncwarp();  // other lanes read the results at the end
    return key;
}

// ---- parts of the kernel ----------------------------------------------------------------------

// An i-particle, whose position is relative to the centre after subtract().
template <bool kJerk> struct Row {
    double x[3], v[3], eps2;
    int index;
    __device__ __forceinline__ void load(const IMemory &i, int n)
    {
        const size_t capacity = static_cast<size_t>(i.capacity);
#pragma unroll
        for (int c = 0; c < 3; c++) {
            x[c] = i.x[c * capacity + n];
            v[c] = kJerk ? i.x[(3 + c) * capacity + n] : 0;
        }
        eps2 = i.eps2[n];
        index = i.index[n];
    }
    __device__ __forceinline__ void subtract(const double (&centre)[3])
    {
#pragma unroll
        for (int c = 0; c < 3; c++) x[c] -= centre[c];
    }
    __device__ __forceinline__ double x2() const
    {
        return g6_length2(x[0], x[1], x[2]);
    }
    __device__ __forceinline__ double v2() const
    {
        return g6_length2(v[0], v[1], v[2]);
    }
};

// Starts the copy of a batch.  One thread calls.
template <bool kJerk>
static __device__ __forceinline__ void fetch(TensorShared<kJerk> &memory, int buffer,
                                             const TensorMemory &from, int batch)
{
    using Data = BatchData<kJerk>;
    static_assert(sizeof(Data) % 16 == 0, "copies are of 16 bytes each");
    expect_bytes(memory.filled[buffer], sizeof(Data));
    copy_bulk(&memory.data[buffer], reinterpret_cast<const Data *>(from.batches) + batch,
              sizeof(Data), memory.filled[buffer]);
}

// The rows of a warp that have a close pair, one bit for each.  The whole warp calls.
static __device__ __forceinline__ unsigned close_rows(const int (&nearest)[kGroups][2],
                                                      const int (&close)[kGroups][2])
{
    unsigned found = 0;
#pragma unroll
    for (int q = 0; q < kGroups; q++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            unsigned lanes = __ballot_sync(kAllLanes, nearest[q][h] < close[q][h]);
            lanes |= lanes >> 1;
            lanes |= lanes >> 2;
            for (int k = 0; k < 8; k++) found |= (lanes >> (4 * k) & 1) << (q * 16 + h * 8 + k);
        }
    }
    return found;
}

// What a lane needs of a row to make the results of its two columns of the sums at the end.  Lane t
// of four has for t = 0: acc[0] and acc[1]; 1: acc[2] and jerk[2]; 2: jerk[0] and jerk[1]; 3: the
// potential in place of the first column.
struct RowEnd {
    double x[2], v[2];  // the columns' components of the i-particle
    double before[2];   // the sums of add_row()
};

// The results that the two columns of lane t belong to: 0 to 2 are acc, 3 to 5 jerk, 6 is the
// potential.
template <bool kJerk> struct ResultsOf {
    int number[2];
    bool is_written[2];
    __device__ __forceinline__ explicit ResultsOf(int t)
        : number{t == 0   ? 0
                 : t == 1 ? 2
                 : t == 2 ? 3
                          : 6,
                 t == 0   ? 1
                 : t == 1 ? 5
                          : 4},
          is_written{t != 2 || kJerk, t == 0 || (t < 3 && kJerk)}
    {
    }
};

// result: points to acc[0]; plane: elements from one component to the next.
template <bool kJerk>
static __device__ __forceinline__ RowEnd load_row_end(const double *result, size_t plane,
                                                      const double *xi, size_t capacity, int t)
{
    const ResultsOf<kJerk> results(t);
    RowEnd e{};
#pragma unroll
    for (int c = 0; c < 2; c++) {
        const int d = results.number[c] % 3;  // not used for the potential
        e.x[c] = xi[static_cast<size_t>(d) * capacity];
        e.v[c] = kJerk ? xi[static_cast<size_t>(3 + d) * capacity] : 0;
        e.before[c] =
            results.is_written[c] ? result[static_cast<size_t>(results.number[c]) * plane] : 0;
    }
    return e;
}

// Writes the results of a row: x_i and v_i times the sums of w and u, w1 and u1, are subtracted
// from the columns' sums.
template <bool kJerk>
static __device__ __forceinline__ void
write_row_end(double *result, size_t plane, const RowEnd &e, const double (&centre)[3], int t,
              const double (&s)[2], double w1, double u1, double pot)
{
    const ResultsOf<kJerk> results(t);
    const double restore = t == 3 ? 1 - kInverseMean : 1 - 3 * kInverseMean;
#pragma unroll
    for (int c = 0; c < 2; c++) {
        const int d = results.number[c] % 3;
        const double x = e.x[c] - (d == 0 ? centre[0] : d == 1 ? centre[1] : centre[2]);
        const bool is_jerk = kJerk && results.number[c] >= 3;
        double sum = is_jerk ? g6_fma(-e.v[c], w1, g6_fma(-x, u1, s[c])) : g6_fma(-x, w1, s[c]);
        if (t == 3) sum = pot;
        if (results.is_written[c])
            result[static_cast<size_t>(results.number[c]) * plane] =
                g6_fma(sum, restore, e.before[c]);
    }
}

#endif

}  // namespace g6::cuda
