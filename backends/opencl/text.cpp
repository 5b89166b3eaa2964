// SPDX-License-Identifier: MIT
// Gives each kernel text of text.inc a name for messages.  embed.awk makes text.inc from the .cl
// files when the backend is built.
#include "text.h"

#include "text.inc"

namespace g6::opencl {

const KernelText kCheckText = {"check", kText_check};
const KernelText kSupportText = {"support", kText_support};
const KernelText kPredictText = {"predict", kText_predict};
const KernelText kForceText = {"force", kText_force};
const KernelText kWalkGroupText = {"walk_group", kText_walk_group};
const KernelText kNearestText = {"nearest", kText_nearest};
const KernelText kListsText = {"lists", kText_lists};

}  // namespace g6::opencl
