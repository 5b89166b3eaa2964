// SPDX-License-Identifier: MIT
// Binary and packed files that g6run does not read, told by how they begin.
#pragma once

#include <cstddef>
#include <string>

namespace g6run {

constexpr std::size_t kHeadBytes = 512;  // enough of a file's begin to tell what it is

// What a file that begins with `head` is and how it becomes one that g6run reads, "" for a text.
std::string foreign_kind(const std::string &head);

}  // namespace g6run
