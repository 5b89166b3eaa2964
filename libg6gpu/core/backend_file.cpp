// SPDX-License-Identifier: MIT
// Loads the shared object with dlopen(), finds its entry, and refuses an entry that has another
// interface number or lacks a function that the core needs.
#include "backend_file.h"

#include <dlfcn.h>

namespace g6 {
namespace {

// Why the core cannot work with this entry; "": it can.
std::string refusal_of_entry(const Backend *entry)
{
    if (!entry || entry->abi != kBackendAbi)
        return "built for backend interface " + std::to_string(entry ? entry->abi : 0) +
               ", this library has " + std::to_string(kBackendAbi) +
               "; install both from one version";
    if (!entry->count || !entry->describe || !entry->open)
        return "lacks functions of backend interface " + std::to_string(kBackendAbi);
    return "";
}

}  // namespace

const Backend *open_entry(const std::string &path, std::string &reason)
{
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *why = dlerror();
        reason = std::string("cannot be loaded: ") + (why ? why : "unknown reason");
        return nullptr;
    }
    void *symbol = dlsym(handle, kBackendEntryName);
    if (!symbol) {
        reason = std::string("no symbol ") + kBackendEntryName + "; not a backend of this library";
        return nullptr;
    }
    const Backend *entry = reinterpret_cast<BackendEntry>(symbol)();
    reason = refusal_of_entry(entry);
    return reason.empty() ? entry : nullptr;
}

bool has_gpu(const Backend &entry, int devices)
{
    for (int d = 0; d < devices; d++) {
        DeviceInfo info{};
        if (entry.describe(d, &info) == kDeviceOk && !info.is_cpu) return true;
    }
    return false;
}

}  // namespace g6
