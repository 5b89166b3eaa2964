// SPDX-License-Identifier: MIT
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
