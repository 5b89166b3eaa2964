// SPDX-License-Identifier: MIT
// The steps of a run through an expanding universe, equal in time, in a or in ln a.
//
// Step k goes from a(k) to a(k + 1).  Its first kick ends, and its second begins, halfway in the
// variable in which steps are equal.  All values depend on the ends of the run and the number of
// steps only, so that a run that goes on from a snapshot has the same factors.
#pragma once

#include "cosmology.h"

#include <string>

namespace g6run {

// The integrals of Quinn et al. 1997 over one step.
struct StepFactors {
    double kick_open = 0;   // of dt/a over the first half
    double drift = 0;       // of dt/a^2 over the step
    double kick_close = 0;  // of dt/a over the second half
};

class ExpansionSteps {
public:
    // in: "time", "a" or "loga".
    ExpansionSteps(const Cosmology &cosmology, double a_begin, double a_end, int count,
                   const std::string &in);

    int count() const { return count_; }
    double a(int step) const { return at(step); }
    StepFactors factors(int step) const;
    // The step whose begin is nearest to a scale factor, in the variable of the steps.
    int nearest(double a) const;

private:
    double at(double step) const;
    double place(double a) const;  // of a between a_begin and a_end, in the steps' variable: 0 to 1

    Cosmology cosmology_;
    double a_begin_, a_end_;
    int count_;
    bool in_time_, in_a_;
    double span_ = 0;  // time from a_begin to a_end
};

}  // namespace g6run
