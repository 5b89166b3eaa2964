// SPDX-License-Identifier: MIT
// Plummer spheres of stars: with a mass function, with binaries, and two of them on an orbit.
// Masses sum to 1, and G = 1.
#pragma once

#include "plummer.h"
#include "random.h"

namespace g6tools {

// Kroupa's initial mass function (2001, MNRAS 322, 231), of stars between two masses, in Msun:
//   dN/dm ~ m^-1.3 up to 0.5 Msun, m^-2.3 above
class Kroupa {
public:
    Kroupa(double least, double most);

    double operator()(Uniform &uniform) const;
    double mean() const { return mean_; }

private:
    double least_, most_, knee_;  // between the two laws
    double low_, high_;           // numbers of stars below and above the knee
    double mean_;
};

struct StarCluster {
    bool kroupa = false;  // else all masses are equal
    double least = 0.08, most = 100;
    // Part of the systems, singles and binaries, that are binaries; their semi-major axes, of which
    // the logarithm is uniform.  Eccentricities are thermal (mean 2/3), phases and planes random.
    double binaries = 0, a_least = 1e-4, a_most = 1e-2;
};

// n stars.  The centres of mass of the systems are a Plummer sphere of energy -1/4, to which
// binaries add -m1 m2 / 2a each.  The two stars of a binary follow each other, and binaries come
// first.  total: sum of the masses as drawn, in Msun; 0 without a mass function.
std::vector<Body> star_cluster(const StarCluster &form, std::size_t n, std::uint64_t seed,
                               double &total);

// Two Plummer spheres of masses 1 : q, of virial radii 1 : q^(1/3), and equal bodies, on the orbit
// of two points of eccentricity e, at its apocentre, a distance d apart.  The bodies of the first
// come first.
std::vector<Body> two_clusters(double q, double d, double e, std::size_t n, std::uint64_t seed);

}  // namespace g6tools
