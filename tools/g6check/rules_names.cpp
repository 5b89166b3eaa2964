// SPDX-License-Identifier: MIT
// The names that a library must export, must not export, and must not call.
#include "client.h"
#include "rule.h"
#include "trap.h"

namespace g6check {
namespace {

std::string missing_of(const Library &library, const std::vector<const char *> &names)
{
    std::string missing;
    for (const char *name : names)
        if (!library.has(name)) missing += (missing.empty() ? "" : " ") + std::string(name);
    return missing;
}

// Good if the library has all of the names, not offered if it has none, else broken.
void all_or_none(const Library &library, const std::vector<const char *> &names)
{
    const std::string missing = missing_of(library, names);
    size_t present = 0;
    for (const char *name : names) present += library.has(name);
    if (!present) throw NotOffered{"no " + std::string(names[0]) + " ..."};
    expect(missing.empty(), "all names of the family", "without " + missing);
}

void whole_set(const Library &library)
{
    const std::string missing =
        missing_of(library, {"g6_open_", "g6_close_", "g6_npipes_", "g6_reset_", "g6_reset_fofpga_",
                             "g6_set_tunit_", "g6_set_xunit_", "g6_set_ti_", "g6_set_j_particle_",
                             "g6calc_firsthalf_", "g6calc_lasthalf_", "g6calc_lasthalf2_",
                             "g6_read_neighbour_list_", "g6_get_neighbour_list_",
                             "g6_set_neighbour_list_sort_mode_", "g6_get_neighbour_list_sort_mode_",
                             "g6_initialize_jp_buffer_", "g6_flush_jp_buffer_",
                             "g6_set_overflow_flag_test_mode_"});
    expect(missing.empty(), "every name", "without " + missing);
}

void plain_names(const Library &library)
{
    all_or_none(library, {"g6_npipes", "g6_open", "g6_close", "g6_set_ti", "g6_set_j_particle",
                          "g6calc_firsthalf", "g6calc_lasthalf"});
}

void second_underscore(const Library &library)
{
    all_or_none(library, {"g6_npipes__", "g6_open__", "g6_close__", "g6_set_ti__",
                          "g6_set_j_particle__", "g6calc_firsthalf__", "g6calc_lasthalf__"});
}

void foreign_names(const Library &library)
{
    std::string found;
    for (const char *name : {"h3npipe_", "initialize", "set_j_particle", "predict_all"})
        if (library.has(name)) found += " " + std::string(name);
    expect(found.empty(), "no name outside g6", "exports" + found);
}

void no_forwarding(const Library &library)
{
    Client c(library);
    c.set(0, body(0, 1, {2, 0, 0}));
    const int npipes = library.npipes();
    Block block;
    block.add(kForeign, {0, 0, 0});
    const Answer a = c.run(block);
    if (library.lasthalf2) c.run(block, Half::kLast2);
    if (library.read_list) library.read_list(c.id());
    if (library.get_list) {
        int pipe = 0, most = 8, n = 0, list[8];
        library.get_list(c.id(), &pipe, &most, &n, list);
    }
    if (library.reset) library.reset(c.id());
    c.close();
    expect(trap::called().empty(), "no call of an application's own plain name",
           "calls of" + trap::called());
    expect(npipes > 0 && a.status == 0, "a working library", "status " + text(a.status));
}

}  // namespace

std::vector<Rule> name_rules()
{
    return {
        {"names-whole-set",
         "where one name is missing, a linker takes an application's stubs instead", whole_set,
         kShared},
        {"names-plain", "C codes and AMUSE's configure (g6_npipes) use the plain names",
         plain_names, kShared},
        {"names-g77", "g77 adds two underscores (optional)", second_underscore, kShared},
        {"names-foreign", "other names could clash (h3npipe_ makes kira use GRAPE-4)",
         foreign_names, kShared},
        {"names-not-forwarded",
         "ph4 defines the plain names and calls the twins, which must not call back", no_forwarding,
         kShared},
    };
}

}  // namespace g6check
