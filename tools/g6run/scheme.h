// SPDX-License-Identifier: MIT
// The interface of an integration scheme.
#pragma once

#include "body.h"

#include <vector>

namespace g6run {

// Seconds that the host's loops over the bodies took so far.
struct LoopTimes {
    double predicting = 0, correcting = 0;
};

class Scheme {
public:
    virtual ~Scheme() = default;
    // One step; returns how many particles it moved.  Bodies are unchanged when it throws.
    virtual int step() = 0;
    virtual double time() const = 0;
    virtual const std::vector<Body> &bodies() const = 0;
    // Potential of every body at time(), at which all of them must be.
    virtual const std::vector<double> &potentials() = 0;
    // Steps that the criterion wanted below dt_min.
    virtual double clamped() const { return 0; }
    // Makes step() add to these times; null: step() reads no clock.
    void measure(LoopTimes *times) { times_ = times; }

protected:
    double *predicting() const { return times_ ? &times_->predicting : nullptr; }
    double *correcting() const { return times_ ? &times_->correcting : nullptr; }

private:
    LoopTimes *times_ = nullptr;
};

}  // namespace g6run
