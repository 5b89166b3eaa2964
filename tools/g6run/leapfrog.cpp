// SPDX-License-Identifier: MIT
// Steps of kick, drift and kick in two loops over the bodies: one before the forces, one after
// them.
#include "leapfrog.h"

#include "schedule.h"

#include "../common/clock.h"
#include "../common/parallel.h"

#include <algorithm>

namespace g6run {
namespace {

constexpr std::size_t kPart = 1024;  // bodies that a thread takes at once

}  // namespace

Leapfrog::Leapfrog(std::unique_ptr<Field> field, std::vector<Body> bodies, double dt, double time,
                   bool resume)
    : field_(std::move(field)), bodies_(std::move(bodies)), dt_(dt), time_(time),
      count_(multiples_in(time, dt))
{
    x_.resize(bodies_.size());
    acc_.resize(bodies_.size());
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        mass_.push_back(bodies_[k].mass);
        std::copy_n(bodies_[k].x, 3, x_[k].begin());
        std::copy_n(bodies_[k].a, 3, acc_[k].begin());
    }
    if (!resume) field_->compute(x_, mass_, acc_, pot_);
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        std::copy_n(acc_[k].begin(), 3, bodies_[k].a);
        bodies_[k].t = time;
        bodies_[k].dt = dt;
    }
}

void Leapfrog::drift()
{
    const g6tools::Timed timed(predicting());
    g6tools::parallel_for(bodies_.size(), kPart, [&](std::size_t k) {
        const Body &b = bodies_[k];
        for (std::size_t d = 0; d < 3; d++) x_[k][d] = b.x[d] + dt_ * (b.v[d] + 0.5 * dt_ * b.a[d]);
    });
}

int Leapfrog::step()
{
    drift();
    field_->compute(x_, mass_, acc_, pot_);
    const g6tools::Timed timed(correcting());
    time_ = ++count_ * dt_;
    g6tools::parallel_for(bodies_.size(), kPart, [&](std::size_t k) {
        Body &b = bodies_[k];
        for (std::size_t d = 0; d < 3; d++) {
            b.x[d] = x_[k][d];
            b.v[d] += 0.5 * dt_ * (b.a[d] + acc_[k][d]);
            b.a[d] = acc_[k][d];
        }
        b.t = time_;
    });
    return static_cast<int>(bodies_.size());
}

}  // namespace g6run
