/* SPDX-License-Identifier: MIT
 *
 * The Barnes-Hut sum of groups of i-particles for processors: an item walks the tree for a group,
 * along the links next and more (more: the next cell in memory), and keeps lists of cells and of
 * leaves, which it sums with the group's i-particles in the lanes of up to G6_VECTORS vectors
 * whenever one is full.  Lists stay in the first-level cache.
 *
 * Precision as in force.cl, for cells too: exact differences, sums flushed every G6_TILE terms.
 * A cell that holds a body with an index of the group's is opened; bodies are left out by index.
 */
#include "prelude.cl"
#include "layout.cl"
#include "lanes.cl"
#include "iparticle.cl"
#include "targets_cpu.cl"
#include "walk.cl"

#define G6_CELLS 256  /* cells of a list */
#define G6_LEAVES 128 /* leaves of a list */
#define G6_BODIES 1024

typedef struct Walk {
    __global const float4 *memory;
    G6WalkPlaces at;
    Block block[G6_VECTORS];
    wides sum[G6_VECTORS][7];
    wide close_sum[G6_VECTORS * G6_LANES][7];
    int2 own[G6_VECTORS * G6_LANES];
    int redo[G6_VECTORS * G6_LANES];
    int any_close, vectors;
    GroupExtent group;
    int cell[G6_CELLS], cells;
    int2 leaf[G6_LEAVES]; /* at the end those with an own body, or with one near the group */
    int leaves, careful;  /* numbers of leaves at the beginning and at the end of `leaf` */
    int bodies;           /* of all these leaves */
} Walk;

G6_FN void flush(wides *sum, PairSums *s)
{
    sum[0] = wides_add(sum[0], s->ax);
    sum[1] = wides_add(sum[1], s->ay);
    sum[2] = wides_add(sum[2], s->az);
    if (G6_JERK) {
        sum[3] = wides_add(sum[3], s->jx);
        sum[4] = wides_add(sum[4], s->jy);
        sum[5] = wides_add(sum[5], s->jz);
    }
    sum[6] = wides_add(sum[6], s->pot);
    begin_tile(s);
}

G6_FN void add_quadrupoles(PairSums *s, const Block *b, const JParticle *j, const Differences *d,
                           __global const float4 *word, reals rinv)
{
#if G6_QUADRUPOLE
#if G6_ARITHMETIC == G6_FULL
    const double2 p = as_double2(word[0]), q = as_double2(word[1]), r = as_double2(word[2]);
    g6_cell_quadrupole(s, d->dx, d->dy, d->dz, (reals)(j->m), (reals)(p.x), (reals)(p.y),
                       (reals)(q.x), (reals)(q.y), (reals)(r.x), (reals)(r.y), rinv);
#else
    const float4 p = word[0], q = word[1];
    g6_cell_quadrupole(s, d->dx, d->dy, d->dz, (reals)(j->m), (reals)(p.x), (reals)(p.y),
                       (reals)(p.z), (reals)(p.w), (reals)(q.x), (reals)(q.y), rinv);
#endif
#if G6_JERK
    g6_cell_jerk(s, d->dx, d->dy, d->dz, j->vx - b->vx, j->vy - b->vy, j->vz - b->vz,
                 (reals)(j->m), rinv);
#endif
#endif
}

static void sum_cells(Walk *w)
{
    __global const float4 *cell = w->memory + w->at.cell,
                          *quadrupole = w->memory + w->at.quadrupole;
    for (int v = 0; v < w->vectors; v++) {
        const Block *b = &w->block[v];
        PairSums s;
        begin_tile(&s);
        for (int k = 0; k < w->cells; k++) {
            const size_t c = w->cell[k];
            JParticle j;
            G6_LOAD_J(j, cell + c * G6_CELL_WORDS, 1, 0);
            const Differences d = differences(b, &j);
            if (G6_QUADRUPOLE)
                add_quadrupoles(&s, b, &j, &d, quadrupole + c * G6_QUAD_WORDS,
                                inverse_roots(d.soft));
            else
                add_pairs(&s, b, &j, &d, inverse_roots(d.soft));
            if (k % G6_TILE == G6_TILE - 1) flush(w->sum[v], &s);
        }
        flush(w->sum[v], &s);
    }
    w->cells = 0;
}

/* One body that is the own one of some lane, or may be close or coincident. */
static void careful_pair(Walk *w, int v, int k, PairSums *s)
{
    const Block *b = &w->block[v];
    JParticle j;
    G6_LOAD_J(j, b->plane, b->stride, k);
    const Differences d = differences(b, &j);
    const masks counts = b->index != (masks)(((__global const int *)b->id)[k]);
    masks adds = counts & (d.soft > (reals)(G6_LEAST_SOFT));
#if G6_ARITHMETIC == G6_SPLIT
    const masks near = counts & G6_IS_CLOSE(d.r2, d.soft, b->close);
    if (any(near)) {
        int lane[G6_LANES];
        G6_VSTORE(near, 0, lane);
        for (int l = 0; l < G6_LANES; l++)
            if (lane[l]) {
                w->redo[v * G6_LANES + l] = 1;
                add_close_pair(w->close_sum[v * G6_LANES + l], b->plane, b->stride, b->exact,
                               b->capacity, k, b->iv, b->ni, min(b->first + l, b->last));
            }
        w->any_close = 1;
        adds &= ~near;
    }
#endif
    add_pairs(s, b, &j, &d, select((reals)(0), inverse_roots(d.soft), adds));
}

static void sum_bodies(Walk *w)
{
    for (int v = 0; v < w->vectors; v++) {
        const Block *b = &w->block[v];
        int terms = 0;
        PairSums s;
        begin_tile(&s);
        for (int n = 0; n < w->leaves; n++)
            for (int k = w->leaf[n].x; k < w->leaf[n].y; k++) {
                JParticle j;
                G6_LOAD_J(j, b->plane, b->stride, k);
                const Differences d = differences(b, &j);
                add_pairs(&s, b, &j, &d, inverse_roots(d.soft));
                if (++terms % G6_TILE == 0) flush(w->sum[v], &s);
            }
        for (int n = G6_LEAVES - w->careful; n < G6_LEAVES; n++)
            for (int k = w->leaf[n].x; k < w->leaf[n].y; k++) {
                careful_pair(w, v, k, &s);
                if (++terms % G6_TILE == 0) flush(w->sum[v], &s);
            }
        flush(w->sum[v], &s);
    }
    w->leaves = w->bodies = w->careful = 0;
}

static void begin(Walk *w, int ni)
{
    const GroupExtent *g = &w->group;
    w->vectors = (g->count + G6_LANES - 1) / G6_LANES;
    w->cells = w->leaves = w->bodies = w->careful = w->any_close = 0;
    for (int v = 0; v < w->vectors; v++) {
        Block *b = &w->block[v];
        b->ni = ni;
        b->stride = b->capacity = w->at.stride;
        b->plane = w->memory + w->at.body;
        b->id = (__global const int2 *)(w->memory + w->at.body_index);
        b->exact = (__global const wide *)(w->memory + w->at.exact);
        b->iv = (__global const ireal *)(w->memory + w->at.values);
        b->first = g->first + v * G6_LANES;
        b->last = g->first + g->count - 1;
        load_block(b, (__global const int *)(w->memory + w->at.index));
        for (int k = 0; k < 7; k++) w->sum[v][k] = wides_zero();
    }
    for (int n = 0; n < w->vectors * G6_LANES; n++) {
        w->own[n] = ((__global const int2 *)(w->memory + w->at.own))[min(
            g->first + n, g->first + g->count - 1)];
        w->redo[n] = 0;
        for (int k = 0; k < 7; k++) w->close_sum[n][k] = (wide)(0);
    }
}

/* Whether some i-particle's own body is in the cell. */
G6_FN int any_own(const Walk *w, const CellTest *t)
{
    if (!may_hold_own(t, &w->group)) return 0;
    int any = 0;
    for (int n = 0; n < w->group.count; n++) any = any || holds_own(t, w->own[n]);
    return any;
}

/* Whether some body of the leaf lies near the group's box.  Those of most leaves need no look: no
 * body is farther than the square root of near2 from the centre of mass. */
static int any_near(const Walk *w, __global const float4 *cell, const CellTest *t)
{
    if (outside2(cell, &w->group) > 2 * ((real)t->near2 + w->group.least_far2)) return 0;
    const Block *b = &w->block[0];
    for (int k = t->first; k < t->first + t->count; k++) {
        JParticle j;
        G6_LOAD_J(j, b->plane, b->stride, k);
        if (is_near_box(j.x, j.y, j.z, &w->group)) return 1;
    }
    return 0;
}

static void finish(const Walk *w, int v, const Units *units, __global Result *out)
{
    wide lane[7][G6_LANES];
    for (int k = 0; k < 7; k++) {
#if G6_FP64
        G6_VSTORE(G6_CONVERT(double)(w->sum[v][k]), 0, lane[k]);
#else
        float high[G6_LANES], low[G6_LANES];
        G6_VSTORE(w->sum[v][k].x, 0, high);
        G6_VSTORE(w->sum[v][k].y, 0, low);
        for (int l = 0; l < G6_LANES; l++) lane[k][l] = (wide)(high[l], low[l]);
#endif
    }
    for (int l = 0; l < min(G6_LANES, w->group.count - v * G6_LANES); l++) {
        const int n = v * G6_LANES + l;
        wide sum[7];
        for (int k = 0; k < 7; k++)
            sum[k] = w->any_close ? wide_add(lane[k][l], w->close_sum[n][k]) : lane[k][l];
        write_result(out + w->group.first + n, sum, units, w->redo[n]);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
walk(int ni, int cells, int mac, G6WalkPlaces at, __global const float4 *memory, wide length,
     wide rate, wide pot, __global Result *out, int count_at)
{
    const int number = (int)get_group_id(0);
    Walk w;
    w.memory = memory;
    w.at = at;
    w.group = load_group((__global const G6GroupExtent *)(memory + at.group) + number);
    begin(&w, ni);
    uint tests = 0, sums = 0;
    for (int k = 0; k < cells; tests++) {
        __global const float4 *cell = memory + at.cell + (size_t)k * G6_CELL_WORDS;
        const CellTest t = load_test(cell);
        if (is_far(cell, &t, &w.group, mac) && !any_own(&w, &t)) {
            w.cell[w.cells++] = k;
            sums++;
            if (w.cells == G6_CELLS) sum_cells(&w);
            k = t.link;
            continue;
        }
        k++;
        if (t.link != k) continue;
        const int careful = may_hold_own(&t, &w.group) || any_near(&w, cell, &t);
        w.leaf[careful ? G6_LEAVES - ++w.careful : w.leaves++] =
            (int2)(t.first, t.first + t.count);
        w.bodies += t.count;
        sums += (uint)t.count;
        if (w.leaves + w.careful == G6_LEAVES || w.bodies >= G6_BODIES) sum_bodies(&w);
    }
    sum_cells(&w);
    sum_bodies(&w);
    const Units units = {length, rate, pot};
    for (int v = 0; v < w.vectors; v++) finish(&w, v, &units, out);
    ((__global uint2 *)out)[count_at + number] = (uint2)(sums, tests);
}
