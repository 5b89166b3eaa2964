// SPDX-License-Identifier: MIT
// The entry of g6_mpi.so: the devices of this process and of workers on other machines.
#include "local_device.h"
#include "remote_device.h"
#include "roster.h"
#include "worker.h"

#include "../../libg6gpu/base/kept_text.h"

namespace g6::mpi {
namespace {

const LocalDevices *local_devices = nullptr;
std::vector<Entry> roster;
Backend backend;

// Ends the workers.  A worker cannot end before the results that it has sent are received.
void say_bye()
{
    for (Link &link : links()) link.say_bye();
}

void set_local_devices(const LocalDevices *local)
{
    local_devices = local;
}

// What a walk can use: the devices' own trees, if every device makes one.  Else the host's tree,
// which the first device walks alone: it must be of this process, and the first device that makes
// no tree must be able to walk the host's.  Else nothing.
TreeSupport tree_of_all()
{
    for (const Entry &e : roster)
        if (e.device.tree != TreeSupport::kOwnTree)
            return e.device.tree == TreeSupport::kHostTree && !roster[0].link
                       ? TreeSupport::kHostTree
                       : TreeSupport::kNone;
    return TreeSupport::kOwnTree;
}

int count(const char **reason)
{
    if (local_devices->serving) {
        *reason = "this process is a worker";
        return -1;
    }
    try {
        at_end(say_bye);
        roster = meet_workers(*local_devices);
        backend.tree = tree_of_all();
        return static_cast<int>(roster.size());
    } catch (const std::exception &e) {
        *reason = kept_text(e.what());
        return -1;
    }
}

DeviceStatus describe(int device, DeviceInfo *info)
{
    const Entry &entry = roster[static_cast<std::size_t>(device)];
    *info = entry.device.info;
    LocalDeviceInfo now{};
    if (!entry.link && local_devices->describe(entry.number, &now) == kDeviceOk)
        info->memory_free_bytes = now.info.memory_free_bytes;
    return kDeviceOk;
}

Device *open(int device, const DeviceOptions *options, const char **reason)
{
    const Entry &entry = roster[static_cast<std::size_t>(device)];
    // Set once, because threads may open devices at the same time.
    static const PoolTable *const pool = loop_pool() = options->pool;
    (void)pool;
    try {
        if (entry.link) return RemoteDevice::open(*entry.link, entry.number, *options, reason);
        Device *inner = local_devices->open(entry.number, options, reason);
        if (!inner) return nullptr;
        return new LocalDevice(inner, entry.device.shares_memory, *options);
    } catch (const std::exception &e) {
        *reason = kept_text(e.what());
        return nullptr;
    }
}

const char *become_worker(const Patience *patience)
{
    return serve(*local_devices, *patience);
}

}  // namespace
}  // namespace g6::mpi

extern "C" __attribute__((visibility("default"))) const g6::Backend *g6_backend_entry()
{
    using namespace g6;
    mpi::backend = {kBackendAbi,
                    "mpi",
                    mpi::count,
                    mpi::describe,
                    mpi::open,
                    TreeSupport::kNone,
                    true,
                    mpi::set_local_devices,
                    mpi::become_worker};
    return &mpi::backend;
}
