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

/* Adds the sum s of a lane, whose terms have the root to this power. */
#if G6_ROOT == G6_ROOT_PTX && G6_FP64 && G6_ARITHMETIC != G6_FULL
#define G6_ADD_LANE(sum, s, power) (sum) = fma((double)(s), G6_ROOT_FACTOR(power), sum)
#else
#define G6_ADD_LANE(sum, s, power) (sum) = wide_add(sum, widen(s))
#endif

/* After every G6_TILE terms at most. */
G6_FN void flush(wide *sum, const PairSums *s)
{
    G6_ADD_LANE(sum[0], s->ax, 3);
    G6_ADD_LANE(sum[1], s->ay, 3);
    G6_ADD_LANE(sum[2], s->az, 3);
    if (G6_JERK) {
        G6_ADD_LANE(sum[3], s->jx, 4);
        G6_ADD_LANE(sum[4], s->jy, 4);
        G6_ADD_LANE(sum[5], s->jz, 4);
    }
    G6_ADD_LANE(sum[6], s->pot, 1);
}
