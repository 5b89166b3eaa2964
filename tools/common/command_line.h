// SPDX-License-Identifier: MIT
// What the tools' command lines have in common.  In the header alone: g6info is built without
// CLI11.
#pragma once

#include <g6lib.h>

#include "standard_output.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace g6tools {

// Takes "0.004" or "1/256".
inline CLI::Validator fraction()
{
    const auto evaluate = [](std::string &text) -> std::string {
        const std::string bad = "'" + text + "' is not a number";
        char *end = nullptr;
        double value = std::strtod(text.c_str(), &end);
        if (end == text.c_str()) return bad;
        if (*end == '/') {
            const char *under = end + 1;
            value /= std::strtod(under, &end);
            if (end == under) return bad;
        }
        if (*end || !std::isfinite(value)) return bad;
        char number[32];
        std::snprintf(number, sizeof number, "%.17g", value);
        text = number;
        return "";
    };
    return CLI::Validator(evaluate, "");
}

// Takes "1000" or "1e3".
inline CLI::Validator whole_number(double least, double most)
{
    const auto evaluate = [=](std::string &text) -> std::string {
        char *end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        char number[96];
        if (end == text.c_str() || *end || !(value >= least && value <= most) ||
            value != std::floor(value)) {
            std::snprintf(number, sizeof number, "' is not a whole number from %.0f to %.0f", least,
                          most);
            return "'" + text + number;
        }
        std::snprintf(number, sizeof number, "%.0f", value);
        text = number;
        return "";
    };
    return CLI::Validator(evaluate, "");
}

// CLI11 has these checks, but some versions of it print a range of 300 digits.
inline CLI::Validator number_that_is(const std::string &what, bool (*good)(double))
{
    const auto evaluate = [=](std::string &text) -> std::string {
        char *end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        if (end == text.c_str() || *end) return "'" + text + "' is not a number";
        return good(value) ? "" : text + " is not " + what;
    };
    return CLI::Validator(evaluate, "");
}
inline CLI::Validator positive()
{
    return number_that_is("positive", [](double value) { return value > 0; });
}
inline CLI::Validator zero_or_positive()
{
    return number_that_is("zero or positive", [](double value) { return value >= 0; });
}

// "a, b" as the type of an option: "a|b".  The completion of shells offers these words.
inline std::string choices(std::string names)
{
    for (std::size_t at; (at = names.find(", ")) != std::string::npos;) names.replace(at, 2, "|");
    return names;
}

// A line that is wrong gives status 2, a help text that cannot be written kOutputLost.
class CommandLine : public CLI::App {
public:
    CommandLine(const std::string &name, const std::string &about, const std::string &examples)
        : CLI::App(about, name)
    {
        footer(examples);
        // From the header: g6bench and g6check must not be linked with the library.
        set_version_flag("--version", name + " " + std::to_string(G6_VERSION_MAJOR) + "." +
                                          std::to_string(G6_VERSION_MINOR) + "." +
                                          std::to_string(G6_VERSION_PATCH));
    }

    // False when the program should end with `status`: help was asked for, or the line was wrong
    // (which is said on stderr, in one line).
    bool read(int argc, char **argv, int &status)
    {
        try {
            parse(argc, argv);
            return true;
        } catch (const CLI::ParseError &error) {
            if (error.get_exit_code() == 0) {
                status = exit(error);
                if (!output_written(get_name())) status = kOutputLost;
                return false;
            }
            std::fprintf(stderr, "%s: %s (%s --help lists the options)\n", get_name().c_str(),
                         error.what(), get_name().c_str());
            return status = 2, false;
        }
    }
};

}  // namespace g6tools
