/* SPDX-License-Identifier: MIT
 *
 * How walk_group.cl reads cells and groups, and tests a cell against a group.  Included after
 * layout.cl and pairs.cl.
 *
 * A cell is G6_CELL_WORDS words of 16 bytes: first its centre of mass, mass and velocity as a
 * j-particle of stride 1, then
 *   split  (vy vz) radius2 near2 | weight link first count
 *   full   radius2 near2 weight link | first count - -
 * Its quadrupole is G6_QUAD_WORDS words of another array: xx xy xz yy yz zz.
 * link: eight times the place of the first child, plus the number of children less one; -1 for a
 * leaf.  Children lie together.
 */
#include "walk_layout.h"

#define G6_REAL real
#define G6_SQRT(x) sqrt(x)
#include "../../libg6gpu/formulas/tree.h"
#undef G6_REAL
#undef G6_SQRT

#if G6_ARITHMETIC == G6_FULL
#define G6_CELL_WORDS 6
#define G6_QUAD_WORDS 3
#else
#define G6_CELL_WORDS 4
#define G6_QUAD_WORDS 2
#endif

typedef struct CellTest {
    float radius2, near2, weight;
    int link, first, count;
} CellTest;

G6_FN CellTest load_test(__global const float4 *cell)
{
    CellTest t;
#if G6_ARITHMETIC == G6_FULL
    const float4 a = cell[4], b = cell[5];
    t.radius2 = a.x;
    t.near2 = a.y;
    t.weight = a.z;
    t.link = as_int(a.w);
    t.first = as_int(b.x);
    t.count = as_int(b.y);
#else
    const float4 a = cell[2], b = cell[3];
    t.radius2 = a.z;
    t.near2 = a.w;
    t.weight = b.x;
    t.link = as_int(b.y);
    t.first = as_int(b.z);
    t.count = as_int(b.w);
#endif
    return t;
}

typedef struct GroupExtent {
    pos x, y, z;
    real hx, hy, hz;
    float a, least_far2, margin; /* margin: see is_near_box() */
    int known, first, count, own_low, own_high;
} GroupExtent;

G6_FN GroupExtent load_group(__global const G6GroupExtent *g)
{
    __global const pos *mid = (__global const pos *)g->mid;
    GroupExtent r;
    r.x = mid[0];
    r.y = mid[1];
    r.z = mid[2];
    r.hx = g->reach[0];
    r.hy = g->reach[1];
    r.hz = g->reach[2];
    r.a = g->a;
    r.least_far2 = g->least_far2;
    r.margin = sqrt(g->least_far2);
    r.known = g->known;
    r.first = g->first;
    r.count = g->count;
    r.own_low = g->own_low;
    r.own_high = g->own_high;
    return r;
}

/* A factor that lowers the distance of a coordinate from the middle of the group's box by more than
 * the roundings of the distance and of the limits can raise it. */
#define G6_ROUNDED_DOWN ((real)(1 - 0x1p-20))

/* Distance of a coordinate from the box, rounded down, so that no cell is accepted too early. */
#define G6_OUTSIDE(c, mid, half)                                                                   \
    fmax(G6_FMA(fabs(G6_DIFFERENCE(c, mid)), G6_ROUNDED_DOWN, -(half)), (real)0)

/* Distance squared of the centre of mass from the group's box. */
G6_FN real outside2(__global const float4 *cell, const GroupExtent *g)
{
    JParticle c;
    G6_LOAD_J(c, cell, 1, 0);
    const real dx = G6_OUTSIDE(c.x, g->x, g->hx), dy = G6_OUTSIDE(c.y, g->y, g->hy),
               dz = G6_OUTSIDE(c.z, g->z, g->hz);
    return G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx));
}

/* Whether the cell may act as a whole on all of the group.  Own bodies are tested elsewhere. */
G6_FN int is_far(__global const float4 *cell, const CellTest *t, const GroupExtent *g, int mac)
{
    const real r2 = outside2(cell, g);
    if (!(r2 > g->least_far2)) return 0;
    if (mac != G6_MAC_ACCELERATION) return g6_far(r2, t->radius2);
    return (!(g->known & 1) || g6_far_for(r2, t->near2, t->weight, g->a)) &&
           (!(g->known & 2) || g6_far(r2, t->radius2));
}

/* Whether a position lies so near the group's box that its pair with some i-particle may be a close
 * or, in double, a coincident one.  The margin around the box is the square root of least_far2. */
G6_FN int is_near_box(pos x, pos y, pos z, const GroupExtent *g)
{
    const real margin = g->margin;
    return G6_OUTSIDE(x, g->x, g->hx) <= margin && G6_OUTSIDE(y, g->y, g->hy) <= margin &&
           G6_OUTSIDE(z, g->z, g->hz) <= margin;
}

G6_FN int may_hold_own(const CellTest *t, const GroupExtent *g)
{
    return t->first <= g->own_high && t->first + t->count > g->own_low;
}
G6_FN int holds_own(const CellTest *t, int2 own)
{
    return t->first <= own.y && t->first + t->count > own.x;
}
