// SPDX-License-Identifier: MIT
#include "text.h"

#include "text.inc"

namespace g6::opencl {

const KernelText kCheckText = {"check", kText_check};
const KernelText kSupportText = {"support", kText_support};
const KernelText kPredictText = {"predict", kText_predict};
const KernelText kForceText = {"force", kText_force};
const KernelText kForceCpuText = {"force_cpu", kText_force_cpu};

}  // namespace g6::opencl
