// SPDX-License-Identifier: MIT
// The setting "devices": which devices of a backend a cluster has.
#pragma once

#include "cluster_id.h"
#include "loader.h"

#include <string>
#include <vector>

namespace g6 {

// The backend's description of its device; all zero when the backend cannot describe it.
DeviceInfo info_of(const LoadedBackend &backend, int device);

// The devices that a text names, none of them twice.  Throws Error(G6_ERR_OPTION).
//     "0,2"   devices 0 and 2
//     "H200"  all devices whose names contain H200, in upper or lower case
//     "all"   all devices
//     "local" the device of this process among the processes of its machine, for parallel codes
//             with one process a GPU; device 0, and an error on the log, where no launcher has
//             told the rank
//     ""      the device whose number is the cluster's id, else device 0; all devices of a backend
//             that reaches other processes
std::vector<int> device_list(const std::string &text, ClusterId id, const LoadedBackend &backend);

// Makes a text for device_list() from the arguments of sapporo's calls.
//     ngpu > 0   the devices list[0] ... list[ngpu - 1]
//     ngpu = 0   all devices
//     ngpu < 0   any |ngpu| devices
std::string device_words(int ngpu, const int *list);

// Whether a text for device_list() has parts of names.  When the cpu takes the place of a GPU
// backend, numbers of GPUs are ignored, but a name that the cpu does not have is an error.
bool has_names(const std::string &devices);

}  // namespace g6
