/* SPDX-License-Identifier: MIT
 *
 * The search of neighbour lists on processors: an item has up to G6_LIST_PER i-particles, and
 * compares each with the j-particles in the lanes of vectors.  Included by lists.cl.
 */
#define G6_VLOAD G6_JOIN(vload, G6_LANES)
typedef G6_JOIN(float, G6_LANES) floats;

typedef struct Stage {
    float x[G6_LIST_STAGE], y[G6_LIST_STAGE], z[G6_LIST_STAGE];
} Stage;
#define G6_LIST_MEMORY Stage stage
#define G6_LIST_MEMORY_ARGUMENTS &stage

/* Reads slots from `base` on, and returns their number, in whole vectors.  What lies behind the end
 * counts as far. */
G6_FN int fill_stage(const ListSearch *s, int base, const Centre *centre, Stage *stage)
{
    const int slots = min(G6_LIST_STAGE, s->end - base),
              whole = (slots + G6_LANES - 1) / G6_LANES * G6_LANES;
    for (int k = 0; k < slots; k++) {
        const float4 j = j_from_centre(s, base + k, centre);
        stage->x[k] = j.x;
        stage->y[k] = j.y;
        stage->z[k] = j.z;
    }
    for (int k = slots; k < whole; k++) stage->x[k] = stage->y[k] = stage->z[k] = G6_FAR_J;
    return whole;
}

/* All staged slots with one i-particle: the number of its entries so far.  Products and sums may be
 * fused or not, see lanes.cl. */
#pragma OPENCL FP_CONTRACT ON
G6_FN int search_stage(const ListSearch *s, const Stage *stage, int base, int slots,
                       const Searcher *i, int n, int found)
{
    for (int k = 0; k < slots; k += G6_LANES) {
        const floats dx = G6_VLOAD(0, stage->x + k) - i->x, dy = G6_VLOAD(0, stage->y + k) - i->y,
                     dz = G6_VLOAD(0, stage->z + k) - i->z;
        if (any(dx * dx + dy * dy + dz * dz <= (floats)(i->limit)))
            found = add_candidates(s, n, base + k, found);
    }
    return found;
}
#pragma OPENCL FP_CONTRACT OFF

/* In the first pass count[ni][slices] gets the number of entries. */
G6_FN void search(const ListSearch *s, __global int *count, Stage *stage)
{
    const int first_i = (int)get_group_id(0) * G6_LIST_PER,
              members = min(G6_LIST_PER, s->ni - first_i);
    const Centre centre = centre_of(s, first_i, members);
    Searcher i[G6_LIST_PER];
    int found[G6_LIST_PER];
    int searches = 0;
    for (int q = 0; q < members; q++) {
        found[q] = 0;
        i[q] = searcher(s, first_i + q, &centre);
        if (s->fill && copy_kept(s, first_i + q)) i[q].limit = -1;
        searches |= i[q].limit >= 0;
    }
    for (int base = s->first; searches && base < s->end; base += G6_LIST_STAGE) {
        const int slots = fill_stage(s, base, &centre, stage);
        for (int q = 0; q < members; q++)
            if (i[q].limit >= 0)
                found[q] = search_stage(s, stage, base, slots, &i[q], first_i + q, found[q]);
    }
    for (int q = 0; q < members; q++)
        if (!s->fill) count[(size_t)(first_i + q) * s->slices + s->slice] = found[q];
}
