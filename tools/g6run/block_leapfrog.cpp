// SPDX-License-Identifier: MIT
// Corrects the velocities of a block, and chooses steps by softening and acceleration.
#include "block_leapfrog.h"

#include "../common/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6run {

double leap_step(const double a[3], double eps, double eta)
{
    const double strength = std::hypot(a[0], a[1], a[2]);
    return strength > 0 ? eta * std::sqrt(eps / strength) : std::numeric_limits<double>::infinity();
}

BlockLeapfrog::BlockLeapfrog(Gravity &gravity, std::vector<Body> bodies, const Settings &settings,
                             double time, bool resume)
    : BlockScheme(gravity, std::move(bodies), settings, time)
{
    if (resume) {
        this->resume();
        return;
    }
    first_forces(time);
    gravity_.send(all_, bodies_);
    for (const Body &b : bodies_) wanted_.push_back(leap_step(b.a, settings_.eps, settings_.eta));
    first_steps();
}

void BlockLeapfrog::correct_block(const std::vector<int> &index, double time)
{
    g6tools::parallel_for(index.size(), share(index.size()), [&](std::size_t k) {
        Body &b = bodies_[index[k]];
        const double h = time - b.t;
        for (std::size_t d = 0; d < 3; d++) {
            b.x[d] = block_.x[k][d];  // predicted
            b.v[d] += 0.5 * h * (b.a[d] + block_.acc[k][d]);
            b.a[d] = block_.acc[k][d];
        }
        b.t = time;
        wanted_[k] = leap_step(b.a, settings_.eps, settings_.eta);
    });
}

}  // namespace g6run
