// SPDX-License-Identifier: MIT
// Computes a direct sum over many j-particles on the GPU, takes nearly all of its memory, and
// computes another block.
#pragma once

#include <cstddef>
#include <string>

// Prints one line.  what:
//     sum       one i-particle, then a few more
//     tree      one i-particle, then a few more that walk a tree
//     tensors   one i-particle, then as many as tensor cores take
//     growth    as many as tensor cores take, then the same with one more j-particle than there was
//               room for
void run_short(const std::string &what, std::size_t left_bytes);
