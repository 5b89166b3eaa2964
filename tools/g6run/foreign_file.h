// SPDX-License-Identifier: MIT
// Recognises binary and packed files, which g6run does not read, by their first bytes.
#pragma once

#include <cstddef>
#include <string>

namespace g6run {

constexpr std::size_t kHeadBytes = 512;  // so much of a file is enough to recognise it

// The kind of a file that begins with `head`, and how to convert it for g6run; "" for a text.
std::string foreign_kind(const std::string &head);

}  // namespace g6run
