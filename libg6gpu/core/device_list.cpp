// SPDX-License-Identifier: MIT
// Reads the text of the setting word by word and finds the devices that each word names.
#include "device_list.h"

#include "../base/status.h"
#include "../settings/config_text.h"
#include "devices.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <numeric>

namespace g6 {

DeviceInfo info_of(const LoadedBackend &backend, int device)
{
    DeviceInfo info{};
    if (backend.entry->describe(device, &info) != kDeviceOk) return DeviceInfo{};
    return info;
}

namespace {

// The device whose number is the cluster's id; else device 0.  A processor is not chosen in this
// way when device 0 is a GPU.
int default_device(ClusterId id, const LoadedBackend &backend)
{
    if (id <= 0 || id >= backend.devices) return 0;
    const int number = static_cast<int>(id);
    return info_of(backend, number).is_cpu && !info_of(backend, 0).is_cpu ? 0 : number;
}

// Variables in which launchers tell each process its rank on its machine: of Open MPI, of Hydra
// (MPICH and Intel MPI), of other launchers with the interface PMI, and of Slurm's srun.
constexpr const char *kLocalRanks[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                       "PMI_LOCAL_RANK", "SLURM_LOCALID"};

// The rank of this process, from the first variable that holds a number; -1: there is none.
int local_rank()
{
    for (const char *name : kLocalRanks) {
        const char *text = std::getenv(name);
        int rank = -1;
        if (text && parse_int(text, 0, INT_MAX, rank)) return rank;
    }
    return -1;
}

// The local rank modulo the number of devices.
int device_of_local_rank(const LoadedBackend &backend)
{
    const int rank = local_rank();
    if (rank < 0) {
        std::string names;
        for (const char *name : kLocalRanks)
            names += (names.empty() ? "" : ", ") + std::string(name);
        log(kLogError,
            "G6_DEVICES=local needs the rank of this process on its machine, but no launcher has "
            "set it (%s); going on with %s device 0, as every such process on this machine does",
            names.c_str(), backend.name.c_str());
        return 0;
    }
    const int device = rank % backend.devices;
    if (rank >= backend.devices)
        log(kLogInfo,
            "rank %d of this machine computes on %s device %d, which it shares with rank %d unless "
            "the launcher shows each process devices of its own",
            rank, backend.name.c_str(), device, device);
    return device;
}

// The devices that one word of a list means: a device's number, or part of devices' names.
std::vector<int> matching_devices(const std::string &word, const LoadedBackend &backend)
{
    std::vector<int> found;
    const bool negative = word.size() > 1 && word[0] == '-';  // g6_open_special() may pass it
    if (word.find_first_not_of("0123456789", negative) == std::string::npos) {
        const long n = std::strtol(word.c_str(), nullptr, 10);
        if (n < 0 || n >= backend.devices)
            throw Error(
                G6_ERR_OPTION,
                "%s device %ld is not there: there are %d, numbered from 0; g6info lists them",
                backend.name.c_str(), n, backend.devices);
        return {static_cast<int>(n)};
    }
    std::string there;
    for (int d = 0; d < backend.devices; d++) {
        const std::string name = info_of(backend, d).name;
        if (lower(name).find(lower(word)) != std::string::npos) found.push_back(d);
        there += (d ? ", " : "") + std::to_string(d) + " " + name;
    }
    if (found.empty())
        throw Error(G6_ERR_OPTION,
                    "no %s device has \"%s\" in its name; there are: %s; allowed: all, "
                    "local, or a list of numbers and parts of names as 0,1 or H200",
                    backend.name.c_str(), word.c_str(), there.c_str());
    return found;
}

}  // namespace

bool has_names(const std::string &devices)
{
    return devices != "all" && devices != "local" &&
           devices.find_first_not_of("-0123456789,") != std::string::npos;
}

std::vector<int> device_list(const std::string &text, ClusterId id, const LoadedBackend &backend)
{
    const int count = backend.devices;
    const bool reaches_others = backend.entry->set_local_devices != nullptr;
    if (text.empty() && !reaches_others) return {default_device(id, backend)};
    if (text == "local") return {device_of_local_rank(backend)};
    std::vector<int> list;
    if (text == "all" || text.empty()) {
        list.resize(static_cast<size_t>(count));
        std::iota(list.begin(), list.end(), 0);
        return list;
    }
    for (size_t at = 0; at <= text.size();) {
        const size_t comma = std::min(text.find(',', at), text.size());
        for (int device : matching_devices(text.substr(at, comma - at), backend))
            if (std::find(list.begin(), list.end(), device) == list.end()) list.push_back(device);
        at = comma + 1;
    }
    if (reaches_others) std::sort(list.begin(), list.end());  // this process's devices come first
    return list;
}

std::string device_words(int ngpu, const int *list)
{
    if (ngpu == 0) return "all";
    if (ngpu > 0 && !list) throw Error(G6_ERR_ARGUMENT, "list is NULL with ngpu = %d", ngpu);
    const int available = device_count(config_from_environment());
    std::string words;
    const int wanted = ngpu < -available ? available : std::abs(ngpu);  // -2^31 has no opposite
    for (int k = 0; k < wanted; k++)
        words += (k ? "," : "") + std::to_string(ngpu > 0 ? list[k] : k);
    return words;
}

}  // namespace g6
