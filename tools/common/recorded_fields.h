// SPDX-License-Identifier: MIT
// Turns the bytes of one record of a recorded session into a RecordedCall.
#pragma once

#include "recording.h"

namespace g6tools {

// Appends to `call` the values that the letters of `fields` name (format.h).  False unless the
// bytes are exactly these values.
bool read_fields(const char *fields, const char *at, const char *end, RecordedCall &call);

// Whether each array has as many elements as the numbers of its call say, or is NULL.
bool lengths_fit(const RecordedCall &call);

}  // namespace g6tools
