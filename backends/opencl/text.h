// SPDX-License-Identifier: MIT
// Kernel sources, embedded at build time by embed.awk.
#pragma once

namespace g6::opencl {

struct KernelText {
    const char *name, *text;
};
extern const KernelText kCheckText, kSupportText, kPredictText, kForceText, kWalkGroupText,
    kNearestText, kListsText;

}  // namespace g6::opencl
