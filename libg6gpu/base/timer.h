// SPDX-License-Identifier: MIT
// Measures how long a scope takes: the destructor of a Timer adds the seconds since its
// construction to a total.
#pragma once

#include <chrono>

namespace g6 {

class Timer {
public:
    explicit Timer(double &seconds) : seconds_(seconds) {}
    ~Timer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    Timer(const Timer &) = delete;
    Timer &operator=(const Timer &) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double &seconds_;
    Clock::time_point start_ = Clock::now();
};

}  // namespace g6
