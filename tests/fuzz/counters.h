// SPDX-License-Identifier: MIT
// What was done: plain numbers in memory that processes share.
#pragma once

#include "call.h"

namespace g6fuzz {

enum Kind {
    kDirectMixed,  // i-particles whose force was compared, by how it was computed
    kDirectDouble,
    kWalkExact,
    kWalkMixed,
    kWalkDouble,
    kNearestChecked,
    kListsChecked,
    kEntriesChecked,
    kPredictionsChecked,
    kPairs,  // of all those sums
    kGrape5Forces,
    kUnknownForces,
    kBlocks,
    kErrorsHeld,
    kKinds
};

struct Counters {
    double made[kOps][kForms] = {}, refused[kOps][kForms] = {};
    double kinds[kKinds] = {};
};

}  // namespace g6fuzz
