// SPDX-License-Identifier: MIT
// A small cosmological run of the program: its input, its options, its folder.
#pragma once

#include "g6run_universe.h"
#include "tools/g6run/cosmology_run.h"

#include <fstream>

namespace g6runtest {

struct Case {
    Folder folder;
    g6run::Options o;

    Case()
    {
        write_universe(folder / "ics.hdf5", Universe{});
        o.input = folder / "ics.hdf5";
        o.backend = "cpu";
        o.quiet = true;
        o.output = folder / "out";
        o.cosmic.cosmology = "header";
        o.cosmic.sphere = "25Mpc/h";
        o.cosmic.eps = "300kpc";
        o.cosmic.n_steps = 12;
    }
    std::string out(const std::string &name) const { return folder / ("out/" + name); }
    std::string error() const
    {
        return error_of([this] { run_cosmology(o); });
    }
};

inline std::string bytes(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace g6runtest
