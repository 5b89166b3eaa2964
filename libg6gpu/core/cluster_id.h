// SPDX-License-Identifier: MIT
// A cluster's number: any int of the client's, or kAllId, the cluster of the *_all calls, which no
// int names.
#pragma once

#include <cstdint>

namespace g6 {

using ClusterId = std::int64_t;
constexpr ClusterId kAllId = ClusterId{1} << 32;

}  // namespace g6
