// SPDX-License-Identifier: MIT
// The largest |mass|, speed and coordinate of some particles.  The units of a block are chosen so
// that these values fit them.
#pragma once

namespace g6 {

struct Sizes {
    double mass = 0, speed = 0, length = 0;

    // |mass|, and the largest components of velocity and position of one particle.
    void add(double m, double v, double x)
    {
        if (m > mass) mass = m;
        if (v > speed) speed = v;
        if (x > length) length = x;
    }
    void add(const Sizes &other) { add(other.mass, other.speed, other.length); }
};

}  // namespace g6
