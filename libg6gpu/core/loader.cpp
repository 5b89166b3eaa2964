// SPDX-License-Identifier: MIT
// Finds backends by the names of files, refuses files that must not be opened, lets g6probe try
// drivers that may end the program, and opens the backend that is asked for.
#include "loader.h"

#include "backend_file.h"
#include "local_devices.h"
#include "../settings/config.h"
#include "../settings/config_text.h"
#include "../settings/files.h"
#include "../base/fork.h"
#include "../base/status.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <map>
#include <memory>
#include <mutex>
#include <sys/auxv.h>
#include <unistd.h>

namespace g6 {
namespace {

// The file that holds this very function: libg6gpu.so, or the program that it was linked into; ""
// when the system does not tell.  dladdr() knows a program by the name that its caller gave it,
// which may lead anywhere; the kernel knows the file.
std::string library_file()
{
    Dl_info library, program;
    if (!dladdr(reinterpret_cast<void *>(&cpu_backend), &library) || !library.dli_fname) return "";
    const bool in_program = dladdr(reinterpret_cast<void *>(getauxval(AT_PHDR)), &program) != 0 &&
                            program.dli_fbase == library.dli_fbase;
    std::error_code error;
    const std::filesystem::path file = in_program
                                           ? std::filesystem::read_symlink("/proc/self/exe", error)
                                           : std::filesystem::absolute(library.dli_fname, error);
    return error ? "" : file.string();
}

// The folder g6gpu/ beside library_file().  If this does not exist, as beside a program that
// contains the library, the folder of the installation, if it is known.  The first call decides:
// a relative path would lead elsewhere after the program has changed its current directory.
const std::string &default_folder()
{
    static const auto *const folder = [] {
        const std::string file = library_file();
        const std::string beside = file.empty() ? "" : file.substr(0, file.rfind('/')) + "/g6gpu";
        std::error_code error;
        const std::string installed = installed_backends();
        const bool is_beside = installed.empty() || std::filesystem::is_directory(beside, error);
        return new std::string(is_beside ? beside : installed);  // never destroyed
    }();
    return *folder;
}

std::string backend_folder()
{
    const char *chosen = secure_getenv("G6_BACKEND_DIR");
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

// Whether this program was linked with -static: it has no dynamic linker, and what dlopen() loads
// brings a second C library, which crashes.
bool is_static_program()
{
    bool dynamic = false;
    dl_iterate_phdr(
        [](dl_phdr_info *program, size_t, void *found) {
            for (int k = 0; k < program->dlpi_phnum; k++)
                if (program->dlpi_phdr[k].p_type == PT_INTERP) *static_cast<bool *>(found) = true;
            return 1;  // ends the iteration after the first object, which is the program
        },
        &dynamic);
    return !dynamic;
}

// Whether a shared object ends before the table of its sections, which linkers write last.  Loading
// it would end the program by SIGBUS.
bool is_cut_off(const std::string &path)
{
    ElfW(Ehdr) head;
    std::ifstream file(path, std::ios::binary);
    std::error_code error;
    return file.read(reinterpret_cast<char *>(&head), sizeof head) &&
           std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
           head.e_shoff + head.e_shnum * sizeof(ElfW(Shdr)) >
               std::filesystem::file_size(path, error);
}

// Why a file is not opened at all; "": it may be.
std::string refusal_of_file(const std::string &name, const std::string &path)
{
    if (name == "cpu" || name == "auto")
        return "the library uses the name " + name + " itself; give the file another name";
    if (getauxval(AT_SECURE) != 0)
        return "not opened in a process with more rights than its user (AT_SECURE: setuid, "
               "setgid, capabilities): drivers load what variables of the user name";
    if (is_static_program())
        return "not opened in a program linked with -static: drivers are shared libraries; link "
               "libg6gpu.a alone statically, with -l:libg6gpu.a";
    std::string kind = not_regular(path);
    if (kind.empty() && is_cut_off(path)) kind = "the file is cut off";
    return kind.empty() ? "" : "cannot be loaded: " + kind;
}

// The path of g6probe: beside the backend, else beside the backends of the installation.
std::string probe_program(const std::string &path)
{
    const std::string beside = path.substr(0, path.rfind('/')) + "/g6probe";
    return access(beside.c_str(), X_OK) == 0 ? beside : default_folder() + "/g6probe";
}

// Whether the job has workers beside this program: Open MPI tells that a job has several programs,
// Slurm that it is heterogeneous.
bool has_workers()
{
    for (const char *name : {"OMPI_NUM_APP_CTX", "SLURM_HET_SIZE"}) {
        const char *value = std::getenv(name);
        int programs = 0;
        if (value && parse_int(value, 0, INT_MAX, programs) && programs > 1) return true;
    }
    return false;
}

// Starts the driver in another process, once.
const DriverProbe &probed(LoadedBackend &b)
{
    if (!b.probe) {
        b.probe = probe_driver(probe_program(b.path), b.path);
        if (!b.probe->answered)
            log(kLogDebug,
                "backend %s: g6probe cannot be started, so its driver is started without a trial",
                b.name.c_str());
    }
    return *b.probe;
}

// The backends that the setting "auto" may take, in the order in which it tries them.
struct KnownBackend {
    const char *name;
    bool may_end_program, reaches_others;
};
constexpr KnownBackend kKnownBackends[] = {
    {"mpi", false, true},  // first, because a user who starts workers wants to use them
    // CUDA's driver reports errors by status codes, and takes long to start.  A trial in another
    // process would double this time.
    {"cuda", false, false},
    {"opencl", true, false},  // drivers of some platforms end the program that starts them
};

// The backends of one folder.
struct FolderScan {
    std::vector<LoadedBackend *> backends;  // by name, the built-in one last
    std::string trouble;                    // why the folder cannot be read, or ""

    // Searches from the end: a file that was refused because it has the name of the built-in
    // backend stands before that backend.
    LoadedBackend *find(const std::string &name) const
    {
        const auto found = std::find_if(backends.rbegin(), backends.rend(),
                                        [&](const LoadedBackend *b) { return b->name == name; });
        return found == backends.rend() ? nullptr : *found;
    }
};

std::vector<std::string> backend_files(const std::string &folder, std::string &trouble)
{
    std::vector<std::string> files;
    std::unique_ptr<DIR, int (*)(DIR *)> dir(opendir(folder.c_str()), closedir);
    if (!dir && errno == ENOMEM) throw std::bad_alloc();  // says nothing about the folder
    if (!dir) {
        trouble = std::strerror(errno);
        return files;
    }
    while (const dirent *entry = readdir(dir.get()))
        if (!backend_name(entry->d_name).empty()) files.push_back(entry->d_name);
    std::sort(files.begin(), files.end());
    return files;
}

// Finds the backends by the names of files; opens none.
FolderScan scan(const std::string &folder)
{
    FolderScan s;
    std::vector<std::unique_ptr<LoadedBackend>> found;
    for (const std::string &file : backend_files(folder, s.trouble)) {
        auto b = std::make_unique<LoadedBackend>();
        b->name = backend_name(file);
        b->path = folder + "/" + file;
        for (const KnownBackend &known : kKnownBackends)
            if (b->name == known.name) {
                b->may_end_program = known.may_end_program;
                b->reaches_others = known.reaches_others;
            }
        found.push_back(std::move(b));
    }
    auto cpu = std::make_unique<LoadedBackend>();
    cpu->name = "cpu";
    cpu->path = "built in";
    cpu->built_in = true;
    found.push_back(std::move(cpu));
    s.backends.reserve(found.size());
    for (auto &b : found) s.backends.push_back(b.release());  // for the life of the process
    return s;
}

// Opens the file and asks the driver for its devices; later calls do nothing.  careful: g6probe
// tries the driver in another process first, and a driver that fails there is refused.  Neither the
// built-in backend nor one that reaches other processes is tried by g6probe.
void load(LoadedBackend &b, bool careful)
{
    if (b.looked_at || b.of_parent()) return;
    b.generation = fork_generation();
    std::string reason = b.built_in ? "" : refusal_of_file(b.name, b.path);
    careful = careful && !b.built_in && !b.reaches_others;
    if (careful && reason.empty()) reason = probed(b).trouble;
    const Backend *entry = b.built_in       ? cpu_backend()
                           : reason.empty() ? open_entry(b.path, reason)
                                            : nullptr;
    b.entry = entry;
    b.reason = std::move(reason);
    if (b.reason.empty() && entry->set_local_devices) entry->set_local_devices(&local_devices());
    if (b.reason.empty()) count_devices(b);
    b.looked_at = true;
    if (b.reason.empty())
        log(kLogInfo, "backend %s: %d device(s), %s", b.name.c_str(), b.devices, b.path.c_str());
    else
        log(kLogInfo, "backend %s refused: %s", b.name.c_str(), b.reason.c_str());
}

struct Scans {
    // Recursive: a backend that reaches other processes asks for this process's devices when it is
    // opened.
    std::recursive_mutex mutex;
    std::map<std::string, FolderScan> by_folder;
};

Scans &process_scans()
{
    return of_process<Scans>();
}
// Made while the library is loaded (fork.h).
[[maybe_unused]] const bool g_made = (process_scans(), true);

// Runs f on the scan of the folder that the environment names at this time, under a lock.
template <class F> auto with_scan(F &&f)
{
    process_config();  // reads G6_LOG, which the first message must obey
    Scans &scans = process_scans();
    std::lock_guard<std::recursive_mutex> lock(scans.mutex);
    const std::string folder = backend_folder();
    auto known = scans.by_folder.find(folder);
    if (known == scans.by_folder.end()) known = scans.by_folder.emplace(folder, scan(folder)).first;
    return f(known->second);
}

// Whether "auto" passes over a backend without opening it here.  local: it looks for local
// devices alone.  A driver that may end the program is passed over if it has no GPU according to
// g6probe.
bool is_passed_over(LoadedBackend &b, bool local)
{
    if (b.reaches_others) return local || !has_workers();
    const bool is_in_doubt =
        b.may_end_program && !b.looked_at && refusal_of_file(b.name, b.path).empty();
    return is_in_doubt && probed(b).good() && !b.probe->gpu;
}

// The backend that the setting "auto" takes: the first known one that is usable and has a GPU or
// reaches other processes; null: only the cpu is left.  Later drivers are not started.
const LoadedBackend *best_backend(bool local)
{
    return with_scan([&](FolderScan &s) -> const LoadedBackend * {
        for (const KnownBackend &known : kKnownBackends) {
            LoadedBackend *b = s.find(known.name);
            if (!b || is_passed_over(*b, local)) continue;
            load(*b, b->may_end_program);
            if (b->usable() && (b->reaches_others || has_gpu(*b->entry, b->devices))) return b;
        }
        return nullptr;
    });
}

// The backend of this name; null, with a line on the log, if it cannot be used.
const LoadedBackend *named_backend(const std::string &name, bool local)
{
    const LoadedBackend *b = with_scan([&](const FolderScan &s) { return s.find(name); });
    const bool reaches = local && b && b->reaches_others;
    if (b && !reaches) b = find_backend(name);
    if (b && !reaches && b->usable()) return b;
    log(kLogError, "%s %s refused: %s; going on with the cpu", local ? "local_backend" : "backend",
        name.c_str(),
        reaches ? "it reaches other processes"
        : b     ? b->why_not().c_str()
                : missing_file(name, local).c_str());
    return nullptr;
}

}  // namespace

bool LoadedBackend::of_parent() const
{
    return generation && !built_in && *generation != fork_generation();
}

std::string LoadedBackend::why_not() const
{
    return of_parent() ? kParentsDevices : reason;
}

std::vector<const LoadedBackend *> backends()
{
    return with_scan([](FolderScan &s) {
        for (LoadedBackend *b : s.backends) load(*b, true);
        return std::vector<const LoadedBackend *>(s.backends.begin(), s.backends.end());
    });
}

std::string backend_choices(bool local)
{
    return with_scan([local](const FolderScan &s) {
        std::string names = "auto";
        for (const LoadedBackend *b : s.backends)
            if (!local || !b->reaches_others) names += ", " + b->name;
        return names;
    });
}

const LoadedBackend *find_backend(const std::string &name)
{
    return with_scan([&](FolderScan &s) {
        LoadedBackend *b = s.find(name);
        if (b) load(*b, b->may_end_program);
        return b;
    });
}

std::string missing_file(const std::string &name, bool local)
{
    const std::string trouble = with_scan([](const FolderScan &s) { return s.trouble; });
    return "no file g6_" + name + ".so in " + backend_folder() +
           (trouble.empty() ? "" : " (" + trouble + ")") + "; there are: " + backend_choices(local);
}

std::vector<const LoadedBackend *> backends_for(const std::string &name, bool local)
{
    const LoadedBackend *b = name == "auto" ? best_backend(local) : named_backend(name, local);
    std::vector<const LoadedBackend *> order;
    if (b) order.push_back(b);
    if (!b || !b->built_in) order.push_back(find_backend("cpu"));
    return order;
}

}  // namespace g6
