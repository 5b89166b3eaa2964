// SPDX-License-Identifier: MIT
// All clusters of the process, by id.  Invariants: a cluster, once made, lives as long as the
// process (no work in static destructors); finding one costs a comparison when the thread used the
// same id before.
#pragma once

#include "cluster.h"

#include <vector>

namespace g6::table {

// For the calls of the interface: the open cluster of this id, else the single open one, else this
// id, opened now.
Cluster &resolve(ClusterId id);
// The same without a lock and without opening anything; null when that takes one.
Cluster *resolve_at_once(ClusterId id);
// The cluster of exactly this id, made when it is new, open or not: for g6_open() and settings.
Cluster &exact(ClusterId id);
// The cluster of exactly this id when there is one, else null.
Cluster *find(ClusterId id);

void open(ClusterId id);
void close(ClusterId id);

// The open clusters with ids first, first + 1 ... first + count - 1.
std::vector<Cluster *> open_ones(ClusterId first, int count);

// Devices (in the words of the setting) of the clusters opened from now on; null: as configured.
void choose_devices(const char *devices);

}  // namespace g6::table
