// SPDX-License-Identifier: MIT
// The exception that ends a run early: a line of text for the user, and the program's exit status.
#pragma once

#include <stdexcept>
#include <string>

namespace g6run {

enum ExitStatus : int {
    kExitOk = 0,
    kExitRunTime = 1,
    kExitUsage = 2,
    kExitWrongPhysics = 3,   // the particles, their forces or their energy cannot be right
    kExitInterrupted = 130,  // 128 + SIGINT, as shells count
};

class Error : public std::runtime_error {
public:
    explicit Error(const std::string &text, ExitStatus status = kExitRunTime)
        : std::runtime_error(text), status_(status)
    {
    }
    ExitStatus status() const { return status_; }

private:
    ExitStatus status_;
};

inline Error usage_error(const std::string &text)
{
    return Error(text, kExitUsage);
}

// Short text of a number for messages: "0.125", "1e-12".
std::string text_of(double value);

}  // namespace g6run
