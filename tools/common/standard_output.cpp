// SPDX-License-Identifier: MIT
// Finds out whether all output reached stdout.  A pipe whose reader has gone counts as success.
#include "standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace g6tools {
namespace {

// Whether stdout is a pipe whose reader has gone.
bool reader_gone()
{
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

}  // namespace

void hold_standard_descriptors()
{
    // Each call takes the lowest free number.
    int descriptor = 0;
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = open("/dev/null", O_RDONLY);
    if (descriptor > STDERR_FILENO) close(descriptor);
}

bool output_lost()
{
    const bool lost_earlier = std::ferror(stdout) != 0;
    errno = 0;
    const bool lost_here = std::fflush(stdout) != 0;
    // errno does not tell why an earlier write failed.  One more write fails for the same reason.
    if (lost_earlier && errno == 0) {
        std::putchar('\n');
        std::fflush(stdout);
    }
    return (lost_earlier || lost_here) && !reader_gone();
}

bool output_written(const std::string &tool)
{
    if (!output_lost()) return true;
    const int error = errno;
    const char *why = error ? std::strerror(error) : "is the disk full?";
    std::fprintf(stderr, "%s: not all output could be written to stdout: %s\n", tool.c_str(), why);
    return false;
}

}  // namespace g6tools
