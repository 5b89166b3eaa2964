// SPDX-License-Identifier: MIT
// From an id to the cluster that serves it: what the files calls*.cpp share.  Every function here
// ends in guard(): no exception leaves, every error has its text.
#pragma once

#include "traced.h"

#include "../base/quiet_float.h"
#include "../core/clusters.h"

namespace g6::calls {

using clusters::ClusterInUse;

// Runs f(cluster) for the cluster that serves id (clusters::resolve()).
template <class F> int with(const char *where, ClusterId id, F &&f)
{
    return guard(where, [&] {
        const ClusterInUse c = clusters::resolve(id);
        f(*c);
        return static_cast<int>(G6_OK);
    });
}

// The same for an f that neither logs nor has a cancellation point, such as one that changes memory
// only.  It needs no CallScope, unless the cluster must be opened first.
template <class F> int with_quick(const char *where, ClusterId id, F &&f)
{
    bool found = false;
    const int status = guard_quick(where, [&] {
        const ClusterInUse c = clusters::resolve_at_once(id);
        found = static_cast<bool>(c);
        if (found) f(*c);
        return static_cast<int>(G6_OK);
    });
    return found ? status : with(where, id, f);
}

// As with(), for calls that compute: their floating-point exceptions do not stop the program.
template <class F> int compute(const char *where, ClusterId id, F &&f)
{
    return with(where, id, [&](Cluster &c) {
        const QuietFloat quiet;
        f(c);
    });
}

template <class... P> void need(const char *names, P... pointers)
{
    if ((... || !pointers)) throw Error(G6_ERR_ARGUMENT, "%s is NULL", names);
}

// write(cluster) sets the j-particle of an address.
template <class F> int set_j(const char *where, ClusterId id, int address, F &&write)
{
    auto refusal = Cluster::Refusal::kNone;
    const int status = with_quick(where, id, [&](Cluster &c) { refusal = write(c); });
    return refusal == Cluster::Refusal::kNone ? status : refused(where, address, refusal);
}

}  // namespace g6::calls
