// SPDX-License-Identifier: MIT
// Reads softening lengths of types, and gives each particle that of its type.
#include "type_softening.h"

#include "../common/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace g6run {
namespace {

struct TypeLength {
    std::size_t type;
    std::string length;
};

// The pairs of "1=0.02,2=5pc".
std::vector<TypeLength> pairs_of(const std::string &text)
{
    std::vector<TypeLength> pairs;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        const std::string pair = text.substr(from, end - from);
        if (pair.size() < 3 || pair[0] < '0' || pair[0] > '5' || pair[1] != '=')
            throw usage_error("--eps-type " + text + ": '" + pair +
                              "' is no type from 0 to 5 with its length, as 1=0.02");
        pairs.push_back({static_cast<std::size_t>(pair[0] - '0'), pair.substr(2)});
        for (std::size_t k = 0; k + 1 < pairs.size(); k++)
            if (pairs[k].type == pairs.back().type)
                throw usage_error("--eps-type " + text + ": names type " + pair[0] + " twice");
        from = end + 1;
    }
    return pairs;
}

// The length as a number of the run's units.
double length_of(const TypeLength &pair, const std::string &text, const Units *units,
                 bool from_file)
{
    const std::string option = "--eps-type " + text;
    if (size_of(pair.length, Dimension::kLength)) {
        if (!units) throw no_units(option, from_file);
        return in_units(pair.length, Dimension::kLength, *units);
    }
    char *end = nullptr;
    double length = std::strtod(pair.length.c_str(), &end);
    if (*end == '/' && end != pair.length) {  // a fraction, as 1/256
        const char *const below = end + 1;
        length /= std::strtod(below, &end);
        if (end == below) length = -1;
    }
    if (*end || !(length >= 0) || !std::isfinite(length))
        throw usage_error(option + ": '" + pair.length +
                          "' is no length: a number from 0, a fraction, or one with one of the "
                          "units " +
                          unit_names(Dimension::kLength));
    return length;
}

}  // namespace

std::string eps_types_in(const std::string &text, const Units *units, bool from_file)
{
    if (text.empty()) return "";
    std::vector<TypeLength> pairs = pairs_of(text);
    std::sort(pairs.begin(), pairs.end(),
              [](const TypeLength &a, const TypeLength &b) { return a.type < b.type; });
    std::string plain;
    for (const TypeLength &pair : pairs)
        plain += g6tools::text("%s%zu=%.17g", plain.empty() ? "" : ",", pair.type,
                               length_of(pair, text, units, from_file));
    return plain;
}

std::array<double, 6> type_lengths(const Settings &settings)
{
    std::array<double, 6> lengths;
    lengths.fill(settings.eps);
    if (settings.eps_types.empty()) return lengths;
    for (const TypeLength &pair : pairs_of(settings.eps_types))
        lengths[pair.type] = length_of(pair, settings.eps_types, nullptr, false);
    return lengths;
}

std::vector<double> softening_lengths(const Settings &settings, const TypeCounts &types)
{
    std::vector<double> lengths;
    if (settings.eps_types.empty()) return lengths;
    const std::array<double, 6> of_type = type_lengths(settings);
    for (std::size_t type = 0; type < types.size(); type++)
        lengths.insert(lengths.end(), types[type], of_type[type]);
    return lengths;
}

double least_softening(const Settings &settings, const TypeCounts &types)
{
    const std::array<double, 6> of_type = type_lengths(settings);
    double least = HUGE_VAL;
    for (std::size_t type = 0; type < types.size(); type++)
        if (types[type] > 0) least = std::min(least, of_type[type]);
    return least < HUGE_VAL ? least : settings.eps;
}

std::string empty_types(const std::string &text, const TypeCounts &types)
{
    std::string found;
    if (text.empty()) return found;
    for (const TypeLength &pair : pairs_of(text))
        if (types[pair.type] == 0)
            found += g6tools::text("%s%zu", found.empty() ? "" : ", ", pair.type);
    return found;
}

}  // namespace g6run
