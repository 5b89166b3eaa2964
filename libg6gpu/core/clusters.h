// SPDX-License-Identifier: MIT
// All clusters of the process, by id.
//
// Invariants
//  * A cluster, once made, lives as long as the process: no static destructor does any work.
//  * A call with an id that is not open reaches the single open cluster, else it opens the id.
//  * A thread that uses the same id again, or a process with one open cluster, finds it without a
//    lock: g6_set_j_particle() is called once per particle.
#pragma once

#include "cluster.h"

#include <vector>

namespace g6::clusters {

// For the calls of the interface: the open cluster of this id; else the single open cluster; else
// the cluster of this id, which this call opens.
Cluster &resolve(ClusterId id);
// The same where neither a lock nor an opening is needed; else null.
Cluster *resolve_at_once(ClusterId id);
// The cluster of exactly this id, made when it is new, open or not: for g6_open() and settings.
Cluster &exact(ClusterId id);
// The cluster that serves calls with this id in its place, since it is the only open one; null: the
// id is open, or such a call opens it.
Cluster *stand_in(ClusterId id);
// The cluster of exactly this id when there is one, else null.
Cluster *find(ClusterId id);

void open(ClusterId id);
void close(ClusterId id);

// The open clusters with ids first, first + 1 ... first + count - 1.
std::vector<Cluster *> open_ones(ClusterId first, int count);

// Devices (in the words of the setting) of the clusters opened from now on; null: as configured.
void choose_devices(const char *devices);

}  // namespace g6::clusters
