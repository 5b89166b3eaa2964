// SPDX-License-Identifier: MIT
// Ends the steps of a block, and chooses the next steps by softening and acceleration.
#include "block_leapfrog.h"

#include <cmath>
#include <limits>
#include <utility>

namespace g6run {

double leap_step(const double a[3], double eps, double eta)
{
    double strength = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    if (!(strength > 0x1p-500 && strength < 0x1p500))  // the squares may be out of range
        strength = std::hypot(a[0], a[1], a[2]);
    return strength > 0 ? eta * std::sqrt(eps / strength) : std::numeric_limits<double>::infinity();
}

BlockLeapfrog::BlockLeapfrog(Gravity &gravity, std::vector<Body> bodies, const Settings &settings,
                             double time, bool resume, std::vector<double> eps)
    : BlockScheme(gravity, std::move(bodies), settings, time), eps_(std::move(eps))
{
    if (resume) {
        this->resume();
        return;
    }
    first_forces(time);
    gravity_.send(all_, bodies_);
    for (const int k : all_) wanted_.push_back(step_of(k));
    first_steps();
}

double BlockLeapfrog::step_of(int body) const
{
    const auto k = static_cast<std::size_t>(body);
    return leap_step(bodies_[k].a, eps_.empty() ? settings_.eps : eps_[k], settings_.eta);
}

double BlockLeapfrog::correct(std::size_t k, Body &b, double time)
{
    const double h = time - b.t;
    for (std::size_t d = 0; d < 3; d++) {
        b.x[d] = block_.x[k][d];  // predicted
        b.v[d] += 0.5 * h * (b.a[d] + block_.acc[k][d]);
        b.a[d] = block_.acc[k][d];
    }
    b.t = time;
    return step_of(block_.index[k]);
}

}  // namespace g6run
