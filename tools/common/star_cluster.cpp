// SPDX-License-Identifier: MIT
// Draws masses from Kroupa's mass function by inversion, replaces some bodies of a Plummer sphere
// by binaries on random Kepler orbits, and puts two spheres on an orbit.
#include "star_cluster.h"

#include <algorithm>
#include <cmath>

namespace g6tools {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kKnee = 0.5;  // Msun
constexpr double kLowSlope = 1.3, kHighSlope = 2.3;
// Makes a seed for numbers that no model of a nearby seed has.
constexpr std::uint64_t kOther = 0x5bd1e995;

// Integral of m^-slope between two masses.
double integral(double slope, double from, double to)
{
    return (std::pow(to, 1 - slope) - std::pow(from, 1 - slope)) / (1 - slope);
}

// The mass below which a given part of the stars between two masses lie.
double inverse(double slope, double from, double to, double part)
{
    const double a = std::pow(from, 1 - slope), b = std::pow(to, 1 - slope);
    return std::pow(a + part * (b - a), 1 / (1 - slope));
}

// Kepler's equation E - e sin E = anomaly, by bisection: the left side grows with E.
double eccentric_anomaly(double e, double anomaly)
{
    double low = 0, high = 2 * kPi;
    for (int halving = 0; halving < 60; halving++) {
        const double middle = 0.5 * (low + high);
        (middle - e * std::sin(middle) < anomaly ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// Two perpendicular unit vectors, in a random plane.
void random_plane(Uniform &uniform, double p[3], double q[3])
{
    random_direction(uniform, 1, p);
    double other[3];
    random_direction(uniform, 1, other);
    q[0] = p[1] * other[2] - p[2] * other[1];
    q[1] = p[2] * other[0] - p[0] * other[2];
    q[2] = p[0] * other[1] - p[1] * other[0];
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int d = 0; d < 3; d++) q[d] /= length;
}

// Moves stars a and b, which are both at their centre of mass, apart onto a random orbit.
void separate(Body &a, Body &b, double axis, Uniform &uniform)
{
    const double e = std::sqrt(uniform());
    const double anomaly = eccentric_anomaly(e, 2 * kPi * uniform());
    const double c = std::cos(anomaly), s = std::sin(anomaly), minor = std::sqrt((1 - e) * (1 + e));
    const double mass = a.mass + b.mass, speed = std::sqrt(mass / axis) / (1 - e * c);
    double p[3], q[3];
    random_plane(uniform, p, q);
    for (int d = 0; d < 3; d++) {
        const double x = axis * ((c - e) * p[d] + minor * s * q[d]);
        const double v = speed * (-s * p[d] + minor * c * q[d]);
        a.x[d] += b.mass / mass * x;
        a.v[d] += b.mass / mass * v;
        b.x[d] -= a.mass / mass * x;
        b.v[d] -= a.mass / mass * v;
    }
}

}  // namespace

Kroupa::Kroupa(double least, double most)
    : least_(least), most_(most), knee_(std::min(std::max(kKnee, least), most)),
      low_(integral(kLowSlope, least_, knee_)), high_(kKnee * integral(kHighSlope, knee_, most_)),
      mean_((integral(kLowSlope - 1, least_, knee_) +
             kKnee * integral(kHighSlope - 1, knee_, most_)) /
            (low_ + high_))
{
}

double Kroupa::operator()(Uniform &uniform) const
{
    const double at = uniform() * (low_ + high_);
    return at < low_ ? inverse(kLowSlope, least_, knee_, at / low_)
                     : inverse(kHighSlope, knee_, most_, (at - low_) / high_);
}

Stars star_cluster(const StarCluster &form, std::size_t n, std::uint64_t seed)
{
    const auto systems =
        static_cast<std::size_t>(std::lround(static_cast<double>(n) / (1 + form.binaries)));
    const std::vector<Body> places = plummer(systems, seed);
    Uniform uniform(seed ^ kOther);
    const Kroupa kroupa(form.least, form.most);
    Stars stars;
    std::vector<Body> &bodies = stars.bodies;
    const std::size_t pairs = n - systems;
    double total = 0;
    for (std::size_t k = 0; k < n; k++) {
        bodies.push_back(places[k < 2 * pairs ? k / 2 : k - pairs]);
        bodies[k].mass = form.kroupa ? kroupa(uniform) : 1;
        total += bodies[k].mass;
    }
    for (Body &b : bodies) b.mass /= total;
    for (std::size_t k = 0; k < pairs; k++) {
        const double axis = form.a_least * std::pow(form.a_most / form.a_least, uniform());
        separate(bodies[2 * k], bodies[2 * k + 1], axis, uniform);
        stars.closest = k ? std::min(stars.closest, axis) : axis;
    }
    if (form.kroupa) stars.solar_masses = total;
    centre(bodies);
    return stars;
}

std::vector<Body> two_clusters(double q, double d, double e, std::size_t n, std::uint64_t seed)
{
    const auto first = static_cast<std::size_t>(std::lround(static_cast<double>(n) / (1 + q)));
    const double mass[2] = {static_cast<double>(first) / static_cast<double>(n),
                            static_cast<double>(n - first) / static_cast<double>(n)};
    const double radius[2] = {1, std::cbrt(q)};
    const double speed = std::sqrt((1 - e) / d);
    std::vector<Body> bodies;
    for (int k : {0, 1}) {
        const double other = (k ? -1 : 1) * mass[1 - k];
        for (Body b : plummer(k ? n - first : first, k ? seed ^ kOther : seed)) {
            b.mass = 1.0 / static_cast<double>(n);
            for (double &x : b.x) x *= radius[k];
            for (double &v : b.v) v *= std::sqrt(mass[k] / radius[k]);
            b.x[0] += other * d;
            b.v[1] += other * speed;
            bodies.push_back(b);
        }
    }
    centre(bodies);
    return bodies;
}

}  // namespace g6tools
