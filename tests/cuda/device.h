// SPDX-License-Identifier: MIT
// For tests that run on a CUDA device alone.
#pragma once

#include "../physics.h"

namespace g6test {

// Whether the backend cuda can compute here.
inline bool has_cuda()
{
    for (const g6_backend_info &b : all_backends())
        if (std::string(b.name) == "cuda") return !b.reason[0];
    return false;
}

}  // namespace g6test
