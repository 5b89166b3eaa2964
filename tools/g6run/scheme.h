// SPDX-License-Identifier: MIT
// What a run needs of an integration scheme.
#pragma once

#include "body.h"

#include <vector>

namespace g6run {

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
};

}  // namespace g6run
