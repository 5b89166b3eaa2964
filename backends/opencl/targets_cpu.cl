/* SPDX-License-Identifier: MIT
 *
 * i-particles in the lanes of vectors, and the pairs of one j-particle with all lanes, for
 * processors.  Included after lanes.cl and iparticle.cl.
 */
typedef struct Block {
    int ni, nj, guard, stride, capacity;
    int first, last; /* i-particles */
    __global const float4 *plane;
    __global const int2 *id;
    __global const wide *exact;
    __global const ireal *iv;
    reals xh, yh, zh, vx, vy, vz, eps2;
#if G6_ARITHMETIC == G6_SPLIT
    reals xl, yl, zl;
#endif
    masks index;
    floats close;
} Block;

#if G6_ARITHMETIC == G6_SPLIT
#define G6_LANE_DIFFERENCE(j, high, low) (((j).x - (high)) + ((j).y - (low)))
#else
#define G6_LANE_DIFFERENCE(j, high, low) ((j) - (high))
#endif

G6_FN void load_block(Block *b, __global const int *ii)
{
    real x[10][G6_LANES];
    int index[G6_LANES];
    float close[G6_LANES];
    for (int l = 0; l < G6_LANES; l++) {
        /* Lanes past the end repeat the last i-particle and write nothing. */
        const int n = min(b->first + l, b->last), c = b->ni;
        __global const ireal *v = b->iv + n;
        for (int k = 0; k < 3; k++) {
            const pos p = G6_I_POSITION(v, c, k);
#if G6_ARITHMETIC == G6_SPLIT
            x[k][l] = p.x;
            x[7 + k][l] = p.y;
#else
            x[k][l] = p;
#endif
            x[3 + k][l] = (real)v[(G6_I_VELOCITY + k) * c];
        }
        x[6][l] = (real)v[G6_I_EPS2 * c];
        close[l] = close_distance2(v, c);
        index[l] = ii[n];
    }
    b->xh = G6_VLOAD(0, x[0]);
    b->yh = G6_VLOAD(0, x[1]);
    b->zh = G6_VLOAD(0, x[2]);
    b->vx = G6_VLOAD(0, x[3]);
    b->vy = G6_VLOAD(0, x[4]);
    b->vz = G6_VLOAD(0, x[5]);
    b->eps2 = G6_VLOAD(0, x[6]);
#if G6_ARITHMETIC == G6_SPLIT
    b->xl = G6_VLOAD(0, x[7]);
    b->yl = G6_VLOAD(0, x[8]);
    b->zl = G6_VLOAD(0, x[9]);
#endif
    b->index = G6_MASKS(G6_VLOAD(0, index));
    b->close = G6_VLOAD(0, close);
}

/* Keys as in force.cl: the softened distance squared, or the high word of a double. */
G6_FN floats keys_of(reals r2)
{
#if G6_ARITHMETIC == G6_FULL
    // The high word of infinity is a NaN of floats, which comparisons lose.
    return G6_AS(float)(min(G6_CONVERT(int)(G6_AS(long)(r2) >> 32), 0x7f7fffff));
#else
    return r2;
#endif
}

/* As in targets.cl. */
G6_FN floats close_keys(const Block *b)
{
#if G6_ARITHMETIC == G6_FULL
    return b->close;
#else
    return b->eps2 * (float)G6_ROUNDED_UP + b->close;
#endif
}

typedef struct Differences {
    reals dx, dy, dz, r2, soft;
} Differences;

G6_FN Differences differences(const Block *b, const JParticle *j)
{
    Differences d;
    d.dx = G6_LANE_DIFFERENCE(j->x, b->xh, b->xl);
    d.dy = G6_LANE_DIFFERENCE(j->y, b->yh, b->yl);
    d.dz = G6_LANE_DIFFERENCE(j->z, b->zh, b->zl);
    d.r2 = g6_length2(d.dx, d.dy, d.dz);
    d.soft = d.r2 + b->eps2;
    return d;
}

G6_FN void add_pairs(PairSums *s, const Block *b, const JParticle *j, const Differences *d,
                     reals rinv)
{
#if G6_JERK
    g6_pair_hermite(s, d->dx, d->dy, d->dz, j->vx - b->vx, j->vy - b->vy, j->vz - b->vz,
                    (reals)(j->m), rinv);
#else
    g6_pair_force(s, d->dx, d->dy, d->dz, (reals)(j->m), rinv);
#endif
}

G6_FN void begin_tile(PairSums *s)
{
    s->ax = s->ay = s->az = s->jx = s->jy = s->jz = s->pot = (reals)(0);
}
