// SPDX-License-Identifier: MIT
// The lines of comment at the head of a run's table: where its bodies come from, how it integrates,
// and what computes.
#pragma once

#include "gravity.h"
#include "options.h"
#include "table.h"

#include <string>

namespace g6run {

void write_head(Table &table, const Options &o, const Snapshot &start, const RunState &state,
                const Gravity &gravity);

// The precision in which the backend computes with these settings: only the trees of GPUs have
// single.
std::string computing_precision(const Settings &s, const std::string &backend);

}  // namespace g6run
