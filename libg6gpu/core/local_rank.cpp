// SPDX-License-Identifier: MIT
// Reads the local rank from the launcher's variables, and tells the log where it is missing or
// where ranks share a device.
#include "local_rank.h"

#include "../base/status.h"
#include "../settings/config_text.h"

#include <climits>
#include <cstdlib>

namespace g6 {
namespace {

constexpr const char *kVariables[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                      "PMI_LOCAL_RANK", "SLURM_LOCALID"};

// The rank of this process among those of its machine; -1 where no launcher has set one.
int local_rank()
{
    for (const char *name : kVariables) {
        const char *text = std::getenv(name);
        int rank = -1;
        if (text && parse_int(text, 0, INT_MAX, rank)) return rank;
    }
    return -1;
}

}  // namespace

int device_of_local_rank(const std::string &backend, int devices)
{
    const int rank = local_rank();
    if (rank < 0) {
        std::string names;
        for (const char *name : kVariables)
            names += (names.empty() ? "" : ", ") + std::string(name);
        log(kLogError,
            "G6_DEVICES=local needs the rank of this process on its machine, but no launcher has "
            "set it (%s); going on with %s device 0, as every such process on this machine does",
            names.c_str(), backend.c_str());
        return 0;
    }
    const int device = rank % devices;
    if (rank >= devices)
        log(kLogInfo,
            "rank %d of this machine computes on %s device %d, which it shares with rank %d unless "
            "the launcher shows each process devices of its own",
            rank, backend.c_str(), device, device);
    return device;
}

}  // namespace g6
