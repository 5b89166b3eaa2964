/* SPDX-License-Identifier: MIT
 *
 * The force of one cell with its quadrupole on one i-particle, written once for C++, CUDA C++ and
 * OpenCL C.  The second moment S is about the centre of mass and keeps its trace, so that the
 * expansion holds for the softened potential:
 *   S   = sum m d d^T
 *   r   = x_cell - x_i
 *   s^2 = r^2 + eps^2
 *   u   = r / s
 *   Q   = S / s^2
 *   t   = tr S / s^2
 *   pot = [ M + (3 uQu - t) / 2 ] / s                       (positive; the sign is turned later)
 *   acc = [ u (M + 15/2 uQu - 3/2 t) - 3 Q u ] / s^2
 *   jerk: that of the monopole, which moves with the cell's mean velocity; the jerk of the
 *         quadrupole would need six more moments.
 * For eps = 0 this is the usual traceless form (Hernquist 1987, ApJS 64, 715).  With the factors
 * 1/s taken out as above, no power overflows in float.
 *
 * Included after pair.h, with the same macros: G6_FN, G6_REAL, G6_FMA, G6_PAIR_SUMS.  A cell that
 * does not count is passed with rinv = 0.
 */
G6_FN void g6_cell_quadrupole(G6_PAIR_SUMS *sum, G6_REAL dx, G6_REAL dy, G6_REAL dz, G6_REAL m,
                              G6_REAL sxx, G6_REAL sxy, G6_REAL sxz, G6_REAL syy, G6_REAL syz,
                              G6_REAL szz, G6_REAL rinv)
{
    const G6_REAL rinv2 = rinv * rinv;
    const G6_REAL ux = dx * rinv, uy = dy * rinv, uz = dz * rinv;
    const G6_REAL qx = G6_FMA(sxz, uz, G6_FMA(sxy, uy, sxx * ux)) * rinv2;
    const G6_REAL qy = G6_FMA(syz, uz, G6_FMA(syy, uy, sxy * ux)) * rinv2;
    const G6_REAL qz = G6_FMA(szz, uz, G6_FMA(syz, uy, sxz * ux)) * rinv2;
    const G6_REAL uqu = G6_FMA(qz, uz, G6_FMA(qy, uy, qx * ux));
    const G6_REAL t = (sxx + syy + szz) * rinv2;
    const G6_REAL along = m + (uqu * 5.0f - t) * 1.5f;
    sum->pot = G6_FMA(m + (uqu * 3.0f - t) * 0.5f, rinv, sum->pot);
    sum->ax = G6_FMA(G6_FMA(along, ux, qx * -3.0f), rinv2, sum->ax);
    sum->ay = G6_FMA(G6_FMA(along, uy, qy * -3.0f), rinv2, sum->ay);
    sum->az = G6_FMA(G6_FMA(along, uz, qz * -3.0f), rinv2, sum->az);
}

/* Adds the jerk of the monopole, which g6_cell_quadrupole() leaves out. */
G6_FN void g6_cell_jerk(G6_PAIR_SUMS *sum, G6_REAL dx, G6_REAL dy, G6_REAL dz, G6_REAL dvx,
                        G6_REAL dvy, G6_REAL dvz, G6_REAL m, G6_REAL rinv)
{
    const G6_REAL rinv2 = rinv * rinv;
    const G6_REAL mr3 = m * rinv * rinv2;
    const G6_REAL alpha = G6_FMA(dz, dvz, G6_FMA(dy, dvy, dx * dvx)) * -3.0f * rinv2;
    sum->jx = G6_FMA(mr3, G6_FMA(alpha, dx, dvx), sum->jx);
    sum->jy = G6_FMA(mr3, G6_FMA(alpha, dy, dvy), sum->jy);
    sum->jz = G6_FMA(mr3, G6_FMA(alpha, dz, dvz), sum->jz);
}
