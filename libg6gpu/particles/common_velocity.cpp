// SPDX-License-Identifier: MIT
// Takes the median of each component as the common velocity, and counts the particles that differ
// too much from it.
#include "common_velocity.h"

#include "../base/vec3.h"

#include <algorithm>
#include <cmath>

namespace g6 {

double largest_difference(const double v[3], const double from[3])
{
    const double d[3] = {v[0] - from[0], v[1] - from[1], v[2] - from[2]};
    return largest(d);
}

bool find_common_velocity(const std::vector<std::array<double, 3>> &velocities, double common[3])
{
    if (velocities.empty()) return false;
    std::vector<double> values(velocities.size());
    const auto median_of = [&](auto &&value) {
        std::transform(velocities.begin(), velocities.end(), values.begin(), value);
        const auto middle = values.begin() + static_cast<long>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    };
    double u[3];
    for (size_t c = 0; c < 3; c++) u[c] = median_of([&](const auto &v) { return v[c]; });
    const double typical =
        median_of([&](const auto &v) { return largest_difference(v.data(), u); });
    if (typical > 0)
        for (double &component : u)
            component -= std::remainder(component, std::ldexp(1.0, std::ilogb(typical)));
    const auto apart = std::count_if(velocities.begin(), velocities.end(), [&](const auto &v) {
        return !(4 * largest_difference(v.data(), u) < largest(u));
    });
    if (16 * static_cast<size_t>(apart) > velocities.size()) return false;
    std::copy(u, u + 3, common);
    return true;
}

}  // namespace g6
