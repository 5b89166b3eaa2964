// SPDX-License-Identifier: MIT
// Finds and opens the file of a library: a path, a name that the system looks for, or "own", the
// libg6gpu beside the program.
#include "shared_library.h"

#include <g6lib.h>

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace g6tools {
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

}  // namespace

SharedLibrary::SharedLibrary(const std::string &file)
    : handle_(open_file(file)), file_(file_of(handle_, file))
{
}

void *SharedLibrary::symbol(const char *name) const
{
    return dlsym(handle_, name);
}

}  // namespace g6tools
