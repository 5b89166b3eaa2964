// SPDX-License-Identifier: MIT
// The bytes of one record of a recorded session as a RecordedCall.
#pragma once

#include "recording.h"

namespace g6tools {

// Appends what the letters of `fields` name; false unless the bytes are exactly these.
bool read_fields(const char *fields, const char *at, const char *end, RecordedCall &call);

// Whether each array has as many elements as the numbers of its call say, or is NULL.
bool lengths_fit(const RecordedCall &call);

}  // namespace g6tools
