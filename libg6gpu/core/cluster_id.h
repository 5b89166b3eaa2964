// SPDX-License-Identifier: MIT
// The number of a cluster: any int that a client chooses, or kAllId, which no int equals.  kAllId
// is the cluster of the calls named *_all.
#pragma once

#include <cstdint>

namespace g6 {

using ClusterId = std::int64_t;
constexpr ClusterId kAllId = ClusterId{1} << 32;

}  // namespace g6
