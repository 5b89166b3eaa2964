// SPDX-License-Identifier: MIT
// What predicted j-particles depend on besides the j-particles that were sent: blocks with the same
// key share a prediction while no j-particle changes.
#pragma once

#include "../../libg6gpu/backend.h"

namespace g6::gpu {

// Arithmetic: how the kernels of a backend compute.
template <class Arithmetic> struct PredictionKey {
    int nj;
    double t;
    Motion motion;
    Scale scale;
    Arithmetic arithmetic;
    bool jerk;
};

template <class Arithmetic>
bool operator==(const PredictionKey<Arithmetic> &a, const PredictionKey<Arithmetic> &b)
{
    return a.nj == b.nj && a.t == b.t && a.motion == b.motion && a.scale == b.scale &&
           a.arithmetic == b.arithmetic && a.jerk == b.jerk;
}

}  // namespace g6::gpu
