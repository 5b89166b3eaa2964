// SPDX-License-Identifier: MIT
// Reads particle counts, box, scale factor, cosmology and units from the first file, and checks
// that the other files agree with it.
#include "cosmology_header.h"

#include "error.h"
#include "output_folder.h"
#include "snapshot_parts.h"
#include "told.h"

#include "../common/text.h"

#include <cmath>

namespace g6run {
namespace {

Group open_part(const std::string &path)
{
    check_readable(path);
    if (!is_hdf5(path))
        throw Error(path + ": not an HDF5 file; --cosmology reads Gadget-style HDF5 files");
    return open_hdf5(path);
}

double number_or(const Group &group, const char *name, double fallback)
{
    return group.has_attribute(name) ? group.number(name) : fallback;
}

std::size_t count_of(const Group &header, const std::string &path)
{
    const char *const kNames[] = {"gas", "", "disk", "bulge", "stars", "boundary or black hole"};
    const std::vector<double> counts = header.numbers("NumPart_ThisFile");
    for (std::size_t type = 0; type < counts.size(); type++) {
        if (type == 1 || counts[type] == 0) continue;
        throw Error(g6tools::text("%s: holds %.0f particles of PartType%zu (%s); a cosmological "
                                  "run takes PartType1 alone",
                                  path.c_str(), counts[type], type,
                                  type < 6 ? kNames[type] : "unknown"));
    }
    if (counts.size() < 2 || !(counts[1] >= 0) || counts[1] > 1e12)
        throw Error(path + ": NumPart_ThisFile holds an impossible number of particles");
    return static_cast<std::size_t>(counts[1]);
}

// The scale factor of the file.  Its attribute for it, else Time, must agree with Redshift.  A file
// may lack one of the two, and a Time of zero counts as lacking.
std::optional<double> scale_factor_of(const Group &file, const std::string &path)
{
    const Group header = file.group("Header");
    const std::optional<double> redshift = told(file, "redshift"), a = told(file, "scale_factor");
    const bool has_time = a || header.has_attribute("Time");
    const double z = redshift.value_or(0), time = a ? *a : number_or(header, "Time", 0);
    if (redshift && !(z > -1 && z < 1e6))
        throw Error(path + ": Redshift " + text_of(z) + " is impossible");
    if (!redshift && !has_time) return std::nullopt;
    if (!redshift) {
        if (time > 0 && time <= 1) return time;
        throw Error(path + ": has no Redshift, and its Time " + text_of(time) +
                    " is no scale factor");
    }
    if (has_time && std::fabs(time * (1 + z) - 1) > 1e-3) {
        // Programs that leave Time at zero mean the redshift.
        if (time != 0)
            throw Error(path + (a ? ": its scale factor " : ": Time ") + text_of(time) +
                        " is not the scale factor of Redshift " + text_of(z) +
                        ": not a cosmological file");
        return scale_factor(z);
    }
    return has_time ? time : scale_factor(z);
}

// None where the file has no Omega0; other numbers that it lacks are NaN.
std::optional<Cosmology> cosmology_of(const Group &file, const std::string &path)
{
    Cosmology c;
    c.omega_l = told(file, "omega_lambda").value_or(NAN);
    const double w0 = told(file, "dark_energy_w0").value_or(-1);
    const double wa = told(file, "dark_energy_wa").value_or(0);
    if (c.omega_l != 0 && (w0 != -1 || wa != 0))
        throw Error(g6tools::text("%s: its dark energy has w_0 = %g and w_a = %g; a cosmological "
                                  "run has a cosmological constant, w_0 = -1 and w_a = 0",
                                  path.c_str(), w0, wa));
    c.omega_m = told(file, "omega_matter").value_or(0);
    c.h = told(file, "hubble").value_or(0);
    if (c.h == 0) c.h = NAN;
    if (!(c.omega_m > 0)) return std::nullopt;
    return c;
}

// Programs differ in the fourth digit of the constants of nature.  Units that differ so little from
// 1 kpc, 1 Mpc or 1e10 solar masses are taken as these.
double snapped(double value)
{
    for (double meant : {1.0, 1e3})
        if (std::fabs(value / meant - 1) < 1e-3) return meant;
    return value;
}

void read_units(const Group &file, CosmicHeader &h)
{
    const std::optional<FileUnits> units = told_units(file);
    if (!units) return;
    h.length_unit = snapped(units->length / kCmPerKpc);
    h.mass_unit = snapped(units->mass / kGramsPerMass);
    h.velocity_unit = snapped(units->length / units->time / 1e5);
    h.over_h = units->over_h;
}

void read_first(const std::string &path, CosmicHeader &h)
{
    const Group file = open_part(path);
    const Group header = file.group("Header");
    count_of(header, path);
    const std::vector<double> masses =
        header.has_attribute("MassTable") ? header.numbers("MassTable") : std::vector<double>();
    h.mass = masses.size() > 1 ? masses[1] : 0;
    h.box = told_box(header);
    if (!(h.box >= 0) || !std::isfinite(h.box))
        throw Error(path + ": BoxSize " + text_of(h.box) + " is impossible");
    h.a = scale_factor_of(file, path);
    h.cosmology = cosmology_of(file, path);
    read_units(file, h);
    h.paths = all_parts(path, header);
}

double total_of(const Group &header)
{
    const auto second = [&](const char *name) {
        const std::vector<double> n =
            header.has_attribute(name) ? header.numbers(name) : std::vector<double>();
        return n.size() > 1 ? n[1] : 0;
    };
    return second("NumPart_Total") + second("NumPart_Total_HighWord") * 0x1p32;
}

}  // namespace

CosmicHeader read_cosmic_header(const std::string &given)
{
    CosmicHeader h;
    read_first(first_part(given), h);
    double expected = 0;
    for (const std::string &path : h.paths) {
        const Group file = open_part(path);
        const Group header = file.group("Header");
        if (files_of(header) != static_cast<int>(h.paths.size()))
            throw Error(path + ": its NumFilesPerSnapshot is not that of " + h.paths[0]);
        const std::optional<double> a = scale_factor_of(file, path);
        if (a != h.a || told_box(header) != h.box)
            throw Error(path + ": its redshift or BoxSize is not that of " + h.paths[0]);
        h.counts.push_back(count_of(header, path));
        h.total += h.counts.back();
        expected = total_of(header);
    }
    if (expected > 0 && expected != static_cast<double>(h.total))
        throw Error(g6tools::text("%s: %zu particles in %zu files, but NumPart_Total is %.0f",
                                  h.paths[0].c_str(), h.total, h.paths.size(), expected));
    if (h.total == 0) throw Error(h.paths[0] + ": no particles");
    return h;
}

}  // namespace g6run
