/* SPDX-License-Identifier: MIT
 *
 * The search for neighbour lists of a direct sum: one source for CUDA C++ and OpenCL C.  An item (a
 * thread of CUDA) has G6_LIST_PER i-particles in registers, and looks at one slice of the
 * j-particles (list_plan.h), which come through local (shared) memory.  The first pass counts the
 * entries of each i-particle and slice, and keeps the first ones.  The second pass copies these,
 * and searches where there are more.
 *
 * Invariants
 *  * r2 < h^2 in double decides whether a pair is an entry; h^2 is the client's, less eps^2 where
 *    lists are of softened distances.  Floats only choose the pairs for which this is computed, the
 *    candidates: pairs with r2 <= limit, of positions from a centre amid the i-particles of the
 *    group.  The limit allows for the errors of floats, so that no entry is missed
 *    (candidate_limit()).
 *  * An item takes the slots of its slice in ascending order, so that lists are in this order.
 *
 * Cost of a pair that is no entry: three subtractions, three multiply-adds, a minimum, a quarter of
 * a comparison, and a read of local memory divided by the i-particles of the item.
 *
 * Included with G6_FN and G6_FMA as in libg6gpu/formulas, and with these defined:
 *   G6_LIST_ITEMS, G6_LIST_BATCH   items of a group, and slots that it reads together
 *   G6_GLOBAL, G6_LOCAL            qualifiers of memory
 *   G6_BARRIER()                   barrier of a group
 *   G6_FN_RARE                     qualifiers of a function that is seldom called
 *   G6_UNROLL_BATCH                before the loop over a batch
 *   list_item()                    number of the item in its group
 *   list_any(x, anyone)            whether x is not 0 for any item; all items of a group call it
 * and of ListSearch, which has ni, own, slices and most_kept, and kept, index and slot in memory:
 *   list_i(s, c, n), list_h2(s, n), list_index(s, n)   of i-particle n
 *   list_j(s, c, k), list_id(s, k)                     of slot k; id.y: whether it was written
 *   list_begin(s, n, slice)                            place of the first entry of this slice
 * CUDA includes it for each number of i-particles, G6_LIST_PER, in a namespace of its own.
 */
#define G6_AT_ONCE 4 /* j-particles that share one comparison */

/* A coordinate from the centre beyond +-G6_FAR_J counts as +-G6_FAR_J.  Where |x_i| and h are below
 * G6_FAR_I, such a j-particle is no neighbour.  Elsewhere each pair is a candidate. */
#define G6_FAR_J 1e18f
#define G6_FAR_I 1e17f

/* Floats below 2^-126 are multiples of 2^-149, or count as 0 on a device, so that no relative bound
 * holds for smaller limits. */
#define G6_LEAST_CANDIDATE_LIMIT 0x1p-120f

/* A float that no entry's distance squared in float exceeds.
 *     far  the largest |coordinate| of the i-particle, from the centre
 *     h2   the radius squared; NaN, 0 or less: no pair is a candidate
 * An entry is within far + h of the centre.  With u = 2^-24, the rounding of a float, a component
 * of the distance is off by
 *     u (far + h)    position of the j-particle
 *     u far          position of the i-particle
 *     u h            their difference
 * The distance is off by sqrt(3) times the sum, which is less than 4 u (far + h).  The sum of
 * squares is off by less than 4 u of itself, and this function rounds its result by u. */
G6_FN float candidate_limit(double far, double h2)
{
    if (!(h2 > 0)) return -1;
    const double h = sqrt(h2), error = 0x1p-22f;
    if (!(far < G6_FAR_I && h < G6_FAR_I)) return (float)INFINITY;
    const double r = h + error * (far + h), r2 = r * r * (1 + 2 * error);
    return (float)(r2 > G6_LEAST_CANDIDATE_LIMIT ? r2 : G6_LEAST_CANDIDATE_LIMIT);
}

typedef struct Searchers {
    float x[G6_LIST_PER], y[G6_LIST_PER], z[G6_LIST_PER];
    float limit[G6_LIST_PER]; /* of candidates; negative: there are none */
    int number[G6_LIST_PER], count[G6_LIST_PER];
} Searchers;

/* Adds the entries among slots first ... first + G6_AT_ONCE-1.  count: entries of i-particle n in
 * this slice so far.  Returns the new count. */
G6_FN_RARE int add_candidates(const ListSearch *s, int fill, int n, int slice, int first, int end,
                              int count)
{
    const size_t place = (size_t)n * s->slices + slice;
    for (int k = first; k < min(first + G6_AT_ONCE, end); k++) {
        const double dx = list_j(s, 0, k) - list_i(s, 0, n), dy = list_j(s, 1, k) - list_i(s, 1, n),
                     dz = list_j(s, 2, k) - list_i(s, 2, n);
        if (!(G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx)) < list_h2(s, n))) continue;
        const int2 id = list_id(s, k);
        if (!id.y || (!s->own && id.x == list_index(s, n))) continue;
        if (fill) {
            const long at = list_begin(s, n, slice) + count;
            s->slot[at] = k;
            s->index[at] = id.x;
        } else if (count < s->most_kept) {
            s->kept[place * s->most_kept + count] = k;
        }
        count++;
    }
    return count;
}

/* Copies the entries of i-particle n in this slice if the first pass has kept all of them; else
 * returns 0. */
G6_FN int copy_kept(const ListSearch *s, int n, int slice)
{
    const long at = list_begin(s, n, slice);
    const int entries = (int)(list_begin(s, n, slice + 1) - at);
    if (entries > s->most_kept) return 0;
    for (int k = 0; k < entries; k++) {
        const int slot = s->kept[((size_t)n * s->slices + slice) * s->most_kept + k];
        s->slot[at + k] = slot;
        s->index[at + k] = list_id(s, slot).x;
    }
    return 1;
}

/* One coordinate of a point amid the i-particles first ... first + n - 1: the middle value of three
 * i-particles.  So a single i-particle far from the others does not move the point away. */
G6_FN double middle(const ListSearch *s, int c, int first, int n)
{
    const double x = list_i(s, c, first), y = list_i(s, c, first + n / 2),
                 z = list_i(s, c, first + n - 1);
    return fmax(fmin(x, y), fmin(fmax(x, y), z));
}

G6_FN float near_enough(double x)
{
    return fmax(-G6_FAR_J, fmin(G6_FAR_J, (float)x));
}

/* Reads G6_LIST_BATCH slots from `base` on.  Slots from `end` on count as far away. */
G6_FN void fill_batch(const ListSearch *s, int base, int end, const double *centre,
                      G6_LOCAL float4 *batch)
{
    for (int k = list_item(); k < G6_LIST_BATCH; k += G6_LIST_ITEMS) {
        const bool is_there = base + k < end;
        float4 x;
        x.x = is_there ? near_enough(list_j(s, 0, base + k) - centre[0]) : G6_FAR_J;
        x.y = is_there ? near_enough(list_j(s, 1, base + k) - centre[1]) : G6_FAR_J;
        x.z = is_there ? near_enough(list_j(s, 2, base + k) - centre[2]) : G6_FAR_J;
        x.w = 0;
        batch[k] = x;
    }
}

/* Searches the slots first ... end-1 for the i-particles with a limit of 0 or more. */
G6_FN void search(const ListSearch *s, int fill, Searchers *i, const double *centre, int slice,
                  int first, int end, G6_LOCAL float4 *batch)
{
    for (int base = first; base < end; base += G6_LIST_BATCH) {
        G6_BARRIER();
        fill_batch(s, base, end, centre, batch);
        G6_BARRIER();
        G6_UNROLL_BATCH
        for (int k = 0; k < G6_LIST_BATCH; k += G6_AT_ONCE) {
            float least[G6_LIST_PER];
#pragma unroll
            for (int e = 0; e < G6_AT_ONCE; e++) {
                const float4 j = batch[k + e];
#pragma unroll
                for (int q = 0; q < G6_LIST_PER; q++) {
                    const float dx = j.x - i->x[q], dy = j.y - i->y[q], dz = j.z - i->z[q];
                    const float r2 = G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx));
                    least[q] = e == 0 ? r2 : fmin(least[q], r2);
                }
            }
#pragma unroll
            for (int q = 0; q < G6_LIST_PER; q++)
                if (least[q] <= i->limit[q])
                    i->count[q] =
                        add_candidates(s, fill, i->number[q], slice, base + k, end, i->count[q]);
        }
    }
}

/* Searches one slice, the slots first ... end-1, for group number `group`.  fill: the second pass;
 * in the first pass count[ni][slices] gets the numbers of entries. */
G6_FN void list_slice(const ListSearch *s, int fill, int group, int slice, int first, int end,
                      G6_GLOBAL int *count, G6_LOCAL float4 *batch, G6_LOCAL int *anyone)
{
    const int first_i = group * G6_LIST_PER * G6_LIST_ITEMS,
              here = min(G6_LIST_PER * G6_LIST_ITEMS, s->ni - first_i);
    const double centre[3] = {middle(s, 0, first_i, here), middle(s, 1, first_i, here),
                              middle(s, 2, first_i, here)};
    Searchers i;
    int searches = 0;
#pragma unroll
    for (int q = 0; q < G6_LIST_PER; q++) {
        const int n = first_i + q * G6_LIST_ITEMS + list_item(), number = min(n, s->ni - 1);
        const double x = list_i(s, 0, number) - centre[0], y = list_i(s, 1, number) - centre[1],
                     z = list_i(s, 2, number) - centre[2];
        i.number[q] = number;
        i.x[q] = (float)x;
        i.y[q] = (float)y;
        i.z[q] = (float)z;
        i.count[q] = 0;
        i.limit[q] = -1;
        if (n >= s->ni || (fill && copy_kept(s, n, slice))) continue;
        i.limit[q] = candidate_limit(fmax(fabs(x), fmax(fabs(y), fabs(z))), list_h2(s, number));
        searches |= i.limit[q] >= 0;
    }
    if (list_any(searches, anyone)) search(s, fill, &i, centre, slice, first, end, batch);
#pragma unroll
    for (int q = 0; q < G6_LIST_PER; q++)
        if (!fill && first_i + q * G6_LIST_ITEMS + list_item() < s->ni)
            count[(size_t)i.number[q] * s->slices + slice] = i.count[q];
}
