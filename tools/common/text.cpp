// SPDX-License-Identifier: MIT
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
