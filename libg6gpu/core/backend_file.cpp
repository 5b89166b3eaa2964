// SPDX-License-Identifier: MIT
// Loads the shared object with dlopen(), finds its entry, and refuses an entry that has another
// interface number.
#include "backend_file.h"

#include <dlfcn.h>

namespace g6 {

const Backend *open_entry(const std::string &path, std::string &reason)
{
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        reason = std::string("cannot be loaded: ") + dlerror();
        return nullptr;
    }
    void *symbol = dlsym(handle, kBackendEntryName);
    if (!symbol) {
        reason = std::string("no symbol ") + kBackendEntryName + "; not a backend of this library";
        return nullptr;
    }
    const Backend *entry = reinterpret_cast<BackendEntry>(symbol)();
    if (entry->abi == kBackendAbi) return entry;
    reason = "built for backend interface " + std::to_string(entry->abi) + ", this library has " +
             std::to_string(kBackendAbi) + "; install both from one version";
    return nullptr;
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
