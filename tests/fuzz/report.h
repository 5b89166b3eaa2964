// SPDX-License-Identifier: MIT
// What a campaign did, as a table.
#pragma once

#include "counters.h"

#include <string>
#include <vector>

namespace g6fuzz {

double total_calls(const Counters &counters);
void print_table(const Counters &counters);
// Names of g6lib.h that were not called; faults: those of fake devices count, too.
std::vector<std::string> never_made(const Counters &counters, bool faults);

}  // namespace g6fuzz
