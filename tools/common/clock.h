// SPDX-License-Identifier: MIT
// Wall clock: seconds since its construction.
#pragma once

#include <chrono>

namespace g6tools {

class Clock {
public:
    double seconds() const { return std::chrono::duration<double>(Time::now() - start_).count(); }

private:
    using Time = std::chrono::steady_clock;
    Time::time_point start_ = Time::now();
};

}  // namespace g6tools
