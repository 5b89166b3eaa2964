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

typedef struct Block {
    int ni, nj, guard, stride, capacity, first;
    __global const float4 *plane;
    __global const int2 *id;
    __global const wide *exact;
    __global const ireal *iv;
    /* i-particles */
    reals xh, yh, zh, vx, vy, vz, eps2;
#if G6_ARITHMETIC == G6_SPLIT
    reals xl, yl, zl;
#endif
    masks index;
    floats close;
} Block;

#if G6_ARITHMETIC == G6_SPLIT
#define G6_LANE_DIFFERENCE(j, high, low) (((j).x - (high)) + ((j).y - (low)))
#else
#define G6_LANE_DIFFERENCE(j, high, low) ((j) - (high))
#endif

G6_FN void load_block(Block *b, __global const int *ii)
{
    real x[10][G6_LANES];
    int index[G6_LANES];
    float close[G6_LANES];
    for (int l = 0; l < G6_LANES; l++) {
        /* Lanes past the end repeat the last i-particle and write nothing. */
        const int n = min(b->first + l, b->ni - 1), c = b->ni;
        __global const ireal *v = b->iv + n;
        for (int k = 0; k < 3; k++) {
            const pos p = G6_I_POSITION(v, c, k);
#if G6_ARITHMETIC == G6_SPLIT
            x[k][l] = p.x;
            x[7 + k][l] = p.y;
#else
            x[k][l] = p;
#endif
            x[3 + k][l] = (real)v[(G6_I_VELOCITY + k) * c];
        }
        x[6][l] = (real)v[G6_I_EPS2 * c];
        close[l] = close_key(v, c);
        index[l] = ii[n];
    }
    b->xh = G6_VLOAD(0, x[0]);
    b->yh = G6_VLOAD(0, x[1]);
    b->zh = G6_VLOAD(0, x[2]);
    b->vx = G6_VLOAD(0, x[3]);
    b->vy = G6_VLOAD(0, x[4]);
    b->vz = G6_VLOAD(0, x[5]);
    b->eps2 = G6_VLOAD(0, x[6]);
#if G6_ARITHMETIC == G6_SPLIT
    b->xl = G6_VLOAD(0, x[7]);
    b->yl = G6_VLOAD(0, x[8]);
    b->zl = G6_VLOAD(0, x[9]);
#endif
    b->index = G6_MASKS(G6_VLOAD(0, index));
    b->close = G6_VLOAD(0, close);
}

/* Keys as in force.cl: the softened distance squared, or the high word of a double. */
G6_FN floats keys_of(reals r2)
{
#if G6_ARITHMETIC == G6_FULL
    return G6_AS(float)(G6_CONVERT(int)(G6_AS(long)(r2) >> 32));
#else
    return r2;
#endif
}

typedef struct Differences {
    reals dx, dy, dz, soft;
} Differences;

G6_FN Differences differences(const Block *b, const JParticle *j)
{
    Differences d;
    d.dx = G6_LANE_DIFFERENCE(j->x, b->xh, b->xl);
    d.dy = G6_LANE_DIFFERENCE(j->y, b->yh, b->yl);
    d.dz = G6_LANE_DIFFERENCE(j->z, b->zh, b->zl);
    d.soft = g6_length2(d.dx, d.dy, d.dz) + b->eps2;
    return d;
}

G6_FN void add_pairs(PairSums *s, const Block *b, const JParticle *j, const Differences *d,
                     reals rinv)
{
#if G6_JERK
    g6_pair_hermite(s, d->dx, d->dy, d->dz, j->vx - b->vx, j->vy - b->vy, j->vz - b->vz,
                    (reals)(j->m), rinv);
#else
    g6_pair_force(s, d->dx, d->dy, d->dz, (reals)(j->m), rinv);
#endif
}

G6_FN void begin_tile(PairSums *s)
{
    s->ax = s->ay = s->az = s->jx = s->jy = s->jz = s->pot = (reals)(0);
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
        masks adds = counts & (d.soft > (reals)(0));
        if (G6_NEAR) nearest = select(nearest, min(nearest, d.soft), counts);
#if G6_NEAR && G6_ARITHMETIC == G6_SPLIT
        const masks near = counts & (d.soft < b->close);
        if (b->guard && any(near)) {
            int lane[G6_LANES];
            G6_VSTORE(near, 0, lane);
            for (int l = 0; l < G6_LANES; l++)
                if (lane[l])
                    add_close_pair(close_sum[l], b->plane, b->stride, b->exact, b->capacity, k,
                                   b->iv, b->ni, min(b->first + l, b->ni - 1));
            *any_close = 1;
            adds &= ~near;
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
        if (!check) {
            nearest = tile_pairs(&b, t * G6_TILE, &s);
            if (G6_NEAR && guard) check = any(keys_of(nearest) < b.close);
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
