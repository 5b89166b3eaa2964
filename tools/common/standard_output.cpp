// SPDX-License-Identifier: MIT
#include "standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace g6tools {

bool output_written(const std::string &tool)
{
    const bool lost_earlier = std::ferror(stdout) != 0;
    errno = 0;
    const bool lost_here = std::fflush(stdout) != 0;
    if (!lost_earlier && !lost_here) return true;
    const char *why = errno ? std::strerror(errno) : "is the disk full?";
    std::fprintf(stderr, "%s: not all output could be written to stdout: %s\n", tool.c_str(), why);
    return false;
}

}  // namespace g6tools
