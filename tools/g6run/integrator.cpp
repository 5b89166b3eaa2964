// SPDX-License-Identifier: MIT
#include "integrator.h"

#include "error.h"

#include <algorithm>
#include <numeric>

namespace g6run {
Integrator::Integrator(Gravity &gravity, std::vector<Body> bodies, const Settings &settings,
                       double time, bool resume)
    : gravity_(gravity), bodies_(std::move(bodies)),
      settings_(settings), criterion_{settings.eta, gravity.noise(), gravity.is_tree()},
      time_(time), schedule_(settings.dt_max, settings.dt_min, time), all_(bodies_.size())
{
    std::iota(all_.begin(), all_.end(), 0);
    if (resume)
        this->resume();
    else
        start(time);
}

// Acceleration and jerk of all bodies, predicted to `time`, into block_.
void Integrator::compute_all(double time)
{
    fill_block(all_, time);
    gravity_.compute(time, static_cast<int>(bodies_.size()), block_);
}

void Integrator::start(double time)
{
    for (Body &b : bodies_) {
        b.t = time;
        for (int d = 0; d < 3; d++) b.a[d] = b.j[d] = 0;
    }
    gravity_.send(all_, bodies_);
    compute_all(time);
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        std::copy_n(block_.acc[k].begin(), 3, bodies_[k].a);
        std::copy_n(block_.jerk[k].begin(), 3, bodies_[k].j);
    }
    gravity_.send(all_, bodies_);
    // The change of the jerk over a moment gives the second derivative.  A particle for which this
    // moment is long feels a short |a|/|j| or a large change: its step comes out short in any case.
    const double moment = settings_.dt_max / 1024;
    compute_all(time + moment);
    wanted_.resize(bodies_.size());
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        double snap[3];
        for (int d = 0; d < 3; d++) snap[d] = (block_.jerk[k][d] - bodies_[k].j[d]) / moment;
        wanted_[k] = starting_step(bodies_[k], snap, settings_.eta_start);
    }
    share_wanted();
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        const int level = schedule_.level_of(wanted_[k]);
        bodies_[k].dt = schedule_.step(level);
        schedule_.insert(static_cast<int>(k), level);
    }
}

void Integrator::share_wanted()
{
    if (!settings_.shares_steps()) return;
    std::fill(wanted_.begin(), wanted_.end(), *std::min_element(wanted_.begin(), wanted_.end()));
}

// From block steps to shared ones.
void Integrator::join()
{
    double least = settings_.dt_max;
    for (const Body &b : bodies_) least = std::min(least, b.dt);
    for (Body &b : bodies_) b.dt = least;
}

// A particle may carry a longer step than dt_max allows now; when all are at one time it is cut,
// else the run must go on with the dt_max that it had.
void Integrator::resume()
{
    if (settings_.shares_steps()) join();
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        Body &b = bodies_[k];
        if (b.t == time_) b.dt = std::min(b.dt, settings_.dt_max);
        const int level = schedule_.level_of(b.dt);
        const bool on_grid = schedule_.step(level) == b.dt && is_multiple_of(b.t, b.dt);
        if (!on_grid || b.t > time_ || b.t + b.dt <= time_)
            throw Error("particle " + std::to_string(k) + ": step " + text_of(b.dt) + " from t = " +
                        text_of(b.t) + " does not fit --dt-max, --dt-min or the snapshot's time");
        schedule_.insert(static_cast<int>(k), level);
    }
    gravity_.send(all_, bodies_);
}

void Integrator::fill_block(const std::vector<int> &index, double time)
{
    const int n = static_cast<int>(index.size());
    block_.resize(index.size());
#pragma omp parallel for if (n >= kParallelFrom)
    for (int k = 0; k < n; k++) {
        const Body &b = bodies_[index[k]];
        block_.index[k] = index[k];
        predict(b, time, block_.x[k].data(), block_.v[k].data());
        std::copy_n(b.a, 3, block_.old_acc[k].begin());
    }
}

void Integrator::correct_block(const std::vector<int> &index, double time)
{
    const int n = static_cast<int>(index.size());
    wanted_.resize(index.size());
#pragma omp parallel for if (n >= kParallelFrom)
    for (int k = 0; k < n; k++)
        wanted_[k] = correct(bodies_[index[k]], time, block_.acc[k].data(), block_.jerk[k].data(),
                             criterion_);
}

void Integrator::choose_steps(const std::vector<int> &index)
{
    const int n = static_cast<int>(index.size());
    level_.resize(index.size());
#pragma omp parallel for if (n >= kParallelFrom)
    for (int k = 0; k < n; k++) {
        Body &b = bodies_[index[k]];
        level_[k] = schedule_.next_level(schedule_.level_of(b.dt), wanted_[k]);
        b.dt = schedule_.step(level_[k]);
    }
    for (std::size_t k = 0; k < index.size(); k++) schedule_.insert(index[k], level_[k]);
}

int Integrator::step()
{
    const std::vector<int> &index = schedule_.take_block();
    const double time = schedule_.time();
    fill_block(index, time);
    gravity_.compute(time, static_cast<int>(bodies_.size()), block_);
    correct_block(index, time);
    for (double wanted : wanted_) clamped_ += wanted < settings_.dt_min;
    share_wanted();
    choose_steps(index);
    gravity_.send(index, bodies_);
    time_ = time;
    return static_cast<int>(index.size());
}

// The library holds what the bodies hold, at their common time: no prediction is left to do.
const std::vector<double> &Integrator::potentials()
{
    compute_all(time_);
    return block_.pot;
}

}  // namespace g6run
