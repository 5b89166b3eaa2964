// SPDX-License-Identifier: MIT
// Reads the command line of g6check and holds its help text.
#include "options.h"

#include "../common/command_line.h"

#include <algorithm>
#include <thread>

namespace g6check {
namespace {

constexpr const char *kAbout =
    "Checks a GRAPE-6 library against the rules that codes written for that machine count on.\n"
    "Each rule is a line: pass, FAIL (with what was expected and what came) or not offered (the\n"
    "library lacks the call).  Sums are compared with long double; allowed are 32 roundings of a\n"
    "24-bit mantissa in acc, 64 in jerk, 16 in pot, of the sum of the terms' sizes, and 1e-14,\n"
    "1e-13, 1e-14 when the library says that its precision is double.\n"
    "With --trace it reads the recorded session of a client instead, and tells which rules the\n"
    "client breaks: BROKEN where results are wrong with libg6gpu too, here only where the "
    "hardware\n"
    "or another library gives other results than libg6gpu.\n"
    "With --soak it drives random sessions instead and watches whether the process grows.\n"
    "Exit status: 0 when no rule failed, 1 when one did, 2 for a wrong option, 3 when the library\n"
    "cannot be opened or is no GRAPE-6 library, or the session cannot be read, 4 when the report "
    "could not be written.";

constexpr const char *kExamples =
    "Examples:\n"
    "  g6check                               this library, with its default settings\n"
    "  G6_BACKEND=cpu G6_PRECISION=double g6check\n"
    "  G6_BACKEND=cuda g6check --jobs 4      fewer at once, for a GPU with little memory\n"
    "  G6_BACKEND=cuda g6check --soak 3600   an hour of sessions: does anything leak?\n"
    "  g6check --lib /path/libsapporo.so --only nearest-is-index\n"
    "  G6_TRACE=session.g6t my_code; g6check --trace session.g6t";

}  // namespace

Options::Options() : jobs(static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u)))
{
}

bool parse(int argc, char **argv, Options &o, int &status)
{
    g6tools::CommandLine app("g6check", kAbout, kExamples);
    app.add_option("--lib", o.library,
                   "A GRAPE-6 library with Fortran names, or \"own\": the one beside this program")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_option("--only", o.only, "Rules or groups, by name")->delimiter(',')->type_name("NAME");
    app.add_option("--timeout", o.timeout, "Seconds for each rule")
        ->check(g6tools::positive())
        ->capture_default_str();
    app.add_option("--jobs", o.jobs,
                   "Rules side by side, each with its share of the processors; a rule that fails\n"
                   "there is run again alone, and only that result counts")
        ->check(g6tools::positive())
        ->capture_default_str();
    app.add_flag(
        "--computing", o.computing,
        "Leave out the rules that --list marks \"once\": their results are the same for all\n"
        "backends, precisions and modes of a library");
    app.add_option("--trace", o.trace,
                   "Check the client of a session that G6_TRACE has recorded, not a library")
        ->type_name("FILE");
    app.add_option("--soak", o.soak,
                   "Run random sessions for this many seconds in one process; fails when\n"
                   "memory, descriptors, threads or, where the library tells, device memory\n"
                   "grow, or an answer is wrong")
        ->check(g6tools::positive());
    app.add_option("--seed", o.seed, "Seed of the sessions of --soak")->capture_default_str();
    app.add_flag("--list", o.list, "List the rules with their reasons, check nothing");
    app.add_flag("--strict", o.strict,
                 "End with status 2 when a setting is unknown or not possible, as G6_MODE=foo");
    app.add_flag("--csv", o.csv, "Comma-separated values: rule,result,expected,got");
    app.add_flag("--quiet", o.quiet, "Only rules that failed, and the summary");
    if (!app.read(argc, argv, status)) return false;
    return true;
}

}  // namespace g6check
