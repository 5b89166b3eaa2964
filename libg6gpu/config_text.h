// SPDX-License-Identifier: MIT
// Reading the text of a setting.  A parser returns false, and leaves its value, when the text does
// not fit.
#pragma once

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <initializer_list>
#include <string>

namespace g6 {

inline std::string lower(std::string s)
{
    for (char &c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return s;
}

inline std::string trim(const std::string &s)
{
    const char *blank = " \t\r\n";
    const size_t first = s.find_first_not_of(blank);
    if (first == std::string::npos) return "";
    return s.substr(first, s.find_last_not_of(blank) - first + 1);
}

inline bool parse_int(const std::string &text, int low, int high, int &value)
{
    errno = 0;
    char *end = nullptr;
    const long n = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end || errno || n < low || n > high) return false;
    value = static_cast<int>(n);
    return true;
}

inline bool parse_real(const std::string &text, double low, double high, double &value)
{
    errno = 0;
    char *end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || errno || !(x >= low && x <= high)) return false;
    value = x;
    return true;
}

inline bool parse_bool(const std::string &text, bool &value)
{
    const std::string t = lower(text);
    if (t != "0" && t != "1" && t != "on" && t != "off") return false;
    value = t == "1" || t == "on";
    return true;
}

inline bool one_of(const std::string &text, std::initializer_list<const char *> words,
                   std::string &value)
{
    const std::string t = lower(text);
    for (const char *w : words)
        if (t == w) {
            value = t;
            return true;
        }
    return false;
}

}  // namespace g6
