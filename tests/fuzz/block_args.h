// SPDX-License-Identifier: MIT
// The arguments of one half of a block, from any of the calls that have them.
#pragma once

#include "call.h"

namespace g6fuzz {

struct BlockArgs {
    int nj = 0, ni = 0, out = 0;
    bool each = false;  // one eps2 for each i-particle
    const int *index = nullptr;
    const double *x = nullptr, *v = nullptr, *aold = nullptr, *j6old = nullptr, *phiold = nullptr,
                 *eps2 = nullptr, *h2 = nullptr;
    // eps2 of i-particle i.
    double softening(int i) const { return eps2[each ? i : 0]; }
};

inline bool is_firsthalf(Op op)
{
    return op == Op::firsthalf || op == Op::firsthalf0;
}
inline bool is_lasthalf(Op op)
{
    return op >= Op::lasthalf && op <= Op::lasthalf2np;
}
inline bool has_nearest(Op op)
{
    return op == Op::lasthalf2 || op == Op::lasthalf2n || op == Op::lasthalf2p ||
           op == Op::lasthalf2np;
}
inline bool has_distance(Op op)
{
    return op == Op::lasthalf2p || op == Op::lasthalf2np;
}

// Points into the call.
inline BlockArgs block_args(const Call &c)
{
    const bool first = is_firsthalf(c.op), each = c.op == Op::firsthalf0 || c.op == Op::lasthalf0;
    BlockArgs a;
    a.nj = c.i[0], a.ni = c.i[1];
    if (each) a.each = !(c.i[2] & 1);
    if (!first) a.out = c.i[each ? 3 : 2];
    a.index = c.ia[0].data();
    a.x = c.da[0].data(), a.v = c.da[1].data();
    if (first) a.aold = c.da[2].data(), a.j6old = c.da[3].data(), a.phiold = c.da[4].data();
    const int next = first ? 5 : 2;
    a.eps2 = each ? c.da[next].data() : &c.d[0];
    a.h2 = c.da[next + (each ? 1 : 0)].data();
    return a;
}

}  // namespace g6fuzz
