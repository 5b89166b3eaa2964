// SPDX-License-Identifier: MIT
// What a unit of length and of mass is in centimetres and grams.  G = 1 in a run, so that the units
// of velocity and time follow.  The integration does not use them: they are for the files.
#pragma once

#include <string>

namespace g6run {

// The scale that files name when none was given: most programs cannot do without one.
constexpr const char *kFreeUnits = "1pc,1Msun";
constexpr double kSecondsPerGyr = 3.15576e16;  // Julian years of 365.25 days
constexpr double kCmPerPc = 3.0856775814913673e18;
constexpr double kGravityCgs = 6.67430e-8;                    // CODATA 2018, cm^3 g^-1 s^-2
constexpr double kGramsPerMsun = 1.3271244e26 / kGravityCgs;  // GM of IAU 2015

struct Units {
    double length = 0;  // cm
    double mass = 0;    // g

    double velocity() const;  // cm/s
    double time() const;      // s
};

// From "1pc,1e4Msun"; a number that is left out is 1.  Throws a usage error.
Units units_of(const std::string &text);

// "units: length 1pc, mass 1e4Msun, velocity 6.56 km/s, time 0.149 Myr" for people.
std::string units_line(const std::string &text);

}  // namespace g6run
