/* SPDX-License-Identifier: MIT
 *
 * The force of slices of j-particles on i-particles; the twin of backends/cuda/force.cu, which
 * counts operations and derives the floor.  A work-group has G6_LANES_I x G6_LANES_J items.
 * G6_LANES_J items share G6_PER i-particles, and each takes every G6_LANES_J-th tile.
 *
 * Precision: a float adds G6_TILE terms before it is flushed to the wide sum, so rounding of the
 * sum stays below that of its terms.  The order of every sum is fixed: equal bits on every run.
 */
#include "prelude.cl"
#include "layout.cl"

#define G6_REAL real
#define G6_PAIR_SUMS PairSums
#include "../../libg6gpu/formulas/pair.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

#include "pairs.cl"

/* How far the loop over pairs is unrolled, so that several pairs are in flight. */
#if G6_ARITHMETIC == G6_FULL
#define G6_UNROLL 16
#else
#define G6_UNROLL 8
#endif

#define G6_THREADS (G6_LANES_I * G6_LANES_J)
/* Tiles that a group copies to local memory at once.  shapes.cpp counts the bytes. */
#define G6_BATCH (G6_LANES_J > 2 ? G6_LANES_J : 2)
/* Words from tile to tile in local memory; one more where items of a warp read two at once. */
#define G6_SPAN (G6_LANES_I < 32 ? G6_TILE + 1 : G6_TILE)
#define G6_STRIDE (G6_BATCH * G6_SPAN)

typedef struct Arrays {
    int ni, nj, guard, stride;
    __global const float4 *plane;
    __global const int2 *id;
    __global const wide *exact;
    __global const ireal *iv;
} Arrays;

/* Whether a tile without an empty slot has the index of one of the item's i-particles.  Costs some
 * 2 instructions for each slot and i-particle.  The caller has compared the range of the tile's
 * indices, which suffices where indices ascend with addresses, but not where they are unordered. */
G6_FN int may_hold(__global const int2 *id, const IParticle *i)
{
    __global const int4 *two = (__global const int4 *)id;
    int found = 0;
#pragma unroll 4
    for (int k = 0; k < G6_TILE / 2; k++) {
        const int4 ids = two[k];
#pragma unroll
        for (int q = 0; q < G6_PER; q++) found |= ids.x == i[q].index | ids.z == i[q].index;
    }
    return found;
}

G6_FN float nearer(float best, real r2)
{
#if G6_ARITHMETIC == G6_FULL
    return as_float(min(as_int(best), as_int2(r2).y));
#else
    /* Positive floats are ordered like the integers of their bits, of which several GPUs find the
     * least of three by one instruction. */
    return as_float(min(as_int(best), as_int(r2)));
#endif
}

G6_FN void begin_tile(PairSums *s, float *nearest)
{
#pragma unroll
    for (int q = 0; q < G6_PER; q++) {
        s[q].ax = s[q].ay = s[q].az = s[q].jx = s[q].jy = s[q].jz = s[q].pot = 0;
        nearest[q] = INFINITY;
    }
}

/* All pairs of one tile with the item's i-particles. */
G6_FN void tile_pairs(__local const float4 *tile, const IParticle *i, PairSums *s, float *nearest)
{
    begin_tile(s, nearest);
    real even[G6_PER]; /* softened distance squared of the j-particle before this one */
#pragma unroll G6_UNROLL
    for (int k = 0; k < G6_TILE; k++) {
        JParticle j;
        G6_LOAD_J(j, tile, G6_STRIDE, k);
#pragma unroll
        for (int q = 0; q < G6_PER; q++) {
            const real dx = G6_DIFFERENCE(j.x, i[q].x), dy = G6_DIFFERENCE(j.y, i[q].y),
                       dz = G6_DIFFERENCE(j.z, i[q].z);
            const real soft = G6_FMA(dz, dz, G6_FMA(dy, dy, G6_FMA(dx, dx, i[q].eps2)));
            if (G6_NEAR && k % 2) nearest[q] = nearer(nearer(nearest[q], even[q]), soft);
            even[q] = soft;
            add_pair(&s[q], &j, &i[q], dx, dy, dz, inverse_root(soft));
        }
    }
}

/* As tile_pairs(), with tests for empty slots, own index and close pairs, which go into sum. */
G6_FN void checked_pairs(const Arrays *a, __local const float4 *tile, int first_slot,
                         const IParticle *i, PairSums *s, wide (*sum)[7], float *nearest)
{
    begin_tile(s, nearest);
#pragma unroll 2
    for (int k = 0; k < G6_TILE; k++) {
        const int slot = first_slot + k;
        const int2 id = slot < a->nj ? a->id[slot] : (int2)(0, 0);
        JParticle j;
        G6_LOAD_J(j, tile, G6_STRIDE, k);
#pragma unroll
        for (int q = 0; q < G6_PER; q++) {
            const real dx = G6_DIFFERENCE(j.x, i[q].x), dy = G6_DIFFERENCE(j.y, i[q].y),
                       dz = G6_DIFFERENCE(j.z, i[q].z);
            const real soft = G6_FMA(dz, dz, G6_FMA(dy, dy, G6_FMA(dx, dx, i[q].eps2)));
            const int counts = id.y && id.x != i[q].index;
            if (G6_NEAR && counts) nearest[q] = nearer(nearest[q], soft);
            int adds = counts && soft > G6_LEAST_SOFT;
#if G6_NEAR && G6_ARITHMETIC == G6_SPLIT
            if (a->guard && counts && G6_IS_CLOSE(g6_length2(dx, dy, dz), soft, i[q].close)) {
                add_close_pair(sum[q], a->plane, a->stride, a->exact, slot, a->iv, a->ni,
                               i[q].number);
                adds = 0;
            }
#endif
            add_pair(&s[q], &j, &i[q], dx, dy, dz, adds ? inverse_root(soft) : 0);
        }
    }
}

/* The smallest minimum of a tile, its tile, and the second smallest minimum. */
typedef struct Nearest {
    float key, runner;
    int tile;
} Nearest;

G6_FN void add_nearest(Nearest *n, float key, int tile)
{
    n->runner = fmin(n->runner, fmax(n->key, key));
    if (key < n->key) {
        n->key = key;
        n->tile = tile;
    }
}

G6_FN void write_partial(const wide *sum, const Nearest *best, size_t place, size_t all,
                         __global wide *out_sum, __global float *out_key, __global int *out_tile)
{
    for (int k = 0; k < 7; k++)
        if (G6_JERK || k < 3 || k == 6) out_sum[k * all + place] = sum[k];
    if (G6_NEAR) {
        out_key[place] = best->key;
        out_key[all + place] = best->runner;
        out_tile[place] = best->tile;
    }
}

#define G6_TILE_WORDS (G6_PLANES * G6_STRIDE)
#define G6_MEET_WORDS (G6_LANES_J > 1 ? (10 * G6_THREADS + 1) / 2 : 1)

__kernel __attribute__((reqd_work_group_size(G6_THREADS, 1, 1))) void
force(int ni, int nj, int slices, int tiles, int guard, int stride, __global const float4 *plane,
      __global const int2 *id, __global const int2 *range, __global const wide *exact,
      __global const ireal *iv, __global const int *ii, __global wide *out_sum,
      __global float *out_key, __global int *out_tile)
{
    __local float4 memory[G6_TILE_WORDS > G6_MEET_WORDS ? G6_TILE_WORDS : G6_MEET_WORDS];
    const Arrays a = {ni, nj, guard, stride, plane, id, exact, iv};
    const int item = (int)get_local_id(0), lane_i = item % G6_LANES_I, lane_j = item / G6_LANES_I;
    const int slice = (int)get_group_id(1), first_i = (int)get_group_id(0) * G6_LANES_I * G6_PER;
    const int t0 = (int)((long)slice * tiles / slices),
              t1 = (int)((long)(slice + 1) * tiles / slices);
    IParticle i[G6_PER];
    wide sum[G6_PER][7];
    Nearest best[G6_PER];
#pragma unroll
    for (int q = 0; q < G6_PER; q++) {
        /* Items past the end repeat the last i-particle and write nothing. */
        i[q] = load_i(iv, ni, ii, min(first_i + q * G6_LANES_I + lane_i, ni - 1));
        best[q].key = best[q].runner = INFINITY;
        best[q].tile = t0;
#pragma unroll
        for (int k = 0; k < 7; k++) sum[q][k] = (wide)(0);
    }
    for (int first = t0; first < t1; first += G6_BATCH) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int words = min(G6_BATCH, t1 - first) * G6_TILE;
#pragma unroll
        for (int p = 0; p < G6_PLANES; p++)
            for (int k = item; k < words; k += G6_THREADS)
                memory[p * G6_STRIDE + k / G6_TILE * G6_SPAN + k % G6_TILE] =
                    plane[(size_t)p * stride + first * G6_TILE + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int t = first + lane_j; t < min(first + G6_BATCH, t1); t += G6_LANES_J) {
            const int2 r = range[t];
            int check = 0;
#pragma unroll
            for (int q = 0; q < G6_PER; q++)
                check = check || (i[q].index >= r.x && i[q].index <= r.y);
            float nearest[G6_PER];
            PairSums s[G6_PER];
            __local const float4 *here = memory + (t - first) * G6_SPAN;
            if (check && !G6_HAS_EMPTY_SLOT(r)) check = may_hold(&id[t * G6_TILE], i);
            if (!check) {
                tile_pairs(here, i, s, nearest);
                if (G6_NEAR && guard) {
#pragma unroll
                    for (int q = 0; q < G6_PER; q++) check = check || nearest[q] < close_key(&i[q]);
                }
            }
            if (check) checked_pairs(&a, here, t * G6_TILE, i, s, sum, nearest);
#pragma unroll
            for (int q = 0; q < G6_PER; q++) {
                flush(sum[q], &s[q]);
                if (G6_NEAR) add_nearest(&best[q], nearest[q], t);
            }
        }
    }
    /* G6_LANES_J partial sums meet in local memory and are added in order. */
    __local wide *meet = (__local wide *)memory;
    __local float *meet_key = (__local float *)(meet + 7 * G6_THREADS);
    __local int *meet_tile = (__local int *)(meet_key + 2 * G6_THREADS);
    for (int q = 0; q < G6_PER; q++) {
        if (G6_LANES_J > 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int k = 0; k < 7; k++) meet[k * G6_THREADS + item] = sum[q][k];
            meet_key[item] = best[q].key;
            meet_key[G6_THREADS + item] = best[q].runner;
            meet_tile[item] = best[q].tile;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int l = 1; l < G6_LANES_J && lane_j == 0; l++) {
                const int other = l * G6_LANES_I + lane_i;
                for (int k = 0; k < 7; k++)
                    sum[q][k] = wide_add(sum[q][k], meet[k * G6_THREADS + other]);
                add_nearest(&best[q], meet_key[other], meet_tile[other]);
                best[q].runner = fmin(best[q].runner, meet_key[G6_THREADS + other]);
            }
        }
        const int n = first_i + q * G6_LANES_I + lane_i;
        if (lane_j == 0 && n < ni)
            write_partial(sum[q], &best[q], (size_t)n * slices + slice, (size_t)slices * ni,
                          out_sum, out_key, out_tile);
    }
}
