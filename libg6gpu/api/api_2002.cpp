// SPDX-License-Identifier: MIT
// The plain names of part 7 of g6lib.h; calls.h says what they call.
#include "plain.h"

#include "calls.h"
#include "../../include/g6lib.h"

namespace calls = g6::calls;

#include "names_2002.h"

int g6_preset_i_particle_scales_from_real_value(int, int, double[3], double[3], double *)
{
    return G6_OK;
}
