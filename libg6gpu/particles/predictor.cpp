// SPDX-License-Identifier: MIT
// The formula is compiled twice: for processors with a fused multiply-add instruction, and with the
// C library's fma() for the others.  The latter is some ten times slower and gives the same bits.
#include "predictor.h"

#include <cmath>

namespace g6 {
namespace {

#define G6_PREDICT_REAL double
#define G6_FMA(a, b, c) __builtin_fma(a, b, c)
#define G6_FN inline __attribute__((always_inline))
#include "../formulas/predict.h"

G6_FN void predict_record(const G6JRecord &r, double t, bool use_snap, double x[3], double v[3])
{
    const double s = t - r.t;
    for (int k = 0; k < 3; k++) {
        const double k18 = use_snap ? r.k18[k] : 0.0;
        x[k] = g6_predict_x(r.x[k], r.v[k], r.a2[k], r.j6[k], k18, s);
        v[k] = g6_predict_v(r.v[k], r.a2[k], r.j6[k], k18, s);
    }
}

#if defined(__x86_64__)
__attribute__((target("fma"))) void predict_fused(const G6JRecord &r, double t, bool use_snap,
                                                  double x[3], double v[3])
{
    predict_record(r, t, use_snap, x, v);
}
#endif

}  // namespace

void predict(const G6JRecord &r, double t, bool use_snap, double x[3], double v[3])
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma")) return predict_fused(r, t, use_snap, x, v);
#endif
    predict_record(r, t, use_snap, x, v);
}

}  // namespace g6
