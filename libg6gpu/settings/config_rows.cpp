// SPDX-License-Identifier: MIT
// The table of settings.
#include "config.h"

#include "config_text.h"
#include "debug.h"

#include <algorithm>
#include <climits>

namespace g6 {
namespace {

bool parse_backend(const std::string &text, std::string &backend)
{
    const std::string t = lower(text);
    if (t.empty() || !std::all_of(t.begin(), t.end(), [](unsigned char ch) {
            return std::isalnum(ch) || ch == '_' || ch == '-';
        }))
        return false;
    backend = t;
    return true;
}

// "", "all", "local", or words with commas between them, each a number or a part of a name.
// device_list() in core/device_list.h turns them into devices.
bool parse_devices(Config &c, const std::string &text)
{
    if (one_of(text, {"", "all", "local"}, c.devices)) return true;
    std::string list, alone;
    for (size_t at = 0; at <= text.size();) {
        const size_t comma = std::min(text.find(',', at), text.size());
        const std::string word = trim(text.substr(at, comma - at));
        if (one_of(word, {"all", "local"}, alone)) return false;
        // A part of a name has a letter.  "-1" and "0 1" are refused as slips.
        const bool number = word.find_first_not_of("0123456789") == std::string::npos;
        const bool name = lower(word) != upper(word);
        if (word.empty() || !(name || (number && word.size() < 9))) return false;
        list += (at ? "," : "") + word;
        at = comma + 1;
    }
    c.devices = list;
    return true;
}

// Names of the values of an enum, in their order.
constexpr const char *kModes[] = {"auto", "hermite", "treeonly", "treewalk"};
constexpr const char *kMacs[] = {"bh", "bmax", "multipole", "acceleration", "combined"};
constexpr const char *kPrecisions[] = {"mixed", "double", "single"};
constexpr const char *kLogLevels[] = {"none", "error", "warn", "info", "debug"};

template <class Enum, size_t n>
bool parse_enum(const std::string &text, const char *const (&names)[n], Enum &value)
{
    const auto found = std::find(names, names + n, lower(text));
    if (found == names + n) return false;
    value = static_cast<Enum>(found - names);
    return true;
}

// The multipole order: 0 or 2.  Order 1 would add nothing, since the dipole about the centre of
// mass is zero.
bool parse_multipole(Config &c, const std::string &text)
{
    if (text != "0" && text != "2") return false;
    c.walk.multipole = text == "2" ? 2 : 0;
    return true;
}

bool parse_direct(Config &c, const std::string &text)
{
    if (lower(text) == "auto") {
        c.direct_below = -1;
        return true;
    }
    return parse_int(text, 0, INT_MAX, c.direct_below);
}

// Rows of mode treewalk.
void add_tree_rows(std::vector<OptionRow> &rows)
{
    using C = Config;
    using S = std::string;
    const std::vector<OptionRow> tree = {
        {"theta", "0 to 10", "treewalk: opening angle; smaller is more exact, 0 a direct sum",
         false, [](C &c, const S &t) { return parse_real(t, 0, 10, c.walk.theta); },
         [](const C &c) { return print_real(c.walk.theta); }},
        {"mac", "bh, bmax, multipole, acceleration, combined",
         "treewalk: when a cell acts as a whole (letters: docs/modes.md): bh l/theta + s < d; bmax "
         "b/theta < d; multipole: a bound on its error below theta^4/48 of a typical acceleration; "
         "acceleration: M l^2/d^4 below theta^4/48 of the particle's own; combined: multipole and "
         "bmax at 1.5 theta, or bh at 0.8 theta",
         false, [](C &c, const S &t) { return parse_enum(t, kMacs, c.walk.mac); },
         [](const C &c) { return S(kMacs[static_cast<int>(c.walk.mac)]); }},
        {"multipole", "0, 2", "treewalk: cells act by monopole, or by monopole and quadrupole",
         false, parse_multipole, [](const C &c) { return std::to_string(c.walk.multipole); }},
        {"direct", "auto, or a number from 0",
         "treewalk: blocks of fewer i-particles are direct sums; auto: where that costs less",
         false, parse_direct, [](const C &c) {
             return c.direct_below < 0 ? S("auto") : std::to_string(c.direct_below);
         }}};
    rows.insert(rows.end(), tree.begin(), tree.end());
}

// Sets every value that a profile decides, so that nothing of an earlier profile stays.
bool parse_profile(Config &c, const std::string &text)
{
    if (!one_of(text, {"auto", "grape6", "gpu", "ph4"}, c.profile)) return false;
    c.npipes = 0;
    c.nn_none = c.profile == "ph4" ? -1 : 0;
    return true;
}

// 0 or 1, and -1 for "auto".
bool parse_bool_or_auto(const std::string &text, int &value)
{
    bool on = false;
    const bool is_auto = lower(text) == "auto";
    if (!is_auto && !parse_bool(text, on)) return false;
    value = is_auto ? -1 : on;
    return true;
}

std::string print_bool_or_auto(int value)
{
    return value < 0 ? "auto" : std::to_string(value);
}

// The text replaces all earlier keys: a key that it does not name gets its default.
bool parse_debug(Config &c, const std::string &text)
{
    if (!wrong_in_debug(text).empty()) return false;
    c.walk.leaf = debug_number(text, "leaf", Walk{}.leaf);
    c.walk.rebuild = Walk{}.rebuild;
    parse_rebuild(debug_value(text, "rebuild"), c.walk.rebuild);
    c.debug.clear();
    c.device_debug.clear();
    for (const auto &[key, value] : debug_pairs(text)) {
        const bool of_core = key == "leaf" || key == "rebuild";
        for (std::string *list : {&c.debug, of_core ? nullptr : &c.device_debug})
            if (list) *list += (list->empty() ? "" : ",") + key + "=" + value;
    }
    return true;
}

std::vector<OptionRow> make_rows()
{
    using C = Config;
    using S = std::string;
    return {
        {"backend", "auto, mpi, cuda, opencl, cpu",
         "what computes; auto: mpi where workers were started, else cuda, else an OpenCL GPU, else "
         "cpu",
         false, [](C &c, const S &t) { return parse_backend(t, c.backend); },
         [](const C &c) { return c.backend; }},
        {"local_backend", "auto, cuda, opencl, cpu",
         "backend mpi: what computes on the machine of each process", true,
         [](C &c, const S &t) { return parse_backend(t, c.local_backend); },
         [](const C &c) { return c.local_backend; }},
        {"devices", "all, local, or a list of numbers and parts of names, as 0,1 or H200",
         "devices that compute; local: one for each process, by its rank on its machine; empty: "
         "the device whose number is the cluster id, else device 0, but all devices of backend mpi",
         false, parse_devices, [](const C &c) { return c.devices; }},
        {"mode", "auto, hermite, treeonly, treewalk",
         "auto: hermite, and treeonly while every j-particle came by a call for mass and position "
         "only; treewalk: Barnes-Hut tree over the j-particles",
         false, [](C &c, const S &t) { return parse_enum(t, kModes, c.mode); },
         [](const C &c) { return S(kModes[static_cast<int>(c.mode)]); }},
        {"precision", "mixed, double, single",
         "mixed: exact differences, rest of a pair in float, sums in double; "
         "single: positions in float; acts on GPUs in mode treeonly with a softening, and on CUDA "
         "in mode treewalk, and is mixed everywhere else",
         false, [](C &c, const S &t) { return parse_enum(t, kPrecisions, c.precision); },
         [](const C &c) { return S(kPrecisions[static_cast<int>(c.precision)]); }},
        {"profile", "auto, grape6, gpu, ph4",
         "what the code was written for: grape6: the hardware, 48 pipes; gpu: a GPU library, 16384 "
         "pipes and lists as sapporo's; ph4: gpu, and nearest neighbour -1 when alone; auto: "
         "grape6, or gpu when the program was linked with libsapporo or calls g6_open_special() "
         "first",
         true, parse_profile, [](const C &c) { return c.profile; }},
        {"npipes", "auto, or 1 to 16384",
         "number of pipes that g6_npipes() reports; auto: 48 or 16384, by the profile", true,
         [](C &c, const S &t) {
             if (lower(t) != "auto") return parse_int(t, 1, kMaxPipes, c.npipes);
             c.npipes = 0;
             return true;
         },
         [](const C &c) { return c.npipes ? std::to_string(c.npipes) : S("auto"); }},
        {"neighbour_self", "auto, 0, 1",
         "1: a particle's own index is in its neighbour list; auto: only with more than 48 pipes",
         false, [](C &c, const S &t) { return parse_bool_or_auto(t, c.neighbour_self); },
         [](const C &c) { return print_bool_or_auto(c.neighbour_self); }},
        {"neighbour_softened", "auto, 0, 1",
         "neighbour lists hold r^2 + eps2 < h2 (1, GRAPE-6) or r^2 < h2 (0, sapporo); auto: 0 only "
         "with more than 48 pipes",
         false, [](C &c, const S &t) { return parse_bool_or_auto(t, c.neighbour_softened); },
         [](const C &c) { return print_bool_or_auto(c.neighbour_softened); }},
        {"nn_none", "0, -1", "index reported as nearest neighbour when there is none", false,
         [](C &c, const S &t) { return parse_int(t, -1, 0, c.nn_none); },
         [](const C &c) { return std::to_string(c.nn_none); }},
        {"snap", "0, 1", "1: predict with the term a2by18; 0: without, as sapporo does", false,
         [](C &c, const S &t) { return parse_bool(t, c.snap); },
         [](const C &c) { return S(c.snap ? "1" : "0"); }},
        {"threads", "0 to 256",
         "most host threads in one loop, also of the cpu backend; 0: as many as the process has "
         "processors",
         false, [](C &c, const S &t) { return parse_int(t, 0, kMostThreads, c.threads); },
         [](const C &c) { return std::to_string(c.threads); }},
        {"log", "none, error, warn, info, debug",
         "messages on stderr; error: one line for each kind of wrong result, refused request or "
         "lost device",
         true, [](C &c, const S &t) { return parse_enum(t, kLogLevels, c.log); },
         [](const C &c) { return S(kLogLevels[c.log]); }},
        {"stats", "0, 1", "a summary on stderr at g6_close()", false,
         [](C &c, const S &t) { return parse_bool(t, c.stats); },
         [](const C &c) { return S(c.stats ? "1" : "0"); }},
        {"trace", "a file name; %p in it is the number of the process",
         "records the calls of the program in a new file, for a bug report (docs/trace.md)", true,
         [](C &c, const S &t) { return c.trace = t, true; }, [](const C &c) { return c.trace; }},
    };
}

}  // namespace

const std::vector<OptionRow> &option_rows()
{
    static const auto *const rows = [] {
        auto *all = new std::vector<OptionRow>(make_rows());  // no destructor ever runs
        add_tree_rows(*all);
        all->push_back({"debug", "key=value,key=value",
                        "for developers: docs/debug.md has the keys", false, parse_debug,
                        [](const Config &c) { return c.debug; }, wrong_in_debug});
        return all;
    }();
    return *rows;
}

}  // namespace g6
