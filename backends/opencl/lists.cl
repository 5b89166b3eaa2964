/* SPDX-License-Identifier: MIT
 *
 * Neighbour lists of a direct sum, in four launches; gpu/list_search.h has the search.
 *   list_pass     counts the entries of each i-particle and slice, and keeps the first ones
 *   list_starts   adds the counts up: where each slice begins in the list of its i-particle
 *   list_offsets  adds the lengths of lists up: where each list begins
 *   list_pass     with G6_LIST_FILL: copies the entries that were kept, and searches once more the
 *                 slices that have more entries
 *
 * Built with
 *   G6_LIST_ITEMS  items of a work-group: a power of two
 *   G6_LIST_PER    i-particles of an item
 *   G6_LIST_FILL   0 or 1: what list_pass does
 *   G6_LIST_BATCH  slots that a work-group reads together; slices are whole multiples of it
 */
#include "prelude.cl"

typedef struct ListSearch {
    int ni, slices, own, step, most_kept;
    __global const int2 *ids;
    __global const double *x, *iv;
    __global const int *ii;
    __global int *kept;          /* [ni][slices][most_kept] */
    __global const int *start;   /* [ni][slices] */
    __global const long *offset; /* [ni + 1] */
    __global int *index, *slot;
} ListSearch;

G6_FN double list_i(const ListSearch *s, int c, int n)
{
    return s->iv[(size_t)c * s->ni + n];
}
G6_FN double list_h2(const ListSearch *s, int n)
{
    return list_i(s, 7, n);
}
G6_FN int list_index(const ListSearch *s, int n)
{
    return s->ii[n];
}
G6_FN double list_j(const ListSearch *s, int c, int slot)
{
    return s->x[(size_t)c * s->step + slot];
}
G6_FN int2 list_id(const ListSearch *s, int slot)
{
    return s->ids[slot];
}
G6_FN long list_begin(const ListSearch *s, int n, int slice)
{
    return slice < s->slices ? s->offset[n] + s->start[(size_t)n * s->slices + slice]
                             : s->offset[n + 1];
}
G6_FN int list_item(void)
{
    return (int)get_local_id(0);
}
G6_FN int list_any(int x, __local int *anyone)
{
    if (list_item() == 0) *anyone = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x) atomic_or(anyone, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *anyone;
}

#define G6_FN_RARE G6_FN
#define G6_GLOBAL __global
#define G6_LOCAL __local
#define G6_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define G6_UNROLL_BATCH
#include "../gpu/list_search.h"

/* A work-group takes G6_LIST_ITEMS * G6_LIST_PER i-particles and one slice of `length` slots.
 * count: entries of each i-particle and slice; after list_starts, the start of the slice.
 * out: offsets [ni + 1], then `capacity` indices, then as many slots.  Where these do not suffice,
 * nothing is written. */
__kernel __attribute__((reqd_work_group_size(G6_LIST_ITEMS, 1, 1))) void
list_pass(int nj, int ni, int slices, int length, int own, int step, int most_kept,
          __global const int2 *ids, __global const double *x, __global const double *iv,
          __global const int *ii, __global int *count, __global int *kept, long capacity,
          __global long *out)
{
    __local float4 batch[G6_LIST_BATCH];
    __local int anyone;
    if (G6_LIST_FILL && out[ni] > capacity) return;
    __global int *index = (__global int *)(out + ni + 1);
    const ListSearch s = {ni, slices, own,  step,  most_kept, ids,   x,
                          iv, ii,     kept, count, out,       index, index + capacity};
    const int slice = (int)get_group_id(1), first = slice * length,
              end = first + min(nj - first, length);
    list_slice(&s, G6_LIST_FILL, (int)get_group_id(0), slice, first, end, count, batch, &anyone);
}

/* ---- starts and offsets ---------------------------------------------------------------------- */

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

/* One work-group for each i-particle.  length: of its list. */
__kernel __attribute__((reqd_work_group_size(G6_LIST_ITEMS, 1, 1))) void
list_starts(int slices, __global int *count, __global int *length)
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
