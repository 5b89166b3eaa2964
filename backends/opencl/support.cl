/* SPDX-License-Identifier: MIT
 *
 * The kernels before and after the force, for every precision: receive writes staged rows to device
 * memory, reduce adds the slices.  Built with G6_REDUCE_LANES (items that share an i-particle in
 * reduce) and G6_REDUCE_GROUP (i-particles of a work-group).
 */
#include "prelude.cl"

#if G6_FP64
#include "../../libg6gpu/formulas/range.h"
#include "../../libg6gpu/formulas/records.h"
#include "../../libg6gpu/formulas/units.h"

/* ---- arrivals: everything lies in one staging buffer --------------------------------------------
 */

#include "arrivals.cl"

/* Fields that the row lacks become zero. */
G6_FN void receive_j(__global const double *row, int row_words, int capacity,
                     __global double *field, __global int2 *ids)
{
    const int2 id = as_int2(row[G6_IDENTITY]);
    for (int f = 0; f < G6_FIELDS; f++)
        field[(size_t)f * capacity + id.y] = G6_KEPT_FIELD(row, row_words, f);
    ids[id.y] = (int2)(id.x, 1);
}

/* Items: the rows, then the i-particles. */
__kernel void receive(__global const double *words, int rows, int row_words, int ni, Scale scale,
                      int capacity, __global double *field, __global int2 *ids, __global double *iv,
                      __global int *ii)
{
    const int item = (int)get_global_id(0), i = item - rows;
    if (item < rows) receive_j(words + (size_t)item * row_words, row_words, capacity, field, ids);
    if (i < 0 || i >= ni) return;
    double r[G6_I_WORDS];
    for (int k = 0; k < G6_I_WORDS; k++)
        r[k] = words[(size_t)rows * row_words + (size_t)i * G6_I_WORDS + k];
    store_i(r, i, ni, scale, iv, ii);
}

/* ---- adding the slices ----------------------------------------------------------------------- */

#define G6_REDUCE_ITEMS (G6_REDUCE_LANES * G6_REDUCE_GROUP)
#define G6_AS_INT(x) as_int(x)
#define G6_AS_FLOAT(x) as_float(x)
#include "../gpu/nearest_key.h"

/* The largest key that the nearest neighbour of an i-particle may have; key: the smallest found. */
G6_FN float search_limit(float key, int high_word, __global const double *x, int ni)
{
    const float far = (float)fmax(fabs(x[0]), fmax(fabs(x[ni]), fabs(x[2 * ni])));
    return key_limit(key, high_word, high_word ? 0.0f : G6_SPLIT_DOUBT * far);
}

typedef struct Found {
    double r2;
    int slot;
} Found;

G6_FN void found_add(Found *f, double r2, int slot)
{
    if (slot < 0) return;
    if (f->slot < 0 || r2 < f->r2 || (r2 == f->r2 && slot < f->slot)) {
        f->r2 = r2;
        f->slot = slot;
    }
}

typedef struct Search {
    int nj, ni, slices, tiles, high_word, n, lane, step;
    __global const int2 *ids;
    __global const double *x;
    __global const double *iv;
    __global const int *ii;
    __global const float *key;
    __global const int *tile;
} Search;

/* The lanes of an i-particle search slots first ... last-1 for its nearest neighbour. */
G6_FN void search_range(const Search *a, int first, int last, Found *found)
{
    const int own = a->ii[a->n];
    __global const double *xi = a->iv + a->n;
    for (int k = first + a->lane; k < min(last, a->nj); k += G6_REDUCE_LANES) {
        const int2 id = a->ids[k];
        if (!id.y || id.x == own) continue;
        const double dx = a->x[k] - xi[0], dy = a->x[(size_t)a->step + k] - xi[a->ni],
                     dz = a->x[2 * (size_t)a->step + k] - xi[2 * a->ni];
        found_add(found, G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx)), k);
    }
}

/* Searches the best tile of a slice, or the whole slice if the second best tile is within limit. */
G6_FN void search_slice(const Search *a, int s, float limit, Found *found)
{
    const size_t place = (size_t)a->n * a->slices + s, all = (size_t)a->slices * a->ni;
    if (key_within(a->key[all + place], limit, a->high_word)) {
        search_range(a, (int)((long)s * a->tiles / a->slices) * G6_TILE,
                     (int)((long)(s + 1) * a->tiles / a->slices) * G6_TILE, found);
    } else {
        const int first = a->tile[place] * G6_TILE;
        search_range(a, first, first + G6_TILE, found);
    }
}

#define G6_MAX_HITS 32

/* G6_REDUCE_LANES items per i-particle: lane l adds slices l, l + lanes, ...; a fixed tree adds the
 * lanes. */
__kernel __attribute__((reqd_work_group_size(G6_REDUCE_ITEMS, 1, 1))) void
reduce(int ni, int nj, int slices, int tiles, int jerk, int near, int high_word, int step,
       __global const int2 *ids, __global const double *x, __global const double *iv,
       __global const int *ii, __global const double *sums, __global const float *key,
       __global const int *tile, G6Units units, __global G6Sums *out)
{
    __local double part[7 * G6_REDUCE_ITEMS];
    __local float low[G6_REDUCE_ITEMS];
    __local Found best[G6_REDUCE_ITEMS];
    __local int hits[G6_REDUCE_GROUP * G6_MAX_HITS], nhits[G6_REDUCE_GROUP];
    const int item = (int)get_local_id(0), lane = item % G6_REDUCE_LANES,
              member = item / G6_REDUCE_LANES;
    const int wanted = (int)get_group_id(0) * G6_REDUCE_GROUP + member, n = min(wanted, ni - 1);
    const Search a = {nj, ni, slices, tiles, high_word, n, lane, step, ids, x, iv, ii, key, tile};
    const size_t all = (size_t)slices * ni;
    float least = INFINITY;
    for (int c = 0; c < 7; c++) {
        double sum = 0;
        if (jerk || c < 3 || c == 6)
            for (int s = lane; s < slices; s += G6_REDUCE_LANES)
                sum += sums[c * all + (size_t)n * slices + s];
        part[c * G6_REDUCE_ITEMS + item] = sum;
    }
    if (near)
        for (int s = lane; s < slices; s += G6_REDUCE_LANES)
            least = fmin(least, key[(size_t)n * slices + s]);
    low[item] = least;
    if (lane == 0) nhits[member] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = G6_REDUCE_LANES / 2; d; d /= 2) {
        if (lane < d) {
            for (int c = 0; c < 7; c++)
                part[c * G6_REDUCE_ITEMS + item] += part[c * G6_REDUCE_ITEMS + item + d];
            low[item] = fmin(low[item], low[item + d]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    Found found;
    found.r2 = INFINITY;
    found.slot = -1;
    least = low[item - lane];
    const float limit = search_limit(least, high_word, iv + n, ni);
    /* Each lane looks at its slices; those within the limit, one or two as a rule, are searched by
     * all lanes.  The order of the hits does not matter: found_add() picks the same slot. */
    if (near)
        for (int s = lane; s < slices; s += G6_REDUCE_LANES)
            if (key_within(key[(size_t)n * slices + s], limit, high_word)) {
                const int h = atomic_inc(&nhits[member]);
                if (h < G6_MAX_HITS) hits[member * G6_MAX_HITS + h] = s;
            }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int listed = nhits[member];
    if (listed <= G6_MAX_HITS) {
        for (int h = 0; h < listed; h++)
            search_slice(&a, hits[member * G6_MAX_HITS + h], limit, &found);
    } else if (near)
        for (int s = 0; s < slices; s++)
            if (key_within(key[(size_t)n * slices + s], limit, high_word))
                search_slice(&a, s, limit, &found);
    best[item] = found;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = G6_REDUCE_LANES / 2; d; d /= 2) {
        if (lane < d) {
            found_add(&found, best[item + d].r2, best[item + d].slot);
            best[item] = found;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane != 0 || wanted >= ni) return;
    __local const double *sum = part + item;
    __global G6Sums *o = out + n;
    for (int c = 0; c < 3; c++) {
        o->acc[c] = sum[c * G6_REDUCE_ITEMS] * units.acc;
        o->jerk[c] = sum[(3 + c) * G6_REDUCE_ITEMS] * units.jerk;
    }
    o->pot = g6_result_pot(units, sum[6 * G6_REDUCE_ITEMS]);
    o->nn_r2 = found.slot < 0 ? 0.0 : found.r2 * units.r2;
    o->nn_slot = found.slot;
    o->nn_index = found.slot < 0 ? 0 : ids[found.slot].x;
}

#else

/* Without doubles the host makes results of the sums (float_pairs.h).  An item adds the slices of
 * one component of an i-particle. */
__kernel void reduce(int ni, int slices, int jerk, __global const wide *sums, __global wide *out)
{
    const int item = (int)get_global_id(0), n = item / 7, c = item % 7;
    if (n >= ni) return;
    wide sum = (wide)(0);
    for (int s = 0; s < slices && (jerk || c < 3 || c == 6); s++)
        sum = wide_add(sum, sums[((size_t)c * ni + n) * slices + s]);
    out[item] = sum;
}
#endif
