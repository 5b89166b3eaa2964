// SPDX-License-Identifier: MIT
// Clock: wall-clock seconds since its construction.  Timed: adds up the time that a part of a
// program takes.
#pragma once

#include <chrono>
#include <optional>

namespace g6tools {

class Clock {
public:
    double seconds() const { return std::chrono::duration<double>(Time::now() - start_).count(); }

private:
    using Time = std::chrono::steady_clock;
    Time::time_point start_ = Time::now();
};

// Adds its lifetime to *sum; null: does nothing and reads no clock.
class Timed {
public:
    explicit Timed(double *sum) : sum_(sum)
    {
        if (sum) clock_.emplace();
    }
    ~Timed()
    {
        if (sum_) *sum_ += clock_->seconds();
    }
    Timed(const Timed &) = delete;
    Timed &operator=(const Timed &) = delete;

private:
    double *const sum_;
    std::optional<Clock> clock_;
};

}  // namespace g6tools
