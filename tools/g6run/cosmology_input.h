// SPDX-License-Identifier: MIT
// Initial conditions of a cosmological run from Gadget-style HDF5 files, as MUSIC, monofonIC and
// N-GenIC write them: one file or several (NumFilesPerSnapshot), particles of type 1 only, masses
// in the header's MassTable or as a data set, velocities sqrt(a) u by Gadget's convention.
//
// Units are those that the files name (UnitLength_in_cm ...).  Files that name none have masses of
// 1e10 Msun/h and velocities of km/s; whether their lengths are kpc/h or Mpc/h follows from the
// mean density, which must be that of the matter.
#pragma once

#include "comoving.h"

#include <optional>
#include <string>

namespace g6run {

// What the command line says about the file.
struct InputRequest {
    std::string path;
    std::optional<Cosmology> cosmology;  // must agree with the header, or replaces a missing one
    std::optional<double> z_begin;       // for a file without Redshift and Time
    std::string sphere, centre;          // lengths as text; "" for none
};

struct CosmicInput {
    Particles particles;  // about the centre of the sphere, acc zero
    Cosmology cosmology;
    double gravity = kGravity;
    double a = 0;
    double box = 0;           // kpc/h, 0 for none
    double mean_density = 0;  // of the whole box, relative to that of matter; 0 without a box
    double radius = 0;        // of the particles, kpc/h
    double mass = 0;
};

CosmicInput read_cosmic_input(const InputRequest &request);

// kpc/h from "45Mpc", "4kpc" or "31.5Mpc/h"; a number alone is in Mpc.  Throws a usage error that
// names the option.
double comoving_length(const std::string &option, const std::string &text, double h);

}  // namespace g6run
