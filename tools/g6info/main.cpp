// SPDX-License-Identifier: MIT
// g6info: what this library is, what it found on this machine, and which settings are in force.
// Exit status 0 when the library can compute a force here, 1 when it cannot, 2 for a wrong option,
// 4 when the page could not be written.
#include "info.h"

#include "../common/standard_output.h"

#include <g6lib.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr const char *kHelp =
    "Usage: g6info [OPTIONS]\n"
    "\n"
    "Options:\n"
    "  -h,--help                   Print this help message and exit\n"
    "  --version                   Display program version information and exit\n"
    "  --strict                    End with status 2 when a setting is unknown or not possible, "
    "as "
    "G6_MODE=foo\n"
    "\n"
    "Shows the version of libg6gpu, the backends and devices that it found, why others were\n"
    "refused, and the settings in force.  With several devices (G6_DEVICES) it shows how many of\n"
    "them share a block of n i-particles over N j-particles.  Settings come from environment\n"
    "variables G6_... or from the file named in G6_CONFIG; set one before g6info to see what it\n"
    "does:\n"
    "\n"
    "  G6_BACKEND=cpu G6_THREADS=4 g6info\n"
    "\n"
    "A setting that is unknown or not possible is named on stderr, too.\n"
    "\n"
    "Exit status: 0 when a force can be computed here, 1 when not, 2 for a wrong option,\n"
    "4 when the page could not be written.\n";

// The status, unless something that was printed is lost.
int after_output(int status)
{
    return g6tools::output_written("g6info") ? status : g6tools::kOutputLost;
}

}  // namespace

int main(int argc, char **argv)
{
    g6tools::hold_standard_descriptors();
    bool strict = false;
    for (int k = 1; k < argc; k++) {
        if (!std::strcmp(argv[k], "--strict")) {
            strict = true;
            continue;
        }
        if (!std::strcmp(argv[k], "--help") || !std::strcmp(argv[k], "-h"))
            return std::fputs(kHelp, stdout), after_output(0);
        if (!std::strcmp(argv[k], "--version"))
            return std::printf("g6info %s\n", g6_version()), after_output(0);
        std::fprintf(stderr, "g6info: unknown option \"%s\"; g6info --help lists the options\n",
                     argv[k]);
        return 2;
    }
    const g6info::Check check = g6info::check();
    g6info::print_library();
    g6info::print_backends();
    g6info::print_settings();
    g6info::print_check(check);
    g6info::print_division(check.division);
    const int status = after_output(!check.good ? 1 : strict && !check.errors.empty() ? 2 : 0);
    // The page may go to a file, where nobody looks for a misspelt setting.
    for (const std::string &text : check.errors) std::fprintf(stderr, "g6info: %s\n", text.c_str());
    return status;
}
