// SPDX-License-Identifier: MIT
// Direct sums in mixed precision on the tensor cores for doubles of GPUs of compute capability 9.0.
//
// A tensor core multiplies small matrices of doubles, 16 x 8 by 8 x 8 in one instruction, at twice
// the rate of the other arithmetic in double.  Most of the arithmetic of a pair can be written as
// such products.  With positions from a common centre, i-particles as rows and j-particles as
// columns:
//     r2[i][j] = |x_i|^2 + eps_i^2 - 2 x_i.x_j + |x_j|^2    (x, y, z, 1) times (x, y, z, |x|^2)
//     rv[i][j] = x_i.v_i - x_i.v_j - v_i.x_j + x_j.v_j      the same with eight terms
//     acc_i    = sum_j w m_j x_j - x_i sum_j w m_j          w[i][j] = r2^(-3/2)
//     jerk_i   = sum_j w m_j v_j - v_i sum_j w m_j          u[i][j] = -3 w rv / r2
//                + sum_j u m_j x_j - x_i sum_j u m_j
// The root, w, u and the sum of m/r are computed in float.  A product leaves r2 and rv in the
// registers from which the next product takes w and u, so that threads need no exchange of data.
//
// Precision: positions and the sums of acc and jerk are in double.  Masses and velocities of
// j-particles are floats, and m/r is summed in float over a batch.  At r = 2^-12 |x_i| about ten
// roundings make a relative error of 2^-25 in r2, less than the cut to a float (2^-23).  acc is the
// difference of a sum with x_j and a sum with x_i, which has the rounding errors of both sums: some
// 2^-53 |x_i| in a distance |x_j - x_i|.  This is below 2^-29 of a distance of 2^-24 |x_i|, but too
// much for a pair far inside a softening, whose distance may be far smaller.
//
// Words are used as in force.cu, except that a batch has kTensorTiles tiles.  Words for a product:
//     operand  one of the two matrices that it multiplies, the left or the right one
//     row      of the left operand and of the product: an i-particle of the warp
//     column   of the product: a j-particle in r2 and rv, a component in the sums
//     factor   a number of each j-particle that stands in a right operand, such as |x|^2 or m x;
//              tensor_factors.cu writes them
//
// Invariants
//  * An i-particle is careful in a batch when the batch has its own index; or when a softened r2
//    there is below 2^-24 |x_i|^2 or G6_CLOSE, or hardly above eps_i^2; or when it or a j-particle
//    of the batch is so far or so fast that w or u may leave the range of float; or when one of its
//    numbers is a NaN.  Its sums over this batch are computed pair by pair in double (add_row()),
//    and the sums by products are dropped.
//  * "Hardly above" means by less than 2^-22 of eps_i^2.  This matters only where eps_i is above
//    2^-12 |x_i|, and there r2 has an error of 2^-24 of eps_i^2.  So each pair nearer than
//    2^-23.2 |x_i| has a careful i-particle.  Keys are compared, whose steps are up to 2^-20 of r2,
//    so that some farther pairs count too, all nearer than eps_i / 900.
//  * So the result of an i-particle depends on itself and on the j-particles, and not on the other
//    i-particles of its block: any number of devices that have the memory for tensor cores gives
//    the same bits.  This is why the centre is a median of j-particles.
//  * An empty slot is massless, and so far away (kEmptyR2) that it is nobody's neighbour.
//  * A slice has whole batches.  One copy brings a batch to shared memory, while the warps of the
//    block sum the preceding batch.  A warp waits for another one only when a whole batch ahead.
//
// Rates: docs/measurements/direct-tensor.md.  A product of 16 x 8 x 8 takes 32 clocks of a tensor
// core, and 16 x 8 pairs take 3.5 of these with jerk and 1.5 without.  Other instructions overlap
// with a product in part: n of them, 12 or more, and a product take about n + 20 clocks together.
// So the loop has few of them and no branch: 54 for 16 x 8 pairs with jerk, and 35 without, beside
// the products.
//  * r2 becomes a float by one shift: after multiplication by kLift the low eight bits of the
//    double's exponent are the exponent of the float.
//  * w becomes a double by two shifts, 2^896 times too small.  The masses that multiply w are 2^896
//    times too large.
//  * rv and u are converted by the unit that also computes the root, and has time for both.
//  * Close pairs are looked for once a batch, by the smallest r2.
#include "launch.cuh"
#include "tensor_parts.cuh"

namespace g6::cuda {
namespace {

constexpr int kResident = 3;  // blocks, of 168 registers a thread

// Empty in code for other GPUs.
template <bool kJerk, bool kNear>
__global__ void __launch_bounds__(kThreads, kResident)
    tensor_kernel(const __grid_constant__ TensorArgs args)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 900
    using F = Factors<kJerk>;
    constexpr int kTiles = kTensorTiles;
    const ForceArgs &a = args.force;
    extern __shared__ __align__(16) char bytes[];
    auto &memory = *reinterpret_cast<TensorShared<kJerk> *>(bytes);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int batches = (a.tiles + kTiles - 1) / kTiles;
    const int s0 = first_tile(blockIdx.y, batches, a.slices);
    const int s1 = first_tile(blockIdx.y + 1, batches, a.slices);
    if (threadIdx.x == 0) {
        init_arrival(memory.filled[0]);
        init_arrival(memory.filled[1]);
        memory.ended[0] = memory.ended[1] = 0;
    }
    for (int k = threadIdx.x; k < BatchData<kJerk>::kStride; k += kThreads) {
        memory.zeros[k] = 0;
        memory.ones[k] = 1;
    }
    take_turn();
    if (threadIdx.x == 0) {
        if (s0 < s1) fetch(memory, 0, args.from, s0);
        if (s0 + 1 < s1) fetch(memory, 1, args.from, s0 + 1);
    }
    const double centre[3] = {args.from.centre[0], args.from.centre[1], args.from.centre[2]};
    // The rows of the thread in the products, and the row that this lane tests.
    const int first = (static_cast<int>(blockIdx.x) * kWarps + warp) * kRows;
    const size_t capacity = static_cast<size_t>(a.i.capacity);
    Row<kJerk> row[kGroups][2], own;
#pragma unroll
    for (int q = 0; q < kGroups; q++)
#pragma unroll
        for (int h = 0; h < 2; h++) row[q][h].load(a.i, min(first + q * 16 + h * 8 + g, a.ni - 1));
    own.load(a.i, min(first + lane, a.ni - 1));
    __syncthreads();

    // The results hold the sums of add_row() until the end.
    const size_t plane = static_cast<size_t>(a.slices) * a.ni;
    const auto result_of = [&](int n) {
        return a.partials.sum + static_cast<size_t>(n) * a.slices + blockIdx.y;
    };
    // The left operands of r2 and rv, what r2 starts with, and sums.  Lane t of four has columns 2t
    // and 2t + 1 of the sums: 0 has ax and ay, 1 az and jz, 2 jx and jy, 3 the sums of w and of u.
    double left2[kGroups][2], left_v[kGroups][4], start[kGroups][4], sum[kGroups][4];
    double pot[kGroups][2];
    int close[kGroups][2];  // pairs with keys below this are close
    NearestTile<int> best[kGroups][2];
    // If the compiler knew that two elements of `start` are equal, it would keep one and copy it
    // before each product.  Adding zeros of which it does not know makes it keep both.
    const volatile double *zero = memory.zeros;
#pragma unroll
    for (int q = 0; q < kGroups; q++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            Row<kJerk> &i = row[q][h];
            i.subtract(centre);
            const double x = i.x[0], y = i.x[1], z = i.x[2], x2 = i.x2(), eps2 = i.eps2;
            left2[q][h] = kLift * (t == 0 ? -2 * x : t == 1 ? -2 * z : t == 2 ? -2 * y : 1);
            start[q][2 * h] = (x2 + eps2) * kLift + zero[2 * h];
            start[q][2 * h + 1] = (x2 + eps2) * kLift + zero[2 * h + 1];
            if (kJerk) {
                const double vx = i.v[0], vy = i.v[1], vz = i.v[2];
                const double xv = g6_fma(z, vz, g6_fma(y, vy, x * vx));
                left_v[q][h] = kMinusThree * (t == 0 ? -x : t == 1 ? 1 : t == 2 ? -y : -z);
                left_v[q][2 + h] = kMinusThree * (t == 0 ? -vx : t == 1 ? -vz : t == 2 ? -vy : xv);
            }
            close[q][h] = first + q * 16 + h * 8 + g < a.ni
                              ? max(key_of_lifted(fmax(x2 * kCloseShare, G6_CLOSE) * kLift),
                                    key_of_lifted(eps2 * kBarelyAbove * kLift) + 1)
                              : INT_MIN;
            sum[q][2 * h] = sum[q][2 * h + 1] = pot[q][h] = 0;
            best[q][h] = {kNoDistance, kNoDistance, s0 * kTiles};
        }
    }
    // Each lane tests one row of the warp, and clears its results.
    const unsigned filled =
        first + 32 <= a.ni ? kAllLanes : kAllLanes & ((1u << max(0, a.ni - first)) - 1);
    own.subtract(centre);
    const bool is_far = !(own.x2() + own.eps2 < kFarR2) || (kJerk && !(own.v2() < kFastV2));
    const int index = own.index;
    if (filled >> lane & 1)
        for (int k = 0; k < 7; k++)
            if (kJerk || k < 3 || k == 6) result_of(first + lane)[k * plane] = 0;
    __syncwarp();  // add_row() adds to the results from other lanes
    // The factors that w and u are multiplied by for column g of the sums.
    const int w_factor = g == 0   ? F::kWx
                         : g == 1 ? F::kWy
                         : g == 2 ? F::kWz
                         : g == 6 ? F::kW1
                         : g == 3 ? F::kWvz
                         : g == 4 ? F::kWvx
                                  : F::kWvy;
    const int u_factor = g == 3 ? F::kUz : g == 4 ? F::kUx : g == 5 ? F::kUy : F::kU1;
    const bool no_w = g == 7 || (!kJerk && g >= 3 && g != 6), no_u = g < 3 || g == 6;

    for (int batch = s0; batch < s1; batch++) {
        const unsigned turn = static_cast<unsigned>(batch - s0), buffer = turn % 2;
        wait_for(memory.filled[buffer], turn / 2);
        __syncwarp();  // products need the whole warp
        const auto &data = memory.data[buffer];
        const auto &factor = data.factor;
        const int first_of_batch = batch * kTiles, tiles = min(kTiles, a.tiles - first_of_batch);
        const double *by_w = (no_w ? memory.zeros : factor[w_factor]) + 2 * t;
        const double *by_u = (no_u || !kJerk ? memory.zeros : factor[u_factor]) + 2 * t;
        const double *by_x = factor[t] + g, *by_v = factor[kJerk ? kVx + t : t] + g;
        const double *by_x1 = (t == 3 ? memory.ones : factor[t]) + g;
        const float *mass = data.mass + 2 * t;
        int nearest[kGroups][2];
        float m_over_r[kGroups][2];
#pragma unroll
        for (int q = 0; q < kGroups; q++) {
#pragma unroll
            for (int h = 0; h < 2; h++) {
                memory.saved[2 * q + h][threadIdx.x] =
                    make_double2(sum[q][2 * h], sum[q][2 * h + 1]);
                nearest[q][h] = kNoDistance;
                m_over_r[q][h] = 0;
            }
        }
#pragma unroll 2
        for (int k = 0; k < tiles * kTile; k += 8) {
            const double x = by_x[k], v = kJerk ? by_v[k] : 0, x1 = kJerk ? by_x1[k] : 0;
            const double2 bw = *reinterpret_cast<const double2 *>(&by_w[k]);
            const double2 bu =
                kJerk ? *reinterpret_cast<const double2 *>(&by_u[k]) : make_double2(0, 0);
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
                    // Element e of a product becomes element `place` of a left operand.
                    const int place = (e & 1) * 2 + e / 2;
                    const float rinv = inverse_root(cut(r2[q][e])), rinv2 = rinv * rinv,
                                w_float = rinv * rinv2;
                    m_over_r[q][e / 2] = g6_fma(e & 1 ? m.y : m.x, rinv, m_over_r[q][e / 2]);
                    w[place] = widen(w_float);
                    if (kJerk) u[place] = w_float * (rinv2 * __double2float_rn(rv[q][e]));
                }
#pragma unroll
                for (int h = 0; h < 2; h++)
                    nearest[q][h] = min(min(nearest[q][h], key_of_lifted(r2[q][2 * h])),
                                        key_of_lifted(r2[q][2 * h + 1]));
                multiply8(sum[q], w, bw.x, bw.y, sum[q]);
                if (kJerk) multiply8(sum[q], u, bu.x, bu.y, sum[q]);
            }
        }
        bool near = false, is_care = is_careful(a, first_of_batch, tiles, data.range, index);
        is_care = (is_care || is_far) && (filled >> lane & 1);
#pragma unroll
        for (int q = 0; q < kGroups; q++)
#pragma unroll
            for (int h = 0; h < 2; h++) near = near || nearest[q][h] < close[q][h];
        if (__any_sync(kAllLanes, is_care || near)) {
            const unsigned careful = __ballot_sync(kAllLanes, is_care) | close_rows(nearest, close);
#pragma unroll
            for (int q = 0; q < kGroups; q++) {
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    if (!(careful >> (q * 16 + h * 8 + g) & 1)) continue;
                    const double2 before = memory.saved[2 * q + h][threadIdx.x];
                    sum[q][2 * h] = before.x;
                    sum[q][2 * h + 1] = before.y;
                    m_over_r[q][h] = 0;
                    nearest[q][h] = kNoDistance;
                }
            }
            for (unsigned rest = careful; rest; rest &= rest - 1) {
                const int r = __ffs(static_cast<int>(rest)) - 1;
                const int key =
                    add_row<kJerk>(a, first_of_batch * kTile, (first_of_batch + tiles) * kTile,
                                   first + r, result_of(first + r), plane);
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
                if (kNear) best[q][h].add(nearest[q][h], first_of_batch);
            }
        }
        // The last warp to end this batch fetches the batch after the next one.
        if (is_last_warp(memory.ended[buffer], kWarps) && lane == 0 && batch + 2 < s1) {
            order_before_copies();
            fetch(memory, buffer, args.from, batch + 2);
        }
    }

    // All rows are loaded before the first is written, so that their latencies overlap.
    RowEnd end[kGroups][2];
#pragma unroll
    for (int q = 0; q < kGroups; q++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int n = min(first + q * 16 + h * 8 + g, a.ni - 1);
            end[q][h] = load_row_end<kJerk>(result_of(n), plane, a.i.x + n, capacity, t);
        }
    }
#pragma unroll
    for (int q = 0; q < kGroups; q++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            double p = pot[q][h];
            NearestTile<int> b = best[q][h];
#pragma unroll
            for (int d = 1; d < 4; d *= 2) {
                p += __shfl_xor_sync(kAllLanes, p, d);
                b.merge({__shfl_xor_sync(kAllLanes, b.key, d),
                         __shfl_xor_sync(kAllLanes, b.runner, d),
                         __shfl_xor_sync(kAllLanes, b.tile, d)});
            }
            const double w1 = __shfl_sync(kAllLanes, sum[q][2 * h], lane | 3),
                         u1 = __shfl_sync(kAllLanes, sum[q][2 * h + 1], lane | 3);
            const int n = first + q * 16 + h * 8 + g;
            if (n >= a.ni) continue;
            write_row_end<kJerk>(result_of(n), plane, end[q][h], centre, t,
                                 {sum[q][2 * h], sum[q][2 * h + 1]}, w1, u1, p);
            const size_t place = static_cast<size_t>(n) * a.slices + blockIdx.y;
            if (kNear && t == 0) {
                a.partials.key[place] = distance_of(b.key);
                a.partials.runner[place] = distance_of(b.runner);
                a.partials.tile[place] = b.tile;
            }
        }
    }
#endif
}

using TensorKernel = void (*)(TensorArgs);
struct KernelChoice {
    TensorKernel kernel;
    size_t bytes;  // of shared memory
};

template <bool kJerk> KernelChoice choose(bool near)
{
    return {near ? tensor_kernel<kJerk, true> : tensor_kernel<kJerk, false>,
            sizeof(TensorShared<kJerk>)};
}

KernelChoice chosen(const Request &r)
{
    return r.jerk ? choose<true>(r.near) : choose<false>(r.near);
}

}  // namespace

int tensor_blocks(const Request &r)
{
    if (r.arithmetic != Arithmetic::kSplit) return 0;
    const KernelChoice c = chosen(r);
    // A driver may compile code for an older GPU, whose kernel is empty, for this GPU.  Newer GPUs
    // can run the code for 9.0, but are slower in double.
    cudaFuncAttributes compiled{};
    if (cudaFuncGetAttributes(&compiled, c.kernel) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    if (compiled.ptxVersion != 90 || compiled.binaryVersion != 90) return 0;
    check(cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(c.bytes)),
          "shared memory");
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, c.kernel, kThreads, c.bytes),
          "occupancy");
    return blocks;
}

void launch_tensor(cudaStream_t s, const Request &r, dim3 grid, const ForceArgs &a,
                   const TensorMemory &from)
{
    const KernelChoice c = chosen(r);
    launch_next_with(c.bytes, c.kernel, grid, kThreads, s, TensorArgs{a, from});
}

}  // namespace g6::cuda
