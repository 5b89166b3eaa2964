// SPDX-License-Identifier: MIT
// What this process holds, as the kernel counts it.
#pragma once

namespace g6tools {

struct Resources {
    int descriptors = 0, threads = 0;
    double memory = 0;  // resident, bytes
};
// Zeros on a system without /proc.
Resources resources();

}  // namespace g6tools
