// SPDX-License-Identifier: MIT
// Whether a device computes what the kernels rely on: correctly rounded differences in source
// order, fused multiply-adds, splits of doubles, the predictor's bits.
#pragma once

#include "engine.h"

namespace g6::opencl {

// Throws ClError with the reason when this device may not compute by programs with these options.
// Returns whether the native root needs a correction.
bool require_exactness(Engine &engine, bool fp64, const std::string &options);

}  // namespace g6::opencl
