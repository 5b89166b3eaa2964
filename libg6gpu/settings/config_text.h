// SPDX-License-Identifier: MIT
// Parsers of the texts of settings.  A parser returns false, and leaves its value as it is, when
// the text does not fit.  A text means the same in every locale: only letters of ASCII change case
// (toupper('i') is not 'I' in a Turkish locale), and numbers have a decimal point.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <initializer_list>
#include <locale>
#include <sstream>
#include <string>

namespace g6 {

inline std::string lower(std::string s)
{
    for (char &c : s)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return s;
}

inline std::string upper(std::string s)
{
    for (char &c : s)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return s;
}

// The beginning of a text from outside, for a message.  Control characters, which could steer a
// terminal, become question marks.
inline std::string printable(const std::string &s)
{
    constexpr size_t kMost = 100;
    std::string shown = s.substr(0, kMost) + (s.size() > kMost ? " ..." : "");
    for (char &c : shown)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    return shown;
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
    if (text.empty() || end != text.c_str() + text.size() || errno || n < low || n > high)
        return false;
    value = static_cast<int>(n);
    return true;
}

inline bool parse_real(const std::string &text, double low, double high, double &value)
{
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double x = 0;
    if (!(in >> x) || in.get() != std::istringstream::traits_type::eof() ||
        !(x >= low && x <= high))
        return false;
    value = x;
    return true;
}

// Prints fifteen digits, so that a number with at most fifteen digits looks as it was written.
inline std::string print_real(double x)
{
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(15);
    out << x;
    return out.str();
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
