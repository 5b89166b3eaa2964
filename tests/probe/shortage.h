// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// A direct sum of one i-particle over many j-particles on the GPU; then nearly all of its memory is
// taken, and a tree walk or a direct sum of more i-particles follows.  Prints one line.
void run_short(bool tree, std::size_t left_bytes);
