// SPDX-License-Identifier: MIT
// The contract of settings: which texts are allowed, how they read back, and the values that
// results depend on.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace g6fuzz {

enum class Mode { kAuto, kHermite, kTreeOnly, kTreeWalk };
enum class Precision { kMixed, kDouble, kSingle };
enum class Mac { kBh, kBmax, kMultipole, kAcceleration, kCombined };

// Of one cluster.
struct Settings {
    Mode mode = Mode::kAuto;
    Precision precision = Precision::kMixed;
    Mac mac = Mac::kCombined;
    double theta = 0.6;
    int multipole = 0;
    int direct = -1;  // -1: auto
    bool snap = true;
    int nn_none = 0;
    // -1: by the number of pipes.
    int neighbour_self = -1, neighbour_softened = -1;
    std::string backend = "auto";
    unsigned long changes = 0;  // counts what was set

    bool operator==(const Settings &o) const
    {
        return mode == o.mode && precision == o.precision && mac == o.mac && theta == o.theta &&
               multipole == o.multipole && direct == o.direct && snap == o.snap &&
               nn_none == o.nn_none && neighbour_self == o.neighbour_self &&
               neighbour_softened == o.neighbour_softened && backend == o.backend;
    }
};

// The text that g6_get_option() gives for each setting that was set; others have their defaults.
using Texts = std::map<std::string, std::string>;

// Applies g6_set_option(key, value) as the settings table allows it; false when it is refused, and
// then nothing changes.  backends: names that "backend" may have.
bool set_setting(Settings &settings, Texts &texts, const std::string &key, const std::string &value,
                 const std::vector<std::string> &backends);
// The same for a variable of the environment.  What concerns the process or is for developers is
// taken as it is, because it changes nothing that is right: the settings "local_backend" and
// "debug".
void set_from_environment(Settings &settings, Texts &texts, const std::string &key,
                          const std::string &value, const std::vector<std::string> &backends);
// The key of the table that "Mode", "G6_MODE" or " mode " mean; "" when there is none.
std::string setting_key(const std::string &key);
// Keys and values of which the library must refuse each pair.
const std::vector<std::array<const char *, 2>> &wrong_settings();
// Rows of the table in the library's order, of which the last ones may be unknown to this model.
const std::vector<std::string> &setting_keys();

}  // namespace g6fuzz
