// SPDX-License-Identifier: MIT
#pragma once

namespace g6::opencl {

// j-particles that a launch divides its work by; the kernels know it as G6_TILE.
constexpr int kTile = 64;

}  // namespace g6::opencl
