// SPDX-License-Identifier: MIT
// The record of a run's steps (--steps-log): a line for each step, with its size and the seconds of
// its parts.  The sum of a column is the run's total, as at the end of the table.  Times are in the
// units of the table.
#pragma once

#include "output_folder.h"

#include <cstdio>
#include <memory>
#include <string>

namespace g6run {

// Seconds are those of the host's clock.  sending: calls that give particles to the library and
// start a force; waiting: the calls that collect it; prediction and correction: the host's loops
// over the bodies of the block, with the choice of their steps.  What a device predicts is part of
// waiting.  The rest of a step is the making of interaction lists (method treecode) and some
// readings of the clock.
struct StepRecord {
    double time, bodies, interactions;
    double seconds, sending, prediction, waiting, correction;

    // The record of a step of n bodies: *this, the sums at its end, minus those at its begin.
    StepRecord since(const StepRecord &begin, double n) const
    {
        return {time,
                n,
                interactions - begin.interactions,
                seconds - begin.seconds,
                sending - begin.sending,
                prediction - begin.prediction,
                waiting - begin.waiting,
                correction - begin.correction};
    }
};

constexpr const char *kStepsLogMark = ": a line for each step";

class StepsLog {
public:
    // Throws a usage error if the file exists and may not be overwritten, as a file of another
    // kind, or if it has the name of another file of the run.
    static void check(const std::string &path, bool overwrite, const OutputFolder &folder);
    // note: a first line of comment, which has kStepsLogMark.
    StepsLog(const std::string &path, const std::string &note);
    // time_unit: factor of the record's times.
    void write(const StepRecord &record, double time_unit);
    // Writes all lines to the file, so that they stay if the run is killed.
    void flush();

private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::unique_ptr<FILE, int (*)(FILE *)> file_;
};

}  // namespace g6run
