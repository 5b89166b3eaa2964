// SPDX-License-Identifier: MIT
// Random choices that are the same on every machine (splitmix64: Steele, Lea & Flood 2014).
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace g6fuzz {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    // In [0, 1).
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double between(double low, double high) { return low + (high - low) * uniform(); }
    // 0 ... n-1.
    int below(int n) { return static_cast<int>(bits() % static_cast<unsigned>(n)); }
    // low ... high.
    int from(int low, int high) { return low + below(high - low + 1); }
    bool chance(double p) { return uniform() < p; }
    // 10^x, x between both.
    double power(double low, double high) { return std::pow(10.0, between(low, high)); }
    template <class T> T pick(std::initializer_list<T> list)
    {
        return *(list.begin() + below(static_cast<int>(list.size())));
    }
    // Position of a weight in the list, as often as it says.
    int weighted(std::initializer_list<double> weights)
    {
        double sum = 0;
        for (double w : weights) sum += w;
        double at = uniform() * sum;
        int k = 0;
        for (double w : weights) {
            if ((at -= w) < 0) return k;
            k++;
        }
        return 0;
    }

private:
    std::uint64_t state_;
};

}  // namespace g6fuzz
