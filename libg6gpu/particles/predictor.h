// SPDX-License-Identifier: MIT
// Host predictor in double precision: the formula of libg6gpu/formulas/predict.h over one record.
#pragma once

#include "../formulas/records.h"

namespace g6 {

// Position x and velocity v of a record at time t.  use_snap = false drops the k18 term.
void predict(const G6JRecord &record, double t, bool use_snap, double x[3], double v[3]);

}  // namespace g6
