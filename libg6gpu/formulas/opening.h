/* SPDX-License-Identifier: MIT
 *
 * Thresholds of a walk's opening test, computed for each cell from the criteria of tree.h; written
 * once for the trees of C++ and CUDA C++.
 *
 * Included after tree.h, with G6_FN (qualifiers of a function), G6_REAL, G6_SQRT, G6_POW,
 * G6_MAX and G6_INFINITY defined.
 */

/* Least distance squared, in device units, at which a cell may act as a whole: the powers of its
 * reciprocal do not overflow in float. */
#define G6_LEAST_OPENING2 1e-12

/* Largest b2 (tree.h) of a cell that acts by its quadrupole: b2 bounds its second moments, which
 * must not overflow in float. */
#define G6_MOST_SECOND 1e37

/* G6_MAC_COMBINED also accepts a cell that G6_MAC_BH accepts at this fraction of theta, whatever
 * the bound on its error.  That bound is relative to one acceleration for the whole system, so that
 * it alone would open all cells of a dense system that is a small part of a wide one.
 *
 * Other cells it accepts only if G6_MAC_BMAX accepts them, too, at G6_COMBINED_COARSE theta.  Where
 * one body has nearly all mass, as a star among planetesimals or a massive black hole, the typical
 * acceleration is larger than all that the other bodies add, so that the bound alone would accept
 * the cells of these bodies at any theta.  In a Plummer sphere of 100000 bodies this costs 1 % more
 * interactions at theta 0.4 and none at 0.6; a factor of 1 would cost 10 % and 2 %. */
#define G6_COMBINED_ANGLE 0.8
#define G6_COMBINED_COARSE 1.5

/* By G6_MAC_BH, G6_MAC_BMAX and G6_MAC_ACCELERATION a cell acts as a whole only where d is beyond
 * this multiple of b (for theta above 1.25 see g6_least_distance()).  These criteria know the size
 * of the cell, but not how near its nearest body is, which may be at d - b.  G6_MAC_ACCELERATION
 * alone could accept a cell that holds some of the i-particle's neighbours: their pull makes |a|
 * large, and with it the error that the criterion allows.
 *
 * A body of mass m at r from the centre of mass, r < d, adds to the error of the acceleration at
 * most (Salmon & Warren 1994, eq. 9)
 *
 *     m/d^2 (3 (r/d)^2 - 2 (r/d)^3) / (1 - r/d)^2     with the monopole
 *     m/d^2 (4 (r/d)^3 - 3 (r/d)^4) / (1 - r/d)^2     with the quadrupole, too
 *
 * which grows with r.  With r = b < d/1.5 for all bodies, the cell of mass M errs by at most
 *
 *     15 M b^2/d^4  and  12 M b^2/d^4
 *
 * In G6_MAC_ACCELERATION M l^2/d^4 < alpha |a|, and b^2 <= 3 l^2 since the cell's box holds its
 * centre of mass: a cell errs by at most 45 alpha |a| and 36 alpha |a|.
 *
 * The factor is a choice by measurement (g6bench --tree, 100000 bodies, theta 0.6): against 1, the
 * value 1.5 costs 6 % more interactions in a Plummer sphere, 1 to 3 % in models of galaxies, none
 * in a uniform cube, and the median error falls by 8 % in the Plummer sphere.  2 costs 24 % more
 * there.
 */
#define G6_LEAST_DISTANCE 1.5

/* The factor for G6_MAC_MULTIPOLE, whose bound holds wherever d > b, and for G6_MAC_COMBINED.
 * Beside one heavy body the error that the bound allows can exceed the whole pull of a cell of
 * light bodies, and this factor alone limits it, to 35 M b^2/d^4 by the first formula above.  In a
 * ring of 20000 planetesimals around a star, at theta 0.6, G6_MAC_COMBINED has the pull of the ring
 * on the star off by 2e-4 of the sum of its bodies' pulls, and by 7e-2 with a factor of 1.  In
 * Plummer spheres of 262144 bodies the factors 1.25 and 1.5 cost 0.4 % and 3 % more interactions
 * than 1, at the same errors. */
#define G6_LEAST_DISTANCE_BOUNDED 1.25

/* The least factor where theta asks for a coarse and fast walk, above G6_COARSE_ANGLE.  It must
 * stay above 1: up to d = b the i-particle may be inside the cell, whose multipoles say nothing
 * there, and just beyond d = b a body of the cell may be at any small distance, so that no bound on
 * the error holds.  With 1.1 the bounds above are 143 M b^2/d^4 and 140 M b^2/d^4.
 *
 * In a model of M31 at theta 1.9 (docs/measurements/tree-errors-cpu.md) 1.1 costs a quarter fewer
 * interactions than 1.5, at errors 2.5 times as large.  1 would cost a tenth fewer than 1.1. */
#define G6_LEAST_DISTANCE_COARSE 1.1
#define G6_COARSE_ANGLE 1.25

/* A cell, in device units; l, s, b and b2 as in tree.h. */
typedef struct G6CellExtent {
    G6_REAL l, s, b, b2;
    G6_REAL abs_mass;
    int never_whole; /* masses of both signs: the multipoles say nothing */
} G6CellExtent;

typedef struct G6Criterion {
    int mac, quadrupole;
    G6_REAL theta; /* 0: every cell is opened */
    G6_REAL error; /* of a cell's acceleration, for G6_MAC_MULTIPOLE and G6_MAC_COMBINED */
    G6_REAL alpha; /* for G6_MAC_ACCELERATION */
} G6Criterion;

/* As in G6Cell (cells.h). */
typedef struct G6Thresholds {
    float radius2, near2, weight;
} G6Thresholds;

/* Sets l and s.  Edge and centre are those of the cell's cube while the cube holds the bodies' box,
 * low ... high.  Once a body has left the cube, they are those of the box.  x: centre of mass. */
G6_FN void g6_measure_cell(G6CellExtent *c, const G6_REAL *x, const G6_REAL *cube, G6_REAL edge,
                           const G6_REAL *low, const G6_REAL *high)
{
    int inside = 1;
    G6_REAL l = edge, s2 = 0;
    for (int d = 0; d < 3; d++) {
        inside = inside && low[d] >= cube[d] - edge / 2 && high[d] <= cube[d] + edge / 2;
        l = high[d] - low[d] > l ? high[d] - low[d] : l;
    }
    for (int d = 0; d < 3; d++) {
        const G6_REAL off = x[d] - (inside ? cube[d] : 0.5 * low[d] + 0.5 * high[d]);
        s2 += off * off;
    }
    c->l = l;
    c->s = G6_SQRT(s2);
}

/* The multiple of b beyond which a cell may act as a whole.  For theta above 1.25 it is 1.875 /
 * theta, or 1.1 from theta = 1.7 on, where that is less than the factors above: at such angles
 * these alone would decide, and theta would have no effect. */
G6_FN G6_REAL g6_least_distance(const G6Criterion *m)
{
    const G6_REAL least = G6_LEAST_DISTANCE, bounded = G6_LEAST_DISTANCE_BOUNDED,
                  coarse = G6_LEAST_DISTANCE_COARSE;
    const G6_REAL angle = G6_COARSE_ANGLE;
    const G6_REAL any = m->theta > angle ? G6_MAX(least * angle / m->theta, coarse) : least;
    const bool bounds = m->mac == G6_MAC_MULTIPOLE || m->mac == G6_MAC_COMBINED;
    return bounds && any > bounded ? bounded : any;
}

/* Distance up to which the cell is opened; beyond it the cell acts as a whole.  With
 * G6_MAC_ACCELERATION this holds for an i-particle whose old acceleration is unknown. */
G6_FN G6_REAL g6_opening_radius(const G6CellExtent *c, const G6Criterion *m)
{
    const G6_REAL b = c->b, least = g6_least_distance(m) * b;
    G6_REAL radius = least;
    if (m->mac == G6_MAC_BH || m->mac == G6_MAC_ACCELERATION)
        radius = g6_radius_bh(c->l, c->s, m->theta);
    else if (m->mac == G6_MAC_BMAX)
        radius = g6_radius_bmax(b, m->theta);
    else if (m->error > 0)
        radius = m->quadrupole ? g6_radius_quadrupole(b, c->b2, m->error,
                                                      b + G6_POW(4 * b * c->b2 / m->error, 0.2))
                               : g6_radius_multipole(b, c->b2, m->error);
    else if (c->b2 > 0) /* the allowed error vanished, as beside a body beyond the range of float */
        radius = G6_INFINITY;
    if (m->mac == G6_MAC_COMBINED) {
        const G6_REAL most = g6_radius_bh(c->l, c->s, G6_COMBINED_ANGLE * m->theta);
        radius = G6_MAX(radius, g6_radius_bmax(b, G6_COMBINED_COARSE * m->theta));
        radius = radius < most ? radius : most;
    }
    return radius > least ? radius : least;
}

/* The threshold x of a test in float, enlarged so that the test opens every cell that an exact test
 * opens.  Each rounded operation is off by at most u = 2^-24 of its result.  The test compares x
 * with r2, or with r2 r2 a (tree.h), and these operations are rounded:
 *
 *   in r2        one product                        1 u
 *                two multiply-adds                  2 u
 *   in r2 r2 a   r2, which occurs twice             6 u
 *                two products                       2 u
 *                `a` made of the caller's           2 u
 *   in x         the conversion to float            1 u
 *
 * The sum is 4 u for r2 and 11 u for r2 r2 a.  x grows by 16 u = 2^-20 of itself, and the radius
 * whose square it is by 2^-21.  The walk bounds the rounding of the differences that r2 is made
 * of. */
G6_FN float g6_threshold(G6_REAL x)
{
    return (float)(x * (1 + 1.0 / (1 << 20)));
}

G6_FN G6Thresholds g6_thresholds(const G6CellExtent *c, const G6Criterion *m)
{
    const G6_REAL least2 = G6_LEAST_OPENING2;
    const G6_REAL near = g6_least_distance(m) * c->b, near2 = near * near;
    G6_REAL radius = G6_INFINITY, weight = G6_INFINITY;
    const int overflows = m->quadrupole && !(c->b2 <= G6_MOST_SECOND);
    if (!c->never_whole && !overflows && m->theta > 0) {
        radius = g6_opening_radius(c, m);
        weight = g6_weight(c->abs_mass, c->l, m->alpha);
    }
    const G6_REAL radius2 = radius * radius;
    G6Thresholds t;
    t.radius2 = g6_threshold(radius2 > least2 ? radius2 : least2);
    t.near2 = radius < G6_INFINITY ? g6_threshold(near2 > least2 ? near2 : least2) : t.radius2;
    t.weight = g6_threshold(weight);
    return t;
}
