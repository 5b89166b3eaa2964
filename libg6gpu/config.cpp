// SPDX-License-Identifier: MIT
#include "config.h"

#include "config_text.h"
#include "status.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace g6 {
namespace {

LogLevel log_level(const std::string &name)
{
    constexpr const char *names[] = {"none", "error", "warn", "info", "debug"};
    for (int level = kLogNone; level <= kLogDebug; level++)
        if (name == names[level]) return static_cast<LogLevel>(level);
    return kLogNone;
}

// Applies one text from the file or the environment; a bad one is noted and skipped.
void apply(Config &config, const OptionRow &row, const std::string &text, const std::string &origin,
           std::string &problems)
{
    if (row.parse(config, trim(text))) return;
    problems += (problems.empty() ? "" : "\n") + origin + "=" + text +
                " is not one of: " + row.values + "; using " + row.print(config);
}

const OptionRow *find_row(const std::string &key)
{
    std::string k = lower(trim(key));
    if (k.rfind("g6_", 0) == 0) k = k.substr(3);
    for (const OptionRow &row : option_rows())
        if (k == row.key) return &row;
    return nullptr;
}

std::string variable(const OptionRow &row)
{
    std::string name = std::string("G6_") + row.key;
    for (char &c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

// A variable that is misspelt would be passed over in silence.
void note_unknown_variables(std::string &problems)
{
    for (char **e = environ; e && *e; e++) {
        const std::string name(*e, std::strcspn(*e, "="));
        const auto begins = [&](const char *with) { return name.rfind(with, 0) == 0; };
        if (!begins("G6_") || begins("G6_CUDA_") || begins("G6_OPENCL_")) continue;
        if (name == "G6_CONFIG" || name == "G6_BACKEND_DIR" || name == "G6_NO_APT") continue;
        if (!find_row(name))
            problems += (problems.empty() ? "" : "\n") + name + " is no setting; g6info lists them";
    }
}

// A file of lines KEY = VALUE; # starts a comment.
void read_file(const std::string &path,
               std::vector<std::pair<const OptionRow *, std::string>> &found, std::string &problems)
{
    auto note = [&](const std::string &text) { problems += (problems.empty() ? "" : "\n") + text; };
    std::ifstream file(path);
    if (!file) return note("G6_CONFIG=" + path + " cannot be read; going on without it");
    std::string line;
    for (int number = 1; std::getline(file, line); number++) {
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const size_t equals = line.find('=');
        const OptionRow *row =
            equals == std::string::npos ? nullptr : find_row(line.substr(0, equals));
        if (row)
            found.emplace_back(row, trim(line.substr(equals + 1)));
        else
            note(path + ":" + std::to_string(number) +
                 ": not KEY = VALUE with a known key: " + line);
    }
}

}  // namespace

const OptionRow &option_row(const std::string &key)
{
    if (const OptionRow *row = find_row(key)) return *row;
    std::string known;
    for (const OptionRow &row : option_rows())
        known += (known.empty() ? "" : ", ") + std::string(row.key);
    throw Error(G6_ERR_OPTION, "unknown setting \"%s\"; known: %s", key.c_str(), known.c_str());
}

void set_option(Config &config, const std::string &key, const std::string &value)
{
    const OptionRow &row = option_row(key);
    if (row.process_wide)
        throw Error(G6_ERR_OPTION,
                    "%s is fixed for the process; set the environment variable %s before it starts",
                    row.key, variable(row).c_str());
    if (!row.parse(config, trim(value)))
        throw Error(G6_ERR_OPTION, "%s cannot be \"%s\"; allowed: %s", row.key, value.c_str(),
                    row.values);
}

Config config_from_environment(std::string *problems)
{
    Config config;
    std::string bad;
    std::vector<std::pair<const OptionRow *, std::string>> file;
    if (const char *path = std::getenv("G6_CONFIG"))
        if (*path) read_file(path, file, bad);
    // The profile goes first: rows that are named override it.
    auto is_profile = [](const OptionRow &row) { return std::string(row.key) == "profile"; };
    for (bool profile_turn : {true, false}) {
        for (const auto &entry : file)
            if (is_profile(*entry.first) == profile_turn)
                apply(config, *entry.first, entry.second,
                      "G6_CONFIG: " + std::string(entry.first->key), bad);
        for (const OptionRow &row : option_rows()) {
            const char *text = std::getenv(variable(row).c_str());
            if (text && *text && is_profile(row) == profile_turn)
                apply(config, row, text, variable(row), bad);
        }
    }
    note_unknown_variables(bad);
    if (problems) *problems = bad;
    return config;
}

const Config &process_config()
{
    static const Config *config = [] {
        auto *c = new Config(config_from_environment());
        set_log_level(log_level(c->log));
        return c;
    }();
    return *config;
}

}  // namespace g6
