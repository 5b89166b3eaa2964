// SPDX-License-Identifier: MIT
// Chooses the first steps of a run, and makes block steps: each predicts the bodies of a block,
// computes their forces, corrects their orbits, chooses their next steps and sends them to the
// library.
#include "integrator.h"

#include "error.h"

#include "../common/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace g6run {
namespace {

double mass_of(const std::vector<Body> &bodies)
{
    long double sum = 0;
    for (const Body &b : bodies) sum += b.mass;
    return static_cast<double>(sum);
}

}  // namespace

Integrator::Integrator(Gravity &gravity, std::vector<Body> bodies, const Settings &settings,
                       double time, bool resume)
    : gravity_(gravity), bodies_(std::move(bodies)),
      settings_(settings), criterion_{settings.eta, gravity.noise(), gravity.is_tree(),
                                      mass_of(bodies_)},
      begin_(time), time_(time), schedule_(settings.dt_max, settings.dt_min, time),
      all_(bodies_.size())
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
    // A criterion that opens cells by the accelerations of the previous step has none in the first
    // walk.  A second walk computes the forces by the criterion of all later steps.
    for (int walk = 0; walk < (gravity_.needs_old_accelerations() ? 2 : 1); walk++) {
        compute_all(time);
        for (std::size_t k = 0; k < bodies_.size(); k++)
            std::copy_n(block_.acc[k].begin(), 3, bodies_[k].a);
    }
    for (std::size_t k = 0; k < bodies_.size(); k++)
        std::copy_n(block_.jerk[k].begin(), 3, bodies_[k].j);
    gravity_.send(all_, bodies_);
    want_first_steps(time);
    share_wanted();
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        const int level = schedule_.level_of(wanted_[k]);
        bodies_[k].dt = schedule_.step(level);
        schedule_.insert(static_cast<int>(k), level);
    }
}

// The change of the jerk over a short time, `moment`, gives the second derivative of the
// acceleration.  Bodies for which the moment is longer than the first step that follows, or which
// leave their polynomial within it, are measured with a shorter moment.
void Integrator::want_first_steps(double time)
{
    std::vector<double> wanted(bodies_.size());
    std::vector<int> measured = all_, rest;
    double moment = settings_.dt_max / 1024;
    do {
        fill_block(measured, time + moment);
        gravity_.compute(time + moment, static_cast<int>(bodies_.size()), block_);
        rest.clear();
        for (std::size_t n = 0; n < measured.size(); n++) {
            const int k = measured[n];
            const Body &b = bodies_[k];
            double snap[3];
            for (int d = 0; d < 3; d++) snap[d] = (block_.jerk[n][d] - b.j[d]) / moment;
            wanted[k] = starting_step(b, snap, block_.pot[n], criterion_.mass, settings_.eta_start);
            if (wanted[k] < moment || leaves_polynomial(b, time + moment, n)) rest.push_back(k);
        }
        measured.swap(rest);
        moment /= 32;
    } while (!measured.empty() && moment >= settings_.dt_min);
    // Bodies whose derivatives give no step take the shortest step of the others.
    const double least = *std::min_element(wanted.begin(), wanted.end());
    for (double &w : wanted)
        if (std::isinf(w)) w = least;
    wanted_ = wanted;
    first_steps_ = static_cast<int>(bodies_.size());
}

bool Integrator::is_first_step(const Body &b) const
{
    return first_steps_ > 0 && b.t == begin_;
}

bool Integrator::leaves_polynomial(const Body &b, double time, std::size_t n) const
{
    return is_too_long(b, time, block_.acc[n].data(), block_.jerk[n].data(), block_.pot[n],
                       criterion_.mass);
}

// Compares a body's motion with the predicted one where the criterion may not have its way: over
// the first step, since several derivatives may vanish at once, so that no formula foresees all
// motions; and over a shortest step, which may be longer than the criterion wants.
void Integrator::check_steps(const std::vector<int> &index, double time)
{
    const std::size_t n = index.size();
    std::atomic<std::size_t> firsts{0}, wrong{n};
    g6tools::parallel_for(n, share(n), [&](std::size_t k) {
        const Body &b = bodies_[index[k]];
        const bool first = is_first_step(b);
        if (first) firsts++;
        if (!(first || b.dt <= settings_.dt_min) || !leaves_polynomial(b, time, k)) return;
        // The first of them, whatever the number of threads.
        for (std::size_t known = wrong; k < known && !wrong.compare_exchange_weak(known, k);) {
        }
    });
    if (wrong < n) throw wrong_step(index[wrong]);
    first_steps_ -= firsts;
}

Error Integrator::wrong_step(int particle) const
{
    const Body &b = bodies_[particle];
    const bool first = is_first_step(b);
    const std::string step = first ? "first step of " + text_of(b.dt)
                                   : "step of " + text_of(b.dt) + " at t = " + text_of(b.t);
    const char *const remedy =
        first ? "try a smaller --eta-start or --dt-max, and a --dt-min that allows it"
              : "try a larger --eps, which a body that falls straight to another one needs, or a "
                "smaller --dt-min";
    return Error("particle " + std::to_string(particle + 1) + ": its " + step +
                     " is too long for its orbit; " + remedy,
                 kExitWrongPhysics);
}

void Integrator::share_wanted()
{
    if (!settings_.shares_steps()) return;
    std::fill(wanted_.begin(), wanted_.end(), *std::min_element(wanted_.begin(), wanted_.end()));
}

// Gives all bodies the shortest step of any, where a restart changes from block steps to shared
// ones.
void Integrator::join()
{
    double least = settings_.dt_max;
    for (const Body &b : bodies_) least = std::min(least, b.dt);
    for (Body &b : bodies_) b.dt = least;
}

// A restart may have a shorter dt_max than the steps of some particles.  Where all particles are at
// one time, these steps are cut; elsewhere the run must go on with the dt_max that it had.
void Integrator::resume()
{
    if (settings_.shares_steps()) join();
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        Body &b = bodies_[k];
        if (b.t == time_) b.dt = std::min(b.dt, settings_.dt_max);
        if (!schedule_.spans_time(b.t, b.dt))
            throw Error("particle " + std::to_string(k) + ": step " + text_of(b.dt) + " from t = " +
                        text_of(b.t) + " does not fit --dt-max, --dt-min or the snapshot's time");
        schedule_.insert(static_cast<int>(k), schedule_.level_of(b.dt));
    }
    gravity_.send(all_, bodies_);
}

void Integrator::fill_block(const std::vector<int> &index, double time)
{
    block_.resize(index.size());
    g6tools::parallel_for(index.size(), share(index.size()), [&](std::size_t k) {
        const Body &b = bodies_[index[k]];
        block_.index[k] = index[k];
        predict(b, time, block_.x[k].data(), block_.v[k].data());
        std::copy_n(b.a, 3, block_.old_acc[k].begin());
    });
}

void Integrator::correct_block(const std::vector<int> &index, double time)
{
    wanted_.resize(index.size());
    g6tools::parallel_for(index.size(), share(index.size()), [&](std::size_t k) {
        wanted_[k] = correct(bodies_[index[k]], time, block_.acc[k].data(), block_.jerk[k].data(),
                             block_.pot[k], criterion_);
    });
}

void Integrator::choose_steps(const std::vector<int> &index)
{
    level_.resize(index.size());
    g6tools::parallel_for(index.size(), share(index.size()), [&](std::size_t k) {
        Body &b = bodies_[index[k]];
        level_[k] = schedule_.next_level(schedule_.level_of(b.dt), wanted_[k]);
        b.dt = schedule_.step(level_[k]);
    });
    for (std::size_t k = 0; k < index.size(); k++) schedule_.insert(index[k], level_[k]);
}

int Integrator::step()
{
    const std::vector<int> &index = schedule_.take_block();
    const double time = schedule_.time();
    fill_block(index, time);
    gravity_.compute(time, static_cast<int>(bodies_.size()), block_);
    check_steps(index, time);
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
