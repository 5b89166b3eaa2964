// SPDX-License-Identifier: MIT
// Makes block steps, gives bodies their first steps, and resumes with the steps of a snapshot.
#include "block_scheme.h"

#include "error.h"
#include "hermite.h"

#include "../common/clock.h"
#include "../common/parallel.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>

namespace g6run {
namespace {

// The bodies of a block lie at scattered places.  A loop over them requests each one so many bodies
// before its turn, so that it waits for several at the same time.
constexpr std::size_t kAhead = 8;

}  // namespace

BlockScheme::BlockScheme(Gravity &gravity, std::vector<Body> bodies, const Settings &settings,
                         double time)
    : gravity_(gravity), needs_old_accelerations_(gravity.needs_old_accelerations()),
      bodies_(std::move(bodies)), settings_(settings), all_(bodies_.size()), time_(time),
      schedule_(settings.dt_max, settings.dt_min, time)
{
    std::iota(all_.begin(), all_.end(), 0);
}

void BlockScheme::first_forces(double time)
{
    for (Body &b : bodies_) {
        b.t = time;
        for (int d = 0; d < 3; d++) b.a[d] = b.j[d] = 0;
    }
    gravity_.send(all_, bodies_);
    // A criterion that opens cells by the accelerations of the previous step has none in the first
    // walk.  A second walk computes the forces by the criterion of all later steps.
    for (int walk = 0; walk < (needs_old_accelerations_ ? 2 : 1); walk++) {
        compute_all(time);
        for (std::size_t k = 0; k < bodies_.size(); k++)
            std::copy_n(block_.acc[k].begin(), 3, bodies_[k].a);
    }
}

void BlockScheme::first_steps()
{
    share_wanted();
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        const int level = schedule_.level_of(wanted_[k]);
        bodies_[k].dt = schedule_.step(level);
        schedule_.insert(static_cast<int>(k), level);
    }
}

void BlockScheme::compute_all(double time)
{
    fill_block(all_, time);
    gravity_.compute(time, static_cast<int>(bodies_.size()), block_);
}

void BlockScheme::share_wanted()
{
    if (!settings_.shares_steps()) return;
    std::fill(wanted_.begin(), wanted_.end(), *std::min_element(wanted_.begin(), wanted_.end()));
}

// Gives all bodies the shortest step of any: a restart may change from block steps to shared steps.
void BlockScheme::join()
{
    double least = settings_.dt_max;
    for (const Body &b : bodies_) least = std::min(least, b.dt);
    for (Body &b : bodies_) b.dt = least;
}

// A restart may have a shorter dt_max than the steps of some particles.  Where all particles are at
// one time, these steps are cut; elsewhere the run must go on with the dt_max that it had.
void BlockScheme::resume()
{
    if (settings_.shares_steps()) join();
    for (std::size_t k = 0; k < bodies_.size(); k++) {
        Body &b = bodies_[k];
        if (b.t == time_) b.dt = std::min(b.dt, settings_.dt_max);
        if (!schedule_.spans_time(b.t, b.dt)) {
            const std::string step = "particle " + std::to_string(k + 1) + ": step " +
                                     text_of(b.dt) + " from t = " + text_of(b.t);
            if (b.dt > settings_.dt_max)
                throw usage_error(step + " is above " + text_of(settings_.dt_max) +
                                  ", the longest step for --dt-max and the other times asked for: "
                                  "a restart shortens steps only where all particles are at one "
                                  "time, as in numbered snapshots");
            throw Error(step + " does not fit --dt-max, --dt-min or the snapshot's time");
        }
        schedule_.insert(static_cast<int>(k), schedule_.level_of(b.dt));
    }
    gravity_.send(all_, bodies_);
}

// Starts to load body number k of a block into the processor's cache.
void BlockScheme::request(const Numbers<int> &index, std::size_t k) const
{
    if (k >= index.size()) return;
    const auto *line = reinterpret_cast<const char *>(&bodies_[index[k]]);
    __builtin_prefetch(line);
    __builtin_prefetch(line + 64);
}

void BlockScheme::fill_block(const Numbers<int> &index, double time)
{
    block_.resize(index.size());
    const bool moves = gravity_.needs_velocities();
    g6tools::parallel_for(index.size(), share(index.size()), [&](std::size_t k) {
        request(index, k + kAhead);
        const Body &b = bodies_[index[k]];
        Vector v;
        block_.index[k] = index[k];
        predict(b, time, block_.x[k].data(), v.data());
        if (moves) block_.v[k] = v;
        if (needs_old_accelerations_) std::copy_n(b.a, 3, block_.old_acc[k].begin());
    });
}

void BlockScheme::choose_step(std::size_t k, Body &body)
{
    level_[k] = schedule_.next_level(schedule_.level_of(body.dt), wanted_[k]);
    body.dt = schedule_.step(level_[k]);
}

// Corrects each body, chooses its step and sends it, all in one loop, since reading the body from
// memory takes most of the time.  (Shared steps are chosen after the loop.)
void BlockScheme::correct_and_send(const Numbers<int> &index, double time)
{
    {
        const g6tools::Timed timed(correcting());
        check_block(index, time);
    }
    wanted_.resize(index.size());
    level_.resize(index.size());
    std::atomic<std::size_t> clamped{0};
    gravity_.send(
        index, correcting(), [&](std::size_t k) -> auto & {
            request(index, k + kAhead);
            Body &b = bodies_[index[k]];
            wanted_[k] = correct(k, b, time);
            if (wanted_[k] < settings_.dt_min) clamped++;
            if (!settings_.shares_steps()) choose_step(k, b);
            return b;
        });
    const g6tools::Timed timed(correcting());
    clamped_ += static_cast<double>(clamped);
    if (settings_.shares_steps()) {
        share_wanted();
        g6tools::parallel_for(index.size(), share(index.size()),
                              [&](std::size_t k) { choose_step(k, bodies_[index[k]]); });
    }
    schedule_.insert(index, level_);
}

int BlockScheme::step()
{
    std::optional<g6tools::Timed> predicts(predicting());
    const Numbers<int> &index = schedule_.take_block();
    const double time = schedule_.time();
    fill_block(index, time);
    predicts.reset();
    gravity_.compute(time, static_cast<int>(bodies_.size()), block_);
    correct_and_send(index, time);
    time_ = time;
    return static_cast<int>(index.size());
}

// All bodies are at time_, and so are the library's particles: nothing is predicted.
const std::vector<double> &BlockScheme::potentials()
{
    compute_all(time_);
    return block_.pot;
}

}  // namespace g6run
