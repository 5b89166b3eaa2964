// SPDX-License-Identifier: MIT
// Knows the names and sizes of units, and reads numbers with units and lists of units.
#include "units.h"

#include "../common/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <strings.h>
#include <vector>

namespace g6run {
namespace {

struct Named {
    const char *name;
    double size;
};
constexpr double kGramsPerMearth = 3.986004e20 / kGravityCgs;  // GM of IAU 2015

constexpr Named kLengths[] = {{"cm", 1},
                              {"m", 1e2},
                              {"km", 1e5},
                              {"Rsun", 6.957e10},
                              {"AU", 1.495978707e13},
                              {"pc", kCmPerPc},
                              {"kpc", 1e3 * kCmPerPc},
                              {"Mpc", 1e6 * kCmPerPc}};
constexpr Named kMasses[] = {
    {"g", 1}, {"kg", 1e3}, {"Mearth", kGramsPerMearth}, {"Msun", kGramsPerMsun}};

constexpr double kYear = kSecondsPerGyr / 1e9;
constexpr Named kTimes[] = {{"s", 1},
                            {"day", 86400},
                            {"yr", kYear},
                            {"kyr", 1e3 * kYear},
                            {"Myr", 1e6 * kYear},
                            {"Gyr", 1e9 * kYear}};
constexpr Named kVelocities[] = {{"cm/s", 1},
                                 {"m/s", 1e2},
                                 {"km/s", 1e5},
                                 {"AU/day", 1.495978707e13 / 86400},
                                 {"AU/yr", 1.495978707e13 / kYear},
                                 {"pc/Myr", kCmPerPc / (1e6 * kYear)}};

// As AMUSE, astropy, pynbody and others write them, without blanks.
constexpr const char *kSpellings[][2] = {
    {"MSun", "Msun"},   {"M_sun", "Msun"},    {"solMass", "Msun"},  {"Msol", "Msun"},
    {"msun", "Msun"},   {"km_s", "km/s"},     {"MEarth", "Mearth"}, {"earthMass", "Mearth"},
    {"RSun", "Rsun"},   {"R_sun", "Rsun"},    {"solRad", "Rsun"},   {"au", "AU"},
    {"parsec", "pc"},   {"kms", "km/s"},      {"kms-1", "km/s"},    {"km.s-1", "km/s"},
    {"kms^-1", "km/s"}, {"kms**-1", "km/s"},  {"km*s**-1", "km/s"}, {"AUd", "AU/day"},
    {"AU/d", "AU/day"}, {"au/day", "AU/day"}, {"au/yr", "AU/yr"},   {"parsec/Myr", "pc/Myr"}};

struct Names {
    const char *what;
    const Named *begin, *end;
};
template <std::size_t N> constexpr Names names(const char *what, const Named (&table)[N])
{
    return {what, table, table + N};
}
// In the order of Dimension.
constexpr Names kNames[] = {names("length", kLengths), names("mass", kMasses),
                            names("time", kTimes), names("velocity", kVelocities)};
constexpr Dimension kDimensions[] = {Dimension::kLength, Dimension::kMass, Dimension::kTime,
                                     Dimension::kVelocity};

const Names &names_of(Dimension dimension)
{
    return kNames[static_cast<std::size_t>(dimension)];
}

double need_size(const std::string &option, const std::string &text, Dimension dimension)
{
    if (const auto size = size_of(text, dimension); size && *size > 0) return *size;
    throw usage_error(option + ": '" + text + "' is no " + names_of(dimension).what +
                      ": a positive number and one of " + unit_names(dimension));
}

// "3.92 Myr", and "3.92 * 10Myr" for a unit with a number.
std::string with_unit(double number, const std::string &name)
{
    if (name.empty()) return text_of(number);
    const bool plain = std::isalpha(static_cast<unsigned char>(name[0]));
    return text_of(number) + (plain ? " " : " * ") + name;
}

std::vector<std::string> split(const std::string &text)
{
    std::vector<std::string> words(1);
    for (char c : text)
        if (c == ',')
            words.emplace_back();
        else
            words.back() += c;
    return words;
}

}  // namespace

std::string usual_spelling(const std::string &list)
{
    std::string text;
    for (std::string word : split(list)) {
        word.erase(std::remove(word.begin(), word.end(), ' '), word.end());
        char *name = nullptr;
        std::strtod(word.c_str(), &name);
        const auto at = static_cast<std::size_t>(name - word.c_str());
        for (const auto &[other, usual] : kSpellings)
            if (word.compare(at, std::string::npos, other) == 0)
                word.replace(at, std::string::npos, usual);
        text += "," + word;
    }
    return text.substr(1);
}

std::optional<double> size_of(const std::string &given, Dimension dimension)
{
    const std::string text = usual_spelling(given);
    char *end = nullptr;
    double number = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) number = 1;
    const Names &known = names_of(dimension);
    for (const Named *n = known.begin; n != known.end; n++) {
        const double size = number * n->size;
        if (std::string(end) == n->name && (std::isnormal(size) || number == 0)) return size;
    }
    return std::nullopt;
}

bool names_unit(const std::string &text, Dimension dimension)
{
    const char *word = text.c_str();
    if (size_of(text, dimension)) return true;
    const Names &known = names_of(dimension);
    const auto same = [word](const char *name) { return strcasecmp(word, name) == 0; };
    return std::any_of(known.begin, known.end, [&](const Named &n) { return same(n.name); }) ||
           std::any_of(std::begin(kSpellings), std::end(kSpellings), [&](const auto &spelling) {
               return same(spelling[0]) && size_of(spelling[1], dimension);
           });
}

double in_units(const std::string &text, Dimension dimension, const Units &units)
{
    return size_of(text, dimension).value_or(0) / units.of(dimension);
}

std::string unit_names(Dimension dimension)
{
    std::string text;
    const Names &known = names_of(dimension);
    for (const Named *n = known.begin; n != known.end; n++)
        text += (text.empty() ? "" : ", ") + std::string(n->name);
    return text;
}

double Units::velocity() const
{
    return std::sqrt(kGravityCgs * mass / length);
}

double Units::time() const
{
    return length / velocity();
}

double Units::of(Dimension dimension) const
{
    switch (dimension) {
    case Dimension::kLength: return length;
    case Dimension::kMass: return mass;
    case Dimension::kTime: return time();
    default: return velocity();
    }
}

Units units_of(const std::string &text)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos)
        throw usage_error("--units '" + text + "' is no length and mass, as 1pc,1e4Msun");
    Units units;
    units.length = need_size("--units", text.substr(0, comma), Dimension::kLength);
    units.mass = need_size("--units", text.substr(comma + 1), Dimension::kMass);
    if (!std::isnormal(units.velocity()) || !std::isnormal(units.time()))
        throw usage_error("--units " + text + ": the unit of time is beyond a double");
    return units;
}

UnitList unit_list(const std::string &option, const std::string &text)
{
    UnitList list;
    for (const std::string &word : split(text)) {
        const Dimension *found = nullptr;
        for (const Dimension &dimension : kDimensions)
            if (size_of(word, dimension).value_or(0) > 0) found = &dimension;
        if (!found)
            throw usage_error(option + ": '" + word +
                              "' is no unit of length, mass, time or velocity: those are " +
                              unit_names(Dimension::kLength) + "; " + unit_names(Dimension::kMass) +
                              "; " + unit_names(Dimension::kTime) + "; " +
                              unit_names(Dimension::kVelocity));
        std::string &place = list[static_cast<std::size_t>(*found)];
        if (!place.empty())
            throw usage_error(option + ": '" + place + "' and '" + word + "' are both units of " +
                              names_of(*found).what);
        place = word;
    }
    return list;
}

std::string units_line(const std::string &text)
{
    const Units u = units_of(text);
    const std::size_t comma = text.find(',');
    return g6tools::text("units: length %s, mass %s, velocity %.6g km/s, time %.6g Myr",
                         text.substr(0, comma).c_str(), text.substr(comma + 1).c_str(),
                         1e-5 * u.velocity(), 1e3 * u.time() / kSecondsPerGyr);
}

Error no_units(const std::string &option, bool from_file)
{
    const char *what =
        from_file ? "; give --input-units, as --input-units pc,Msun,km/s, which converts the input "
                    "(or --units 1pc,1e4Msun if its numbers are in these units and have G = 1)"
                  : "; give --units, as --units 1pc,1e4Msun, too";
    return usage_error(option + ": the run has no units" + what);
}

std::string TableUnits::time_text(double time_of_run) const
{
    return with_unit(time_of_run * time, time_name);
}

std::string TableUnits::length_text(double length_of_run) const
{
    return with_unit(length_of_run * length, length_name);
}

TableUnits table_units(const std::string &list, const std::string &units, bool from_file)
{
    TableUnits t;
    if (list.empty()) return t;
    if (units.empty()) throw no_units("--table-units " + list, from_file);
    const Units run = units_of(units);
    const auto [length, mass, time, velocity] = unit_list("--table-units", list);
    const auto factor = [&](const std::string &text, Dimension dimension) {
        return text.empty() ? 1 : run.of(dimension) / *size_of(text, dimension);
    };
    if (mass.empty() != velocity.empty())
        throw usage_error("--table-units " + list +
                          ": energies need both a mass and a velocity, as Msun,km/s");
    t.time = factor(time, Dimension::kTime);
    t.length = factor(length, Dimension::kLength);
    t.energy = factor(mass, Dimension::kMass) * std::pow(factor(velocity, Dimension::kVelocity), 2);
    t.time_name = time;
    t.length_name = length;
    if (!time.empty()) t.line += ", time " + time;
    if (!length.empty()) t.line += ", length " + length;
    if (!mass.empty()) t.line += ", energy " + mass + " (" + velocity + ")^2";
    t.line = "units of this table: " + t.line.substr(2);
    return t;
}

}  // namespace g6run
