// SPDX-License-Identifier: MIT
#include "predictor.h"

#include <cmath>

namespace g6 {
namespace {

#define G6_FN inline
#define G6_PREDICT_REAL double
#define G6_FMA(a, b, c) std::fma(a, b, c)
#include "../backends/common/predict.h"
#undef G6_FN
#undef G6_PREDICT_REAL
#undef G6_FMA

}  // namespace

void predict(const G6JRecord &r, double t, bool use_snap, double x[3], double v[3])
{
    const double s = t - r.t;
    for (int k = 0; k < 3; k++) {
        const double k18 = use_snap ? r.k18[k] : 0.0;
        x[k] = g6_predict_x(r.x[k], r.v[k], r.a2[k], r.j6[k], k18, s);
        v[k] = g6_predict_v(r.v[k], r.a2[k], r.j6[k], k18, s);
    }
}

}  // namespace g6
