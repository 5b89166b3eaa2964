/* SPDX-License-Identifier: MIT
 *
 * Neighbour lists of a direct sum, in four launches; as backends/cuda/lists.cu, which has the cost
 * of a pair.
 *   list_count    counts the entries of each i-particle and slice, and keeps the first ones
 *   list_place    makes of these counts the place of the slice in the list of its i-particle
 *   list_offsets  makes of the lengths of lists the offset of each list
 *   list_fill     copies the entries that were kept, and searches where there are more
 * list_count and list_fill search alike: each item has G6_LIST_PER i-particles in registers, and
 * j-particles come through local memory.
 *
 * Invariants
 *  * An entry is decided by r2 < h^2 in double.
 *  * Floats choose the pairs for which r2 is computed (candidates.h).  Their positions are from a
 *    centre amid the i-particles of the work-group.
 *  * Each i-particle meets the slots of a slice in ascending order, so that lists are in the order
 *    of slots.
 *
 * Built with
 *   G6_LIST_ITEMS  items of a work-group: a power of two
 *   G6_LIST_PER    i-particles of an item
 *   G6_LIST_STAGE  slots that a work-group reads together; slices are whole multiples of it
 */
#include "prelude.cl"
#include "distance.cl"

#define G6_REAL double
#define G6_SQRT(x) sqrt(x)
#define G6_MIN(a, b) fmin(a, b)
#define G6_MAX(a, b) fmax(a, b)
#define G6_INFINITY INFINITY
#include "../../libg6gpu/formulas/candidates.h"
#undef G6_REAL
#undef G6_SQRT
#undef G6_MIN
#undef G6_MAX
#undef G6_INFINITY

#define G6_AT_ONCE 4 /* j-particles that share one comparison */

typedef struct ListSearch {
    int nj, ni, slices, own, step;
    int slice, first, end; /* slots first ... end-1 */
    int fill;              /* writes entries; else counts and keeps them */
    __global const int2 *ids;
    __global const double *x;
    __global const double *iv;
    __global const int *ii;
    int most_kept;
    __global int *kept;          /* [ni][slices][most_kept] */
    __global const int *place;   /* [ni][slices] */
    __global const long *offset; /* [ni + 1] */
    __global int *index, *slot;
} ListSearch;

/* ---- positions from a centre ----------------------------------------------------------------- */

typedef struct Centre {
    double x, y, z;
} Centre;

/* One coordinate of a point amid the i-particles first ... first + n - 1. */
G6_FN double middle(const ListSearch *s, int component, int first, int n)
{
    __global const double *x = s->iv + component * s->ni + first;
    return g6_middle(x[0], x[n / 2], x[n - 1]);
}

G6_FN Centre centre_of(const ListSearch *s, int first, int n)
{
    Centre c;
    c.x = middle(s, 0, first, n);
    c.y = middle(s, 1, first, n);
    c.z = middle(s, 2, first, n);
    return c;
}

G6_FN float near_enough(double x)
{
    return clamp((float)x, -G6_FAR_J, G6_FAR_J);
}

G6_FN float4 j_from_centre(const ListSearch *s, int slot, const Centre *c)
{
    return (float4)(near_enough(s->x[slot] - c->x),
                    near_enough(s->x[(size_t)s->step + slot] - c->y),
                    near_enough(s->x[2 * (size_t)s->step + slot] - c->z), 0.0f);
}

/* An i-particle from the centre, and the limit of its candidates; negative: it has none. */
typedef struct Searcher {
    float x, y, z, limit;
} Searcher;

G6_FN double radius_squared(const ListSearch *s, int n)
{
    return s->iv[(size_t)7 * s->ni + n];
}

G6_FN Searcher searcher(const ListSearch *s, int n, const Centre *c)
{
    __global const double *i = s->iv + n;
    const int ni = s->ni;
    const double x = i[0] - c->x, y = i[ni] - c->y, z = i[2 * ni] - c->z;
    Searcher r;
    r.x = (float)x;
    r.y = (float)y;
    r.z = (float)z;
    r.limit = g6_candidate_limit(fmax(fabs(x), fmax(fabs(y), fabs(z))), radius_squared(s, n));
    return r;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Of the slots first ... first + G6_AT_ONCE-1.  count: entries of i-particle n in this slice so
 * far. */
G6_FN int add_candidates(const ListSearch *s, int n, int first, int count)
{
    const size_t place = (size_t)n * s->slices + s->slice;
    const double h2 = radius_squared(s, n);
    const int last = min(first + G6_AT_ONCE, s->end);
    for (int k = first; k < last; k++) {
        if (!(distance_squared(s->x, s->step, k, s->iv + n, s->ni) < h2)) continue;
        const int2 id = s->ids[k];
        if (!id.y || (!s->own && id.x == s->ii[n])) continue;
        if (s->fill) {
            const long at = s->offset[n] + s->place[place] + count;
            s->index[at] = id.x;
            s->slot[at] = k;
        } else if (count < s->most_kept) {
            s->kept[place * s->most_kept + count] = k;
        }
        count++;
    }
    return count;
}

/* Copies the entries that the first pass has kept.  0: there are more than these. */
G6_FN int copy_kept(const ListSearch *s, int n)
{
    const size_t place = (size_t)n * s->slices + s->slice;
    const long at = s->offset[n] + s->place[place], end = s->slice + 1 < s->slices
                                                              ? s->offset[n] + s->place[place + 1]
                                                              : s->offset[n + 1];
    if (end - at > s->most_kept) return 0;
    for (int k = 0; k < (int)(end - at); k++) {
        const int slot = s->kept[place * s->most_kept + k];
        s->slot[at + k] = slot;
        s->index[at + k] = s->ids[slot].x;
    }
    return 1;
}

/* ---- the search ------------------------------------------------------------------------------ */

#define G6_LIST_MEMORY                                                                             \
    __local float4 stage[G6_LIST_STAGE];                                                           \
    __local int anyone
#define G6_LIST_MEMORY_ARGUMENTS stage, &anyone

/* Reads G6_LIST_STAGE slots from `base` on.  What lies behind the end counts as far. */
G6_FN void fill_stage(const ListSearch *s, int base, const Centre *centre, __local float4 *stage)
{
    for (int k = (int)get_local_id(0); k < G6_LIST_STAGE; k += G6_LIST_ITEMS)
        stage[k] = base + k < s->end ? j_from_centre(s, base + k, centre)
                                     : (float4)(G6_FAR_J, G6_FAR_J, G6_FAR_J, 0.0f);
}

/* In the first pass count[ni][slices] gets the number of entries. */
G6_FN void search(const ListSearch *s, __global int *count, __local float4 *stage,
                  __local int *anyone)
{
    const int first_i = (int)get_group_id(0) * G6_LIST_PER * G6_LIST_ITEMS,
              item = (int)get_local_id(0);
    const Centre centre = centre_of(s, first_i, min(G6_LIST_PER * G6_LIST_ITEMS, s->ni - first_i));
    Searcher i[G6_LIST_PER];
    int number[G6_LIST_PER], found[G6_LIST_PER];
    int searches = 0;
    if (item == 0) *anyone = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int q = 0; q < G6_LIST_PER; q++) {
        const int n = first_i + q * G6_LIST_ITEMS + item;
        number[q] = min(n, s->ni - 1);
        found[q] = 0;
        i[q] = searcher(s, number[q], &centre);
        if (n >= s->ni || (s->fill && copy_kept(s, n))) i[q].limit = -1;
        searches |= i[q].limit >= 0;
    }
    if (searches) atomic_or(anyone, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int end = *anyone ? s->end : s->first;
    for (int base = s->first; base < end; base += G6_LIST_STAGE) {
        fill_stage(s, base, &centre, stage);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < G6_LIST_STAGE; k += G6_AT_ONCE) {
            float least[G6_LIST_PER];
#pragma unroll
            for (int e = 0; e < G6_AT_ONCE; e++) {
                const float4 j = stage[k + e];
#pragma unroll
                for (int q = 0; q < G6_LIST_PER; q++) {
                    const float dx = j.x - i[q].x, dy = j.y - i[q].y, dz = j.z - i[q].z;
                    const float r2 = G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx));
                    least[q] = e == 0 ? r2 : fmin(least[q], r2);
                }
            }
#pragma unroll
            for (int q = 0; q < G6_LIST_PER; q++)
                if (least[q] <= i[q].limit)
                    found[q] = add_candidates(s, number[q], base + k, found[q]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int q = 0; q < G6_LIST_PER; q++)
        if (!s->fill && first_i + q * G6_LIST_ITEMS + item < s->ni)
            count[(size_t)number[q] * s->slices + s->slice] = found[q];
}

/* A work-group takes G6_LIST_ITEMS * G6_LIST_PER i-particles and one slice of `length` slots. */
__kernel __attribute__((reqd_work_group_size(G6_LIST_ITEMS, 1, 1))) void
list_count(int nj, int ni, int slices, int length, int own, int step, int most_kept,
           __global const int2 *ids, __global const double *x, __global const double *iv,
           __global const int *ii, __global int *count, __global int *kept)
{
    G6_LIST_MEMORY;
    const int slice = (int)get_group_id(1), first = slice * length,
              end = first + min(nj - first, length);
    const ListSearch s = {nj, ni, slices, own,       step, slice, first, end, 0, ids,
                          x,  iv, ii,     most_kept, kept, 0,     0,     0,   0};
    search(&s, count, G6_LIST_MEMORY_ARGUMENTS);
}

/* out: offsets [ni + 1], then room for so many indices, then for so many slots.  Without enough
 * room nothing is written. */
__kernel __attribute__((reqd_work_group_size(G6_LIST_ITEMS, 1, 1))) void
list_fill(int nj, int ni, int slices, int length, int own, int step, int most_kept,
          __global const int2 *ids, __global const double *x, __global const double *iv,
          __global const int *ii, __global const int *place, __global int *kept, long room,
          __global long *out)
{
    G6_LIST_MEMORY;
    if (out[ni] > room) return;
    const int slice = (int)get_group_id(1), first = slice * length,
              end = first + min(nj - first, length);
    __global int *index = (__global int *)(out + ni + 1);
    const ListSearch s = {nj, ni, slices, own,       step, slice, first, end,   1,           ids,
                          x,  iv, ii,     most_kept, kept, place, out,   index, index + room};
    search(&s, 0, G6_LIST_MEMORY_ARGUMENTS);
}

/* ---- places and offsets ---------------------------------------------------------------------- */

/* The sum of `value` over the items before this one; *all: over all items.  Each step adds the sum
 * of twice as many items (Hillis and Steele 1986, Commun. ACM 29, 1170). */
G6_FN long sum_before(long value, __local long *part, long *all)
{
    const int item = (int)get_local_id(0);
    part[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < G6_LIST_ITEMS; d *= 2) {
        const long other = item >= d ? part[item - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        part[item] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    *all = part[G6_LIST_ITEMS - 1];
    return part[item] - value;
}

/* A work-group to an i-particle.  length: that of its list. */
__kernel __attribute__((reqd_work_group_size(G6_LIST_ITEMS, 1, 1))) void
list_place(int slices, __global int *count, __global int *length)
{
    __local long part[G6_LIST_ITEMS];
    __global int *of_slice = count + get_group_id(0) * (size_t)slices;
    const int each = (slices - 1) / G6_LIST_ITEMS + 1,
              first = min((int)get_local_id(0) * each, slices), last = min(first + each, slices);
    int sum = 0;
    for (int s = first; s < last; s++) sum += of_slice[s];
    long all;
    int at = (int)sum_before(sum, part, &all);
    for (int s = first; s < last; s++) {
        const int found = of_slice[s];
        of_slice[s] = at;
        at += found;
    }
    if (get_local_id(0) == 0) length[get_group_id(0)] = (int)all;
}

/* One work-group.  offset [ni + 1]: the last one is the number of all entries. */
__kernel __attribute__((reqd_work_group_size(G6_LIST_ITEMS, 1, 1))) void
list_offsets(int ni, __global const int *length, __global long *offset)
{
    __local long part[G6_LIST_ITEMS];
    const int each = (ni - 1) / G6_LIST_ITEMS + 1,
              first = (int)min((long)get_local_id(0) * each, (long)ni),
              last = min(first + each, ni);
    long sum = 0;
    for (int n = first; n < last; n++) sum += length[n];
    long all;
    long at = sum_before(sum, part, &all);
    for (int n = first; n < last; n++) {
        offset[n] = at;
        at += length[n];
    }
    if (get_local_id(0) == 0) offset[ni] = all;
}
