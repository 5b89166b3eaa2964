// SPDX-License-Identifier: MIT
// Reads numbers in the notations of C and Fortran, splits lines into cells, and recognises the
// names of columns.
#include "text_columns.h"

#include "error.h"
#include "units.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <sstream>

namespace g6run {
namespace {

constexpr const char *kUnitMarks = "[(/";  // x[pc], x(pc) and x/pc
constexpr const char *kDigits = "0123456789";
constexpr const char *kColumns[] = {"m", "x", "y", "z", "vx", "vy", "vz"};
constexpr Dimension kDimensions[] = {
    Dimension::kMass,     Dimension::kLength,   Dimension::kLength,  Dimension::kLength,
    Dimension::kVelocity, Dimension::kVelocity, Dimension::kVelocity};
// For each column the one whose unit it must have: m, x or vx.
constexpr std::size_t kFirsts[] = {0, 1, 1, 1, 4, 4, 4};
constexpr double kSameUnit = 1e-9;  // relative: two spellings of a unit
constexpr const char *kPositions[] = {"pos",   "position",   "positions",
                                      "coord", "coordinate", "coordinates"};
constexpr const char *kVelocities[] = {"vel", "velocity", "velocities"};

// Replaces a Fortran exponent at a place by that of C: in 1d0, 1D+0, 1q0, and in 1-100, where
// Fortran leaves the letter out for want of room.
std::string with_c_exponent(const std::string &word, std::size_t at)
{
    const bool letter = std::strchr("dDqQ", word[at]);
    if (!letter && word[at] != '-' && word[at] != '+') return word;
    return word.substr(0, at) + "e" + word.substr(at + letter);
}

// The value of a word, and whether all of it was read.
bool read_number(const std::string &given, double &value)
{
    std::string word = given;
    char *end = nullptr;
    value = std::strtod(word.c_str(), &end);
    const auto read = static_cast<std::size_t>(end - word.c_str());
    if (*end && read > 0) {
        word = with_c_exponent(given, read);
        value = std::strtod(word.c_str(), &end);
    }
    // strtod() stops at a zero byte, which a crash of the machine may leave in a file, so that the
    // whole length must have been read.
    return !given.empty() && end == word.c_str() + word.size();
}

template <std::size_t N> bool is_one_of(const std::string &text, const char *const (&words)[N])
{
    return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

// What a name stands for: "x" of X, pos_x, "Position x", x1 or 2:x, "vx" of v_x, v1 or velocity_x,
// "m" of Mass, "id" of ParticleIDs.
std::string plain_name(const std::string &name)
{
    std::string text;
    for (char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    text.erase(0, std::min(text.find_first_not_of("0123456789"), text.size()));
    if (text == "mass" || text == "masses") return "m";
    if (text == "ids" || text == "particleid" || text == "particleids") return "id";
    const char last = text.empty() ? 0 : text.back();
    const bool number = last >= '1' && last <= '3';
    if (!number && (last < 'x' || last > 'z')) return text;
    const char axis = number ? static_cast<char>(last - '1' + 'x') : last;
    text.pop_back();
    if (number && text == "x") return {axis};
    if (is_one_of(text, kPositions)) return {axis};
    if (text == "v" || is_one_of(text, kVelocities)) return std::string("v") + axis;
    return text + last;
}

bool is_column(const std::string &name)
{
    return is_one_of(name, kColumns);
}

// A column that a word of a comment names, "" for none.  In prose v1 is a version.
std::string column_in_prose(const std::string &word)
{
    const std::string name = plain_name(word);
    const bool number = !word.empty() && std::isdigit(static_cast<unsigned char>(word.back()));
    return !number && is_column(name) ? name : "";
}

// The columns that a word of a comment names, as "positions".
std::string columns_in_prose(const std::string &word)
{
    const std::string name = plain_name(word);
    if (is_one_of(name, kPositions)) return "x y z";
    if (is_one_of(name, kVelocities)) return "vx vy vz";
    return name == "m" && word.size() > 1 ? name : "";
}

// The names among the words, in their order.  "" unless there are `count` names, each in one place.
std::string order_of(const std::vector<std::string> &words, std::size_t count,
                     std::string (*name_of)(const std::string &))
{
    std::vector<std::string> found;
    for (const std::string &word : words)
        if (const std::string name = name_of(word);
            !name.empty() && (found.empty() || found.back() != name))
            found.push_back(name);
    std::string text;
    for (const std::string &name : found) {
        if (std::count(found.begin(), found.end(), name) > 1) return "";
        text += (text.empty() ? "" : " ") + name;
    }
    return found.size() == count ? text : "";
}

// Whether a word below names may be a unit: not a part of a ruler, a type of data or "none".
bool may_be_unit(const std::string &word)
{
    std::string text;
    for (const char c : word)
        if (std::isalpha(static_cast<unsigned char>(c)))
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const char *const others[] = {"", "none", "float", "double", "real", "int"};
    return std::find(std::begin(others), std::end(others), text) == std::end(others);
}

// Marks units that follow a name and an underscore: x_pc and v_x_kms become x[pc] and v_x[kms],
// unless another of the names is x or vx.
void mark_units(std::vector<std::string> &names)
{
    std::vector<std::string> plain;
    for (const std::string &name : names)
        plain.push_back(plain_name(name.substr(0, name.find_first_of(kUnitMarks))));
    for (std::size_t k = 0; k < names.size(); k++)
        for (std::size_t at = names[k].find('_'); at != std::string::npos && !is_column(plain[k]);
             at = names[k].find('_', at + 1)) {
            const std::string column = plain_name(names[k].substr(0, at));
            if (!is_column(column) || std::count(plain.begin(), plain.end(), column)) continue;
            names[k] = names[k].substr(0, at) + "[" + names[k].substr(at + 1) + "]";
            break;
        }
}

// A name without a number before it: "x" for (1)x, 1:x or 1.x, "" for (1).
std::string unnumbered(const std::string &name)
{
    const std::size_t open = name[0] == '(' || name[0] == '[';
    const std::size_t end = std::min(name.find_first_not_of(kDigits, open), name.size());
    const bool closed = !open || name[end] == ')' || name[end] == ']';
    if (end == open || !closed) return name;
    return name.substr(std::min(name.find_first_not_of(")].:", end), name.size()));
}

// Joins words in brackets: those of "[km / s]" become one word, [km/s].
std::vector<std::string> closed(const std::vector<std::string> &words)
{
    std::vector<std::string> joined;
    bool open = false;
    for (const std::string &word : words) {
        if (open)
            joined.back() += word;
        else
            joined.push_back(word);
        const std::size_t bracket = joined.back().find_last_of("[](){}");
        open = bracket != std::string::npos && std::strchr("[(", joined.back()[bracket]);
    }
    return joined;
}

// The unit of [pc], (pc), /pc, /(pc) or pc.
std::string unit_in(const std::string &text)
{
    const std::size_t from = std::min(text.find_first_not_of(kUnitMarks), text.size());
    return text.substr(from, text.find_first_of("])", from) - from);
}

// The cells between separators, without white space and quotes around them.
std::vector<std::string> cells_between(const std::string &line, char separator)
{
    const std::string trimmed = std::string(kWhite) + '"';
    std::vector<std::string> words;
    std::istringstream stream(line);
    for (std::string cell; !stream.eof();) {
        std::getline(stream, cell, separator);
        const std::size_t first = cell.find_first_not_of(trimmed);
        const std::size_t last = cell.find_last_not_of(trimmed);
        words.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    return words;
}

}  // namespace

std::string quoted(const std::string &word)
{
    std::string text = word.substr(0, 24);
    for (char &c : text)
        if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
    return "'" + text + "'";
}

bool is_number(const std::string &word)
{
    double value = 0;
    return read_number(word, value);
}

double number(const std::string &word, const std::string &where)
{
    double value = 0;
    if (!read_number(word, value))
        throw Error(where + quoted(word) + " is not a number, as 0.5, 1e-3 or 1d-3 are");
    if (!std::isfinite(value)) throw Error(where + quoted(word) + " is not finite");
    return value;
}

std::vector<std::string> split(const std::string &line)
{
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::vector<std::string> cells(const std::string &line)
{
    const std::size_t mark = line.find_first_of(";,");
    if (mark == std::string::npos) return split(line);
    return cells_between(line, line.find(';') == std::string::npos ? ',' : ';');
}

std::vector<std::string> column_names(const std::vector<std::string> &cells)
{
    std::vector<std::string> names;
    for (const std::string &cell : closed(cells)) {
        const std::string name = unnumbered(cell);
        const bool unit = name[0] == '[' || name[0] == '(';
        if (unit && !names.empty())
            names.back() += name;
        else if (!name.empty() || cell.empty())
            names.push_back(name);
    }
    mark_units(names);
    return names;
}

Columns::Columns()
{
    std::iota(at_, at_ + kColumnCount, std::size_t{0});
}

std::optional<Columns> Columns::named(std::vector<std::string> names)
{
    Columns columns;
    if (!names.empty() && names.back().empty()) names.pop_back();
    columns.count_ = names.size();
    for (std::size_t k = 0; k < names.size(); k++)
        if (plain_name(names[k]) == "id") columns.id_at_ = k;
    for (std::size_t c = 0; c < kColumnCount; c++) {
        int found = 0;
        for (std::size_t k = 0; k < names.size(); k++) {
            const std::size_t unit = names[k].find_first_of(kUnitMarks);
            if (plain_name(names[k].substr(0, unit)) != kColumns[c]) continue;
            if (unit != std::string::npos) {
                columns.with_units_ = true;
                columns.unit_[c] = unit_in(names[k].substr(unit));
            }
            columns.at_[c] = k;
            found++;
        }
        if (found != 1) return std::nullopt;
    }
    return columns;
}

void Columns::take_units(const std::vector<std::string> &cells)
{
    const std::vector<std::string> words = closed(cells);
    if (words.size() != count_) return;
    std::size_t known = 0, may_be = 0, same = 0;
    for (std::size_t c = 0; c < kColumnCount; c++) {
        const std::string &word = words[at_[c]];
        known += c > 0 && size_of(unit_in(word), kDimensions[c]);
        may_be += may_be_unit(word);
        same += word == words[at_[kFirsts[c]]];
    }
    if (known < kColumnCount - 1 && (same < kColumnCount || may_be == 0)) return;
    with_units_ = true;
    for (std::size_t c = 0; c < kColumnCount; c++) unit_[c] = unit_in(words[at_[c]]);
}

std::string Columns::mixed_units() const
{
    for (std::size_t c = 0; c < kColumnCount; c++) {
        const std::size_t first = kFirsts[c];
        const auto size = size_of(unit_[c], kDimensions[c]),
                   of_first = size_of(unit_[first], kDimensions[c]);
        if (size && of_first && std::fabs(*size / *of_first - 1) > kSameUnit)
            return std::string(kColumns[first]) + " is in " + unit_[first] + ", but " +
                   kColumns[c] + " in " + unit_[c];
    }
    return "";
}

std::string Columns::units() const
{
    const std::string mass = usual_spelling(unit_[0]), length = usual_spelling(unit_[1]),
                      velocity = usual_spelling(unit_[4]);
    for (std::size_t c : {2, 3})
        if (!unit_[c].empty() && unit_[c] != unit_[1]) return "";
    for (std::size_t c : {5, 6})
        if (!unit_[c].empty() && unit_[c] != unit_[4]) return "";
    if (!size_of(length, Dimension::kLength) || !size_of(mass, Dimension::kMass) ||
        !size_of(velocity, Dimension::kVelocity))
        return "";
    return length + "," + mass + "," + velocity;
}

std::string Columns::known_units() const
{
    std::string list;
    for (const std::size_t c : {1, 0, 4}) {
        const std::string unit = usual_spelling(unit_[c]);
        if (size_of(unit, kDimensions[c])) list += (list.empty() ? "" : ",") + unit;
    }
    return list;
}

bool Columns::are_others(const std::vector<std::string> &names)
{
    int known = 0, elsewhere = 0;
    for (std::size_t k = 0; k < names.size(); k++) {
        const std::string name = plain_name(names[k].substr(0, names[k].find_first_of(kUnitMarks)));
        if (!is_column(name) && k > 0) continue;
        known += is_column(name);
        elsewhere += k >= kColumnCount || name != kColumns[k];
    }
    // A comment in words may have one to three of these names.
    return known > 3 && elsewhere > 0;
}

bool Columns::are_fewer(const std::vector<std::string> &names)
{
    return names.size() > 3 && names.size() < kColumnCount &&
           std::all_of(names.begin(), names.end(), [](const std::string &name) {
               return is_column(plain_name(name.substr(0, name.find_first_of(kUnitMarks))));
           });
}

std::string Columns::order_in(const std::vector<std::string> &cells)
{
    std::vector<std::string> words(1);
    for (const std::string &cell : cells) {
        for (const char c : cell)
            if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
                words.back() += c;
            else
                words.emplace_back();
        words.emplace_back();
    }
    const std::string text = order_of(words, kColumnCount, column_in_prose);
    return text.empty() ? order_of(words, 3, columns_in_prose) : text;
}

std::optional<std::uint64_t> Columns::id(const std::vector<std::string> &words) const
{
    if (id_at_ >= words.size()) return std::nullopt;
    const std::string &word = words[id_at_];
    errno = 0;
    char *end = nullptr;
    const std::uint64_t whole = std::strtoull(word.c_str(), &end, 10);
    double value = 0;
    if (!read_number(word, value) || !(value >= 0)) return std::nullopt;
    if (!*end && !errno) return whole;
    if (value > 0x1p53 || value != std::floor(value)) return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

std::vector<std::string> Columns::cells_of(const std::string &line) const
{
    const bool tabs = line.find('\t') != std::string::npos;
    if (!tabs || line.find_first_of(";,") != std::string::npos) return cells(line);
    std::vector<std::string> tabbed = cells_between(line, '\t');
    return tabbed.size() == count_ ? tabbed : cells(line);
}

Body Columns::body(const std::vector<std::string> &words, const std::string &where) const
{
    std::size_t count = words.size();
    if (count == count_ + 1 && words.back().empty()) count--;
    if (count != count_)
        throw Error(where + std::to_string(count) + (count == 1 ? " column" : " columns") +
                    ", expected " + std::to_string(count_) +
                    (count_ == kColumnCount ? std::string(" (") + kColumnNames + ")"
                                            : ", as the line of names has"));
    double value[kColumnCount];
    for (std::size_t c = 0; c < kColumnCount; c++)
        value[c] = number(words[at_[c]], where + "column " + std::to_string(at_[c] + 1) + " (" +
                                             kColumns[c] + "): ");
    if (value[0] < 0)
        throw Error(where + "column " + std::to_string(at_[0] + 1) + " (m): negative mass " +
                    words[at_[0]]);
    Body b;
    b.mass = value[0];
    for (int d = 0; d < 3; d++) {
        b.x[d] = value[1 + d];
        b.v[d] = value[4 + d];
    }
    return b;
}

}  // namespace g6run
