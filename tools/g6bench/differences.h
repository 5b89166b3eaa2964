// SPDX-License-Identifier: MIT
// Compares what a replay computes with what was recorded.
#pragma once

#include "player.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace g6bench {

// Relative differences |a - a_recorded| / max(|a|, |a_recorded|) of one kind of result.  A
// difference is 0 where both values are 0, and 1 where one of them is NaN.
struct Differences {
    std::uint64_t compared = 0, equal = 0;  // values; equal: those with the same bits
    double largest = 0;
    std::uint64_t call = 0;      // the first call with the largest difference
    std::vector<float> unequal;  // differences of the values with other bits

    void add(const double *got, const double *recorded, int components, std::uint64_t in_call);
    // The median difference of all values.
    double median();
};

// Counts results that are either the same or different.
struct Matches {
    std::uint64_t compared = 0, different = 0, call = 0;  // the first call with a difference
    void add(bool same, std::uint64_t in_call);
};

// Times of all calls with one name.
struct CallTimes {
    std::uint64_t calls = 0, played = 0, timed = 0;
    double recorded = 0, replayed = 0;  // seconds in the calls that were timed
    // Estimates the seconds of all calls from the seconds of the timed calls.
    double all(double seconds) const
    {
        return timed ? seconds * static_cast<double>(calls) / static_cast<double>(timed) : 0;
    }
};

class Comparison {
public:
    // with_status: whether the status codes of the library mean something.
    explicit Comparison(bool with_status) : with_status_(with_status) {}
    void add(const RecordedCall &call, const std::optional<Replayed> &replayed);

    std::map<g6::trace::Kind, CallTimes> times;
    std::map<std::string, Differences> differences;  // acc, jerk, pot, ...
    Matches nearest, lists, status;

private:
    void add_forces(const RecordedCall &call, const Replayed &r, std::size_t first);
    void add_list(const RecordedCall &call, const Replayed &r);

    const bool with_status_;
};

}  // namespace g6bench
