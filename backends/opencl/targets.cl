/* SPDX-License-Identifier: MIT
 *
 * An i-particle in the registers of an item, and its pair with one j-particle.  Included after
 * pair.h, iparticle.cl and root.cl.
 */
typedef struct IParticle {
    pos x, y, z;
    real vx, vy, vz, eps2;
    float close; /* float: distance squared below which a pair is close; double: see close_key() */
    int index, number;
} IParticle;

G6_FN IParticle load_i(__global const ireal *iv, int ni, __global const int *ii, int n)
{
    IParticle i;
    __global const ireal *x = iv + n;
    const int c = ni;
    i.number = n;
    i.x = G6_I_POSITION(x, c, 0);
    i.y = G6_I_POSITION(x, c, 1);
    i.z = G6_I_POSITION(x, c, 2);
    i.vx = (real)x[G6_I_VELOCITY * c];
    i.vy = (real)x[(G6_I_VELOCITY + 1) * c];
    i.vz = (real)x[(G6_I_VELOCITY + 2) * c];
    i.eps2 = (real)x[G6_I_EPS2 * c];
    i.close = close_distance2(x, c);
    i.index = ii[n];
    return i;
}

/* A tile whose smallest distance measure is below this has a close pair, or in double a coincident
 * one. */
G6_FN float close_key(const IParticle *i)
{
#if G6_ARITHMETIC == G6_FULL
    return i->close;
#else
    return G6_FMA(i->eps2, (float)G6_ROUNDED_UP, i->close);
#endif
}

G6_FN void add_pair(PairSums *s, const JParticle *j, const IParticle *i, real dx, real dy, real dz,
                    real rinv)
{
#if G6_JERK
    g6_pair_hermite(s, dx, dy, dz, j->vx - i->vx, j->vy - i->vy, j->vz - i->vz, j->m, rinv);
#else
    g6_pair_force(s, dx, dy, dz, j->m, rinv);
#endif
}

/* After every G6_TILE terms at most. */
G6_FN void flush(wide *sum, const PairSums *s)
{
    sum[0] = wide_add(sum[0], widen(s->ax));
    sum[1] = wide_add(sum[1], widen(s->ay));
    sum[2] = wide_add(sum[2], widen(s->az));
    if (G6_JERK) {
        sum[3] = wide_add(sum[3], widen(s->jx));
        sum[4] = wide_add(sum[4], widen(s->jy));
        sum[5] = wide_add(sum[5], widen(s->jz));
    }
    sum[6] = wide_add(sum[6], widen(s->pot));
}
