// SPDX-License-Identifier: MIT
// Initial conditions of cosmological runs as Gadget's relatives write them, right or damaged.
#pragma once

#include "g6run_systems.h"
#include "tools/g6run/comoving.h"
#include "tools/g6run/hdf5_file.h"

#include <functional>

namespace g6runtest {

using g6run::Cosmology;
using g6run::Group;
using g6run::Vector;

// A periodic box: a lattice of `side`^3 particles of mean density, moved by a wave.
struct Universe {
    Cosmology cosmology{0.3, 0.7, 0.7};
    int side = 12;
    double box = 50;         // in units of the file
    double unit = 1e3;       // of length, in kpc/h
    double mass_factor = 1;  // off the mean density
    double z = 49;
    double amplitude = 0.1;  // of the displacement, in lattice steps
    bool mass_block = false;
    bool ids = true;
    bool no_box = false;      // in the header
    double speed_factor = 1;  // of the numbers in the file

    std::size_t size() const { return static_cast<std::size_t>(side) * side * side; }
    double mass() const
    {
        const double edge = box * unit;
        return mass_factor * cosmology.mean_density() * edge * edge * edge /
               static_cast<double>(size());
    }
    Vector x(std::size_t k) const
    {
        const auto n = static_cast<std::size_t>(side);
        const double step = box / side;
        const Vector at{(static_cast<double>(k / n / n) + 0.5) * step,
                        (static_cast<double>(k / n % n) + 0.5) * step,
                        (static_cast<double>(k % n) + 0.5) * step};
        Vector moved = at;
        for (std::size_t d = 0; d < 3; d++)
            moved[d] += amplitude * step * std::sin(2 * M_PI * at[(d + 1) % 3] / box);
        return moved;
    }
    // From the middle of the box, in kpc/h.
    Vector from_middle(std::size_t k) const
    {
        Vector at = x(k);
        for (double &c : at) c = (c - box / 2) * unit;
        return at;
    }
    // Gadget's u = v / sqrt(a), km/s: any numbers that can be told apart.
    Vector u(std::size_t k) const
    {
        return {speed_factor * (0.5 + static_cast<double>(k % 7)),
                -speed_factor * static_cast<double>(k % 5), speed_factor * 1e-3};
    }
};

inline double square(const Vector &x)
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

using Change = std::function<void(Group &header)>;

// One file with the particles first ... end-1.  change: of the header.
inline void write_part(const std::string &path, const Universe &u, std::size_t first,
                       std::size_t end, int files, const Change &change)
{
    Group file = g6run::create_hdf5(path);
    Group header = file.create_group("Header");
    const auto count = static_cast<std::uint32_t>(end - first);
    header.put("NumPart_ThisFile", std::array<std::uint32_t, 6>{0, count, 0, 0, 0, 0});
    header.put("NumPart_Total",
               std::array<std::uint32_t, 6>{0, static_cast<std::uint32_t>(u.size()), 0, 0, 0, 0});
    header.put("MassTable", std::array<double, 6>{0, u.mass_block ? 0 : u.mass(), 0, 0, 0, 0});
    header.put("NumFilesPerSnapshot", files);
    if (!u.no_box) header.put("BoxSize", u.box);
    if (change)
        change(header);
    else {
        header.put("Time", 1 / (1 + u.z));
        header.put("Redshift", u.z);
        header.put("Omega0", u.cosmology.omega_m);
        header.put("OmegaLambda", u.cosmology.omega_l);
        header.put("HubbleParam", u.cosmology.h);
    }
    Group group = file.create_group("PartType1");
    std::vector<Vector> x, v;
    std::vector<std::uint64_t> ids;
    for (std::size_t k = first; k < end; k++) {
        x.push_back(u.x(k));
        v.push_back(u.u(k));
        ids.push_back(1000 + k);
    }
    group.write("Coordinates", x);
    group.write("Velocities", v);
    if (u.ids) group.write("ParticleIDs", ids);
    if (u.mass_block) group.write("Masses", std::vector<double>(end - first, u.mass()), 1);
}

inline void write_universe(const std::string &path, const Universe &u, const Change &change = {})
{
    write_part(path, u, 0, u.size(), 1, change);
}

// NAME.0.hdf5 ..., of unequal sizes.
inline void write_parts(const std::string &name, const Universe &u, int files)
{
    const std::size_t n = u.size();
    for (int k = 0; k < files; k++) {
        const std::size_t first =
            n * static_cast<std::size_t>(k * k) / static_cast<std::size_t>(files * files);
        const std::size_t end = n * static_cast<std::size_t>((k + 1) * (k + 1)) /
                                static_cast<std::size_t>(files * files);
        write_part(name + "." + std::to_string(k) + ".hdf5", u, first, end, files, {});
    }
}

}  // namespace g6runtest
