// SPDX-License-Identifier: MIT
// Orbits to compare a run with, by the method of Gragg, Bulirsch and Stoer (1966): extrapolated
// midpoint steps in long double, with an error of 1e-15 of the system's size a step.
#pragma once

#include "tools/g6run/body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace g6runtest {

class Orbits {
public:
    explicit Orbits(const std::vector<g6run::Body> &bodies)
    {
        for (const g6run::Body &b : bodies) {
            mass_.push_back(b.mass);
            for (double x : b.x) state_.push_back(x);
        }
        for (const g6run::Body &b : bodies)
            for (double v : b.v) state_.push_back(v);
        for (const g6run::Body &b : bodies)
            for (double x : b.x) size_ = std::max(size_, std::fabs(static_cast<long double>(x)));
    }

    // False where bodies come so close that this takes more steps.
    bool move(long double time, int most_steps = 100000)
    {
        long double h = time;
        while (time > 0) {
            if (most_steps-- == 0) return false;
            h = std::min(h, time);
            State next;
            const long double error = extrapolate(h, next);
            if (!(error < 1e-15L * size_)) {
                h /= 2;
                continue;
            }
            state_ = next;
            time -= h;
            if (error < 1e-18L * size_) h *= 2;
        }
        return true;
    }

    // Largest distance of a body from its place here.
    double distance(const std::vector<g6run::Body> &bodies) const
    {
        double largest = 0;
        for (std::size_t k = 0; k < bodies.size(); k++) {
            const auto off = [&](std::size_t d) {
                return static_cast<double>(bodies[k].x[d] - state_[3 * k + d]);
            };
            largest = std::max(largest, std::hypot(off(0), off(1), off(2)));
        }
        return largest;
    }

    double size() const { return static_cast<double>(size_); }

private:
    using State = std::vector<long double>;  // positions, then velocities

    State rates(const State &s) const
    {
        const std::size_t n = mass_.size();
        State r(s.size());
        std::copy(s.begin() + static_cast<std::ptrdiff_t>(3 * n), s.end(), r.begin());
        for (std::size_t i = 0; i < n; i++)
            for (std::size_t j = 0; j < n; j++) {
                if (i == j || mass_[j] == 0) continue;
                std::array<long double, 3> dx;
                for (std::size_t d = 0; d < 3; d++) dx[d] = s[3 * j + d] - s[3 * i + d];
                const long double r2 = dx[0] * dx[0] + dx[1] * dx[1] + dx[2] * dx[2];
                for (std::size_t d = 0; d < 3; d++)
                    r[3 * (n + i) + d] += mass_[j] * dx[d] / (r2 * std::sqrt(r2));
            }
        return r;
    }

    static State sum(const State &a, long double h, const State &b)
    {
        State s = a;
        for (std::size_t k = 0; k < s.size(); k++) s[k] += h * b[k];
        return s;
    }

    // `parts` steps of the midpoint rule, with Gragg's first and last.
    State midpoint(long double time, int parts) const
    {
        const long double h = time / parts;
        State before = state_, here = sum(state_, h, rates(state_));
        for (int k = 1; k < parts; k++) {
            State next = sum(before, 2 * h, rates(here));
            before = here;
            here = next;
        }
        State end = sum(before, h, rates(here));
        for (std::size_t k = 0; k < end.size(); k++) end[k] = (here[k] + end[k]) / 2;
        return end;
    }

    // Neville's scheme in h^2; returns the change of a position by its last column.
    long double extrapolate(long double time, State &end) const
    {
        constexpr int kRows = 8;
        std::vector<State> row;
        long double error = 0;
        for (int k = 0; k < kRows; k++) {
            row.push_back(midpoint(time, 2 * (k + 1)));
            for (int c = k - 1; c >= 0; c--) {
                const auto at = static_cast<std::size_t>(c);
                const long double ratio = static_cast<long double>(k + 1) / (c + 1);
                error = 0;
                for (std::size_t i = 0; i < state_.size(); i++) {
                    const long double step = (row[at + 1][i] - row[at][i]) / (ratio * ratio - 1);
                    if (i < state_.size() / 2) error = std::max(error, std::fabs(step));
                    row[at][i] = row[at + 1][i] + step;
                }
            }
        }
        end = row[0];
        return std::isfinite(error) ? error : HUGE_VALL;
    }

    State mass_, state_;
    long double size_ = 0;
};

}  // namespace g6runtest
