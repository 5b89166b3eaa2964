// SPDX-License-Identifier: MIT
// Reads the particles of all files, cuts the sphere out of the box if one is asked for, and
// converts lengths, masses and velocities to the units of the run.
#include "cosmology_input.h"

#include "cosmology_header.h"
#include "error.h"
#include "hdf5_file.h"

#include "../common/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace g6run {
namespace {

using g6tools::text;

constexpr double kLengthUnits[] = {1, 1e3};  // kpc/h, Mpc/h

// Largest relative difference of a full box from the mean density of matter: programs differ in
// constants of nature.  A sphere may be a void or a supercluster: kSphereFactor is the largest
// ratio of its density to the mean, and 1 / kSphereFactor the least.
constexpr double kBoxTolerance = 0.01;
constexpr double kSphereFactor = 4;

Cosmology checked(const Cosmology &c)
{
    const bool good =
        c.omega_m > 0 && c.omega_m <= 10 && std::fabs(c.omega_l) <= 10 && c.h > 0.1 && c.h < 10;
    if (good) return c;
    throw usage_error(text("Omega_m %g, Omega_Lambda %g, h %g are no cosmology that can be run",
                           c.omega_m, c.omega_l, c.h));
}

// NaN, a number that the file lacks, agrees with all numbers.
bool agree(const Cosmology &a, const Cosmology &b)
{
    const auto near = [](double x, double y) { return !(std::fabs(x - y) >= 1e-4); };
    return near(a.omega_m, b.omega_m) && near(a.omega_l, b.omega_l) && near(a.h, b.h);
}

Cosmology choose_cosmology(const CosmicHeader &h, const InputRequest &r)
{
    const std::string &path = h.paths[0];
    if (!h.cosmology && !r.cosmology)
        throw Error(path + ": has no Omega0: give --cosmology Om,OL,h");
    if (!h.cosmology) return checked(*r.cosmology);
    if (!r.cosmology) {
        for (const auto &[value, name] : {std::pair(h.cosmology->omega_l, "OmegaLambda"),
                                          std::pair(h.cosmology->h, "HubbleParam")})
            if (std::isnan(value))
                throw Error(path + ": has no " + name + ": give --cosmology Om,OL,h");
        return checked(*h.cosmology);
    }
    const auto number = [](double x) { return std::isnan(x) ? std::string("none") : text_of(x); };
    if (!agree(*h.cosmology, *r.cosmology))
        throw usage_error(text("--cosmology %g,%g,%g is not that of %s: %s,%s,%s",
                               r.cosmology->omega_m, r.cosmology->omega_l, r.cosmology->h,
                               path.c_str(), number(h.cosmology->omega_m).c_str(),
                               number(h.cosmology->omega_l).c_str(),
                               number(h.cosmology->h).c_str()));
    return checked(*r.cosmology);
}

double choose_begin(const CosmicHeader &h, const InputRequest &r)
{
    if (!h.a && !r.z_begin)
        throw Error(h.paths[0] + ": has neither Redshift nor Time: give --z-begin");
    if (h.a && r.z_begin && std::fabs(*h.a * (1 + *r.z_begin) - 1) > 1e-4)
        throw usage_error(text("--z-begin %g: %s is at z = %g, and so are its velocities",
                               *r.z_begin, h.paths[0].c_str(), redshift(*h.a)));
    return h.a ? *h.a : scale_factor(*r.z_begin);
}

// Masses of all particles, in units of the run.
std::vector<std::vector<double>> read_masses(const CosmicHeader &h)
{
    std::vector<std::vector<double>> masses;
    for (std::size_t k = 0; k < h.paths.size(); k++) {
        if (h.mass > 0 || h.counts[k] == 0) {
            masses.emplace_back(h.counts[k], h.mass * h.mass_unit);
            continue;
        }
        const Group group = open_hdf5(h.paths[k]).group("PartType1");
        if (!group.has_data("Masses"))
            throw Error(h.paths[k] + ": neither MassTable nor Masses has the particles' masses");
        masses.push_back(group.read("Masses", h.counts[k], 1));
        for (double &m : masses.back()) m *= h.mass_unit;
    }
    return masses;
}

double sum_of(const std::vector<std::vector<double>> &parts)
{
    long double sum = 0;
    for (const std::vector<double> &part : parts)
        for (double m : part) sum += m;
    return static_cast<double>(sum);
}

// The unit of length for which a mass in a volume comes nearest to a density.
double nearest_unit(const CosmicHeader &h, double mass, double volume, double density)
{
    if (h.length_unit > 0) return h.length_unit;
    const auto off = [&](double unit) {
        return std::fabs(std::log(mass / (volume * unit * unit * unit) / density));
    };
    return off(kLengthUnits[0]) < off(kLengthUnits[1]) ? kLengthUnits[0] : kLengthUnits[1];
}

struct Cut {
    bool asked = false;
    double radius = 0;
    Vector centre{};
    double box = 0;  // periodic, or 0
};

std::vector<std::string> fields_of(const std::string &list)
{
    std::vector<std::string> fields;
    std::istringstream stream(list);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    return fields;
}

Cut make_cut(const InputRequest &r, const CosmicInput &in)
{
    Cut cut;
    for (double &c : cut.centre) c = in.box / 2;
    if (!r.centre.empty()) {
        const std::vector<std::string> fields = fields_of(r.centre);
        if (fields.size() != 3)
            throw usage_error("--sphere-centre " + r.centre +
                              ": three lengths, as 10Mpc,20Mpc,5Mpc");
        for (std::size_t d = 0; d < 3; d++)
            cut.centre[d] = comoving_length("--sphere-centre", fields[d], in.cosmology.h);
    }
    if (r.sphere.empty()) return cut;
    cut.asked = true;
    cut.radius = comoving_length("--sphere", r.sphere, in.cosmology.h);
    if (in.mean_density > 0) cut.box = in.box;
    if (!(cut.radius > 0)) throw usage_error("--sphere must be positive, not " + r.sphere);
    if (cut.box > 0 && cut.radius > cut.box / 2)
        throw usage_error(
            text("--sphere %s: its diameter of %.6g Mpc/h is more than the box's side "
                 "of %.6g Mpc/h",
                 r.sphere.c_str(), 2e-3 * cut.radius, 1e-3 * cut.box));
    return cut;
}

// Sets x to the position relative to the centre of the cut; in a periodic box, of the nearest
// image.  Returns whether the particle is inside the cut.
bool place(const double *from, double unit, const Cut &cut, Vector &x)
{
    double r2 = 0;
    for (std::size_t d = 0; d < 3; d++) {
        x[d] = from[d] * unit - cut.centre[d];
        if (cut.box > 0) x[d] -= cut.box * std::nearbyint(x[d] / cut.box);
        r2 += x[d] * x[d];
    }
    return !cut.asked || r2 <= cut.radius * cut.radius;
}

void check_coordinates(const std::vector<double> &x, double box, const std::string &path)
{
    for (std::size_t k = 0; k < x.size(); k++) {
        const bool finite = std::isfinite(x[k]);
        // Displacements move particles out of the box, and some programs leave them there.
        if (finite && (box == 0 || (x[k] >= -box && x[k] <= 2 * box))) continue;
        throw Error(text("%s: particle %zu: ", path.c_str(), k / 3 + 1) +
                    (finite ? "lies outside of the box, at " + text_of(x[k])
                            : std::string("position is not finite")));
    }
}

// Appends the particles of one file that are inside the cut.
void read_part(const CosmicHeader &h, std::size_t part, double unit, const Cut &cut,
               const std::vector<double> &masses, double momentum, std::size_t first_id,
               Particles &p)
{
    const std::size_t n = h.counts[part];
    if (n == 0) return;
    const std::string &path = h.paths[part];
    const Group group = open_hdf5(path).group("PartType1");
    const std::vector<double> x = group.read("Coordinates", n, 3);
    check_coordinates(x, h.box, path);
    std::vector<std::size_t> kept;
    Vector at;
    for (std::size_t k = 0; k < n; k++)
        if (place(&x[3 * k], unit, cut, at)) kept.push_back(k);
    if (p.size() + kept.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw Error(path + ": more particles than the library counts; take a smaller --sphere");
    const std::vector<double> v = group.read("Velocities", n, 3);
    const bool named = group.has_data("ParticleIDs");
    const std::vector<std::uint64_t> ids =
        named ? group.read_ids("ParticleIDs", n) : std::vector<std::uint64_t>();

    const std::size_t first = p.size();
    p.resize(first + kept.size());
    for (std::size_t k = 0; k < kept.size(); k++) {
        const std::size_t from = kept[k], to = first + k;
        place(&x[3 * from], unit, cut, p.x[to]);
        for (std::size_t d = 0; d < 3; d++) p.p[to][d] = momentum * v[3 * from + d];
        p.mass[to] = masses[from];
        p.id[to] = named ? ids[from] : first_id + from;
        const double sum = p.p[to][0] + p.p[to][1] + p.p[to][2];
        if (!std::isfinite(sum) || !(p.mass[to] > 0) || !std::isfinite(p.mass[to]))
            throw Error(text("%s: particle %zu: ", path.c_str(), from + 1) +
                        (std::isfinite(sum) ? "mass is not positive" : "velocity is not finite"));
    }
}

std::string wrong_units(const std::string &path, double ratio, double unit)
{
    return text("%s: its mean density is %.3g times that of matter for lengths in %s and masses in "
                "1e10 Msun/h: units or Omega0 are wrong",
                path.c_str(), ratio,
                unit == 1     ? "kpc/h"
                : unit == 1e3 ? "Mpc/h"
                              : "its units");
}

// The unit of length, if the particles fill the box with the mean density of matter; else 0.
double unit_of_box(const CosmicHeader &h, const InputRequest &r, double mass, CosmicInput &in)
{
    if (h.box == 0) return 0;
    const double mean = in.cosmology.mean_density(), volume = h.box * h.box * h.box;
    const double unit = nearest_unit(h, mass, volume, mean);
    const double ratio = mass / (volume * unit * unit * unit) / mean;
    if (std::fabs(ratio - 1) > kBoxTolerance) {
        if (!r.sphere.empty() && (h.length_unit == 0 || ratio > 1))
            throw Error(wrong_units(h.paths[0], ratio, unit));
        return 0;
    }
    if (r.sphere.empty())
        throw usage_error(h.paths[0] +
                          ": fills a periodic box; give --sphere R, as --sphere 45Mpc, "
                          "to cut a sphere out of it");
    in.mean_density = ratio;
    // Programs that make boxes differ in the constants of nature.  This G gives the particles of
    // the box the mean density of the background.
    in.gravity = kGravity / ratio;
    return unit;
}

// Refuses a sphere of 1 / kSphereFactor of the mean density or less that is cut out of a file
// that is no full box.  Most of it probably lies outside of the particles: without BoxSize its
// middle is the origin, which need not be the middle of the particles.
void check_cut(const CosmicHeader &h, const Cut &cut, const CosmicInput &in)
{
    if (!cut.asked || in.mean_density > 0) return;
    const double volume = 4 * M_PI / 3 * cut.radius * cut.radius * cut.radius;
    const double ratio = in.mass / volume / in.cosmology.mean_density();
    if (ratio > 1 / kSphereFactor) return;
    throw Error(
        text("%s: the sphere about %.6g,%.6g,%.6g Mpc/h has %.3g times the mean density of "
             "matter, as if most of it lay outside of the particles: give a --sphere-centre "
             "in their middle, or a smaller --sphere",
             h.paths[0].c_str(), 1e-3 * cut.centre[0], 1e-3 * cut.centre[1], 1e-3 * cut.centre[2],
             ratio));
}

double farthest(const Particles &p)
{
    double r2 = 0;
    for (const Vector &x : p.x) r2 = std::max(r2, x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    return std::sqrt(r2);
}

// Checks the unit of length of a sphere that was not cut out of a full box, or finds it.
void scale_sphere(const CosmicHeader &h, CosmicInput &in)
{
    const double raw = farthest(in.particles), mean = in.cosmology.mean_density();
    const double volume = 4 * M_PI / 3 * raw * raw * raw;
    const bool told = h.length_unit > 0;
    const double unit = told ? 1 : nearest_unit(h, in.mass, volume, mean);
    const double ratio = in.mass / (volume * unit * unit * unit) / mean;
    if (!(ratio < kSphereFactor && ratio > 1 / kSphereFactor))
        throw Error(wrong_units(h.paths[0], ratio, told ? h.length_unit : unit));
    for (Vector &x : in.particles.x)
        for (double &c : x) c *= unit;
    in.box *= unit;
}

}  // namespace

double comoving_length(const std::string &option, const std::string &given, double h)
{
    char *end = nullptr;
    const double number = std::strtod(given.c_str(), &end);
    const std::string unit = end;
    const bool read = end != given.c_str() && std::isfinite(number);
    if (read && (unit.empty() || unit == "Mpc")) return number * 1e3 * h;
    if (read && unit == "kpc") return number * h;
    if (read && unit == "Mpc/h") return number * 1e3;
    if (read && unit == "kpc/h") return number;
    throw usage_error(option + ": '" + given + "' is no length, as 45Mpc, 4kpc, 30Mpc/h or 3kpc/h");
}

CosmicInput read_cosmic_input(const InputRequest &r)
{
    CosmicHeader h = read_cosmic_header(r.path);
    CosmicInput in;
    in.cosmology = choose_cosmology(h, r);
    in.a = choose_begin(h, r);
    if (!h.over_h) {
        h.length_unit *= in.cosmology.h;
        h.mass_unit *= in.cosmology.h;
        h.velocity_unit /= std::sqrt(in.a);
    }
    const std::vector<std::vector<double>> masses = read_masses(h);
    const double all = sum_of(masses);
    if (!(all > 0) || !std::isfinite(all)) throw Error(h.paths[0] + ": the masses sum to nothing");
    const double boxed = unit_of_box(h, r, all, in);
    if (boxed == 0 && !r.sphere.empty() && h.length_unit == 0)
        throw Error(h.paths[0] + ": names no unit of length, and has no full box from which it "
                                 "would follow: --sphere cannot be cut out");
    const double unit = boxed > 0 ? boxed : h.length_unit > 0 ? h.length_unit : 1;
    in.box = h.box * unit;
    const Cut cut = make_cut(r, in);
    // p = a v, where v = sqrt(a) u is the peculiar velocity and u the file's number.
    const double momentum = in.a * std::sqrt(in.a) * h.velocity_unit;
    std::size_t first_id = 0;
    for (std::size_t k = 0; k < h.paths.size(); k++) {
        read_part(h, k, unit, cut, masses[k], momentum, first_id, in.particles);
        first_id += h.counts[k];
    }
    if (in.particles.size() < 2)
        throw Error(
            text("%s: %zu particles in the sphere", h.paths[0].c_str(), in.particles.size()));
    in.mass = sum_of({in.particles.mass});
    check_cut(h, cut, in);
    if (!cut.asked) scale_sphere(h, in);
    in.radius = cut.asked ? cut.radius : farthest(in.particles);
    return in;
}

}  // namespace g6run
