/* SPDX-License-Identifier: MIT
 *
 * Predicts j-particles to the time of the block, in the layout that the force reads; a work-group
 * does one tile.  Slots from nj on, and slots never written, get a massless particle at the origin.
 * Floor: 144 bytes are read and 40 to 88 written for each particle, 72 with jerk in mixed.
 */
#include "prelude.cl"
#include "layout.cl"
#include "../../libg6gpu/formulas/range.h"
#include "arrivals.cl"
#include "few.h"

#define G6_PREDICT_REAL double
#include "../../libg6gpu/formulas/predict.h"
#undef G6_PREDICT_REAL

#define G6_FIELD(f) field[(size_t)(f)*stride + k]

G6_FN void store_j(__global float4 *plane, int stride, int k, const double *x, const double *v,
                   double m)
{
#if G6_ARITHMETIC == G6_SPLIT
    const float2 a = split(x[0]), b = split(x[1]), c = split(x[2]);
    plane[k] = (float4)(a.x, b.x, c.x, convert_float_rte(m));
    plane[stride + k] = (float4)(a.y, b.y, c.y, convert_float_rte(v[0]));
    if (G6_JERK)
        plane[2 * (size_t)stride + k] =
            (float4)(convert_float_rte(v[1]), convert_float_rte(v[2]), 0.0f, 0.0f);
#elif G6_ARITHMETIC == G6_SINGLE
    plane[k] = (float4)(convert_float_rte(x[0]), convert_float_rte(x[1]), convert_float_rte(x[2]),
                        convert_float_rte(m));
#else
    plane[k] = as_float4((double2)(x[0], x[1]));
    plane[stride + k] = as_float4((double2)(x[2], m));
    if (G6_JERK) {
        plane[2 * (size_t)stride + k] = as_float4((double2)(v[0], v[1]));
        plane[3 * (size_t)stride + k] = as_float4((double2)(v[2], 0.0));
    }
#endif
}

/* u, cut to a limit of range.h.  Where |u| is above the limit, the mass *m becomes NaN. */
G6_FN double within(double u, double limit, double *m)
{
    if (fabs(u) <= limit) return u;
    *m = NAN;
    return copysign(limit, u);
}

/* motion: 0 at rest, 1 without the k18 term, 2 all terms.
 * A small block arrives in `few`: the item whose slot a record has writes it to the slot, and items
 * 0 ... ni-1 write the i-particles to memory.  The loops are unrolled, so that all indices into
 * `few` are constants and compilers make no private copy of it. */
__kernel __attribute__((reqd_work_group_size(G6_TILE, 1, 1))) void
predict(int nj, double t, int motion, Scale scale, int stride, __global double *field,
        __global int2 *ids, __global float4 *plane, __global double *exact, __global int2 *range,
        int records, int ni, __global double *iv, __global int *ii, G6FewParticles few)
{
    __local int low, high;
    const int k = (int)get_global_id(0);
#pragma unroll
    for (int r = 0; r < G6_FEW; r++) {
        const int2 id = as_int2(few.record[r][G6_IDENTITY]);
        if (r >= records || id.y != k) continue;
#pragma unroll
        for (int f = 0; f < G6_FIELDS; f++)
            G6_FIELD(f) = G6_KEPT_FIELD(few.record[r], G6_RECORD_WORDS, f);
        ids[k] = (int2)(id.x, 1);
    }
#pragma unroll
    for (int n = 0; n < G6_FEW; n++)
        if (k == n && n < ni) store_i(few.i[n], n, ni, scale, iv, ii);
    if (get_local_id(0) == 0) {
        low = INT_MAX;
        high = INT_MIN;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int2 id = k < nj ? ids[k] : (int2)(0, 0);
    double x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, m = 0;
    if (id.y) {
        m = G6_FIELD(G6_MASS_FIELD) * scale.mass;
        const double s = t - G6_FIELD(G6_TIME_FIELD);
        for (int c = 0; c < 3; c++) {
            x[c] = G6_FIELD(c);
            if (motion) {
                const double v0 = G6_FIELD(G6_V_FIELD + c), a2 = G6_FIELD(G6_A2_FIELD + c),
                             j6 = G6_FIELD(G6_J6_FIELD + c);
                const double k18 = motion == 2 ? G6_FIELD(G6_SNAP_FIELD + c) : 0.0;
                const double speed = g6_predict_v(v0, a2, j6, k18, s) - scale.common_velocity[c];
                x[c] = g6_predict_x(x[c], v0, a2, j6, k18, s);
                v[c] = within(speed * scale.velocity, G6_FASTEST, &m);
            }
            x[c] = within(x[c] * scale.length, G6_FARTHEST, &m);
        }
    }
    store_j(plane, stride, k, x, v, m);
    for (int c = 0; c < 3; c++) exact[(size_t)c * stride + k] = x[c];
    /* The range of the tile's indices is all of int where a slot is empty. */
    atomic_min(&low, id.y ? id.x : INT_MIN);
    atomic_max(&high, id.y ? id.x : INT_MAX);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) range[k / G6_TILE] = (int2)(low, high);
}
