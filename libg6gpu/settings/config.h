// SPDX-License-Identifier: MIT
// Settings: one table of rows, each with its key, allowed values, meaning, parser and printer.
// Later sources of a value override earlier ones:
//     defaults < profile < file named by G6_CONFIG < G6_* variables < g6_set_option()
// Invariant: a Config always holds valid values.  A text that does not parse leaves it as it is.
#pragma once

#include "../backend.h"
#include "../base/status.h"

#include <string>
#include <vector>

namespace g6 {

enum class Mode { kAuto, kHermite, kTreeOnly, kTreeWalk };

constexpr int kGrape6Pipes = 48;  // of one GRAPE-6 chip
constexpr int kGpuPipes = 16384;  // as sapporo 2, for which codes have arrays
constexpr int kMaxPipes = 16384;  // phiGRAPE's static arrays

struct Config {
    std::string backend = "auto";
    std::string devices;  // "", "all", "local", or a comma-separated list
    std::string local_backend = "auto";
    Mode mode = Mode::kAuto;
    Precision precision = Precision::kMixed;
    Walk walk;              // of mode treewalk
    int direct_below = -1;  // treewalk: fewer i-particles are summed directly; -1: by cost
    std::string profile = "auto";
    int npipes = 0;               // 0: by the profile
    int neighbour_self = -1;      // 1: lists hold the own index; -1: by the number of pipes
    int neighbour_softened = -1;  // 1: lists hold r^2 + eps2 < h2, 0: r^2 < h2; -1: by the pipes
    int nn_none = 0;              // reported as nearest neighbour when there is none
    bool snap = true;
    int threads = 0;
    LogLevel log = kLogError;
    bool stats = false;
    std::string trace;         // file of the recording; "": none
    std::string debug;         // key=value,key=value (debug.h); leaf and rebuild are in walk
    std::string device_debug;  // the keys of debug that concern devices

    bool own_in_lists() const
    {
        return neighbour_self < 0 ? npipes > kGrape6Pipes : neighbour_self;
    }
    bool softened_lists() const
    {
        return neighbour_softened < 0 ? npipes <= kGrape6Pipes : neighbour_softened;
    }
};

struct OptionRow {
    const char *key;     // lower case, without G6_
    const char *values;  // allowed values
    const char *help;
    bool process_wide;  // fixed for the process: g6_set_option() cannot change it
    bool (*parse)(Config &, const std::string &);
    std::string (*print)(const Config &);
    // What is wrong with a text that parse() refuses; null: the message lists the allowed values.
    std::string (*wrong)(const std::string &) = nullptr;
};

const std::vector<OptionRow> &option_rows();

// The row of "mode", "G6_MODE" or "Mode"; throws Error(G6_ERR_OPTION) naming the known keys.
const OptionRow &option_row(const std::string &key);

// Sets one value; throws Error(G6_ERR_OPTION) with the allowed values.
void set_option(Config &config, const std::string &key, const std::string &value);

// The settings by defaults, file and environment at the time of the call.  Texts that do not parse
// are described in *problems, a line each, unless problems is null.
Config config_from_environment(std::string *problems = nullptr, const Config &defaults = {});

// The settings as they were given: npipes is 0 unless it was set.  Where the library is named
// libsapporo, profile is gpu instead of auto.
Config given_settings();

// The settings at the first call, which decide those that are fixed for the process
// (OptionRow::process_wide).
const Config &process_config();

// Notes that the program makes a call which only GPU libraries have: profile "auto" then means
// "gpu".  Has no effect on settings of the process that are fixed already.
void note_gpu_client();
// Whether the file of this library has a name that begins with libsapporo.
bool loaded_as_sapporo();

}  // namespace g6
