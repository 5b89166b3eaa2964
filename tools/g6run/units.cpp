// SPDX-License-Identifier: MIT
#include "units.h"

#include "error.h"

#include "../common/text.h"

#include <cmath>
#include <cstdlib>

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

template <std::size_t N> std::string names(const Named (&table)[N])
{
    std::string text;
    for (const Named &n : table) text += (text.empty() ? "" : ", ") + std::string(n.name);
    return text;
}

// "10pc" or "pc" by the names of a table.
template <std::size_t N>
double size_of(const std::string &text, const char *what, const Named (&table)[N])
{
    char *end = nullptr;
    double number = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) number = 1;
    for (const Named &n : table)
        if (std::string(end) == n.name && std::isnormal(number * n.size) && number > 0)
            return number * n.size;
    throw usage_error("--units: '" + text + "' is no " + what + ": a positive number and one of " +
                      names(table));
}

}  // namespace

double Units::velocity() const
{
    return std::sqrt(kGravityCgs * mass / length);
}

double Units::time() const
{
    return length / velocity();
}

Units units_of(const std::string &text)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos)
        throw usage_error("--units '" + text + "' is no length and mass, as 1pc,1e4Msun");
    Units units;
    units.length = size_of(text.substr(0, comma), "length", kLengths);
    units.mass = size_of(text.substr(comma + 1), "mass", kMasses);
    if (!std::isnormal(units.velocity()) || !std::isnormal(units.time()))
        throw usage_error("--units " + text + ": the unit of time is beyond a double");
    return units;
}

std::string units_line(const std::string &text)
{
    const Units u = units_of(text);
    const std::size_t comma = text.find(',');
    return g6tools::text("units: length %s, mass %s, velocity %.6g km/s, time %.6g Myr",
                         text.substr(0, comma).c_str(), text.substr(comma + 1).c_str(),
                         1e-5 * u.velocity(), 1e3 * u.time() / kSecondsPerGyr);
}

}  // namespace g6run
