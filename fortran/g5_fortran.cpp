// SPDX-License-Identifier: MIT
// Fortran twins of the g5 calls (gp5util.h).  A compiler writes g5_runMC as g5_runmc_;
// Phantom-GRAPE calls its twin g5_runMC_.
#include "twin.h"

#include "../include/gp5util.h"
#include "../libg6gpu/api/grape5_calls.h"

namespace g5 = g6::grape5;

// lower, upper: the ending MC or MC0 in small letters and in capitals.
#define DEVICE_TWIN(name, lower, upper, parameters, work)                                          \
    G6_API int name##upper##_ parameters __attribute__((alias(#name #lower "_")));                 \
    G6_API int name##upper##__ parameters __attribute__((alias(#name #lower "_")));                \
    VOID_CALL(name##lower, parameters, work)
#define MC_CALL(name, parameters, work) DEVICE_TWIN(name, mc, MC, parameters, work)
#define MC0_CALL(name, parameters, work) DEVICE_TWIN(name, mc0, MC0, parameters, work)

extern "C" {

#include "../libg6gpu/api/grape5_names.h"

G6_API double g5_get_pcibus_freq_(void);
G6_API double g5_get_pcibus_freq__(void) __attribute__((alias("g5_get_pcibus_freq_")));
double g5_get_pcibus_freq_(void)
{
    return g5::kBusFrequency;
}

}  // extern "C"
