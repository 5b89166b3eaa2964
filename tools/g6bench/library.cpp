// SPDX-License-Identifier: MIT
#include "library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace g6bench {
namespace {

#define G6_TEXT(s) #s
#define G6_QUOTE(s) G6_TEXT(s)
constexpr const char *kOwnLibrary = "libg6gpu.so." G6_QUOTE(G6_VERSION_MAJOR);

std::string real_path(const std::string &file)
{
    char *real = realpath(file.c_str(), nullptr);
    const std::string path = real ? real : file;
    std::free(real);
    return path;
}

// ../lib beside this program, in the build folder as when installed; else where the system looks.
std::string own_library()
{
    const std::string program = real_path("/proc/self/exe");
    const std::string file = program.substr(0, program.rfind('/')) + "/../lib/" + kOwnLibrary;
    return access(file.c_str(), F_OK) == 0 ? file : kOwnLibrary;
}

// RTLD_LOCAL: two GRAPE libraries have the same names and must not see each other's.  No dlclose:
// libraries with threads or devices of their own rarely survive it.
void *open_file(const std::string &file)
{
    std::string path = file;
    if (file == "own")
        path = own_library();
    else if (access(file.c_str(), F_OK) == 0)
        path = real_path(file);  // a bare name that exists here means this file
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *reason = dlerror();
        throw Failure("cannot open the library " + file + ": " + (reason ? reason : "no reason"));
    }
    return handle;
}

std::string file_of(void *handle, const std::string &asked)
{
    link_map *map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !*map->l_name) return asked;
    return real_path(map->l_name);
}

template <class Function> bool find(void *handle, const char *name, Function &function)
{
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
}

}  // namespace

Library::Library(const std::string &file)
{
    void *handle = open_file(file);
    file_ = file_of(handle, file);

    std::string missing;
    auto need = [&](const char *name, auto &function) {
        if (!find(handle, name, function)) missing += std::string(" ") + name;
    };
    need("g6_open_", open);
    need("g6_close_", close);
    need("g6_npipes_", npipes);
    need("g6_set_ti_", set_ti);
    need("g6_set_j_particle_", set_j_particle);
    need("g6calc_firsthalf_", firsthalf);
    need("g6calc_lasthalf_", lasthalf);
    if (!missing.empty())
        throw Failure(file_ + " is not a GRAPE-6 library with Fortran names; it lacks" + missing);

    find(handle, "g6calc_lasthalf2_", lasthalf2);
    find(handle, "g6_read_neighbour_list_", read_neighbour_list);
    find(handle, "g6_get_neighbour_list_", get_neighbour_list);
    find(handle, "g6_set_tunit_", set_tunit);
    find(handle, "g6_set_xunit_", set_xunit);
    find(handle, "g6_version", version);
    find(handle, "g6_last_error", last_error);
    find(handle, "g6_set_option", set_option);
    find(handle, "g6_get_option", get_option);
    find(handle, "g6_get_stats", get_stats);
    find(handle, "g6_backend_name", backend_name);
    find(handle, "g6_get_backend_info", get_backend_info);
    find(handle, "g6_get_device_info", get_device_info);
}

std::string Library::device_text(const std::string &backend) const
{
    g6_backend_info b{};
    b.size = sizeof b;
    for (int n = 0; get_backend_info && get_backend_info(n, &b) == G6_OK; n++) {
        if (backend != b.name) continue;
        g6_device_info d{};
        d.size = sizeof d;
        if (!get_device_info || get_device_info(n, 0, &d) != G6_OK) return "";
        return std::string(d.name) + (*d.notes ? std::string(" (") + d.notes + ")" : "");
    }
    return "";
}

std::string Library::describe() const
{
    std::string text = file_;
    if (version) text += ", version " + std::string(version());
    if (backend_name) {
        const std::string backend = backend_name(0);
        text += ", backend " + backend + ", device " + device_text(backend);
    }
    for (const char *key : {"precision", "mode", "isa", "threads", "devices"}) {
        char value[256] = "";
        if (get_option && get_option(0, key, value, sizeof value) == G6_OK && *value)
            text += std::string(", ") + key + " " + value;
    }
    return text + ", npipes " + std::to_string(npipes());
}

}  // namespace g6bench
