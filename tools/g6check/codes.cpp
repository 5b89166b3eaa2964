// SPDX-License-Identifier: MIT
// The table is from the sources of the codes: sizes of their arrays, the names that they call, and
// whether they count on the absence of the own index in neighbour lists.
#include "codes.h"

#include "client.h"

#include <algorithm>
#include <climits>
#include <sstream>

namespace g6check {
namespace {

struct Code {
    const char *name;
    int most_pipes;     // that its arrays hold
    bool own_by_pipes;  // own index in lists above 48 pipes, absent up to 48
    bool never_own;     // own index in lists breaks it
    const char *names;  // that it calls, beside the names that every library must have
};

// Names that most codes call.
#define LISTS "g6_read_neighbour_list_ g6_get_neighbour_list_ "
#define RESETS "g6_reset_ g6_reset_fofpga_ "
#define UNITS "g6_set_tunit_ g6_set_xunit_ "
constexpr Code kCodes[] = {
    {"kira", INT_MAX, true, false,
     UNITS RESETS LISTS "g6calc_lasthalf2_ g6_read_neighbour_list_old_ g6_initialize_jp_buffer_ "
                        "g6_flush_jp_buffer_"},
    {"phiGRAPE", 16384, false, false, UNITS "g6calc_lasthalf2_"},
    {"ph4", INT_MAX, false, false,
     UNITS RESETS LISTS "g6calc_lasthalf2_ g6_initialize_jp_buffer_ g6_flush_jp_buffer_"},
    {"BHtree", INT_MAX, false, false, "g6_reset_"},
    {"NBODY4", 192, false, true, UNITS RESETS LISTS "g6_print_chip_status_ g6_changed_index_"},
    {"NBODY1", 192, false, false,
     "g6calc_firsthalf0_ g6calc_lasthalf0_ g6_set_njp_ g6_reset_ g6_initialize_jp_buffer_ "
     "g6_flush_jp_buffer_"},
    {"bhint", INT_MAX, false, true,
     "g6_open g6_close g6_npipes g6_set_tunit g6_set_xunit g6_set_ti g6_set_j_particle "
     "g6calc_firsthalf g6calc_lasthalf2 g6_read_neighbour_list g6_get_neighbour_list "
     "g6_set_neighbour_list_sort_mode"},
    {"banana01", 128, false, false,
     "g6_open g6_close g6_npipes g6_set_tunit g6_set_xunit g6_set_ti g6_set_j_particle "
     "g6calc_firsthalf g6calc_lasthalf g6calc_lasthalf2 g6calc_lasthalfn g6calc_lasthalf2n "
     "g6_read_neighbour_list g6_get_neighbour_list"},
    {"AMUSE (configure)", INT_MAX, false, false, "g6_npipes get_device_count"},
};

// An i-particle and a j-particle of one index, both inside h2.
bool own_is_in_lists(const Library &library)
{
    Client c(library);
    c.set(0, body(7, 1, {1, 0, 0}));
    Block block;
    block.add(7, {0, 0, 0}, {}, 4);
    c.run(block);
    library.read_list(c.id());
    const bool found = !c.list(0).empty();
    c.close();
    return found;
}

std::string why_not(const Code &code, const Library &library, int pipes, bool lists, bool own)
{
    std::istringstream names(code.names);
    for (std::string name; names >> name;)
        if (!library.has(name)) return "no " + name;
    if (pipes > code.most_pipes)
        return std::to_string(pipes) + " pipes, its arrays hold " + std::to_string(code.most_pipes);
    if (lists && own && code.never_own) return "own index in neighbour lists";
    if (lists && code.own_by_pipes && own != (pipes > 48))
        return own ? "own index in neighbour lists with 48 pipes"
                   : "no own index in neighbour lists with more than 48 pipes";
    return "";
}

}  // namespace

std::string codes_that_run(const Library &library)
{
    const int pipes = library.npipes();
    const bool lists = library.read_list && library.get_list && library.computes_jerk();
    const bool own = lists && own_is_in_lists(library);
    std::string run, not_run;
    for (const Code &code : kCodes) {
        const std::string why = why_not(code, library, pipes, lists, own);
        if (why.empty())
            run += (run.empty() ? "" : ", ") + std::string(code.name);
        else
            not_run += (not_run.empty() ? "" : ", ") + std::string(code.name) + " (" + why + ")";
    }
    std::string lines =
        "codes that would run, by pipes, lists and names: " + (run.empty() ? "none" : run);
    if (!not_run.empty()) lines += "\ncodes that would not: " + not_run;
    return lines;
}

}  // namespace g6check
