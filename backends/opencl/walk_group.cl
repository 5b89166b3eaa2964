/* SPDX-License-Identifier: MIT
 *
 * The Barnes-Hut sum of groups of i-particles: a work-group of G6_ITEMS items serves a
 * group of up to G6_ITEMS i-particles.  Each item tests one cell against the group's box.  Cells
 * that act as a whole go into one list in local memory, and the bodies of opened leaves go into
 * another.  When a list is nearly full, the items add it to the sums of all i-particles.  With m
 * i-particles (rounded up to a power of two), G6_ITEMS / m items share the sum of each i-particle.
 *
 * Invariants
 *  * The stack cannot overflow.  An entry stands for all children of one cell, at most eight.
 *    With up to G6_MANY entries on the stack, a step takes up to G6_ITEMS / 8 entries off the top
 *    and pushes at most one entry for each cell tested, G6_ITEMS in all.  With more entries, a step
 *    takes one off and pushes at most eight, which are one level deeper.  So beyond
 *    G6_MANY + G6_ITEMS entries the stack grows by at most seven for each of G6_TREE_DEPTH levels.
 *  * A cell that may hold a body of some i-particle's own index is opened, and bodies are left out
 *    by index.
 *  * Lists follow from the tree and the group alone, so that every run gives the same bits.
 * Precision of bodies and cells as in force.cl: exact differences, a flush every G6_TILE terms.
 */
#include "prelude.cl"
#include "layout.cl"

#define G6_REAL real
#define G6_PAIR_SUMS PairSums
#include "../../libg6gpu/formulas/pair.h"
#include "../../libg6gpu/formulas/multipole.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

#include "../../libg6gpu/formulas/levels.h"
#include "pairs.cl"
#include "walk.cl"

#define G6_LIST (2 * G6_ITEMS)
#define G6_MANY (3 * G6_ITEMS)
#define G6_STACK (G6_MANY + G6_ITEMS + 7 * (G6_TREE_DEPTH + 1))

typedef struct Local {
    float4 cell[G6_PLANES * G6_LIST], body[G6_PLANES * G6_LIST];
    float4 quadrupole[G6_QUADRUPOLE ? G6_QUAD_WORDS * G6_LIST : 1];
    int place[G6_LIST];
    int stack[G6_STACK];
    int2 scan[2 * G6_ITEMS];
    int2 own[G6_ITEMS];
    int leaf_first[G6_ITEMS], leaf_end[G6_ITEMS];
    int careful;
} Local;

typedef struct Walk {
    __global const float4 *memory;
    G6WalkLayout at;
    int ni, item, members; /* members: of the group, a power of two */
    GroupExtent group;
    IParticle i;
    wide sum[7];
} Walk;

/* Returns the sum of `mine` over the items before this one; *total: over all items. */
G6_FN int2 sums_before(__local int2 *scan, int item, int2 mine, int2 *total)
{
    int from = 0;
    scan[item] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < G6_ITEMS; d *= 2) {
        int2 s = scan[from + item];
        if (item >= d) s += scan[from + item - d];
        from = G6_ITEMS - from;
        scan[from + item] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    *total = scan[from + G6_ITEMS - 1];
    return scan[from + item] - mine;
}

G6_FN void begin_sums(PairSums *s)
{
    s->ax = s->ay = s->az = s->jx = s->jy = s->jz = s->pot = 0;
}

/* ---- sums ------------------------------------------------------------------------------------ */

G6_FN void add_cell(Walk *w, __local const Local *l, int k, PairSums *s)
{
    JParticle j;
    G6_LOAD_J(j, l->cell, G6_LIST, k);
    const real dx = G6_DIFFERENCE(j.x, w->i.x), dy = G6_DIFFERENCE(j.y, w->i.y),
               dz = G6_DIFFERENCE(j.z, w->i.z);
    const real rinv = inverse_root(G6_FMA(dz, dz, G6_FMA(dy, dy, G6_FMA(dx, dx, w->i.eps2))));
#if G6_QUADRUPOLE
#if G6_ARITHMETIC == G6_FULL
    const double2 p = as_double2(l->quadrupole[k]), q = as_double2(l->quadrupole[G6_LIST + k]),
                  r = as_double2(l->quadrupole[2 * G6_LIST + k]);
    g6_cell_quadrupole(s, dx, dy, dz, j.m, p.x, p.y, q.x, q.y, r.x, r.y, rinv);
#else
    const float4 p = l->quadrupole[k], q = l->quadrupole[G6_LIST + k];
    g6_cell_quadrupole(s, dx, dy, dz, j.m, p.x, p.y, p.z, p.w, q.x, q.y, rinv);
#endif
#if G6_JERK
    g6_cell_jerk(s, dx, dy, dz, j.vx - w->i.vx, j.vy - w->i.vy, j.vz - w->i.vz, j.m, rinv);
#endif
#else
    add_pair(s, &j, &w->i, dx, dy, dz, rinv);
#endif
}

G6_FN void add_body(Walk *w, __local const Local *l, int k, int careful, PairSums *s)
{
    JParticle j;
    G6_LOAD_J(j, l->body, G6_LIST, k);
    const real dx = G6_DIFFERENCE(j.x, w->i.x), dy = G6_DIFFERENCE(j.y, w->i.y),
               dz = G6_DIFFERENCE(j.z, w->i.z);
    const real soft = G6_FMA(dz, dz, G6_FMA(dy, dy, G6_FMA(dx, dx, w->i.eps2)));
    int adds = 1;
    if (careful) {
        const int p = l->place[k];
        const int counts = ((__global const int *)(w->memory + w->at.body_index))[p] != w->i.index;
        adds = counts && soft > G6_LEAST_SOFT;
#if G6_ARITHMETIC == G6_SPLIT
        if (counts && G6_IS_CLOSE(g6_length2(dx, dy, dz), soft, w->i.close)) {
            wide close[7];
            for (int c = 0; c < 7; c++) close[c] = (wide)(0);
            add_close_pair(close, w->memory + w->at.body, w->at.stride,
                           (__global const wide *)(w->memory + w->at.exact), p,
                           (__global const ireal *)(w->memory + w->at.values), w->ni, w->i.number);
#pragma unroll
            for (int c = 0; c < 7; c++) w->sum[c] = wide_add(w->sum[c], close[c]);
            adds = 0;
        }
#endif
    }
    add_pair(s, &j, &w->i, dx, dy, dz, adds ? inverse_root(soft) : 0);
}

/* The entries that an item adds between two flushes: every step-th, G6_TILE at most. */
typedef struct Share {
    int first, end, step;
} Share;

G6_FN Share share_of(const Walk *w, int begin, int n)
{
    Share s;
    s.step = G6_ITEMS / w->members;
    s.first = begin + w->item / w->members;
    s.end = min(n, begin + s.step * G6_TILE);
    return s;
}

G6_FN void sum_cells(Walk *w, __local const Local *l, int n)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int begin = 0; begin < n;) {
        const Share share = share_of(w, begin, n);
        PairSums s;
        begin_sums(&s);
#if G6_PTX
#pragma unroll 2
#endif
        for (int k = share.first; k < share.end; k += share.step) add_cell(w, l, k, &s);
        flush(w->sum, &s);
        begin = share.end;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

G6_FN void sum_bodies(Walk *w, __local Local *l, int n)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    const int careful = l->careful;
    for (int begin = 0; begin < n;) {
        const Share share = share_of(w, begin, n);
        PairSums s;
        begin_sums(&s);
        if (careful) {
            for (int k = share.first; k < share.end; k += share.step) add_body(w, l, k, 1, &s);
        } else {
#if G6_PTX
#pragma unroll 4
#endif
            for (int k = share.first; k < share.end; k += share.step) add_body(w, l, k, 0, &s);
        }
        flush(w->sum, &s);
        begin = share.end;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (w->item == 0) l->careful = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* ---- lists ----------------------------------------------------------------------------------- */

G6_FN void collect_cell(const Walk *w, __local Local *l, int at, int k, __global const float4 *cell)
{
    for (int p = 0; p < G6_PLANES; p++) l->cell[p * G6_LIST + at] = cell[p];
#if G6_QUADRUPOLE
    __global const float4 *word = w->memory + w->at.quadrupole + (size_t)k * G6_QUAD_WORDS;
    for (int p = 0; p < G6_QUAD_WORDS; p++) l->quadrupole[p * G6_LIST + at] = word[p];
#endif
}

/* Copies the n-th body of all leaves that the items have opened to place `at` of the list. */
G6_FN void collect_body(const Walk *w, __local Local *l, int at, int n)
{
    int leaf = 0; /* the first that ends behind n */
    for (int step = G6_ITEMS / 2; step; step /= 2)
        if (l->leaf_end[leaf + step - 1] <= n) leaf += step;
    const int p = l->leaf_first[leaf] + n;
    __global const float4 *word = w->memory + w->at.body + p;
    for (int q = 0; q < G6_PLANES; q++) l->body[q * G6_LIST + at] = word[(size_t)q * w->at.stride];
    l->place[at] = p;
    JParticle j;
    G6_LOAD_J(j, l->body, G6_LIST, at);
    if ((p >= w->group.own_low && p <= w->group.own_high) || is_near_box(j.x, j.y, j.z, &w->group))
        l->careful = 1;
}

/* Whether some i-particle's own body may be in the cell. */
G6_FN int any_own(const Walk *w, __local const Local *l, const CellTest *t)
{
    if (!may_hold_own(t, &w->group)) return 0;
    int any = 0;
    for (int n = 0; n < w->group.count; n++) any = any || holds_own(t, l->own[n]);
    return any;
}

G6_FN uint2 walk_tree(Walk *w, __local Local *l, int mac)
{
    int size = 1, cells = 0, bodies = 0;
    uint sums = 0, tests = 0;
    if (w->item == 0) l->stack[0] = 0; /* the root */
    barrier(CLK_LOCAL_MEM_FENCE);
    while (size > 0) {
        const int taken = size > G6_MANY ? 1 : min(size, G6_ITEMS / 8), mine = w->item / 8;
        const int entry = mine < taken ? l->stack[size - 1 - mine] : 0;
        const int k = (entry >> 3) + w->item % 8,
                  there = mine < taken && w->item % 8 <= (entry & 7);
        __global const float4 *cell =
            w->memory + w->at.cell + (size_t)(there ? k : 0) * G6_CELL_WORDS;
        const CellTest t = load_test(cell);
        const int whole = there && is_far(cell, &t, &w->group, mac) && !any_own(w, l, &t),
                  opens = there && !whole, leaf = opens && t.link < 0;
        int2 total;
        const int2 before = sums_before(
            l->scan, w->item,
            (int2)(whole | (opens && !leaf) << 10 | there << 20, leaf ? t.count : 0), &total);
        size -= taken;
        if (opens && !leaf) l->stack[size + (before.x >> 10 & 1023)] = t.link;
        size += total.x >> 10 & 1023;
        if (whole) collect_cell(w, l, cells + (before.x & 1023), k, cell);
        cells += total.x & 1023;
        sums += (uint)((total.x & 1023) + total.y);
        tests += (uint)(total.x >> 20);
        l->leaf_first[w->item] = t.first - before.y;
        l->leaf_end[w->item] = before.y + (leaf ? t.count : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int n = 0; n < total.y; n += G6_ITEMS) {
            if (n + w->item < total.y) collect_body(w, l, bodies + w->item, n + w->item);
            bodies += min(G6_ITEMS, total.y - n);
            if (bodies > G6_LIST - G6_ITEMS) {
                sum_bodies(w, l, bodies);
                bodies = 0;
            }
        }
        if (cells > G6_LIST - G6_ITEMS) {
            sum_cells(w, l, cells);
            cells = 0;
        }
    }
    sum_cells(w, l, cells);
    sum_bodies(w, l, bodies);
    return (uint2)(sums, tests);
}

/* Adds the partial sums of each i-particle in a fixed order, by way of local memory. */
G6_FN void add_parts(Walk *w, __local wide *meet)
{
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 7; k++) meet[k * G6_ITEMS + w->item] = w->sum[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = w->item + w->members; w->item < w->members && other < G6_ITEMS;
         other += w->members) {
#pragma unroll
        for (int k = 0; k < 7; k++) w->sum[k] = wide_add(w->sum[k], meet[k * G6_ITEMS + other]);
    }
}

/* out: for each i-particle acc, jerk and pot in device units, then for each group its work. */
__kernel __attribute__((reqd_work_group_size(G6_ITEMS, 1, 1))) void
walk(int ni, int cells, int mac, G6WalkLayout at, __global const float4 *memory, __global wide *out)
{
    __local Local l;
    const int number = (int)get_group_id(0);
    Walk w;
    w.memory = memory;
    w.at = at;
    w.ni = ni;
    w.item = (int)get_local_id(0);
    w.group = load_group((__global const G6GroupExtent *)(memory + at.group) + number);
    w.members = 1;
    while (w.members < w.group.count) w.members *= 2;
    /* Items past the end repeat the last i-particle and write nothing. */
    const int member = w.item % w.members, n = w.group.first + min(member, w.group.count - 1);
    w.i = load_i((__global const ireal *)(memory + at.values), ni,
                 (__global const int *)(memory + at.index), n);
#pragma unroll
    for (int k = 0; k < 7; k++) w.sum[k] = (wide)(0);
    if (w.item < w.group.count)
        l.own[w.item] = ((__global const int2 *)(memory + at.own))[w.group.first + w.item];
    if (w.item == 0) l.careful = 0;
    uint2 work = (uint2)(0, 0);
    if (cells > 0) work = walk_tree(&w, &l, mac);
    add_parts(&w, (__local wide *)l.cell);
    if (w.item < w.group.count)
        for (int k = 0; k < 7; k++)
            out[7 * n + k] = G6_JERK || k < 3 || k == 6 ? w.sum[k] : (wide)(0);
    if (w.item == 0) ((__global uint2 *)out)[7 * ni + number] = work;
}
