/* SPDX-License-Identifier: MIT
 *
 * The search of neighbour lists on GPUs: each item has G6_LIST_PER i-particles in registers, and
 * j-particles come through local memory.  Included by lists.cl.
 */
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
