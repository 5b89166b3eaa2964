// SPDX-License-Identifier: MIT
// Time and units from the comments of a text table.  A comment that is not understood is ignored.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace g6run {

// The first word of comments in which g6run itself writes settings.
constexpr const char *kSettingMark = "g6run";

struct ToldTime {
    double value;
    std::string unit;  // "" for none; it may be one that g6run does not know
};
// The time of "time 3.5", "Time = 3.5 Myr" or "t [Myr]: 3.5".  None of any other comment.  A time
// of 0 has no unit.
std::optional<ToldTime> time_in(const std::string &comment, const std::string &where);

// Whether comments name units of the table: two of length, mass and velocity, or one where a
// comment has the word unit.  A number beside a unit makes it a measure, as in "a cluster of 1e4
// Msun".  False where a comment speaks of N-body units.
bool tell_units(const std::vector<std::string> &comments);

// The constant of gravity of a comment with "G = 43007.1".
std::optional<double> gravity_in(const std::vector<std::string> &comments);

}  // namespace g6run
