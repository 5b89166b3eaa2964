// SPDX-License-Identifier: MIT
// The number of a cluster: any int that a client chooses, or kAllId.  That is the cluster of the
// calls named *_all; it is beyond every int.
#pragma once

#include <cstdint>

namespace g6 {

using ClusterId = std::int64_t;
constexpr ClusterId kAllId = ClusterId{1} << 32;

}  // namespace g6
