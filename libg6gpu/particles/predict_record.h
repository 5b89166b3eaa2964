// SPDX-License-Identifier: MIT
// predict() for one instruction set: predictor.cpp includes this file once for each, with G6_FN and
// G6_FMA defined for it.
G6_FN void predict_record(const G6JRecord &r, double t, bool use_snap, double x[3], double v[3])
{
    const double s = t - r.t;
    for (int k = 0; k < 3; k++) {
        const double k18 = use_snap ? r.k18[k] : 0.0;
        x[k] = g6_predict_x(r.x[k], r.v[k], r.a2[k], r.j6[k], k18, s);
        v[k] = g6_predict_v(r.v[k], r.a2[k], r.j6[k], k18, s);
    }
}
