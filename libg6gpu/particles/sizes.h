// SPDX-License-Identifier: MIT
// Extremes of the sizes of j-particles, by which the store sees whether the units of its last
// sample serve them.
#pragma once

#include <cmath>

namespace g6 {

struct Sizes {
    double mass = 0, speed = 0;                            // the largest
    double least_mass = HUGE_VAL, least_speed = HUGE_VAL;  // the smallest, zeros left out
    double slowest = HUGE_VAL;  // the smallest speed of a particle that has mass, 0 included
    double heavy_length = 0;    // the largest of particles with at least the mass `heavy`
    double heavy = 0;

    // |mass|, and the largest components of velocity and position of one particle.
    void add(double m, double v, double x)
    {
        if (m > mass) mass = m;
        if (v > speed) speed = v;
        if (m < least_mass && m > 0) least_mass = m;
        if (v < least_speed && v > 0) least_speed = v;
        if (v < slowest && m > 0) slowest = v;
        if (x > heavy_length && m >= heavy) heavy_length = x;
    }
    // Several particles, of which `other` has taken note with the same `heavy`.
    void add(const Sizes &other)
    {
        mass = std::fmax(mass, other.mass);
        speed = std::fmax(speed, other.speed);
        least_mass = std::fmin(least_mass, other.least_mass);
        least_speed = std::fmin(least_speed, other.least_speed);
        slowest = std::fmin(slowest, other.slowest);
        heavy_length = std::fmax(heavy_length, other.heavy_length);
    }
};

}  // namespace g6
