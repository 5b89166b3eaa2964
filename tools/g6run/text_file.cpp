// SPDX-License-Identifier: MIT
#include "text_file.h"

#include "error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

namespace g6run {
namespace {

constexpr const char *kColumns[] = {"m", "x", "y", "z", "vx", "vy", "vz"};
constexpr std::size_t kColumnCount = 7;
constexpr const char *kSettingMark = "g6run";
constexpr const char *kCountName = "Particles";
constexpr const char *kColumnNames = "m x y z vx vy vz";
constexpr const char *kWhite = " \t\r\v\f";
constexpr const char *kCommentMarks = "#!%";
constexpr const char *kByteOrderMark = "\xef\xbb\xbf";

// The beginning of a word for a message: a binary file must not reach the terminal.
std::string quoted(const std::string &word)
{
    std::string text = word.substr(0, 24);
    for (char &c : text)
        if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
    return "'" + text + "'";
}

// A Fortran exponent as C writes it: 1d0, 1D+0, 1q0 and 1-100, whose letter had no room.
std::string with_c_exponent(const std::string &word, std::size_t at)
{
    const bool letter = std::strchr("dDqQ", word[at]);
    if (!letter && word[at] != '-' && word[at] != '+') return word;
    return word.substr(0, at) + "e" + word.substr(at + letter);
}

double number(const std::string &given, const std::string &where)
{
    std::string word = given;
    char *end = nullptr;
    double value = std::strtod(word.c_str(), &end);
    const auto read = static_cast<std::size_t>(end - word.c_str());
    if (*end && read > 0) {
        word = with_c_exponent(given, read);
        value = std::strtod(word.c_str(), &end);
    }
    // After a crash of the machine a file may hold zero bytes, which end a text of C.
    const bool whole = end == word.c_str() + word.size();
    if (given.empty() || !whole)
        throw Error(where + quoted(given) + " is not a number, as 0.5, 1e-3 or 1d-3 are");
    if (!std::isfinite(value)) throw Error(where + quoted(given) + " is not finite");
    return value;
}

Body body(const std::vector<std::string> &words, const std::string &where)
{
    const std::size_t count = words.size();
    if (count != kColumnCount)
        throw Error(where + std::to_string(count) + (count == 1 ? " column" : " columns") +
                    ", expected 7 (" + kColumnNames + ")");
    double value[kColumnCount];
    for (std::size_t c = 0; c < kColumnCount; c++)
        value[c] = number(words[c],
                          where + "column " + std::to_string(c + 1) + " (" + kColumns[c] + "): ");
    if (value[0] < 0) throw Error(where + "column 1 (m): negative mass " + words[0]);
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

// Cells between commas or semicolons, or words between white space.  An empty cell counts, save
// after a separator that ends the line.
std::vector<std::string> cells(const std::string &line)
{
    const std::size_t mark = line.find_first_of(";,");
    if (mark == std::string::npos) return split(line);
    const char separator = line.find(';') == std::string::npos ? ',' : ';';
    std::vector<std::string> words;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, separator);) {
        const std::size_t first = cell.find_first_not_of(kWhite);
        const std::size_t last = cell.find_last_not_of(kWhite);
        words.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    return words;
}

// The line of names that a CSV file may begin with; in another order it is refused as numbers.
bool is_head(const std::vector<std::string> &words)
{
    if (words.size() != kColumnCount || (words[0] != "m" && words[0] != "mass")) return false;
    return std::equal(words.begin() + 1, words.end(), kColumns + 1);
}

// The first line of a run's table.txt: "# g6run VERSION: N particles, ...".
bool is_head_of_table(const std::vector<std::string> &comment)
{
    return comment.size() > 3 && comment[0] == kSettingMark && comment[3] == "particles,";
}

using Texts = std::map<std::string, std::string>;

// Comments are free; only "# time T" and "# g6run NAME VALUE" mean something.
void read_comment(const std::vector<std::string> &words, const std::string &where,
                  Snapshot &snapshot, Texts &settings)
{
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

// A table that g6run wrote tells how many lines it has, and its last line has an end.
void check_whole(const Texts &texts, std::size_t count, bool ended, const std::string &path)
{
    const auto found = texts.find(kCountName);
    if (found == texts.end() || (ended && found->second == std::to_string(count))) return;
    throw Error(path + ": has " + std::to_string(count) +
                (ended ? "" : " lines, the last cut off,") + " of its " + found->second +
                " particles; if that is meant, delete its line \"# " + kSettingMark + " " +
                kCountName + "\"");
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

namespace {

Snapshot read_lines(std::istream &file, const std::string &path)
{
    Snapshot snapshot;
    Texts settings;
    bool table = false, ended = true;
    std::string line;
    for (int count = 1; std::getline(file, line); count++) {
        const std::string where = path + ":" + std::to_string(count) + ": ";
        ended = !file.eof();
        if (count == 1 && line.rfind(kByteOrderMark, 0) == 0)
            line.erase(0, std::strlen(kByteOrderMark));
        const std::size_t mark = line.find_first_of(kCommentMarks);
        if (mark != std::string::npos) {
            const std::vector<std::string> comment = split(line.substr(mark + 1));
            read_comment(comment, where, snapshot, settings);
            table |= is_head_of_table(comment);
            line.resize(mark);
        }
        if (line.find_first_not_of(kWhite) == std::string::npos) continue;
        const std::vector<std::string> words = cells(line);
        if (snapshot.bodies.empty() && is_head(words)) continue;
        if (table && words.size() != kColumnCount)
            throw Error(path + ": is the table of a run; give one of the run's snapshots");
        snapshot.bodies.push_back(body(words, where));
        snapshot.bodies.back().id = snapshot.bodies.size() - 1;
    }
    if (file.bad()) throw Error(path + ": cannot be read");
    check_whole(settings, snapshot.bodies.size(), ended, path);
    snapshot.settings = settings_of(settings, path);
    snapshot.types[kDefaultType] = snapshot.bodies.size();
    return snapshot;
}

}  // namespace

Snapshot read_text(const std::string &path)
{
    if (path == kStandardInput) return read_lines(std::cin, "standard input");
    std::ifstream file(path);
    if (!file) throw Error(path + ": cannot be opened: " + std::strerror(errno));
    return read_lines(file, path);
}

void write_text(const std::string &path, const Snapshot &snapshot)
{
    std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "wx"), std::fclose);
    if (!file) throw Error(path + ": cannot be created");
    std::fprintf(file.get(), "# time %.17g\n", snapshot.time);
    if (snapshot.held()) write_settings(file.get(), *snapshot.held());
    std::fprintf(file.get(), "# %s %s %zu\n", kSettingMark, kCountName, snapshot.bodies.size());
    std::fprintf(file.get(), "# %s\n", kColumnNames);
    for (const Body &b : snapshot.bodies)
        std::fprintf(file.get(), "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", b.mass, b.x[0],
                     b.x[1], b.x[2], b.v[0], b.v[1], b.v[2]);
    const bool failed = std::ferror(file.get());
    if (std::fclose(file.release()) || failed) throw Error(path + ": cannot be written");
}

}  // namespace g6run
