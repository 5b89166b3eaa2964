// SPDX-License-Identifier: MIT
#include "cosmology_header.h"

#include "error.h"
#include "hdf5_file.h"
#include "output_folder.h"

#include "../common/text.h"

#include <cmath>
#include <filesystem>
#include <limits>

namespace g6run {
namespace {

namespace fs = std::filesystem;

constexpr const char *kEnding = ".hdf5";
constexpr int kMostFiles = 4096;

bool ends_with(const std::string &text, const std::string &end)
{
    return text.size() >= end.size() && !text.compare(text.size() - end.size(), end.size(), end);
}

std::string part_name(const std::string &base, int part)
{
    return base + "." + std::to_string(part) + kEnding;
}

// "ics" of "ics.3.hdf5", "" for a name without a number.
std::string base_of(const std::string &path)
{
    if (!ends_with(path, kEnding)) return "";
    const std::string stem = path.substr(0, path.size() - std::string(kEnding).size());
    const std::size_t dot = stem.rfind('.');
    if (dot == std::string::npos || dot + 1 == stem.size()) return "";
    if (stem.find_first_not_of("0123456789", dot + 1) != std::string::npos) return "";
    return stem.substr(0, dot);
}

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

// Redshift and Time tell the same where a file is cosmological: Time is the scale factor.
std::optional<double> scale_factor_of(const Group &header, const std::string &path)
{
    const bool has_z = header.has_attribute("Redshift"), has_time = header.has_attribute("Time");
    const double z = number_or(header, "Redshift", 0), time = number_or(header, "Time", 0);
    if (has_z && !(z > -1 && z < 1e6))
        throw Error(path + ": Redshift " + text_of(z) + " cannot be");
    if (!has_z && !has_time) return std::nullopt;
    if (!has_z) {
        if (time > 0 && time <= 1) return time;
        throw Error(path + ": has no Redshift, and its Time " + text_of(time) +
                    " is no scale factor");
    }
    if (has_time && std::fabs(time * (1 + z) - 1) > 1e-3) {
        // Programs that leave Time at zero mean the redshift.
        if (time != 0)
            throw Error(path + ": Time " + text_of(time) + " is not the scale factor of Redshift " +
                        text_of(z) + ": not a cosmological file");
        return scale_factor(z);
    }
    return has_time ? time : scale_factor(z);
}

std::optional<Cosmology> cosmology_of(const Group &header)
{
    Cosmology c;
    c.omega_m = number_or(header, "Omega0", 0);
    c.omega_l = number_or(header, "OmegaLambda", 0);
    c.h = number_or(header, "HubbleParam", 0);
    if (!(c.omega_m > 0)) return std::nullopt;
    return c;
}

// Constants differ from program to program in the sixth digit: 1 kpc is meant.
double snapped(double value)
{
    for (double meant : {1.0, 1e3})
        if (std::fabs(value / meant - 1) < 1e-4) return meant;
    return value;
}

void read_units(const Group &file, CosmicHeader &h, const std::string &path)
{
    for (const char *name : {"Units", "Parameters", "Header"}) {
        if (!file.has_group(name)) continue;
        const Group group = file.group(name);
        if (!group.has_attribute("UnitLength_in_cm")) continue;
        h.length_unit = snapped(group.number("UnitLength_in_cm") / kCmPerKpc);
        h.mass_unit = snapped(group.number("UnitMass_in_g") / kGramsPerMass);
        h.velocity_unit = snapped(group.number("UnitVelocity_in_cm_per_s") / 1e5);
        if (!(std::isnormal(h.length_unit) && std::isnormal(h.mass_unit) &&
              std::isnormal(h.velocity_unit) && h.length_unit > 0 && h.mass_unit > 0 &&
              h.velocity_unit > 0))
            throw Error(path + ": the units in its group " + name + " cannot be");
        return;
    }
}

int files_of(const Group &header, const std::string &path)
{
    const double files = number_or(header, "NumFilesPerSnapshot", 1);
    if (!(files >= 1 && files <= kMostFiles && files == std::floor(files)))
        throw Error(path + ": NumFilesPerSnapshot " + text_of(files) + " cannot be");
    return static_cast<int>(files);
}

void read_first(const std::string &path, CosmicHeader &h)
{
    const Group file = open_part(path);
    const Group header = file.group("Header");
    count_of(header, path);
    const std::vector<double> masses =
        header.has_attribute("MassTable") ? header.numbers("MassTable") : std::vector<double>();
    h.mass = masses.size() > 1 ? masses[1] : 0;
    h.box = number_or(header, "BoxSize", 0);
    if (!(h.box >= 0) || !std::isfinite(h.box))
        throw Error(path + ": BoxSize " + text_of(h.box) + " cannot be");
    h.a = scale_factor_of(header, path);
    h.cosmology = cosmology_of(header);
    read_units(file, h, path);

    const int files = files_of(header, path);
    const std::string base = base_of(path);
    if (files > 1 && base.empty())
        throw Error(path + ": one of " + std::to_string(files) +
                    " files, which should be named NAME.0.hdf5 and so on");
    for (int k = 0; k < files; k++) h.paths.push_back(files > 1 ? part_name(base, k) : path);
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
    std::error_code error;
    const std::string first = part_name(given, 0);
    CosmicHeader h;
    read_first(!fs::exists(given, error) && fs::exists(first, error) ? first : given, h);
    double expected = 0;
    for (const std::string &path : h.paths) {
        const Group file = open_part(path);
        const Group header = file.group("Header");
        if (files_of(header, path) != static_cast<int>(h.paths.size()))
            throw Error(path + ": its NumFilesPerSnapshot is not that of " + h.paths[0]);
        const std::optional<double> a = scale_factor_of(header, path);
        if (a != h.a || number_or(header, "BoxSize", 0) != h.box)
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
