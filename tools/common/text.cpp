// SPDX-License-Identifier: MIT
// Defines text(), which is printf() into a string of at most 1023 characters.
#include "text.h"

#include <cstdarg>
#include <cstdio>

namespace g6tools {

std::string text(const char *format, ...)
{
    char buffer[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return buffer;
}

}  // namespace g6tools
