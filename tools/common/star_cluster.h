// SPDX-License-Identifier: MIT
// Star clusters made of Plummer spheres: one with a mass function or binaries, or two on an orbit
// about each other.  G = 1, and the total mass is 1.
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
    double least_, most_, knee_;  // knee_: the mass between the two power laws
    double low_, high_;           // relative numbers of stars below and above the knee
    double mean_;
};

struct StarCluster {
    bool kroupa = false;              // else all masses are equal
    double least = 0.08, most = 100;  // Msun, for kroupa
    // binaries: the part of all systems (single stars and binaries) that are binaries.  Their
    // semi-major axes lie between a_least and a_most, uniform in the logarithm; eccentricities are
    // thermal (mean 2/3), phases and planes random.
    double binaries = 0, a_least = 1e-4, a_most = 1e-2;
};

struct Stars {
    std::vector<Body> bodies;
    double solar_masses = 0;  // the sum of the masses in Msun before they are divided by it; 0
                              // without kroupa
    double closest = 0;       // the smallest semi-major axis of a binary; 0 without binaries
};

// n stars.  The centres of mass of the systems are a Plummer sphere of energy -1/4; each binary
// adds the energy -m1 m2 / 2a.  Binaries come first, the two stars of each one after the other.
Stars star_cluster(const StarCluster &form, std::size_t n, std::uint64_t seed);

// Two Plummer spheres of n bodies of equal mass together.  The masses of the spheres are as 1 to q,
// their virial radii 1 and q^(1/3).  They are at the apocentre, a distance d apart, of the Kepler
// orbit with eccentricity e that two point masses would have.  The bodies of the first sphere come
// first.
std::vector<Body> two_clusters(double q, double d, double e, std::size_t n, std::uint64_t seed);

}  // namespace g6tools
