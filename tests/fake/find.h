// SPDX-License-Identifier: MIT
// Where a test program finds the fake backends, and what each of them is told and tells.
#pragma once

#include "control.h"

#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace g6test {

// .../bin/g6test-fake -> .../test-backends/fakes
inline std::string fake_folder()
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    const std::string exe(path, n > 0 ? static_cast<size_t>(n) : 0);
    return exe.substr(0, exe.rfind("/bin/")) + "/test-backends/fakes";
}

inline FakeControl &control_of(const std::string &file)
{
    void *handle = dlopen(file.c_str(), RTLD_NOW);
    void *get = handle ? dlsym(handle, "g6_fake_control") : nullptr;
    if (!get) throw std::runtime_error(dlerror());
    return *reinterpret_cast<FakeControl *(*)()>(get)();
}
inline FakeControl &fake_control()
{
    static FakeControl &control = control_of(fake_folder() + "/g6_fake.so");
    return control;
}

}  // namespace g6test
