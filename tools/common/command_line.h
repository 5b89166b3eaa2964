// SPDX-License-Identifier: MIT
// What the tools' command lines have in common.  All of it is in this header, since g6info is built
// without CLI11.
#pragma once

#include <g6lib.h>

#include "standard_output.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

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

// CLI11 has checks of this kind, but some of its versions print a range of 300 digits.
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

// One of some words.
inline CLI::Validator one_of(const std::vector<std::string> &words)
{
    const auto check = [words](std::string &text) -> std::string {
        std::string list;
        for (const std::string &word : words) {
            if (word == text) return "";
            list += (list.empty() ? "" : ", ") + word;
        }
        return "'" + text + "' is not one of: " + list;
    };
    return CLI::Validator(check, "");
}

// "a, b" as the type of an option: "a|b".  The completion of shells offers these words.
inline std::string choices(std::string names)
{
    for (std::size_t at; (at = names.find(", ")) != std::string::npos;) names.replace(at, 2, "|");
    return names;
}

// Levenshtein's distance: the least number of letters to insert, delete or replace.
inline std::size_t letters_between(const std::string &a, const std::string &b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); j++) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); i++) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); j++) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

// Some editors write this mark ahead of a text in UTF-8.
constexpr const char *kByteOrderMark = "\xef\xbb\xbf";

// Reads files of --config.  CLI11 itself takes a byte-order mark for a part of the first name.
class ConfigFile : public CLI::ConfigBase {
public:
    ConfigFile() { arrayDelimiter('\n'); }
    std::vector<CLI::ConfigItem> from_config(std::istream &input) const override
    {
        std::string text(std::istreambuf_iterator<char>(input), {});
        if (text.rfind(kByteOrderMark, 0) == 0) text.erase(0, std::strlen(kByteOrderMark));
        std::istringstream rest(text);
        return CLI::ConfigBase::from_config(rest);
    }
};

// A wrong command line gives status 2, and a help text that cannot be written gives kOutputLost.
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

    // Adds --config FILE.  A value reaches to the end of its line, with all its commas.
    void take_options_from_files(const std::string &help)
    {
        set_config("--config", "", help)->type_name("FILE")->group("Options");
        config_formatter(std::make_shared<ConfigFile>());
        allow_config_extras(CLI::config_extras_mode::error);
    }

    // False when the program should end with `status`: help was asked for, or the command line was
    // wrong, which one line on stderr says.
    bool read(int argc, char **argv, int &status)
    {
        words_.assign(argv + 1, argv + argc);
        try {
            parse(argc, argv);
            check_values();
            return true;
        } catch (const CLI::ExtrasError &) {
            std::fprintf(stderr, "%s: %s (%s --help lists the options)\n", get_name().c_str(),
                         unexpected().c_str(), get_name().c_str());
            return status = 2, false;
        } catch (const CLI::ConfigError &error) {
            std::fprintf(stderr, "%s: %s (%s --help lists the options)\n", get_name().c_str(),
                         in_file(error.what()).c_str(), get_name().c_str());
            return status = 2, false;
        } catch (const CLI::ParseError &error) {
            if (error.get_exit_code() == 0) {
                status = exit(error);
                if (!output_written(get_name())) status = kOutputLost;
                return false;
            }
            std::fprintf(stderr, "%s: %s%s (%s --help lists the options)\n", get_name().c_str(),
                         place(named_in(error.what())).c_str(), plain(error.what()).c_str(),
                         get_name().c_str());
            return status = 2, false;
        }
    }

    // "FILE:LINE: " of the line in the file of --config that gives this option; "" where the
    // command line gives it.
    std::string place(const std::string &option) const
    {
        if (option.empty() || !get_config_ptr() || get_config_ptr()->empty()) return "";
        for (const std::string &word : words_)
            if (word.substr(0, word.find('=')) == "--" + option) return "";
        const std::string file = get_config_ptr()->as<std::string>();
        std::ifstream lines(file);
        std::string line;
        for (int number = 1; std::getline(lines, line); number++) {
            std::string key = line.substr(0, line.find('='));
            const std::string around = std::string(" \t\r\"'") + kByteOrderMark;
            key.erase(0, key.find_first_not_of(around));
            key.erase(key.find_last_not_of(around) + 1);
            if (key == option) return file + ":" + std::to_string(number) + ": ";
        }
        return "";
    }

private:
    std::vector<std::string> words_;  // of the command line

    // Refuses empty values, as of --eps "$EPS" where EPS is not set: CLI11 takes them for no value.
    void check_values() const
    {
        for (const CLI::Option *option : get_options())
            for (const std::string &value : option->results())
                if (value.empty() && option->get_items_expected_min() > 0)
                    throw CLI::ValidationError(option->get_name(), "the value is empty");
    }

    // The first word that no option takes.  A word without a dash may be the value of an unknown
    // option, so that the option is named first.
    std::string unexpected() const
    {
        const std::vector<std::string> words = remaining();
        for (const std::string &word : words)
            if (word.size() > 1 && word[0] == '-') return "unknown option " + word + similar(word);
        return "unexpected word '" + (words.empty() ? "" : words[0]) + "'";
    }

    // CLI11 says "--eps: At Most 1 required but received 2" of an option that is there twice, and
    // "--eps: 1 required NUMBER missing" of one without a value.
    static std::string plain(std::string text)
    {
        const std::string one = ": 1 required ", missing = " missing";
        const std::size_t value = text.find(one), end = text.rfind(missing);
        if (value != std::string::npos && end != std::string::npos && end > value)
            return text.substr(0, value) + ": a value must follow: " +
                   text.substr(value + one.size(), end - value - one.size());
        const std::string many = "At Most 1 required but received ";
        const std::size_t at = text.find(many);
        if (at != std::string::npos) text.replace(at, many.size(), "one value expected, not ");
        return text;
    }

    // CLI11 says "INI was not able to parse NAME" of an option that it does not know, where a line
    // [X] has the name "X.++", and "NAME: ..." of one that a file cannot have.
    std::string in_file(const std::string &text) const
    {
        const std::string unknown = "INI was not able to parse ";
        if (text.rfind(unknown, 0) != 0) return place(text.substr(0, text.find(':'))) + text;
        std::string name = text.substr(unknown.size());
        const std::size_t section = name.find(".++");
        if (section != std::string::npos) name = "[" + name.substr(0, section) + "]";
        const bool words = name.find(' ') != std::string::npos;
        return place(name) + "unknown option " + name +
               (words ? "; a line is NAME = VALUE" : similar("--" + name));
    }

    // The first option in a message, without its dashes.
    static std::string named_in(const std::string &text)
    {
        const std::size_t at = std::min(text.find("--"), text.size());
        const std::size_t from = std::min(at + 2, text.size());
        return text.substr(from, text.find_first_of(" ,:=", from) - from);
    }

    // "; did you mean --plummer?" for "--plumer" and "--plum".  "" where no option begins so or is
    // at most two letters away, or one letter where the word is short.
    std::string similar(const std::string &word) const
    {
        const std::string given = word.substr(0, word.find('='));
        std::string nearest;
        std::size_t least = given.size() < 7 ? 2 : 3;
        for (const CLI::Option *option : get_options())
            for (const std::string &name : option->get_lnames()) {
                const bool begins = given.size() > 3 && ("--" + name).rfind(given, 0) == 0;
                const std::size_t letters = begins ? 1 : letters_between(given, "--" + name);
                if (letters >= least) continue;
                least = letters;
                nearest = "; did you mean --" + name + "?";
            }
        return nearest;
    }
};

}  // namespace g6tools
