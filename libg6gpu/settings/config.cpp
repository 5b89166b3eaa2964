// SPDX-License-Identifier: MIT
// Reads the settings from the file of G6_CONFIG, the environment and g6_set_option(), and tells its
// caller what does not parse.  The table of settings is in config_rows.cpp.
#include "config.h"

#include "config_text.h"
#include "files.h"
#include "../base/fork.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <mutex>
#include <unistd.h>

namespace g6 {
namespace {

void note(std::string &problems, const std::string &text)
{
    problems += (problems.empty() ? "" : "\n") + text;
}

// Applies one text from the file or the environment.  A text that does not parse is added to the
// problems and has no effect.
void apply(Config &config, const OptionRow &row, const std::string &text, const std::string &origin,
           std::string &problems)
{
    if (row.parse(config, trim(text))) return;
    const std::string wrong =
        row.wrong ? ": " + row.wrong(text) : std::string(" is not one of: ") + row.values;
    const std::string used = row.print(config);
    note(problems,
         origin + "=" + printable(text) + wrong + "; using " + (used.empty() ? "none" : used));
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
    return "G6_" + upper(row.key);
}

// Adds each G6_ variable that no setting has to the problems: it may be a misspelt name.  Unlike
// keys, the names of variables must be in capitals.
void note_unknown_variables(std::string &problems)
{
    for (char **e = environ; e && *e; e++) {
        const std::string name(*e, std::strcspn(*e, "="));
        if (name.rfind("G6_", 0) != 0 && name.rfind("g6_", 0) != 0) continue;
        if (name == "G6_CONFIG" || name == "G6_BACKEND_DIR" || name == "G6_NO_APT") continue;
        const OptionRow *row = find_row(name);
        if (row && name != variable(*row))
            note(problems, printable(name) + " is no setting; the variable is " + variable(*row));
        else if (!row && name[0] == 'G')
            note(problems, printable(name) + " is no setting; g6info lists them");
    }
}

using FoundRows = std::vector<std::pair<const OptionRow *, std::string>>;

// A file of lines KEY = VALUE; # starts a comment.
void read_file(const std::string &path, FoundRows &found, std::string &problems)
{
    // Checked without opening the file, because opening a device may have effects.
    std::string trouble = not_regular(path);
    std::ifstream text;
    if (trouble.empty()) text.open(path);
    if (trouble.empty() && !text) trouble = std::strerror(errno);
    if (!trouble.empty())
        return note(problems,
                    "G6_CONFIG=" + path + " cannot be read: " + trouble + "; going on without it");
    std::string line;
    for (int number = 1; std::getline(text, line); number++) {
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const size_t equals = line.find('=');
        const OptionRow *row =
            equals == std::string::npos ? nullptr : find_row(line.substr(0, equals));
        if (row)
            found.emplace_back(row, trim(line.substr(equals + 1)));
        else
            note(problems, path + ":" + std::to_string(number) +
                               ": not KEY = VALUE with a known key: " + printable(line));
    }
}

std::atomic<bool> g_gpu_client{false};

int pipes_of(const std::string &profile)
{
    const bool gpu = profile == "auto" ? g_gpu_client || loaded_as_sapporo() : profile != "grape6";
    return gpu ? kGpuPipes : kGrape6Pipes;
}

FoundRows settings_file(std::string &problems)
{
    FoundRows found;
    const char *path = secure_getenv("G6_CONFIG"), *asked = std::getenv("G6_CONFIG");
    if (path && *path)
        read_file(path, found, problems);
    else if (asked && *asked)
        note(problems, "G6_CONFIG is ignored in a process with more rights than its user");
    return found;
}

}  // namespace

const OptionRow &option_row(const std::string &key)
{
    if (const OptionRow *row = find_row(key)) return *row;
    std::string known;
    for (const OptionRow &row : option_rows())
        known += (known.empty() ? "" : ", ") + std::string(row.key);
    throw Error(G6_ERR_OPTION, "unknown setting \"%s\"; known: %s", printable(key).c_str(),
                known.c_str());
}

void set_option(Config &config, const std::string &key, const std::string &value)
{
    const OptionRow &row = option_row(key);
    if (row.process_wide)
        throw Error(G6_ERR_OPTION,
                    "%s is fixed for the process; set the environment variable %s before it starts",
                    row.key, variable(row).c_str());
    if (row.parse(config, trim(value))) return;
    const std::string wrong = row.wrong ? row.wrong(value) : std::string("allowed: ") + row.values;
    throw Error(G6_ERR_OPTION, "%s cannot be \"%s\"; %s", row.key, printable(value).c_str(),
                wrong.c_str());
}

namespace {

Config read_settings(std::string &bad, const Config &defaults)
{
    Config config = defaults;
    const FoundRows file = settings_file(bad);
    // The profile is applied first, so that other settings override its values.
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
    return config;
}

}  // namespace

Config config_from_environment(std::string *problems, const Config &defaults)
{
    std::string bad;
    Config config = read_settings(bad, defaults);
    if (config.npipes == 0) config.npipes = pipes_of(config.profile);
    note_unknown_variables(bad);
    if (problems) *problems = bad;
    return config;
}

Config given_settings()
{
    std::string bad;
    Config config = read_settings(bad, {});
    if (config.profile == "auto" && loaded_as_sapporo()) config.profile = "gpu";
    return config;
}

bool loaded_as_sapporo()
{
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(&process_config), &info) || !info.dli_fname) return false;
    const char *slash = std::strrchr(info.dli_fname, '/');
    return std::strncmp(slash ? slash + 1 : info.dli_fname, "libsapporo", 10) == 0;
}

void note_gpu_client()
{
    g_gpu_client = true;
}

namespace {

struct ProcessConfig {
    std::mutex mutex;  // held while the settings are read
    std::atomic<const Config *> config{nullptr};
};
// Made while the library is loaded (fork.h).
[[maybe_unused]] const bool g_made = (of_process<ProcessConfig>(), true);

}  // namespace

const Config &process_config()
{
    ProcessConfig &p = of_process<ProcessConfig>();
    if (const Config *known = p.config.load(std::memory_order_acquire)) return *known;
    const std::lock_guard<std::mutex> lock(p.mutex);
    if (const Config *known = p.config.load(std::memory_order_acquire)) return *known;
    const auto *made = new Config(config_from_environment());  // no destructor ever runs
    set_log_level(made->log);
    p.config.store(made, std::memory_order_release);
    return *made;
}

void read_log_level() noexcept
{
    try {
        process_config();
    } catch (...) {  // no memory: the default serves
    }
}

}  // namespace g6
