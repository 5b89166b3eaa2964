// SPDX-License-Identifier: MIT
// Softening lengths of the particle types, as "1=0.02,2=0.005".  The length of a type is the
// softening of a pair of its particles.  A pair of particles i and j of two types has
//     eps_ij^2 = (eps_i^2 + eps_j^2) / 2.
// A type that is not named has the length --eps.
#pragma once

#include "body.h"
#include "units.h"

#include <array>
#include <string>
#include <vector>

namespace g6run {

// The text with plain numbers for lengths with a unit.  Throws a usage error.  units: null, the run
// has none; from_file: see no_units().
std::string eps_types_in(const std::string &text, const Units *units, bool from_file);

// The length of each type.
std::array<double, 6> type_lengths(const Settings &settings);

// The length of each particle, in the order of the types; empty where --eps serves all.
std::vector<double> softening_lengths(const Settings &settings, const TypeCounts &types);

// The smallest length of a particle.
double least_softening(const Settings &settings, const TypeCounts &types);

// The types that the text names and that have no particles, as "4, 5"; "" for none.
std::string empty_types(const std::string &text, const TypeCounts &types);

}  // namespace g6run
