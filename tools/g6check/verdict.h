// SPDX-License-Identifier: MIT
// How a rule ends: it returns (pass), or throws Broken or NotOffered.
#pragma once

#include <cstdio>
#include <string>

namespace g6check {

// The library broke the rule.
struct Broken {
    std::string expected, got;
};

// The library lacks a name, or its settings leave out what the rule is about.
struct NotOffered {
    std::string why;
};

inline std::string text(double value)
{
    char number[32];
    std::snprintf(number, sizeof number, "%.9g", value);
    return number;
}
inline std::string text(int value)
{
    return std::to_string(value);
}

inline void expect(bool good, const std::string &expected, const std::string &got)
{
    if (!good) throw Broken{expected, got};
}
inline void expect_equal(const std::string &what, int expected, int got)
{
    expect(expected == got, what + " " + text(expected), text(got));
}

}  // namespace g6check
