// SPDX-License-Identifier: MIT
// The setting G6_DEBUG=key=value,key=value, by which developers measure and test the library: the
// table of its keys, which docs/debug.md explains, the check of a text, and how a value is read.
//
// Invariants
//  * A text with an unknown key or a value that does not fit is refused as a whole.
//  * A backend gets a checked text in DeviceOptions::debug, and reads it with debug_value() and
//    debug_number().  It asks the environment for nothing.
//  * When a key is there twice, the last one counts.
#pragma once

#include "config_text.h"
#include "fault.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace g6 {

inline bool is_power_of_two(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

// As 16x4x2: lanes for i-particles, lanes for j-particles, i-particles of each lane.
inline bool parse_opencl_shape(const std::string &text, std::array<int, 3> &shape)
{
    size_t at = 0;
    for (size_t k = 0; k < 3; k++) {
        const size_t end = k < 2 ? text.find('x', at) : text.size();
        if (end == std::string::npos || !parse_int(text.substr(at, end - at), 1, 1024, shape[k]) ||
            !is_power_of_two(shape[k]))
            return false;
        at = end + 1;
    }
    const int lanes = shape[0] * shape[1];
    return lanes >= 16 && lanes <= 1024 && shape[2] <= 16;
}

// Steps that one build of the tree serves; auto is 0.
inline bool parse_rebuild(const std::string &text, int &steps)
{
    if (lower(text) != "auto") return parse_int(text, 1, 1000000, steps);
    steps = 0;
    return true;
}

inline bool parse_isa(const std::string &text, std::string &isa)
{
    return one_of(text, {"auto", "generic", "avx2", "avx512"}, isa);
}

struct DebugRow {
    const char *key, *values;
    bool (*fits)(const std::string &value);
};

template <int low, int high> bool is_number(const std::string &text)
{
    int n = 0;
    return parse_int(text, low, high, n);
}

// Whether a parser above takes the text.
template <class Value, bool (*parse)(const std::string &, Value &)>
bool is_taken_by(const std::string &text)
{
    Value value{};
    return parse(text, value);
}

// The value of this key reaches to the end of the text, so that it may have commas.
constexpr const char *kLastDebugKey = "opencl_options";

constexpr DebugRow kDebugRows[] = {
    {"leaf", "1 to 1024", is_number<1, 1024>},
    {"rebuild", "auto, or steps from 1", is_taken_by<int, parse_rebuild>},
    {"isa", "auto, generic, avx2, avx512", is_taken_by<std::string, parse_isa>},
    {"divide", "auto, i",
     [](const std::string &text) {
         std::string way;
         return one_of(text, {"auto", "i"}, way);
     }},
    {"together", "0, 1", is_number<0, 1>},
    {"slices", "1 to 65535", is_number<1, 65535>},
    {"cuda_tensor", "0, 1", is_number<0, 1>},
    {"cuda_shape", "0 to 6", is_number<0, 6>},
    {"cuda_few", "0 to 256", is_number<0, 256>},
    {"cuda_stay", "0, 1", is_number<0, 1>},
    {"cuda_group", "1 to 64", is_number<1, 64>},
    {"cuda_link", "0, 1", is_number<0, 1>},
    {"opencl_shape", "AxBxC, powers of two; A x B from 16 to 1024, C up to 16",
     is_taken_by<std::array<int, 3>, parse_opencl_shape>},
    {"opencl_fp64", "0, 1", is_number<0, 1>},
    {"fault", "phase:count:kind, phase:count:kind:device", is_taken_by<Fault, parse_fault>},
    {kLastDebugKey, "text, to the end", [](const std::string &) { return true; }},
};

// The row of a key; null when there is none.
inline const DebugRow *find_debug_row(const std::string &key)
{
    for (const DebugRow &row : kDebugRows)
        if (key == row.key) return &row;
    return nullptr;
}

// The pairs of a text, without blanks around keys and values.  A pair without "=" has no value.
inline std::vector<std::pair<std::string, std::string>> debug_pairs(const std::string &text)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find(',', at), text.size());
        const size_t equals = std::min(text.find('=', at), end);
        const std::string key = lower(trim(text.substr(at, equals - at)));
        if (key == kLastDebugKey) end = text.size();
        pairs.emplace_back(key,
                           equals < end ? trim(text.substr(equals + 1, end - equals - 1)) : "");
        at = end + 1;
    }
    return pairs;
}

// What is wrong with a text; "": nothing.
inline std::string wrong_in_debug(const std::string &text)
{
    for (const auto &[key, value] : debug_pairs(text)) {
        if (const DebugRow *row = find_debug_row(key)) {
            if (row->fits(value)) continue;
            return key + "=" + printable(value) + " is not one of: " + row->values;
        }
        std::string known;
        for (const DebugRow &row : kDebugRows)
            known += (known.empty() ? "" : ", ") + std::string(row.key);
        return "there is no key \"" + printable(key) + "\"; known: " + known;
    }
    return "";
}

// The value of a key in a checked text; "" when it is not there.
inline std::string debug_value(const std::string &text, const char *key)
{
    std::string found;
    for (const auto &[name, value] : debug_pairs(text))
        if (name == key) found = value;
    return found;
}

// The value of a key as a number; `otherwise` when the key is not there.
inline int debug_number(const std::string &text, const char *key, int otherwise)
{
    const std::string value = debug_value(text, key);
    return value.empty() ? otherwise : std::atoi(value.c_str());
}

}  // namespace g6
