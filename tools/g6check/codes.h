// SPDX-License-Identifier: MIT
// Public codes, and what each of them needs of a library besides the rules.
#pragma once

#include "library.h"

namespace g6check {

// Lines of text: the codes that would run with the library, and the others with the reasons.
std::string codes_that_run(const Library &library);

}  // namespace g6check
