// SPDX-License-Identifier: MIT
// The text of an Error.  It has a file of its own for backends that are loaded at run time: they
// throw errors, and the log is the core's.
#include "status.h"

#include <cstdarg>
#include <cstdio>

namespace g6 {

Error::Error(int status, const char *format, ...) : status_(status)
{
    va_list args;
    char text[1024];
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_ = text;
}

}  // namespace g6
