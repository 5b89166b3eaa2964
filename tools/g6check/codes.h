// SPDX-License-Identifier: MIT
// Public codes, and what each needs of a library beside the rules.
#pragma once

#include "library.h"

namespace g6check {

// Lines of text: the codes that would run with the library, and those that would not, with reasons.
std::string codes_that_run(const Library &library);

}  // namespace g6check
