/* SPDX-License-Identifier: MIT
 *
 * The force of j-slices on groups of i-particles, for processors: a work-group is one item, which
 * holds G6_LANES i-particles in the lanes of vectors and reads j-particles one by one from the
 * first-level cache.  No local memory and no barrier, which a processor can only imitate.
 * Precision and order as in force.cl.
 */
#include "prelude.cl"
#include "layout.cl"
#include "lanes.cl"
#include "iparticle.cl"
#include "targets_cpu.cl"

/* Whether a tile without an empty slot has the index of an i-particle, as in force.cl. */
G6_FN int may_hold(const Block *b, int first_slot)
{
    masks found = (masks)(0);
    for (int k = first_slot; k < first_slot + G6_TILE; k++)
        found |= b->index == (masks)(b->id[k].x);
    return any(found);
}

/* All pairs of one tile; returns the smallest softened distances. */
G6_FN reals tile_pairs(const Block *b, int first_slot, PairSums *s)
{
    reals nearest = (reals)(INFINITY);
    begin_tile(s);
    for (int k = first_slot; k < first_slot + G6_TILE; k++) {
        JParticle j;
        G6_LOAD_J(j, b->plane, b->stride, k);
        const Differences d = differences(b, &j);
        if (G6_NEAR) nearest = min(nearest, d.soft);
        add_pairs(s, b, &j, &d, inverse_roots(d.soft));
    }
    return nearest;
}

/* The same with empty slots, own index, coincident and close pairs (the close ones go into sum). */
static reals checked_pairs(const Block *b, int first_slot, PairSums *s, wide (*close_sum)[7],
                           int *any_close)
{
    reals nearest = (reals)(INFINITY);
    begin_tile(s);
    for (int k = first_slot; k < min(first_slot + G6_TILE, b->nj); k++) {
        const int2 id = b->id[k];
        if (!id.y) continue;
        JParticle j;
        G6_LOAD_J(j, b->plane, b->stride, k);
        const Differences d = differences(b, &j);
        const masks counts = b->index != (masks)(id.x);
        masks adds = counts & (d.soft > (reals)(G6_LEAST_SOFT));
        if (G6_NEAR) nearest = select(nearest, min(nearest, d.soft), counts);
#if G6_NEAR && G6_ARITHMETIC == G6_SPLIT
        const masks near = counts & G6_IS_CLOSE(d.r2, d.soft, b->close);
        if (b->guard && any(near)) {
            int lane[G6_LANES];
            G6_VSTORE(near, 0, lane);
            for (int l = 0; l < G6_LANES; l++)
                if (lane[l])
                    add_close_pair(close_sum[l], b->plane, b->stride, b->exact, b->capacity, k,
                                   b->iv, b->ni, min(b->first + l, b->last));
            *any_close = 1;
            adds &= ~near;
#if !G6_FP64
            nearest = select(nearest, (reals)(G6_CLOSE_KEY), near);
#endif
        }
#endif
        add_pairs(s, b, &j, &d, select((reals)(0), inverse_roots(d.soft), adds));
    }
    return nearest;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
force(int ni, int nj, int slices, int tiles, int guard, int stride, int capacity,
      __global const float4 *plane, __global const int2 *id, __global const int2 *range,
      __global const wide *exact, __global const ireal *iv, __global const int *ii,
      __global wide *out_sum, __global float *out_key, __global int *out_tile)
{
    Block b;
    b.ni = ni;
    b.nj = nj;
    b.guard = guard;
    b.stride = stride;
    b.capacity = capacity;
    b.plane = plane;
    b.id = id;
    b.exact = exact;
    b.iv = iv;
    b.first = (int)get_group_id(0) * G6_LANES;
    b.last = ni - 1;
    load_block(&b, ii);
    const int slice = (int)get_group_id(1);
    const int t0 = (int)((long)slice * tiles / slices),
              t1 = (int)((long)(slice + 1) * tiles / slices);
    wides sum[7];
    wide close_sum[G6_LANES][7];
    int any_close = 0;
    for (int k = 0; k < 7; k++) {
        sum[k] = wides_zero();
        for (int l = 0; l < G6_LANES; l++) close_sum[l][k] = (wide)(0);
    }
    floats key = (floats)(INFINITY), runner = (floats)(INFINITY);
    ints tile = (ints)(t0);
    for (int t = t0; t < t1; t++) {
        const int2 r = range[t];
        PairSums s;
        reals nearest;
        int check = any((b.index >= (masks)(r.x)) & (b.index <= (masks)(r.y)));
        if (check && !G6_HAS_EMPTY_SLOT(r)) check = may_hold(&b, t * G6_TILE);
        if (!check) {
            nearest = tile_pairs(&b, t * G6_TILE, &s);
            if (G6_NEAR && guard) check = any(keys_of(nearest) < close_keys(&b));
        }
        if (check) nearest = checked_pairs(&b, t * G6_TILE, &s, close_sum, &any_close);
        sum[0] = wides_add(sum[0], s.ax);
        sum[1] = wides_add(sum[1], s.ay);
        sum[2] = wides_add(sum[2], s.az);
        if (G6_JERK) {
            sum[3] = wides_add(sum[3], s.jx);
            sum[4] = wides_add(sum[4], s.jy);
            sum[5] = wides_add(sum[5], s.jz);
        }
        sum[6] = wides_add(sum[6], s.pot);
        if (G6_NEAR) {
            const floats k = keys_of(nearest);
            const ints closer = k < key;
            runner = min(runner, max(key, k));
            key = select(key, k, closer);
            tile = select(tile, (ints)(t), closer);
        }
    }
    float keys[2][G6_LANES];
    int best[G6_LANES];
    G6_VSTORE(key, 0, keys[0]);
    G6_VSTORE(runner, 0, keys[1]);
    G6_VSTORE(tile, 0, best);
    const size_t all = (size_t)slices * ni;
    for (int k = 0; k < 7; k++) {
        if (!G6_JERK && k >= 3 && k < 6) continue;
#if G6_FP64
        double lane[G6_LANES];
        G6_VSTORE(sum[k], 0, lane);
#else
        float high[G6_LANES], low[G6_LANES];
        G6_VSTORE(sum[k].x, 0, high);
        G6_VSTORE(sum[k].y, 0, low);
#endif
        for (int l = 0; l < min(G6_LANES, ni - b.first); l++) {
#if G6_FP64
            const wide w = lane[l];
#else
            const wide w = (wide)(high[l], low[l]);
#endif
            out_sum[k * all + (size_t)(b.first + l) * slices + slice] =
                any_close ? wide_add(w, close_sum[l][k]) : w;
        }
    }
    for (int l = 0; G6_NEAR && l < min(G6_LANES, ni - b.first); l++) {
        const size_t place = (size_t)(b.first + l) * slices + slice;
        out_key[place] = keys[0][l];
        out_key[all + place] = keys[1][l];
        out_tile[place] = best[l];
    }
}
