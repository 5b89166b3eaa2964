// SPDX-License-Identifier: MIT
// Looks up the attributes by which programs name units, gravity and expansion, and computes the
// constant of gravity from the units.
#include "told.h"

#include "error.h"
#include "units.h"

#include "../common/text.h"

#include <cmath>

namespace g6run {
namespace {

struct Name {
    const char *quantity, *group, *attribute;
};
#define G6_NAME(quantity, group, attribute) {#quantity, group, attribute},
constexpr Name kNames[] = {
#include "../common/snapshot_names.inc"
};
#undef G6_NAME

// Programs differ in the fourth digit of the constants of nature; a larger difference is a mistake.
constexpr double kTolerance = 1e-3;

double number(const Group &file, const Name &name)
{
    const double value = file.group(name.group).number(name.attribute);
    if (std::isfinite(value)) return value;
    throw Error(file.where() + name.group + "/" + name.attribute + " is not finite");
}

bool has(const Group &file, const Name &name)
{
    return file.has_group(name.group) && file.group(name.group).has_attribute(name.attribute);
}

// The size of a unit; 0 where the file does not name it.  All groups that name it must agree.
double size_of(const Group &file, const std::string &quantity)
{
    double size = 0;
    for (const Name &name : kNames) {
        if (name.quantity != quantity || !has(file, name)) continue;
        const double value = number(file, name);
        if (!(std::isnormal(value) && value > 0))
            throw Error(file.where() + name.group + "/" + name.attribute + " " + text_of(value) +
                        " is no unit");
        if (size > 0 && std::fabs(value / size - 1) > kTolerance)
            throw Error(file.where() + name.group + "/" + name.attribute + " is " + text_of(value) +
                        ", but another group has " + text_of(size) + ": delete the wrong one");
        if (size == 0) size = value;
    }
    return size;
}

}  // namespace

std::optional<double> told(const Group &file, const std::string &quantity)
{
    std::optional<double> value;
    for (const Name &name : kNames)
        if (name.quantity == quantity && !value.value_or(0) && has(file, name))
            value = number(file, name);
    return value;
}

std::optional<FileUnits> told_units(const Group &file)
{
    FileUnits units;
    units.length = size_of(file, "length_over_h");
    units.mass = size_of(file, "mass_over_h");
    const double velocity = size_of(file, "velocity");
    if (units.length > 0 && velocity > 0) units.time = units.length / velocity;
    if (units.length == 0 && units.mass == 0 && velocity == 0) {
        units = {size_of(file, "length"), size_of(file, "mass"), size_of(file, "time"), false};
        if (units.length == 0 && units.mass == 0 && units.time == 0) return std::nullopt;
    }
    if (units.length > 0 && units.mass > 0 && std::isnormal(units.time)) return units;
    throw Error(file.path() + ": names some of its units, but not those of length, mass and " +
                (units.over_h ? "velocity" : "time") + " that its gravity follows from");
}

std::string told_unit_list(const Group &file)
{
    if (told(file, "gravity").value_or(0) != 0) return "";
    const std::optional<FileUnits> u = told_units(file);
    if (!u) return "";
    const double h = told(file, "hubble").value_or(0);
    if (u->over_h && h != 0 && h != 1) return "";
    const auto near = [](double x, double y) { return std::fabs(x / y - 1) < kTolerance; };
    const Units free = units_of(kFreeUnits);
    if (near(u->length, free.length) && near(u->mass, free.mass) && near(u->time, free.time()))
        return "";
    return g6tools::text("%.6gcm,%.6gg,%.6gcm/s", u->length, u->mass, u->length / u->time);
}

std::optional<double> told_gravity(const Group &file)
{
    double gravity = told(file, "gravity").value_or(0);
    if (gravity == 0) {
        const std::optional<FileUnits> u = told_units(file);
        if (!u) return std::nullopt;
        const double natural = told(file, "gravity_cgs").value_or(kGravityCgs);
        const double speed = u->length / u->time;
        gravity = natural * u->mass / (u->length * speed * speed);
    }
    if (std::isnormal(gravity) && gravity > 0) return gravity;
    throw Error(file.path() + ": has a constant of gravity of " + text_of(gravity) +
                ", which cannot be");
}

std::optional<double> told_expansion(const Group &file)
{
    const std::optional<double> flag = told(file, "expands");
    if (flag && *flag == 0) return std::nullopt;
    const Group header = file.group("Header");
    const double time = header.has_attribute("Time") ? header.number("Time") : 0;
    if (const auto a = told(file, "scale_factor"); a && flag) return a;
    const double z = told(file, "redshift").value_or(0);
    if (flag) return z != 0 ? 1 / (1 + z) : time;
    const bool agree = std::fabs(time * (1 + z) - 1) < 1e-3;
    if (agree && (z != 0 || told(file, "omega_matter").value_or(0) > 0)) return time;
    return std::nullopt;
}

double told_box(const Group &header)
{
    if (!header.has_attribute("BoxSize")) return 0;
    const std::vector<double> sides = header.numbers("BoxSize");
    if (sides.empty()) return 0;
    for (double side : sides)
        if (side != sides[0])
            throw Error(header.where() + "BoxSize: the sides of the box are not equal");
    return sides[0];
}

}  // namespace g6run
