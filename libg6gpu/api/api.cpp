// SPDX-License-Identifier: MIT
// The plain g6_* names of parts 1 to 4 of g6lib.h; calls.h says what they call.
#include "plain.h"

#include "calls.h"
#include "../../include/g6lib.h"

namespace calls = g6::calls;
using g6::kAllId;
using g6::trace::Kind;

#include "names.h"

int g6_set_neighbour_list_sort_mode(int mode)
{
    return calls::set_neighbour_list_sort_mode(mode);
}
