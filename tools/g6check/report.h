// SPDX-License-Identifier: MIT
// The output of g6check: a line for each rule, written when its result is known.
#pragma once

#include "options.h"
#include "runner.h"

namespace g6check {

class Report {
public:
    explicit Report(const Options &options) : options_(options) {}
    void head(const std::string &library) const;
    void group(const std::string &name) const;
    void line(const Rule &rule, const Outcome &outcome);
    void summary() const;
    int failed() const { return failed_; }

private:
    const Options &options_;
    int passed_ = 0, failed_ = 0, not_offered_ = 0;
};

}  // namespace g6check
