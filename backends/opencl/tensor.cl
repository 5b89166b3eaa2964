/* SPDX-License-Identifier: MIT
 *
 * Direct sums in mixed precision on the tensor cores for doubles of NVIDIA GPUs of compute
 * capability 9.0: the twin of backends/cuda/tensor.cu and tensor_factors.cu, whose heads have the
 * formulas, the precision, the words and the invariants, but that here all items of a group copy a
 * stage and meet at barriers.  The instructions are those of NVIDIA's virtual machine PTX, which its
 * compiler for OpenCL takes as inline assembly.
 *
 * A work-group has G6_TENSOR_WARPS warps, and a warp G6_TENSOR_GROUPS groups of 16 i-particles.
 *
 * NVIDIA's OpenCL gives a work-group 48 KiB of local memory.  A stage with jerk takes 30 of them, so
 * that the next stage can only come when all warps have read this one.  Meanwhile the other
 * work-groups of the compute unit sum.  Without jerk there are two buffers.
 */
#include "prelude.cl"
#include "layout.cl"

#define G6_REAL double
#define G6_PAIR_SUMS PairSums
#include "../../libg6gpu/formulas/pair.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

#include "../../libg6gpu/formulas/range.h"
#include "../gpu/tensor_formulas.h"
#include "root.cl"

#define G6_GROUPS G6_TENSOR_GROUPS
#define G6_WARPS G6_TENSOR_WARPS
#define G6_THREADS (32 * G6_WARPS)
#define G6_ROWS (16 * G6_GROUPS)
#define G6_SLOTS (G6_TENSOR_TILES * G6_TILE)
#define G6_STRIDE G6_STAGE_STRIDE(G6_SLOTS)
#define G6_STAGE_WORDS (G6_STAGE_BYTES(G6_JERK, G6_TENSOR_TILES, G6_TILE) / 16)
/* The doubles of a stage before its masses. */
#define G6_STAGE_DOUBLES (G6_FACTORS(G6_JERK) * G6_STRIDE)
#define G6_BUFFERS (G6_JERK ? 1 : 2)

#define G6_NO_KEY INT_MAX
/* Whether result k is wanted: 0 to 2 are acc, 3 to 5 jerk, 6 is the potential. */
#define G6_IS_RESULT(k) (G6_JERK || (k) < 3 || (k) == 6)

#include "tensor_ptx.cl"
#include "tensor_factors.cl"
#include "tensor_parts.cl"

/* ---- the kernel ------------------------------------------------------------------------------ */

/* No reqd_work_group_size: with it NVIDIA's compiler ignores -cl-nv-maxrregcount (shapes.cpp) and takes
 * up to 216 registers, and only two work-groups are resident in place of three. */
__kernel void force(int ni, int nj, int slices, int tiles, int stride, int capacity,
                    __global const float4 *plane, __global const int2 *id,
                    __global const double *exact, __global const double *iv, __global const int *ii,
                    __global const float4 *stages, __global double *out_sum,
                    __global float *out_key, __global int *out_tile)
{
    __local float4 buffers[G6_BUFFERS * G6_STAGE_WORDS];
    /* Read as pairs of doubles, too. */
    __local double zeros[G6_STRIDE] __attribute__((aligned(16)));
    __local double ones[G6_STRIDE];
    __local double2 saved[2 * G6_GROUPS][G6_THREADS]; /* sums of the products before the stage */
    const Arrays a = {ni, nj, stride, capacity, plane, id, exact, iv, ii};
    const int item = (int)get_local_id(0), lane = item % 32, warp = item / 32, g = lane / 4,
              t = lane % 4, slice = (int)get_group_id(1);
    const int number_of_stages = (tiles + G6_TENSOR_TILES - 1) / G6_TENSOR_TILES;
    const int s0 = (int)((long)slice * number_of_stages / slices),
              s1 = (int)((long)(slice + 1) * number_of_stages / slices);
    __global const double *centre = (__global const double *)stages;
    stages += G6_CENTRE_WORDS;
    fetch(buffers, stages + (size_t)s0 * G6_STAGE_WORDS);
    for (int k = item; k < G6_STRIDE; k += G6_THREADS) {
        zeros[k] = 0;
        ones[k] = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int first = ((int)get_group_id(0) * G6_WARPS + warp) * G6_ROWS;
    const size_t results = (size_t)slices * ni;

    /* The left operands of r2 and rv, what r2 starts with, and sums.  Lane t of four has columns 2t
     * and 2t + 1 of the sums: 0 has ax and ay, 1 az and jz, 2 jx and jy, 3 the sums of w and of u. */
    double left2[G6_GROUPS][2], left_v[G6_GROUPS][4], start[G6_GROUPS][4], sum[G6_GROUPS][4];
    double pot[G6_GROUPS][2];
    int close[G6_GROUPS][2]; /* keys below it are those of close pairs */
    NearestTile best[G6_GROUPS][2];
    /* If two elements of `start` were known to be equal, the compiler would keep one and copy it
     * before each product.  Adding zeros that it does not know keeps both. */
    volatile __local const double *zero = zeros;
#pragma unroll
    for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            /* Rows past the end repeat the last i-particle and write nothing. */
            const int n = first + q * 16 + h * 8 + g;
            const Row i = load_row(&a, min(n, ni - 1), centre);
            const double x = i.x[0], y = i.x[1], z = i.x[2], x2 = g6_length2(x, y, z);
            left2[q][h] = G6_LIFT * (t == 0 ? -2 * x : t == 1 ? -2 * z : t == 2 ? -2 * y : 1);
            start[q][2 * h] = (x2 + i.eps2) * G6_LIFT + zero[2 * h];
            start[q][2 * h + 1] = (x2 + i.eps2) * G6_LIFT + zero[2 * h + 1];
#if G6_JERK
            const double vx = i.v[0], vy = i.v[1], vz = i.v[2];
            const double xv = G6_FMA(z, vz, G6_FMA(y, vy, x * vx));
            left_v[q][h] = G6_MINUS_THREE * (t == 0 ? -x : t == 1 ? 1 : t == 2 ? -y : -z);
            left_v[q][2 + h] = G6_MINUS_THREE * (t == 0 ? -vx : t == 1 ? -vz : t == 2 ? -vy : xv);
#endif
            close[q][h] = n < ni ? max(key_of_lifted(fmax(x2 * G6_CLOSE_SHARE, G6_CLOSE) * G6_LIFT),
                                       key_of_lifted(i.eps2 * G6_BARELY_ABOVE * G6_LIFT) + 1)
                                 : INT_MIN;
            sum[q][2 * h] = sum[q][2 * h + 1] = pot[q][h] = 0;
            best[q][h].key = best[q][h].runner = G6_NO_KEY;
            best[q][h].tile = s0 * G6_TENSOR_TILES;
        }
    /* A lane looks after one row of the warp. */
    const int own = min(first + lane, ni - 1);
    const Row mine = load_row(&a, own, centre);
    const int has_row = first + lane < ni, index = ii[own];
    /* Velocities are 0 without jerk. */
    const int is_far = !(g6_length2(mine.x[0], mine.x[1], mine.x[2]) + mine.eps2 < G6_FAR_R2) ||
                       !(g6_length2(mine.v[0], mine.v[1], mine.v[2]) < G6_FAST_V2);
    /* The results hold the sums of add_row() until the end. */
    if (has_row)
        for (int k = 0; k < 7; k++)
            if (G6_IS_RESULT(k)) out_sum[k * results + (size_t)(first + lane) * slices + slice] = 0;
    meet_warp(); /* add_row() adds to the results from other lanes */
    /* The factors that w and u are multiplied by for column g of the sums. */
#if G6_JERK
    const int w_factor = g == 0   ? G6_FACTOR_WX(1)
                         : g == 1 ? G6_FACTOR_WY(1)
                         : g == 2 ? G6_FACTOR_WZ(1)
                         : g == 6 ? G6_FACTOR_W1(1)
                         : g == 3 ? G6_FACTOR_WVZ
                         : g == 4 ? G6_FACTOR_WVX
                                  : G6_FACTOR_WVY;
    const int u_factor = g == 3   ? G6_FACTOR_UZ
                         : g == 4 ? G6_FACTOR_UX
                         : g == 5 ? G6_FACTOR_UY
                                  : G6_FACTOR_U1;
    const int no_w = g == 7, no_u = g < 3 || g == 6;
#else
    const int w_factor = g == 0   ? G6_FACTOR_WX(0)
                         : g == 1 ? G6_FACTOR_WY(0)
                         : g == 2 ? G6_FACTOR_WZ(0)
                                  : G6_FACTOR_W1(0);
    const int no_w = g >= 3 && g != 6;
#endif

    for (int stage = s0; stage < s1; stage++) {
        const int buffer = G6_BUFFERS > 1 ? (stage - s0) % G6_BUFFERS : 0;
        if (G6_BUFFERS > 1 && stage + 1 < s1) {
            fetch(buffers + (1 - buffer) * G6_STAGE_WORDS,
                  stages + (size_t)(stage + 1) * G6_STAGE_WORDS);
            wait_for_copies(1);
        } else {
            wait_for_copies(0);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        __local const double *factor = (__local const double *)(buffers + buffer * G6_STAGE_WORDS);
        __local const float *mass = (__local const float *)(factor + G6_STAGE_DOUBLES) + 2 * t;
        __local const int2 *range =
            (__local const int2 *)((__local const float *)(factor + G6_STAGE_DOUBLES) + G6_SLOTS);
        const int first_of_stage = stage * G6_TENSOR_TILES,
                  tiles_of_stage = min(G6_TENSOR_TILES, tiles - first_of_stage);
        __local const double *by_w = (no_w ? zeros : factor + w_factor * G6_STRIDE) + 2 * t;
        __local const double *by_x = factor + t * G6_STRIDE + g;
#if G6_JERK
        __local const double *by_u = (no_u ? zeros : factor + u_factor * G6_STRIDE) + 2 * t;
        __local const double *by_v = factor + (G6_FACTOR_VX + t) * G6_STRIDE + g;
        __local const double *by_x1 = (t == 3 ? ones : factor + t * G6_STRIDE) + g;
#endif
        int nearest[G6_GROUPS][2];
        float m_over_r[G6_GROUPS][2];
#pragma unroll
        for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                saved[2 * q + h][item] = (double2)(sum[q][2 * h], sum[q][2 * h + 1]);
                nearest[q][h] = G6_NO_KEY;
                m_over_r[q][h] = 0;
            }
        /* Two steps at once: NVIDIA's compiler adds code for an odd number where it unrolls. */
        for (int left = tiles_of_stage * G6_TILE; left > 0; left -= 16) {
#pragma unroll
            for (int k = 0; k < 16; k += 8) {
                const double x = by_x[k];
                const double2 bw = *(__local const double2 *)(by_w + k);
                const float2 m = *(__local const float2 *)(mass + k);
                double r2[G6_GROUPS][4];
#if G6_JERK
                const double v = by_v[k], x1 = by_x1[k];
                const double2 bu = *(__local const double2 *)(by_u + k);
                double rv[G6_GROUPS][4];
                const double nothing[4] = {0, 0, 0, 0};
#endif
#pragma unroll
                for (int q = 0; q < G6_GROUPS; q++) {
                    multiply4(r2[q], left2[q], x, start[q]);
#if G6_JERK
                    multiply8(rv[q], left_v[q], v, x1, nothing);
#endif
                }
#pragma unroll
                for (int q = 0; q < G6_GROUPS; q++) {
                    double w[4], u[4];
#pragma unroll
                    for (int e = 0; e < 4; e++) {
                        /* Element e of a product is element place of a left operand. */
                        const int place = (e & 1) * 2 + e / 2;
                        const float rinv = inverse_root(cut(r2[q][e])), rinv2 = rinv * rinv,
                                    w_float = rinv * rinv2;
                        m_over_r[q][e / 2] = G6_FMA(e & 1 ? m.y : m.x, rinv, m_over_r[q][e / 2]);
                        w[place] = widen(w_float);
#if G6_JERK
                        u[place] = w_float * (rinv2 * convert_float_rte(rv[q][e]));
#endif
                    }
#pragma unroll
                    for (int h = 0; h < 2; h++)
                        nearest[q][h] = min(min(nearest[q][h], key_of_lifted(r2[q][2 * h])),
                                            key_of_lifted(r2[q][2 * h + 1]));
                    multiply8(sum[q], w, bw.x, bw.y, sum[q]);
#if G6_JERK
                    multiply8(sum[q], u, bu.x, bu.y, sum[q]);
#endif
                }
            }
            by_x += 16, by_w += 16, mass += 16;
#if G6_JERK
            by_v += 16, by_x1 += 16, by_u += 16;
#endif
        }
        int near = 0;
        const int is_care =
            (is_careful_in(&a, first_of_stage, tiles_of_stage, range, index) || is_far) && has_row;
#pragma unroll
        for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
            for (int h = 0; h < 2; h++) near = near || nearest[q][h] < close[q][h];
        if (any_lane(is_care || near)) {
            const uint careful = ballot(is_care) | close_rows(nearest, close);
#pragma unroll
            for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    if (!(careful >> (q * 16 + h * 8 + g) & 1)) continue;
                    const double2 before = saved[2 * q + h][item];
                    sum[q][2 * h] = before.x;
                    sum[q][2 * h + 1] = before.y;
                    m_over_r[q][h] = 0;
                    nearest[q][h] = G6_NO_KEY;
                }
            for (uint rest = careful; rest; rest &= rest - 1) {
                const int r = 31 - (int)clz(rest & -rest);
                const int key = add_row(&a, first_of_stage * G6_TILE,
                                        (first_of_stage + tiles_of_stage) * G6_TILE, first + r,
                                        out_sum + (size_t)(first + r) * slices + slice, results);
#pragma unroll
                for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
                    for (int h = 0; h < 2; h++)
                        if (t == 0 && r == q * 16 + h * 8 + g) nearest[q][h] = key;
            }
        }
#pragma unroll
        for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                pot[q][h] += m_over_r[q][h];
                if (G6_NEAR) add_nearest(&best[q][h], nearest[q][h], first_of_stage);
            }
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the stage */
        if (G6_BUFFERS == 1 && stage + 1 < s1)
            fetch(buffers, stages + (size_t)(stage + 1) * G6_STAGE_WORDS);
    }

#pragma unroll
    for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            double p = pot[q][h];
            NearestTile b = best[q][h];
#pragma unroll
            for (int d = 1; d < 4; d *= 2) {
                p += swap_double(p, d);
                if (G6_NEAR) merge_nearest(&b, d);
            }
            const double w1 = shuffle_double(sum[q][2 * h], lane | 3),
                         u1 = shuffle_double(sum[q][2 * h + 1], lane | 3);
            const int n = first + q * 16 + h * 8 + g;
            if (n >= ni) continue;
            const size_t place = (size_t)n * slices + slice;
            add_to_results(&a, out_sum + place, results, n, centre, t,
                           (double2)(sum[q][2 * h], sum[q][2 * h + 1]), w1, u1, p);
            if (G6_NEAR && t == 0) {
                out_key[place] = distance_of(b.key);
                out_key[results + place] = distance_of(b.runner);
                out_tile[place] = b.tile;
            }
        }
}
