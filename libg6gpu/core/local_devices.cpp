// SPDX-License-Identifier: MIT
// Chooses this process's share of the machine's devices, describes and opens them, and lets a
// backend serve a client with them.
#include "local_devices.h"

#include "device_list.h"
#include "loader.h"
#include "../base/kept_text.h"
#include "../base/status.h"
#include "../base/version.h"
#include "../settings/config.h"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace g6 {
namespace {

struct ChosenDevices {
    const LoadedBackend *backend = nullptr;
    std::vector<int> devices;
    int sharers = 1;
};

ChosenDevices &chosen()
{
    static auto *c = new ChosenDevices;
    return *c;
}

// `sharers` processes share `count` devices.  The devices of process number `which`.
std::vector<int> share(int count, int which, int sharers)
{
    std::vector<int> mine;
    for (int d = which; d < count; d += sharers) mine.push_back(d);
    if (mine.empty() && count > 0) mine.push_back(which % count);
    return mine;
}

int choose(int which, int sharers)
{
    const Config config = config_from_environment();
    ChosenDevices &c = chosen();
    c.sharers = sharers;
    if (!local_devices().serving && sharers > 1) leave_processors(sharers);
    c.backend = backends_for(config.local_backend, true).front();
    // What a worker was asked for and cannot do it says itself: g6worker turns the log off.
    if (local_devices().serving && config.local_backend != "auto" &&
        config.local_backend != c.backend->name)
        std::fprintf(stderr,
                     "g6worker: backend %s cannot be used; going on with the %s; g6info on this "
                     "machine tells why\n",
                     config.local_backend.c_str(), c.backend->name.c_str());
    const bool named = local_devices().serving && !config.devices.empty();
    c.devices = share(c.backend->devices, which, sharers);
    if (named) try {
            c.devices = device_list(config.devices, 0, *c.backend);
        } catch (const Error &e) {
            std::fprintf(stderr, "g6worker: %s; going on with an even share\n", e.what());
        }
    return static_cast<int>(c.devices.size());
}

// Describes one of the chosen devices.  Devices of equal `kind` give the same bits: on the cpu the
// instruction set decides the bits, which info.notes names, and on a GPU the model.
DeviceStatus describe(int device, LocalDeviceInfo *local)
{
    const ChosenDevices &c = chosen();
    const int number = c.devices[static_cast<size_t>(device)];
    *local = LocalDeviceInfo{};
    const DeviceStatus status = c.backend->entry->describe(number, &local->info);
    if (status != kDeviceOk) return status;
    std::snprintf(local->backend, sizeof local->backend, "%s", c.backend->name.c_str());
    std::snprintf(local->kind, sizeof local->kind, "%s: %s", local->backend,
                  c.backend->built_in ? local->info.notes : local->info.name);
    local->tree = c.backend->entry->tree;
    local->shares_memory = c.backend->entry->shares_memory;
    return kDeviceOk;
}

// Host threads of a worker.  Waiting threads occupy processors that a client on the same machine
// needs.  So workers on the cpu share the processors of a machine evenly, and a worker whose GPU
// computes has one thread.
int threads_of_worker()
{
    const bool computes = chosen().backend->built_in;
    const unsigned processors = std::thread::hardware_concurrency();
    return computes ? std::max(1, static_cast<int>(processors) / chosen().sharers) : 1;
}

Device *open(int device, const DeviceOptions *options, const char **reason)
{
    const ChosenDevices &c = chosen();
    DeviceOptions local = *options;
    const Config config = config_from_environment();
    // A worker takes the client's options, except those that concern this machine and process.
    if (local_devices().serving) {
        local.pool = &kThreadPool;
        local.threads = config.threads > 0 ? config.threads : threads_of_worker();
        local.debug = kept_text(config.device_debug.c_str());
    }
    return c.backend->entry->open(c.devices[static_cast<size_t>(device)], &local, reason);
}

LocalDevices &table()
{
    static LocalDevices devices = {false,
                                   kVersion,
                                   [](const char *line) { log(kLogInfo, "%s", line); },
                                   [](const char *line) { log(kLogError, "%s", line); },
                                   choose,
                                   describe,
                                   open};
    return devices;
}

}  // namespace

const LocalDevices &local_devices()
{
    return table();
}

void serve(const char *backend, const Patience &patience)
{
    table().serving = true;
    const LoadedBackend *b = find_backend(backend);
    if (!b) throw Error(G6_ERR_DEVICE, "%s", missing_file(backend, false).c_str());
    if (!b->entry) throw Error(G6_ERR_DEVICE, "backend %s: %s", backend, b->why_not().c_str());
    if (!b->entry->serve) throw Error(G6_ERR_DEVICE, "backend %s serves no other process", backend);
    if (const char *trouble = b->entry->serve(&patience)) throw Error(G6_ERR_DEVICE, "%s", trouble);
}

}  // namespace g6
