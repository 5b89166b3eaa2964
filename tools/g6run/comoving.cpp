// SPDX-License-Identifier: MIT
// Makes the steps of the comoving leapfrog.  One loop over the particles does the last kick of a
// step, the sums for the energies, and the first kick and the drift of the next step.
#include "comoving.h"

#include "../common/parallel.h"

#include <algorithm>

namespace g6run {
namespace {

// The number of particles whose sums are formed in double.  The sums of these parts are added in
// long double and in order, so that the number of threads does not change the result.
constexpr std::size_t kPart = 8192;

}  // namespace

void Particles::resize(std::size_t n)
{
    for (auto *vectors : {&x, &p, &acc}) vectors->resize(n);
    mass.resize(n);
    id.resize(n);
}

ComovingLeapfrog::ComovingLeapfrog(Gravity &gravity, std::unique_ptr<Field> field,
                                   Particles particles, const ExpansionSteps &steps,
                                   const ComovingForce &force, int step)
    : gravity_(gravity), field_(std::move(field)), particles_(std::move(particles)), steps_(steps),
      force_(force), step_(step),
      opens_by_acceleration_(gravity.is_tree() && gravity.setting("mac") == "acceleration")
{
    pot_.resize(particles_.size());
}

// Turns acc, which has g(x) / G, into f(x) / G at the same positions.
void ComovingLeapfrog::take_off_expansion()
{
    const double pull = force_.background / force_.gravity;
    g6tools::parallel_for(particles_.size(), kPart, [&](std::size_t k) {
        for (std::size_t d = 0; d < 3; d++) particles_.acc[k][d] += pull * particles_.x[k][d];
    });
}

void ComovingLeapfrog::compute()
{
    gravity_.soften(force_.softening.comoving(a()));
    field_->compute(particles_.x, particles_.mass, particles_.acc, pot_);
}

void ComovingLeapfrog::first_force()
{
    compute();
    if (opens_by_acceleration_) {
        take_off_expansion();
        compute();
    }
    move(false, false);
}

void ComovingLeapfrog::step(bool rest)
{
    if (rests_) {
        opening_ = steps_.factors(step_);
        move(false, true);
    }
    closing_ = opening_;
    step_++;
    compute();
    const bool on = !rest && step_ < steps_.count();
    if (on) opening_ = steps_.factors(step_);
    move(true, on);
    rests_ = !on;
}

// close: does the second kick of the step that ends, and the sums.  open: does the first kick and
// the drift of the next step; acc then has what the opening criterion gets.
void ComovingLeapfrog::move(bool close, bool open)
{
    const std::size_t n = particles_.size(), parts = (n + kPart - 1) / kPart;
    const double kick_close = close ? closing_.kick_close : 0;
    const double kick_open = open ? opening_.kick_open : 0, drift = open ? opening_.drift : 0;
    const double pull = open && opens_by_acceleration_ ? force_.background / force_.gravity : 0;
    const double gravity = force_.gravity, background = force_.background;
    std::vector<CosmicSums> sums(parts);
    g6tools::parallel_for(parts, 1, [&](std::size_t part) {
        CosmicSums s;
        for (std::size_t k = part * kPart; k < std::min(n, (part + 1) * kPart); k++) {
            Vector x = particles_.x[k], p = particles_.p[k], g = particles_.acc[k];
            double p2 = 0, x2 = 0, xp = 0, xg = 0;
            for (std::size_t d = 0; d < 3; d++) {
                const double f = gravity * g[d] + background * x[d];
                p[d] += kick_close * f;
                p2 += p[d] * p[d];
                x2 += x[d] * x[d];
                xp += x[d] * p[d];
                xg += x[d] * g[d];
                p[d] += kick_open * f;
                x[d] += drift * p[d];
                if (pull != 0) g[d] += pull * x[d];
            }
            particles_.x[k] = x;
            particles_.p[k] = p;
            if (pull != 0) particles_.acc[k] = g;
            const double m = particles_.mass[k];
            s.p2 += m * p2;
            s.x2 += m * x2;
            s.xp += m * xp;
            s.virial += m * xg;
            s.pot += m * pot_[k];
        }
        sums[part] = s;
    });
    if (open && !close) return;  // sums_ is that of this moment already
    long double total[5] = {};
    for (const CosmicSums &s : sums) {
        const double values[5] = {s.p2, s.x2, s.xp, s.pot, s.virial};
        for (int c = 0; c < 5; c++) total[c] += values[c];
    }
    const auto plain = [&](int c) { return static_cast<double>(total[c]); };
    sums_ = {plain(0), plain(1), plain(2), plain(3), plain(4)};
}

}  // namespace g6run
