// SPDX-License-Identifier: MIT
#include "loader.h"

#include "config.h"
#include "status.h"

#include <algorithm>
#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>

namespace g6 {
namespace {

// Folder of the file that holds this very function: libg6gpu.so, or the program it was linked into.
std::string own_folder()
{
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(&cpu_backend), &info) || !info.dli_fname) return "";
    const std::string file = info.dli_fname;
    const size_t slash = file.rfind('/');
    return slash == std::string::npos ? "" : file.substr(0, slash);
}

std::string backend_folder()
{
    const char *chosen = std::getenv("G6_BACKEND_DIR");
    if (chosen && *chosen) return chosen;
    const std::string own = own_folder();
    return own.empty() ? "" : own + "/g6gpu";
}

// "g6_cuda.so" -> "cuda", "" for other files.
std::string backend_name(const std::string &file)
{
    const std::string prefix = "g6_", suffix = ".so";
    if (file.size() <= prefix.size() + suffix.size() ||
        file.compare(0, prefix.size(), prefix) != 0 ||
        file.compare(file.size() - suffix.size(), suffix.size(), suffix) != 0)
        return "";
    return file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
}

void count_devices(LoadedBackend &b)
{
    const char *why = nullptr;
    const int n = b.entry->count(&why);
    b.devices = std::max(n, 0);
    if (n <= 0) b.reason = why && *why ? why : "no device found";
}

std::unique_ptr<LoadedBackend> load(const std::string &folder, const std::string &file)
{
    auto b = std::make_unique<LoadedBackend>();
    b->name = backend_name(file);
    b->path = folder + "/" + file;
    void *handle = dlopen(b->path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *why = dlerror();
        b->reason = std::string("cannot be loaded: ") + (why ? why : "unknown reason");
        return b;
    }
    void *symbol = dlsym(handle, kBackendEntryName);
    if (!symbol) {
        b->reason =
            std::string("no symbol ") + kBackendEntryName + "; not a backend of this library";
        return b;
    }
    const Backend *entry = reinterpret_cast<BackendEntry>(symbol)();
    if (!entry || entry->abi != kBackendAbi) {
        b->reason = "built for backend interface " + std::to_string(entry ? entry->abi : 0) +
                    ", this library has " + std::to_string(kBackendAbi) +
                    "; install both from one version";
        return b;
    }
    b->entry = entry;
    count_devices(*b);
    return b;
}

std::vector<std::string> backend_files(const std::string &folder)
{
    std::vector<std::string> files;
    std::unique_ptr<DIR, int (*)(DIR *)> dir(opendir(folder.c_str()), closedir);
    if (!dir) return files;
    while (const dirent *entry = readdir(dir.get()))
        if (!backend_name(entry->d_name).empty()) files.push_back(entry->d_name);
    std::sort(files.begin(), files.end());
    return files;
}

using Scan = std::vector<const LoadedBackend *>;

Scan scan(const std::string &folder)
{
    Scan found;
    for (const std::string &file : backend_files(folder)) {
        LoadedBackend *b = load(folder, file).release();  // kept for the life of the process
        if (b->usable())
            log(kLogInfo, "backend %s: %d device(s), %s", b->name.c_str(), b->devices,
                b->path.c_str());
        else
            log(kLogInfo, "backend %s refused: %s", b->name.c_str(), b->reason.c_str());
        found.push_back(b);
    }
    auto *cpu = new LoadedBackend;
    cpu->name = "cpu";
    cpu->path = "built in";
    cpu->entry = cpu_backend();
    count_devices(*cpu);
    found.push_back(cpu);
    return found;
}

bool has_gpu(const LoadedBackend &b)
{
    for (int d = 0; d < b.devices; d++) {
        DeviceInfo info{};
        if (b.entry->describe(d, &info) == kDeviceOk && !info.is_cpu) return true;
    }
    return false;
}

}  // namespace

const std::vector<const LoadedBackend *> &backends()
{
    process_config();  // G6_LOG, before the first message
    static auto *mutex = new std::mutex;
    static auto *scans = new std::map<std::string, Scan>;
    std::lock_guard<std::mutex> lock(*mutex);
    const std::string folder = backend_folder();
    auto place = scans->find(folder);
    if (place == scans->end()) place = scans->emplace(folder, scan(folder)).first;
    return place->second;
}

const LoadedBackend *find_backend(const std::string &name)
{
    for (const LoadedBackend *b : backends())
        if (b->name == name) return b;
    return nullptr;
}

std::string missing_file(const std::string &name)
{
    return "no file g6_" + name + ".so in " + backend_folder();
}

std::vector<const LoadedBackend *> automatic_order()
{
    std::vector<const LoadedBackend *> order;
    for (const char *name : {"cuda", "opencl"}) {
        const LoadedBackend *b = find_backend(name);
        if (b && b->usable() && has_gpu(*b)) order.push_back(b);
    }
    order.push_back(find_backend("cpu"));
    return order;
}

}  // namespace g6
