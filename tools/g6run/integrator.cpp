// SPDX-License-Identifier: MIT
// Chooses the first steps of a run, checks and corrects those of each block.
#include "integrator.h"

#include "error.h"

#include "../common/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>

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
    : BlockScheme(gravity, std::move(bodies), settings, time),
      criterion_{settings.eta, gravity.noise(), gravity.is_tree(), mass_of(bodies_)}, begin_(time)
{
    if (resume)
        this->resume();
    else
        start(time);
}

void Integrator::start(double time)
{
    first_forces(time);
    for (std::size_t k = 0; k < bodies_.size(); k++)
        std::copy_n(block_.jerk[k].begin(), 3, bodies_[k].j);
    gravity_.send(all_, bodies_);
    want_first_steps(time);
    first_steps();
}

// The change of the jerk over a short time, `moment`, gives the second derivative of the
// acceleration.  A body whose first step would be shorter than the moment, or which leaves its
// polynomial within it, is measured with a shorter moment.
void Integrator::want_first_steps(double time)
{
    std::vector<double> wanted(bodies_.size());
    Numbers<int> measured = all_, rest;
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
    wanted_.assign(wanted.begin(), wanted.end());
    first_steps_left_ = static_cast<int>(bodies_.size());
}

bool Integrator::is_first_step(const Body &b) const
{
    return first_steps_left_ > 0 && b.t == begin_;
}

bool Integrator::leaves_polynomial(const Body &b, double time, std::size_t n) const
{
    return is_too_long(b, time, block_.acc[n].data(), block_.jerk[n].data(), block_.pot[n],
                       criterion_.mass);
}

// Compares a body's motion with the predicted one where the step may be too long: over the first
// step, since several derivatives may vanish at once, so that no formula foresees all motions; and
// over a shortest step (dt_min), which may be longer than the criterion wants.
void Integrator::check_block(const Numbers<int> &index, double time)
{
    if (first_steps_left_ == 0 && !has_shortest_step()) return;
    const std::size_t n = index.size();
    std::atomic<std::size_t> firsts{0};
    const std::size_t wrong = g6tools::parallel_first(n, share(n), [&](std::size_t k) {
        const Body &b = bodies_[index[k]];
        const bool first = is_first_step(b);
        if (first) firsts++;
        return (first || b.dt <= settings_.dt_min) && leaves_polynomial(b, time, k);
    });
    if (wrong < n) throw wrong_step(index[wrong]);
    first_steps_left_ -= firsts;
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

double Integrator::correct(std::size_t k, Body &body, double time)
{
    return g6run::correct(body, time, block_.acc[k].data(), block_.jerk[k].data(), block_.pot[k],
                          criterion_);
}

}  // namespace g6run
