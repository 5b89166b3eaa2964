// SPDX-License-Identifier: MIT
#include "loader.h"

#include "config.h"
#include "environment.h"
#include "files.h"
#include "status.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <sys/auxv.h>

namespace g6 {
namespace {

// The file that holds this very function: libg6gpu.so, or the program that it was linked into; ""
// when the system does not tell.  dladdr() knows a program by the name that its caller gave it,
// which may lead anywhere; the kernel knows the file.
std::string own_file()
{
    Dl_info own, program;
    if (!dladdr(reinterpret_cast<void *>(&cpu_backend), &own) || !own.dli_fname) return "";
    const bool in_program = dladdr(reinterpret_cast<void *>(getauxval(AT_PHDR)), &program) != 0 &&
                            program.dli_fbase == own.dli_fbase;
    std::error_code error;
    const std::filesystem::path file = in_program
                                           ? std::filesystem::read_symlink("/proc/self/exe", error)
                                           : std::filesystem::absolute(own.dli_fname, error);
    return error ? "" : file.string();
}

// Fixed at the first call: the program may go to another folder later, where a relative path would
// lead elsewhere.
const std::string &default_folder()
{
    static const auto *folder = [] {
        const std::string file = own_file();
        return new std::string(file.empty() ? "" : file.substr(0, file.rfind('/')) + "/g6gpu");
    }();
    return *folder;
}

std::string backend_folder()
{
    const char *chosen = trusted_variable("G6_BACKEND_DIR");
    return chosen && *chosen ? chosen : default_folder();
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

// Why a file is not opened at all; "": it may be.
std::string refusal_of_file(const std::string &name, const std::string &path)
{
    if (name == "cpu" || name == "auto")
        return "the library uses the name " + name + " itself; give the file another name";
    if (has_more_rights_than_user())
        return "not opened in a process with more rights than its user (AT_SECURE: setuid, "
               "setgid, capabilities): drivers load what variables of the user name";
    const std::string kind = not_regular(path);
    return kind.empty() ? "" : "cannot be loaded: " + kind;
}

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

// The entry of the backend in a shared object, which stays loaded; null, and reason, for none.
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

std::unique_ptr<LoadedBackend> load(const std::string &folder, const std::string &file)
{
    auto b = std::make_unique<LoadedBackend>();
    b->name = backend_name(file);
    b->path = folder + "/" + file;
    b->reason = refusal_of_file(b->name, b->path);
    if (b->usable()) b->entry = open_entry(b->path, b->reason);
    if (b->usable()) count_devices(*b);
    return b;
}

std::unique_ptr<LoadedBackend> built_in()
{
    auto b = std::make_unique<LoadedBackend>();
    b->name = "cpu";
    b->path = "built in";
    b->entry = cpu_backend();
    count_devices(*b);
    return b;
}

// What one folder has.
struct Scan {
    std::vector<const LoadedBackend *> backends;  // by name, the built-in one last
    std::string trouble;                          // why the folder cannot be read, or ""
};

std::vector<std::string> backend_files(const std::string &folder, std::string &trouble)
{
    std::vector<std::string> files;
    std::unique_ptr<DIR, int (*)(DIR *)> dir(opendir(folder.c_str()), closedir);
    if (!dir && errno == ENOMEM) throw std::bad_alloc();  // no finding about the folder
    if (!dir) {
        trouble = std::strerror(errno);
        return files;
    }
    while (const dirent *entry = readdir(dir.get()))
        if (!backend_name(entry->d_name).empty()) files.push_back(entry->d_name);
    std::sort(files.begin(), files.end());
    return files;
}

Scan scan(const std::string &folder)
{
    Scan s;
    for (const std::string &file : backend_files(folder, s.trouble)) {
        LoadedBackend *b = load(folder, file).release();  // kept for the life of the process
        if (b->usable())
            log(kLogInfo, "backend %s: %d device(s), %s", b->name.c_str(), b->devices,
                b->path.c_str());
        else
            log(kLogInfo, "backend %s refused: %s", b->name.c_str(), b->reason.c_str());
        s.backends.push_back(b);
    }
    s.backends.push_back(built_in().release());
    return s;
}

const Scan &current_scan()
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
    return current_scan().backends;
}

const LoadedBackend *find_backend(const std::string &name)
{
    const auto &all = backends();
    // From the end: a refused file with the name of the built-in backend stands before that one.
    const auto found = std::find_if(all.rbegin(), all.rend(),
                                    [&](const LoadedBackend *b) { return b->name == name; });
    return found == all.rend() ? nullptr : *found;
}

std::string missing_file(const std::string &name)
{
    const std::string trouble = current_scan().trouble;
    return "no file g6_" + name + ".so in " + backend_folder() +
           (trouble.empty() ? "" : " (" + trouble + ")");
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
