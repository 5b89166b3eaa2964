// SPDX-License-Identifier: MIT
// Gives the text of a number in messages, with up to ten digits.
#include "error.h"

#include <cstdio>

namespace g6run {

std::string text_of(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
}

}  // namespace g6run
