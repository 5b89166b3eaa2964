// SPDX-License-Identifier: MIT
// The formula is compiled twice: for processors with a fused multiply-add instruction, and with the
// C library's fma() for the others.  The latter is some ten times slower and gives the same bits.
#include "predictor.h"

#include <cmath>

namespace g6 {
namespace {

#define G6_PREDICT_REAL double
#define G6_FMA(a, b, c) __builtin_fma(a, b, c)

namespace plain {
#define G6_FN inline
#include "../formulas/predict.h"
#include "predict_record.h"
#undef G6_FN
}  // namespace plain

#if defined(__x86_64__)
namespace fused {
#define G6_FN inline __attribute__((target("fma")))
#include "../formulas/predict.h"
#include "predict_record.h"
#undef G6_FN
}  // namespace fused
#endif

}  // namespace

void predict(const G6JRecord &r, double t, bool use_snap, double x[3], double v[3])
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma")) return fused::predict_record(r, t, use_snap, x, v);
#endif
    plain::predict_record(r, t, use_snap, x, v);
}

}  // namespace g6
