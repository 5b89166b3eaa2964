// SPDX-License-Identifier: MIT
// The headers of the files of one cosmological snapshot, checked against each other.
#pragma once

#include "cosmology.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace g6run {

struct CosmicHeader {
    std::vector<std::string> paths;   // of the files, in order
    std::vector<std::size_t> counts;  // particles of each file
    std::size_t total = 0;
    double mass = 0;  // of each particle; 0: a data set has them
    double box = 0;   // in units of the file
    std::optional<double> a;
    std::optional<Cosmology> cosmology;  // none: no Omega0; NaN: a number that the file lacks
    // The file's units in units of cosmology.h; length_unit 0: the file names none.
    double length_unit = 0, mass_unit = 1, velocity_unit = 1;
    bool over_h = true;  // see FileUnits; false: kpc for kpc/h, v for v / sqrt(a)
};

// Throws for files with other particles than those of type 1, for missing or damaged files, and for
// headers that disagree.
CosmicHeader read_cosmic_header(const std::string &path);

}  // namespace g6run
