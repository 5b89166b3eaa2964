// SPDX-License-Identifier: MIT
// Builds the models by name.  Spherical components get radii from their mass profile and velocities
// from the Jeans equation; the galaxies join a bulge, a disk and a halo.
#include "models.h"

#include "king.h"
#include "parallel.h"
#include "random.h"
#include "star_cluster.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace g6tools {
namespace {

constexpr double kPi = 3.14159265358979323846;

// One component: its mass, and the fraction of it within a radius (a cylinder's, for the disk).
struct Component {
    double mass, last;  // last: the radius beyond which there is no mass
    std::function<double(double)> part;

    double within(double r) const { return mass * part(std::min(r, last)) / part(last); }
};

Component hernquist(double mass, double scale, double last)
{
    return {mass, last, [scale](double r) {
                const double q = r / (r + scale);
                return q * q;
            }};
}

Component nfw(double mass, double scale, double last)
{
    return {mass, last, [scale](double r) {
                const double x = r / scale;
                return std::log1p(x) - x / (1 + x);
            }};
}

Component exponential(double mass, double scale, double last)
{
    return {mass, last, [scale](double r) {
                const double x = r / scale;
                return 1 - (1 + x) * std::exp(-x);
            }};
}

// Radius that holds this fraction of the mass.
double radius_of(const Component &c, double fraction)
{
    double low = 0, high = c.last;
    for (int step = 0; step < 60; step++) {
        const double middle = 0.5 * (low + high);
        (c.within(middle) < fraction * c.mass ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// Isotropic velocity dispersion in the field of all components: rho sigma^2 = integral from r on of
// rho M(r) / r^2 dr, with rho dr = dm / (4 pi r^2), tabulated at equal fractions of the mass.
class Dispersion {
public:
    Dispersion(const Component &own, const std::vector<Component> &all)
    {
        std::vector<double> integral(kCells + 1, 0);
        for (int k = 0; k <= kCells; k++)
            radius_.push_back(radius_of(own, static_cast<double>(k) / kCells));
        for (int k = kCells - 1; k >= 0; k--) {
            const double r = 0.5 * (radius_[at(k)] + radius_[at(k) + 1]);
            double inside = 0;
            for (const Component &c : all) inside += c.within(r);
            integral[at(k)] =
                integral[at(k) + 1] + own.mass / kCells / (4 * kPi * r * r) * inside / (r * r);
        }
        for (int k = 0; k < kCells; k++) {
            const double a = radius_[at(k)], b = radius_[at(k) + 1];
            const double density = own.mass / kCells / (4 * kPi / 3 * (b * b * b - a * a * a));
            sigma_.push_back(std::sqrt(0.5 * (integral[at(k)] + integral[at(k) + 1]) / density));
        }
    }
    double operator()(double fraction) const
    {
        return sigma_[std::min(at(static_cast<int>(fraction * kCells)), at(kCells - 1))];
    }

private:
    static constexpr int kCells = 1000;
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    std::vector<double> radius_, sigma_;
};

// Makes bodies in two passes.  One thread draws all random numbers, so that a seed gives the same
// bodies with any number of threads, and stores them in each body's x and v.  Then several threads
// make positions and velocities of these numbers: a radius takes 60 steps, some 2 us.
class Builder {
public:
    Builder(std::vector<Component> all, std::uint64_t seed) : all_(std::move(all)), uniform_(seed)
    {
        for (const Component &c : all_) total_ += c.mass;
        for (Component &c : all_) c.mass /= total_;
    }

    // Bodies first ... last-1 of component k.
    void sphere(std::vector<Body> &bodies, std::size_t first, std::size_t last, std::size_t k)
    {
        const Dispersion sigma(all_[k], all_);
        for (std::size_t n = first; n < last; n++) {
            Body &b = bodies[n];
            b.x[0] = uniform_();
            const Direction to = random_direction(uniform_);
            b.x[1] = to.u, b.x[2] = to.w;
            for (double &v : b.v) v = normal();
        }
        parallel_for(last - first, kAtOnce, [&](std::size_t n) {
            Body &b = bodies[first + n];
            const double fraction = b.x[0];
            point({b.x[1], b.x[2]}, radius_of(all_[k], fraction), b.x);
            for (double &v : b.v) v *= sigma(fraction);
        });
    }

    // The density falls as sech^2(z/height) across the plane.  sigma_z follows from the disk's own
    // weight; sigma_R = 2 sigma_z; sigma_phi = sigma_R / sqrt(2), as for a flat rotation curve.
    void disk(std::vector<Body> &bodies, std::size_t first, std::size_t last, std::size_t k,
              double scale, double height)
    {
        for (std::size_t n = first; n < last; n++) {
            Body &b = bodies[n];
            for (double *number : {&b.x[0], &b.x[1]}) *number = uniform_();
            for (double *number : {&b.v[0], &b.v[1]}) *number = normal();
            b.x[2] = uniform_();
            b.v[2] = normal();
        }
        parallel_for(last - first, kAtOnce, [&](std::size_t n) {
            Body &b = bodies[first + n];
            const double r = radius_of(all_[k], b.x[0]), phi = 2 * kPi * b.x[1];
            const double surface = all_[k].mass / (2 * kPi * scale * scale) * std::exp(-r / scale);
            const double sz = std::sqrt(kPi * surface * height), sr = 2 * sz;
            double inside = 0;
            for (const Component &c : all_) inside += c.within(r);
            const double vr = sr * b.v[0],
                         vt = std::sqrt(inside / r) + sr / std::sqrt(2.0) * b.v[1];
            const double c = std::cos(phi), s = std::sin(phi);
            b.x[0] = r * c;
            b.x[1] = r * s;
            b.x[2] = height * std::atanh(2 * b.x[2] - 1);
            b.v[0] = vr * c - vt * s;
            b.v[1] = vr * s + vt * c;
            b.v[2] *= sz;
        });
    }

private:
    static constexpr std::size_t kAtOnce = 16;

    // A normal number cut at |x| < 2, since few faster bodies are bound, and scaled to variance 1
    // (the cut leaves a variance of 0.7737).
    double normal()
    {
        for (;;) {
            const double x = random_normal(uniform_);
            if (std::fabs(x) < 2) return x / std::sqrt(0.7737);
        }
    }

    std::vector<Component> all_;
    Uniform uniform_;
    double total_ = 0;
};

constexpr std::size_t kHalo = 1, kDisk = 2, kBulge = 3;

Model one_type(std::vector<Body> bodies)
{
    Model model;
    model.types[kHalo] = bodies.size();
    model.bodies = std::move(bodies);
    return model;
}

void share_mass(std::vector<Body> &bodies)
{
    for (Body &b : bodies) b.mass = 1.0 / static_cast<double>(bodies.size());
    centre(bodies);
}

Model spherical(const Component &c, std::size_t n, std::uint64_t seed)
{
    std::vector<Body> bodies(n);
    Builder({c}, seed).sphere(bodies, 0, n, 0);
    share_mass(bodies);
    return one_type(std::move(bodies));
}

Model galaxy(double bulge, double disk, double halo, std::size_t n, std::uint64_t seed)
{
    constexpr double kKpc = 1 / 5.4, kBulgeScale = 0.61 * kKpc, kHeight = 0.6 * kKpc,
                     kHaloScale = 7.63 * kKpc;
    const double all = bulge + disk + halo, count = static_cast<double>(n);
    std::vector<Body> bodies(n);
    Builder builder({hernquist(bulge, kBulgeScale, 10 * kHaloScale), exponential(disk, 1, 10),
                     nfw(halo, kHaloScale, 10 * kHaloScale)},
                    seed);
    const auto first = static_cast<std::size_t>(count * bulge / all),
               second = static_cast<std::size_t>(count * (bulge + disk) / all);
    builder.sphere(bodies, 0, first, 0);
    builder.disk(bodies, first, second, 1, 1, kHeight);
    builder.sphere(bodies, second, n, 2);
    share_mass(bodies);
    Model model;
    model.types[kHalo] = n - second;
    model.types[kDisk] = second - first;
    model.types[kBulge] = first;
    const auto at = [&](std::size_t k) { return bodies.begin() + static_cast<std::ptrdiff_t>(k); };
    model.bodies.assign(at(second), bodies.end());
    model.bodies.insert(model.bodies.end(), at(first), at(second));
    model.bodies.insert(model.bodies.end(), bodies.begin(), at(first));
    return model;
}

Model uniform(std::size_t n, std::uint64_t seed, bool ball)
{
    Uniform random(seed);
    std::vector<Body> bodies(n);
    for (Body &b : bodies) do
            for (double &x : b.x) x = 2 * random() - 1;
        while (ball && b.x[0] * b.x[0] + b.x[1] * b.x[1] + b.x[2] * b.x[2] > 1);
    share_mass(bodies);
    return one_type(std::move(bodies));
}

Model stars(ModelText &text, std::size_t n, std::uint64_t seed)
{
    StarCluster form;
    const std::string imf = text.word("imf", "");
    if (!imf.empty() && imf != "kroupa") throw ModelError("plummer: imf=" + imf + " is not kroupa");
    form.kroupa = !imf.empty();
    if (!form.kroupa && (text.has("m_min") || text.has("m_max")))
        throw ModelError("plummer: m_min and m_max go with imf=kroupa");
    form.least = text.number("m_min", form.least, 0.08, 1e3);
    form.most = text.number("m_max", form.most, 0.08, 1e3);
    if (!(form.least < form.most)) throw ModelError("plummer: m_min must be below m_max");
    form.binaries = text.number("binaries", 0, 0, 1);
    if (form.binaries == 0 && (text.has("a_min") || text.has("a_max")))
        throw ModelError("plummer: a_min and a_max go with binaries");
    form.a_least = text.number("a_min", form.a_least, 1e-12, 1);
    form.a_most = text.number("a_max", form.a_most, 1e-12, 1);
    if (!(form.a_least <= form.a_most)) throw ModelError("plummer: a_min must not be above a_max");
    text.finish("imf, m_min, m_max, binaries, a_min, a_max, scale and mass");
    if (!form.kroupa && form.binaries == 0) return one_type(plummer(n, seed));
    Stars made = star_cluster(form, n, seed);
    Model model = one_type(std::move(made.bodies));
    model.solar_masses = made.solar_masses;
    model.closest_binary = made.closest;
    if (made.solar_masses > 0)
        model.note = g6tools::text("masses of Kroupa (2001), in all %.6g Msun", made.solar_masses);
    return model;
}

Model two(ModelText &text, std::size_t n, std::uint64_t seed)
{
    const double q = text.number("q", 1, 0.001, 1), d = text.number("d", 10, 1e-3, 1e6),
                 e = text.number("e", 0.5, 0, 1);
    text.finish("q, d, e, scale and mass");
    const auto bodies = static_cast<double>(n);
    if (!(std::lround(bodies / (1 + q)) < bodies))
        throw ModelError(
            g6tools::text("two: q=%g leaves none of %zu bodies to the second sphere", q, n));
    return one_type(two_clusters(q, d, e, n, seed));
}

Model with_name(ModelText &text, std::size_t n, std::uint64_t seed)
{
    const std::string &name = text.name();
    if (name == "plummer") return stars(text, n, seed);
    if (name == "two") return two(text, n, seed);
    if (name == "king") {
        const double w0 = text.number("W0", 6, 0.1, 16);
        text.finish("W0, scale and mass");
        return one_type(King(w0).bodies(n, seed));
    }
    if (name == "hernquist" || name == "nfw") {
        const bool is_nfw = name == "nfw";
        const double c = text.number("c", is_nfw ? 10 : 50, 0.1, 1e4);
        text.finish("c, scale and mass");
        return spherical(is_nfw ? nfw(1, 1, c) : hernquist(1, 1, c), n, seed);
    }
    if (name != "sphere" && name != "cube" && name != "galaxy" && name != "m31")
        throw ModelError(name + " is not one of: " + model_names());
    text.finish("scale and mass");
    if (name == "galaxy") return galaxy(1, 2, 12, n, seed);
    if (name == "m31") return galaxy(3.24, 3.66, 81.1, n, seed);
    return uniform(n, seed, name == "sphere");
}

}  // namespace

std::string model_names()
{
    return "plummer, king, two, sphere, cube, hernquist, nfw, galaxy, m31";
}

Model make_model(const std::string &given, std::size_t n, std::uint64_t seed)
{
    ModelText text(given);
    const double scale = text.number("scale", 1, 1e-100, 1e100),
                 mass = text.number("mass", 1, 1e-100, 1e100);
    Model model = with_name(text, n, seed);
    if (scale == 1 && mass == 1) return model;
    const double speed = std::sqrt(mass / scale);
    model.closest_binary *= scale;
    for (Body &b : model.bodies) {
        b.mass *= mass;
        for (double &x : b.x) x *= scale;
        for (double &v : b.v) v *= speed;
    }
    return model;
}

}  // namespace g6tools
