// SPDX-License-Identifier: MIT
#include "text_file.h"

#include "error.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

namespace g6run {
namespace {

constexpr int kColumns = 7;
constexpr const char *kSettingMark = "g6run";
constexpr const char *kColumnNames = "m x y z vx vy vz";

// The beginning of a word for a message: a binary file must not reach the terminal.
std::string quoted(const std::string &word)
{
    std::string text = word.substr(0, 24);
    for (char &c : text)
        if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
    return "'" + text + "'";
}

double number(const std::string &word, const std::string &where)
{
    char *end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (*end) throw Error(where + quoted(word) + " is not a number");
    if (!std::isfinite(value)) throw Error(where + quoted(word) + " is not finite");
    return value;
}

Body body(const std::vector<std::string> &words, const std::string &where)
{
    if (words.size() != kColumns)
        throw Error(where + std::to_string(words.size()) + " columns, expected 7 (" + kColumnNames +
                    ")");
    double value[kColumns];
    for (int c = 0; c < kColumns; c++) value[c] = number(words[c], where);
    if (value[0] < 0) throw Error(where + "negative mass " + words[0]);
    Body b;
    b.mass = value[0];
    for (int d = 0; d < 3; d++) {
        b.x[d] = value[1 + d];
        b.v[d] = value[4 + d];
    }
    return b;
}

std::vector<std::string> split(const std::string &line)
{
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

using Texts = std::map<std::string, std::string>;

// Comments are free; only "# time T" and "# g6run NAME VALUE" mean something.
void read_comment(const std::string &text, const std::string &where, Snapshot &snapshot,
                  Texts &settings)
{
    const std::vector<std::string> words = split(text);
    if (words.size() == 2 && words[0] == "time") snapshot.time = number(words[1], where);
    if (words.size() == 3 && words[0] == kSettingMark) settings[words[1]] = words[2];
}

// Nothing unless all are there.  A text that is absent is empty.
std::optional<Settings> settings_of(const Texts &texts, const std::string &path)
{
    Settings s;
    bool complete = true;
    visit_setting_numbers(s, [&](const char *name, double &value) {
        const auto found = texts.find(name);
        complete &= found != texts.end();
        if (complete) value = number(found->second, path + ": " + name + ": ");
    });
    visit_setting_texts(s, [&](const char *name, std::string &value) {
        const auto found = texts.find(name);
        value = found == texts.end() ? "" : found->second;
    });
    complete &= !s.method.empty() && !s.steps.empty();
    return complete ? std::optional<Settings>(s) : std::nullopt;
}

void write_settings(FILE *file, const Settings &s)
{
    visit_setting_numbers(s, [&](const char *name, const double &value) {
        std::fprintf(file, "# %s %s %.17g\n", kSettingMark, name, value);
    });
    visit_setting_texts(s, [&](const char *name, const std::string &value) {
        if (!value.empty()) std::fprintf(file, "# %s %s %s\n", kSettingMark, name, value.c_str());
    });
}

}  // namespace

Snapshot read_text(const std::string &path)
{
    std::ifstream file(path);
    if (!file) throw Error(path + ": cannot be opened");
    Snapshot snapshot;
    Texts settings;
    std::string line;
    for (int count = 1; std::getline(file, line); count++) {
        const std::string where = path + ":" + std::to_string(count) + ": ";
        const std::size_t hash = line.find('#');
        if (hash != std::string::npos) {
            read_comment(line.substr(hash + 1), where, snapshot, settings);
            line.resize(hash);
        }
        const std::vector<std::string> words = split(line);
        if (words.empty()) continue;
        snapshot.bodies.push_back(body(words, where));
        snapshot.bodies.back().id = snapshot.bodies.size() - 1;
    }
    if (file.bad()) throw Error(path + ": cannot be read");
    snapshot.settings = settings_of(settings, path);
    snapshot.types[kDefaultType] = snapshot.bodies.size();
    return snapshot;
}

void write_text(const std::string &path, const Snapshot &snapshot)
{
    std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "wx"), std::fclose);
    if (!file) throw Error(path + ": cannot be created");
    std::fprintf(file.get(), "# time %.17g\n", snapshot.time);
    if (snapshot.held()) write_settings(file.get(), *snapshot.held());
    std::fprintf(file.get(), "# %s\n", kColumnNames);
    for (const Body &b : snapshot.bodies)
        std::fprintf(file.get(), "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", b.mass, b.x[0],
                     b.x[1], b.x[2], b.v[0], b.v[1], b.v[2]);
    const bool failed = std::ferror(file.get());
    if (std::fclose(file.release()) || failed) throw Error(path + ": cannot be written");
}

}  // namespace g6run
