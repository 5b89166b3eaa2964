// SPDX-License-Identifier: MIT
// All clusters of the process, by id.
//
// Invariants
//  * A cluster, once made, lives as long as the process: no static destructor does any work.
//  * A call with an id that is not open reaches the single open cluster, else it opens the id.
//  * A call takes no lock if its thread used the same id in its last call, or if only one cluster
//    is open.  This matters because g6_set_j_particle() is called once for each particle.
//  * All code that reads or changes a cluster holds it as a ClusterInUse.  So calls of several
//    threads on one cluster do no harm: the first call goes on, and the others are refused.
#pragma once

#include "cluster.h"

#include <atomic>
#include <optional>
#include <vector>

namespace g6::clusters {

using ClusterInUse = InUse<Cluster>;
// Returns an empty ClusterInUse where another call holds the cluster.
inline ClusterInUse try_to_use(Cluster &c) noexcept
{
    return {&c, c.busy().take()};
}

// All functions that return a ClusterInUse, except resolve_at_once(), throw Error(G6_ERR_STATE)
// where another call holds the cluster.

// For the calls of the interface: the open cluster of this id; else the single open cluster; else
// the cluster of this id, which this call opens.
ClusterInUse resolve(ClusterId id);
// The open cluster when there is just one, which serves every id; else null.
extern std::atomic<Cluster *> g_only;
// The cluster that the calling thread found for this id last; null: the id may mean another one.
Cluster *found_last(ClusterId id) noexcept;
// As resolve() if this needs no lock and no opening, and if no other call holds the cluster; else
// an empty ClusterInUse.
inline ClusterInUse resolve_at_once(ClusterId id)
{
    Cluster *c = g_only.load(std::memory_order_acquire);
    if (!c) c = found_last(id);
    if (!c) return {};
    ClusterInUse in_use = try_to_use(*c);
    if (in_use && !c->is_open()) return {};  // another thread has closed it since it was found
    return in_use;
}
// The cluster of exactly this id, open or not; makes it where there is none.  For settings.
ClusterInUse exact(ClusterId id);
// The id of the only open cluster, if calls with this other id reach it.  None: such a call reaches
// a cluster with this id.
std::optional<ClusterId> stand_in(ClusterId id);
// The cluster of exactly this id when there is one, else none.
ClusterInUse find(ClusterId id);

void open(ClusterId id);
void close(ClusterId id);

// The open ids among first, first + 1 ... first + count - 1.
std::vector<ClusterId> open_ones(ClusterId first, int count);

// Chooses the devices (as a text of the setting "devices") of all clusters that are opened after
// this call, except the cluster of kAllId, which has all devices.
void choose_devices(const std::string &devices);

}  // namespace g6::clusters
