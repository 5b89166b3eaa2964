// SPDX-License-Identifier: MIT
// The plain g5_* names of gp5util.h; grape5_calls.h says what they call.
#include "plain.h"

#include "grape5_calls.h"
#include "../../include/gp5util.h"

namespace g5 = g6::grape5;

#define MC_CALL(name, parameters, work) VOID_CALL(name##MC, parameters, work)
#define MC0_CALL(name, parameters, work) VOID_CALL(name##MC0, parameters, work)
#include "grape5_names.h"

double g5_get_pcibus_freq(void)
{
    return g5::kBusFrequency;
}
