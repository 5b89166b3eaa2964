// SPDX-License-Identifier: MIT
// The units of length and mass of a run, in centimetres and grams; the units of velocity and time
// follow from G = 1.  The integration does not use them: they are for files, and for numbers of the
// command line that have a unit.
#pragma once

#include "error.h"

#include <array>
#include <optional>
#include <string>

namespace g6run {

// The units that files name when none were given, because most programs need some.
constexpr const char *kFreeUnits = "1pc,1Msun";
constexpr double kSecondsPerGyr = 3.15576e16;  // Julian years of 365.25 days
constexpr double kCmPerPc = 3.0856775814913673e18;
constexpr double kGravityCgs = 6.67430e-8;                    // CODATA 2018, cm^3 g^-1 s^-2
constexpr double kGramsPerMsun = 1.3271244e26 / kGravityCgs;  // GM of IAU 2015

enum class Dimension : std::size_t { kLength, kMass, kTime, kVelocity };

struct Units {
    double length = 0;  // cm
    double mass = 0;    // g

    double velocity() const;  // cm/s
    double time() const;      // s
    double of(Dimension dimension) const;
};

// A list of units, as "1parsec,1e4 MSun", with the names that unit_names() has: "1pc,1e4Msun".
std::string usual_spelling(const std::string &list);

// The size of "10Myr" in cm, g, s or cm/s; "Myr" is 1Myr.  None for any other text.
std::optional<double> size_of(const std::string &text, Dimension dimension);

// Whether a text is a unit, with or without a number; in any case of its letters, as nobody means
// 1e-3 pc by mpc.
bool names_unit(const std::string &text, Dimension dimension);

// "10Myr" in units of a run: 67.07.
double in_units(const std::string &text, Dimension dimension, const Units &units);

// "cm, m, km, ...", for messages.
std::string unit_names(Dimension dimension);

// From "1pc,1e4Msun".  Throws a usage error.
Units units_of(const std::string &text);

// From "pc,Msun,km/s": the text of each dimension, in any order; "" where there is none.  Throws a
// usage error that names the option.
using UnitList = std::array<std::string, 4>;
UnitList unit_list(const std::string &option, const std::string &text);

// "units: length 1pc, mass 1e4Msun, velocity 6.56 km/s, time 0.149 Myr" for people.
std::string units_line(const std::string &text);

// The error for an option with a unit, as "--eps 1pc", in a run without units.  from_file: the run
// has an --input, whose numbers have units that only the user knows.
Error no_units(const std::string &option, bool from_file);

// The units of a table's numbers, in units of the run.
struct TableUnits {
    double time = 1, length = 1, energy = 1;
    std::string time_name, length_name;  // "" for the run's units
    std::string line;                    // for people; "" where the units are the run's

    // A time and a length of the run for people: "3.92 Myr", or a number in the run's units.
    std::string time_text(double time_of_run) const;
    std::string length_text(double length_of_run) const;
};
// list: "Myr,pc,Msun,km/s" or a part of it, "" for none; units: the run's, "" where it has none.
// from_file: see no_units().
TableUnits table_units(const std::string &list, const std::string &units, bool from_file = false);

}  // namespace g6run
