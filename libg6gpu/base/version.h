// SPDX-License-Identifier: MIT
// The version of the library as text, from the numbers in g6lib.h.
#pragma once

#include <g6lib.h>

namespace g6 {

#define G6_TEXT(s) #s
#define G6_QUOTE(s) G6_TEXT(s)
constexpr const char *kVersion =
    G6_QUOTE(G6_VERSION_MAJOR) "." G6_QUOTE(G6_VERSION_MINOR) "." G6_QUOTE(G6_VERSION_PATCH);
#undef G6_QUOTE
#undef G6_TEXT

}  // namespace g6
