/* SPDX-License-Identifier: MIT
 *
 * The force of one j on one i, written once for C++, CUDA C++ and OpenCL C (Makino & Aarseth 1992,
 * PASJ 44, 141, eqs. 1 and 2), with r = x_j - x_i, v = v_j - v_i, r2 = |r|^2 + eps^2:
 *     acc  = m r / r2^(3/2)
 *     jerk = m [ v - 3 (r.v) r / r2 ] / r2^(3/2)
 *     pot  = m / r2^(1/2), which is added positive; g6_result_pot() turns the sign.
 * A pair that does not count is passed with rinv = 0.
 *
 * Included with G6_FN (qualifiers of a function), G6_REAL (float, double, or a vector of them),
 * G6_FMA(a, b, c) = a*b + c and G6_PAIR_SUMS (name of the accumulator type) defined; may be
 * included several times with other names of the type.
 *
 * Precision: with G6_REAL = float every operation is good to 2^-24 relative.  r is as good as the
 * caller's difference of positions (for CUDA: layout.cuh).
 * Cost, in issue slots with fused multiply-adds, beside the differences and the root: 3 for the
 * distance squared, 7 for the force, 11 for the jerk.
 */
typedef struct G6_PAIR_SUMS {
    G6_REAL ax, ay, az, jx, jy, jz, pot;
} G6_PAIR_SUMS;

G6_FN G6_REAL g6_length2(G6_REAL dx, G6_REAL dy, G6_REAL dz)
{
    return G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx));
}

G6_FN void g6_pair_force(G6_PAIR_SUMS *s, G6_REAL dx, G6_REAL dy, G6_REAL dz, G6_REAL m,
                         G6_REAL rinv)
{
    const G6_REAL mr = m * rinv;
    const G6_REAL mr3 = mr * (rinv * rinv);
    s->pot = s->pot + mr;
    s->ax = G6_FMA(mr3, dx, s->ax);
    s->ay = G6_FMA(mr3, dy, s->ay);
    s->az = G6_FMA(mr3, dz, s->az);
}

G6_FN void g6_pair_hermite(G6_PAIR_SUMS *s, G6_REAL dx, G6_REAL dy, G6_REAL dz, G6_REAL dvx,
                           G6_REAL dvy, G6_REAL dvz, G6_REAL m, G6_REAL rinv)
{
    const G6_REAL rinv2 = rinv * rinv;
    const G6_REAL mr = m * rinv;
    const G6_REAL mr3 = mr * rinv2;
    const G6_REAL rv = G6_FMA(dz, dvz, G6_FMA(dy, dvy, dx * dvx));
    const G6_REAL alpha = (rv * -3.0f) * rinv2;
    s->pot = s->pot + mr;
    s->ax = G6_FMA(mr3, dx, s->ax);
    s->ay = G6_FMA(mr3, dy, s->ay);
    s->az = G6_FMA(mr3, dz, s->az);
    s->jx = G6_FMA(mr3, G6_FMA(alpha, dx, dvx), s->jx);
    s->jy = G6_FMA(mr3, G6_FMA(alpha, dy, dvy), s->jy);
    s->jz = G6_FMA(mr3, G6_FMA(alpha, dz, dvz), s->jz);
}
