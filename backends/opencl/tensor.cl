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

/* ---- instructions of PTX --------------------------------------------------------------------- */

G6_FN uint ballot(int x)
{
    uint lanes;
    __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; "
                     "vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                     : "=r"(lanes)
                     : "r"(x));
    return lanes;
}
G6_FN int any_lane(int x)
{
    return ballot(x) != 0;
}
G6_FN int shuffle_int(int x, int lane)
{
    int y;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(y) : "r"(x), "r"(lane));
    return y;
}
G6_FN int swap_int(int x, int distance)
{
    int y;
    __asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
                     : "=r"(y)
                     : "r"(x), "r"(distance));
    return y;
}
G6_FN double shuffle_double(double x, int lane)
{
    const int2 u = as_int2(x);
    return as_double((int2)(shuffle_int(u.x, lane), shuffle_int(u.y, lane)));
}
G6_FN double swap_double(double x, int distance)
{
    const int2 u = as_int2(x);
    return as_double((int2)(swap_int(u.x, distance), swap_int(u.y, distance)));
}
/* What lanes of the warp have written to memory is there for its other lanes. */
G6_FN void meet_warp(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" : : : "memory");
}

G6_FN void copy_word(__local float4 *to, __global const float4 *from)
{
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "l"(to), "l"(from) : "memory");
}
G6_FN void end_copies(void)
{
    __asm__ volatile("cp.async.commit_group;" : : : "memory");
}
/* Waits for all copies of the item; but_last: except those since the last end_copies() but one. */
G6_FN void wait_for_copies(int but_last)
{
    if (but_last)
        __asm__ volatile("cp.async.wait_group 1;" : : : "memory");
    else
        __asm__ volatile("cp.async.wait_group 0;" : : : "memory");
}

/* Products of 16 x 4 by 4 x 8, and of 16 x 8 by 8 x 8; tensor_parts.cuh says which thread holds
 * what. */
G6_FN void multiply4(double *d, const double *a, double b, const double *c)
{
    __asm__("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
            "{%7,%8,%9,%10};"
            : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(b), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
}
G6_FN void multiply8(double *d, const double *a, double b0, double b1, const double *c)
{
    __asm__("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9}, {%10,%11,%12,%13};"
            : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b0), "d"(b1), "d"(c[0]), "d"(c[1]),
              "d"(c[2]), "d"(c[3]));
}

/* x / G6_LIFT, cut to a float, for quotients of 2^-126 to 2^127.  Any other x gives a number without
 * meaning: that of a pair whose i-particle is careful. */
G6_FN float cut(double x)
{
    const int2 u = as_int2(x);
    int bits;
    __asm__("shf.l.wrap.b32 %0, %1, %2, 3;" : "=r"(bits) : "r"(u.x), "r"(u.y));
    return as_float(bits);
}
/* x / G6_BITS_SCALE, for zero and normal x > 0. */
G6_FN double widen(float x)
{
    const uint bits = as_uint(x);
    return as_double((uint2)(bits << 29, bits >> 3));
}

/* Measure of a squared distance: the upper word of r2 G6_LIFT, and back. */
G6_FN int key_of_lifted(double lifted)
{
    return as_int2(lifted).y;
}
G6_FN float distance_of(int key)
{
    return key == G6_NO_KEY ? INFINITY : convert_float(as_double((int2)(0, key)) * (1 / G6_LIFT));
}

/* ---- the factors of the j-particles ---------------------------------------------------------- */

/* The median of coordinate c of 32 slots at equal distances, or of those of them that were written.
 * The whole warp calls. */
G6_FN float median(__global const int2 *id, __global const double *x, int nj)
{
    const int lane = (int)get_local_id(0) % 32, slot = (int)((long)lane * nj / 32);
    const int is_written = id[slot].y;
    const uint written = ballot(is_written);
    if (!written) return 0;
    const float mine = convert_float(x[slot]);
    int below = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        const float other = as_float(shuffle_int(as_int(mine), k));
        below += (other < mine || (other == mine && k < lane)) && (written >> k & 1);
    }
    const uint middle = ballot(is_written && below == popcount(written) / 2);
    return as_float(shuffle_int(as_int(mine), 31 - (int)clz(middle & -middle)));
}

/* Each item of a work-group has a j-particle. */
#define G6_PREPARE G6_PREPARE_ITEMS

/* The stages of all j-particles, as far as there are tiles. */
__kernel __attribute__((reqd_work_group_size(G6_PREPARE, 1, 1))) void
prepare(int nj, int stride, int capacity, __global const float4 *plane, __global const int2 *id,
        __global const int2 *range, __global const double *exact, __global float4 *stages)
{
    __local double centre[3];
    __local int is_far[G6_PREPARE / G6_TILE];
    const int item = (int)get_local_id(0), slot = (int)get_global_id(0);
    if (item < G6_PREPARE / G6_TILE) is_far[item] = 0;
    if (item < 96) {
        const int c = item / 32;
        centre[c] = median(id, exact + (size_t)c * capacity, nj);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slot < 3) ((__global double *)stages)[slot] = centre[slot];
    const int is_empty = slot >= nj || !id[slot].y, n = min(slot, nj - 1);
    const float4 high = plane[n], low = plane[(size_t)stride + n];
    const double x = is_empty ? 0 : exact[n] - centre[0],
                 y = is_empty ? 0 : exact[(size_t)capacity + n] - centre[1],
                 z = is_empty ? 0 : exact[2 * (size_t)capacity + n] - centre[2],
                 x2 = g6_length2(x, y, z), m = is_empty ? 0 : high.w, scaled = m * G6_BITS_SCALE;
    __global float4 *stage = stages + G6_CENTRE_WORDS + (size_t)(slot / G6_SLOTS) * G6_STAGE_WORDS;
    __global double *factor = (__global double *)stage + slot % G6_SLOTS;
    int far = x2 >= G6_FAR_R2;
    /* A group has two tiles, of which the second may be past the end. */
    if (slot < (nj + G6_TILE - 1) / G6_TILE * G6_TILE) {
        factor[G6_FACTOR_X * G6_STRIDE] = x;
        factor[G6_FACTOR_Y * G6_STRIDE] = y;
        factor[G6_FACTOR_Z * G6_STRIDE] = z;
        factor[G6_FACTOR_X2 * G6_STRIDE] = is_empty ? G6_EMPTY_R2 : x2;
        factor[G6_FACTOR_WX(G6_JERK) * G6_STRIDE] = scaled * x;
        factor[G6_FACTOR_WY(G6_JERK) * G6_STRIDE] = scaled * y;
        factor[G6_FACTOR_WZ(G6_JERK) * G6_STRIDE] = scaled * z;
        factor[G6_FACTOR_W1(G6_JERK) * G6_STRIDE] = scaled;
#if G6_JERK
        const float2 rest = plane[2 * (size_t)stride + n].xy;
        const double vx = is_empty ? 0 : low.w, vy = is_empty ? 0 : rest.x,
                     vz = is_empty ? 0 : rest.y;
        factor[G6_FACTOR_VX * G6_STRIDE] = vx;
        factor[G6_FACTOR_VY * G6_STRIDE] = vy;
        factor[G6_FACTOR_VZ * G6_STRIDE] = vz;
        factor[G6_FACTOR_XV * G6_STRIDE] = G6_FMA(z, vz, G6_FMA(y, vy, x * vx));
        factor[G6_FACTOR_WVX * G6_STRIDE] = scaled * vx;
        factor[G6_FACTOR_WVY * G6_STRIDE] = scaled * vy;
        factor[G6_FACTOR_WVZ * G6_STRIDE] = scaled * vz;
        factor[G6_FACTOR_UX * G6_STRIDE] = m * x;
        factor[G6_FACTOR_UY * G6_STRIDE] = m * y;
        factor[G6_FACTOR_UZ * G6_STRIDE] = m * z;
        factor[G6_FACTOR_U1 * G6_STRIDE] = m;
        far = far || g6_length2(vx, vy, vz) >= G6_FAST_V2;
#endif
        ((__global float *)((__global double *)stage + G6_STAGE_DOUBLES))[slot % G6_SLOTS] = m;
    }
    if (far) is_far[item / G6_TILE] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item % G6_TILE == 0 && slot < nj)
        ((__global int2 *)((__global float *)((__global double *)stage + G6_STAGE_DOUBLES) +
                           G6_SLOTS))[slot % G6_SLOTS / G6_TILE] =
            is_far[item / G6_TILE] ? (int2)(INT_MAX, INT_MIN) : range[slot / G6_TILE];
}

/* ---- careful i-particles --------------------------------------------------------------------- */

typedef struct Arrays {
    int ni, nj, stride, capacity;
    __global const float4 *plane;
    __global const int2 *id;
    __global const double *exact, *iv;
    __global const int *ii;
} Arrays;

G6_FN int2 identity(const Arrays *a, int slot)
{
    return slot < a->nj ? a->id[slot] : (int2)(0, 0);
}

/* A tile with a particle that is too far or too fast. */
G6_FN int is_far_range(int2 range)
{
    return range.x > range.y;
}

/* Whether an i-particle of this index is careful for what a tile holds: its own index, or a particle
 * that is far or fast.  Ranges are wide where indices are in no order of the slots, and those of
 * tiles with an empty slot are all of int.  The whole warp calls, each lane with its own index. */
G6_FN int is_careful(const Arrays *a, int tile, int2 range, int index)
{
    if (is_far_range(range)) return 1;
    if (!any_lane(index >= range.x && index <= range.y)) return 0;
    const int lane = (int)get_local_id(0) % 32;
    const int2 low = identity(a, tile * G6_TILE + lane),
               high = identity(a, tile * G6_TILE + 32 + lane);
    int may = 0;
#pragma unroll 4
    for (int row = 0; row < G6_ROWS; row++) {
        const int own = shuffle_int(index, row);
        may = may | (low.x == own) | (high.x == own);
    }
    if (!any_lane(may)) return 0;
    const uint low_written = ballot(low.y), high_written = ballot(high.y);
    int found = 0;
    for (int k = 0; k < 32; k++) {
        const int first = shuffle_int(low.x, k), second = shuffle_int(high.x, k);
        found = (first == index && (low_written >> k & 1)) ||
                (second == index && (high_written >> k & 1)) || found;
    }
    return found;
}

/* The same for some tiles.  For most stages the ranges show that no i-particle is careful. */
G6_FN int is_careful_in(const Arrays *a, int first, int tiles, __local const int2 *range, int index)
{
    int may = 0, is = 0;
    for (int k = 0; k < tiles; k++)
        may = may || is_far_range(range[k]) || (index >= range[k].x && index <= range[k].y);
    if (!any_lane(may)) return 0;
    for (int k = 0; k < tiles; k++) is = is_careful(a, first + k, range[k], index) || is;
    return is;
}

/* Adds the forces of slots from ... to-1 on i-particle n in double to result[0], result[plane], ...;
 * returns the key of the closest of them.  The whole warp calls. */
static __attribute__((noinline)) int add_row(const Arrays *a, int from, int to, int n,
                                             __global double *result, size_t plane)
{
    const int lane = (int)get_local_id(0) % 32, own = a->ii[n];
    __global const double *i = a->iv + n;
    const double eps2 = i[6 * (size_t)a->ni];
    PairSums s = {0, 0, 0, 0, 0, 0, 0};
    int key = G6_NO_KEY;
    for (int slot = from + lane; slot < to; slot += 32) {
        const int2 id = identity(a, slot);
        const int k = min(slot, a->nj - 1);
        const double dx = a->exact[k] - i[0], dy = a->exact[(size_t)a->capacity + k] - i[a->ni],
                     dz = a->exact[2 * (size_t)a->capacity + k] - i[2 * (size_t)a->ni];
        const double soft = g6_length2(dx, dy, dz) + eps2;
        const int counts = id.y && id.x != own, adds = counts && soft > G6_COINCIDENT;
        const double rinv = adds ? inverse_root_double(soft) : 0.0, m = a->plane[k].w;
        key = counts ? min(key, key_of_lifted(soft * G6_LIFT)) : key;
#if G6_JERK
        const float2 rest = a->plane[2 * (size_t)a->stride + k].xy;
        g6_pair_hermite(&s, dx, dy, dz, a->plane[(size_t)a->stride + k].w - i[3 * (size_t)a->ni],
                        rest.x - i[4 * (size_t)a->ni], rest.y - i[5 * (size_t)a->ni], m, rinv);
#else
        g6_pair_force(&s, dx, dy, dz, m, rinv);
#endif
    }
    double sum[7] = {s.ax, s.ay, s.az, s.jx, s.jy, s.jz, s.pot};
    for (int d = 16; d; d /= 2) {
        key = min(key, swap_int(key, d));
#pragma unroll
        for (int k = 0; k < 7; k++) sum[k] += swap_double(sum[k], d);
    }
#pragma unroll
    for (int k = 0; k < 7; k++)
        if (G6_IS_RESULT(k) && lane == k) result[k * plane] += sum[k];
    meet_warp(); /* other lanes read the results at the end */
    return key;
}

/* ---- parts of the kernel --------------------------------------------------------------------- */

/* An i-particle, relative to the centre. */
typedef struct Row {
    double x[3], v[3], eps2;
} Row;

G6_FN Row load_row(const Arrays *a, int n, __global const double *centre)
{
    Row row;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        row.x[c] = a->iv[(size_t)c * a->ni + n] - centre[c];
        row.v[c] = G6_JERK ? a->iv[(size_t)(3 + c) * a->ni + n] : 0;
    }
    row.eps2 = a->iv[6 * (size_t)a->ni + n];
    return row;
}

/* The smallest key, the first tile of its stage, and a lower bound of the keys of all other
 * stages. */
typedef struct NearestTile {
    int key, runner, tile;
} NearestTile;

G6_FN void add_nearest(NearestTile *n, int key, int tile)
{
    n->runner = min(n->runner, max(n->key, key));
    if (key < n->key) {
        n->key = key;
        n->tile = tile;
    }
}
G6_FN void merge_nearest(NearestTile *n, int distance)
{
    const int key = swap_int(n->key, distance), runner = swap_int(n->runner, distance),
              tile = swap_int(n->tile, distance);
    if (tile == n->tile)
        n->key = min(n->key, key);
    else
        add_nearest(n, key, tile);
    n->runner = min(n->runner, runner);
}

/* The rows of a warp that met a close pair, a bit for each.  The whole warp calls. */
G6_FN uint close_rows(int (*nearest)[2], int (*close)[2])
{
    uint found = 0;
#pragma unroll
    for (int q = 0; q < G6_GROUPS; q++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            uint lanes = ballot(nearest[q][h] < close[q][h]);
            lanes |= lanes >> 1;
            lanes |= lanes >> 2;
            for (int k = 0; k < 8; k++) found |= (lanes >> (4 * k) & 1) << (q * 16 + h * 8 + k);
        }
    return found;
}

/* The results that the two columns of lane t of four belong to.  -1: none.  The sums of w and of u are
 * in lane 3. */
G6_FN int result_of_column(int t, int column)
{
    const int number = t == 0   ? column
                       : t == 1 ? (column ? 5 : 2)
                       : t == 2 ? 3 + column
                                : (column ? -1 : 6);
    return G6_IS_RESULT(number) ? number : -1;
}

/* Adds what the products gave to the results of a row, which have the sums of add_row(): x_i and v_i
 * times the sums of w and u, w1 and u1, are subtracted from the columns' sums. */
G6_FN void add_to_results(const Arrays *a, __global double *result, size_t plane, int n,
                          __global const double *centre, int t, double2 sum, double w1, double u1,
                          double pot)
{
    const double restore = t == 3 ? 1 - G6_INVERSE_MEAN : 1 - 3 * G6_INVERSE_MEAN;
#pragma unroll
    for (int c = 0; c < 2; c++) {
        const int number = result_of_column(t, c);
        if (number < 0) continue;
        double value = pot;
        if (t < 3) {
            const int d = number % 3;
            const double x = a->iv[(size_t)d * a->ni + n] - centre[d];
            value = c ? sum.y : sum.x;
            if (number < 3)
                value = G6_FMA(-x, w1, value);
            else
                value = G6_FMA(-a->iv[(size_t)(3 + d) * a->ni + n], w1, G6_FMA(-x, u1, value));
        }
        result[(size_t)number * plane] = G6_FMA(value, restore, result[(size_t)number * plane]);
    }
}

G6_FN void fetch(__local float4 *to, __global const float4 *from)
{
    for (int k = (int)get_local_id(0); k < G6_STAGE_WORDS; k += G6_THREADS)
        copy_word(to + k, from + k);
    end_copies();
}

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
    const int w_factor = g == 0 ? G6_FACTOR_WX(0)
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
