// SPDX-License-Identifier: MIT
// Keeps a duplicate of stdout for the table, points stdout itself at stderr, and has an exit
// handler that reports an exit() within a library.
#include "output.h"

#include "library.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace g6bench {
namespace {

bool g_in_progress = false;

void ended_by_library()
{
    if (!g_in_progress) return;
    std::fputs("g6bench: a library ended the program with exit(); the lines above are complete, "
               "the rest is missing\n",
               stderr);
    _exit(3);
}

}  // namespace

Output::Output(const std::string &file) : copy_name_(file)
{
    if (!file.empty() && !(copy_ = std::fopen(file.c_str(), "w")))
        throw Failure("cannot write " + file + ": " + std::strerror(errno));
    std::fflush(stdout);
    const int own = dup(STDOUT_FILENO);
    screen_ = own < 0 ? nullptr : fdopen(own, "w");
    if (!screen_ || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw Failure(std::string("cannot set stdout apart: ") + std::strerror(errno));
    g_in_progress = true;
    std::atexit(ended_by_library);
}

Output::~Output()
{
    g_in_progress = false;
    if (copy_) std::fclose(copy_);
    std::fclose(screen_);
}

void Output::line(const std::string &text)
{
    for (std::FILE *to : {screen_, copy_}) {
        if (!to) continue;
        if (std::fprintf(to, "%s\n", text.c_str()) < 0 || std::fflush(to) != 0)
            throw OutputLost("cannot write to " + (to == copy_ ? copy_name_ : "stdout") + ": " +
                             std::strerror(errno));
    }
}

}  // namespace g6bench
