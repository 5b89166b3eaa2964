// SPDX-License-Identifier: MIT
// The resources that this process holds, as the kernel counts them.
#pragma once

#include <string>

namespace g6tools {

struct Resources {
    int descriptors = 0, threads = 0;
    double memory = 0;  // resident, bytes
};
// Zeros on a system without /proc.
Resources resources();

// "AMD EPYC", or "processor unknown".
std::string processor_name();

}  // namespace g6tools
