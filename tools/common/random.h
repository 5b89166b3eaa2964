// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine, but for the last bits of random_normal(): the
// standard fixes the bits of mt19937_64 but not those of its distributions, nor of cos and log.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace g6tools {

class Uniform {
public:
    explicit Uniform(std::uint64_t seed) : bits_(seed) {}
    // A number of 53 bits in the open interval (0, 1).
    double operator()() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }

private:
    std::mt19937_64 bits_;
};

// A point in the unit circle, which stands for a direction in space (Marsaglia 1972, Ann. Math.
// Stat. 43, 645).
struct Direction {
    double u, w;
};
inline Direction random_direction(Uniform &uniform)
{
    for (;;) {
        const double u = 2 * uniform() - 1, w = 2 * uniform() - 1;
        if (u * u + w * w < 1) return {u, w};
    }
}

// Sets out to the vector of this length in a direction.
inline void point(const Direction &to, double length, double out[3])
{
    const double s = to.u * to.u + to.w * to.w, side = 2 * length * std::sqrt(1 - s);
    out[0] = to.u * side;
    out[1] = to.w * side;
    out[2] = length * (1 - 2 * s);
}
inline void random_direction(Uniform &uniform, double length, double out[3])
{
    point(random_direction(uniform), length, out);
}

// A normally distributed number of mean 0 and variance 1 (Box & Muller 1958).
inline double random_normal(Uniform &uniform)
{
    return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
}

}  // namespace g6tools
