// SPDX-License-Identifier: MIT
// Fortran twins of the calls of parts 1 to 4 of g6lib.h, and the call that has a Fortran name only.
#include "twin.h"

#include "../libg6gpu/api/calls.h"

#include <cstdint>

namespace calls = g6::calls;
using g6::kAllId;
using g6::trace::Kind;

namespace {

// The sort mode is an int by pointer in most sources, by value in some.  No object lives in the
// first page, so a small number there is a value.
int value_or_small_int(const int *p)
{
    const auto bits = reinterpret_cast<std::uintptr_t>(p);
    return bits < 4096 ? static_cast<int>(bits) : *p;
}

}  // namespace

extern "C" {

#include "../libg6gpu/api/names.h"

CALL(g6_set_neighbour_list_sort_mode, (INT(mode)),
     calls::set_neighbour_list_sort_mode(value_or_small_int(mode)))
CALL(g6_set_j_particle_multisend_mxfast, (INT(id), INT(nclusters), POINT_ARGS),
     calls::set_j_point_multisend(value(id), value(nclusters), POINT))

}  // extern "C"
