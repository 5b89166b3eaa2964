/* SPDX-License-Identifier: MIT
 *
 * The GRAPE-6 predictor, written once for C++, CUDA C++ and OpenCL C (Makino et al. 2003, PASJ 55,
 * 1163, eqs. 8 and 9), with s = t - t_j and the coefficients of the g6 calls, a2 = a/2,
 * j6 = jerk/6, k18 = snap/18:
 *     x_p = x + v s + a2 s^2 + j6 s^3 + 3/4 k18 s^4
 *     v_p = v + 2 a2 s + 3 j6 s^2 + 3 k18 s^3
 * In Horner form with explicit multiply-adds, so that every compiler rounds alike: equal bits on
 * every backend whose G6_FMA is a true fused multiply-add.  The factor 3/4 is applied to s,
 * because 3/4 of a subnormal k18 has fewer digits than k18, and over a long s the term may be
 * large.  Where k18 is 0 the cubic forms give the same values.
 *
 * Included with G6_FN (qualifiers of a function), G6_PREDICT_REAL (double, or a vector of doubles),
 * and G6_FMA(a, b, c) = a*b + c defined.  May be included several times in different namespaces.
 */
G6_FN G6_PREDICT_REAL g6_predict_x(G6_PREDICT_REAL x, G6_PREDICT_REAL v, G6_PREDICT_REAL a2,
                                   G6_PREDICT_REAL j6, G6_PREDICT_REAL k18, G6_PREDICT_REAL s)
{
    G6_PREDICT_REAL p = G6_FMA(k18, 0.75 * s, j6);
    p = G6_FMA(p, s, a2);
    p = G6_FMA(p, s, v);
    return G6_FMA(p, s, x);
}

G6_FN G6_PREDICT_REAL g6_predict_v(G6_PREDICT_REAL v, G6_PREDICT_REAL a2, G6_PREDICT_REAL j6,
                                   G6_PREDICT_REAL k18, G6_PREDICT_REAL s)
{
    G6_PREDICT_REAL p = G6_FMA(k18, s, j6);
    p = G6_FMA(3.0 * p, s, 2.0 * a2);
    return G6_FMA(p, s, v);
}

/* For k18 = 0. */
G6_FN G6_PREDICT_REAL g6_predict_x_cubic(G6_PREDICT_REAL x, G6_PREDICT_REAL v, G6_PREDICT_REAL a2,
                                         G6_PREDICT_REAL j6, G6_PREDICT_REAL s)
{
    G6_PREDICT_REAL p = G6_FMA(j6, s, a2);
    p = G6_FMA(p, s, v);
    return G6_FMA(p, s, x);
}

G6_FN G6_PREDICT_REAL g6_predict_v_cubic(G6_PREDICT_REAL v, G6_PREDICT_REAL a2, G6_PREDICT_REAL j6,
                                         G6_PREDICT_REAL s)
{
    return G6_FMA(G6_FMA(3.0 * j6, s, 2.0 * a2), s, v);
}
