// SPDX-License-Identifier: MIT
// Where a test program finds the fake backends, and how it controls them.
#pragma once

#include "control.h"

#include "tests/folder.h"

#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace g6test {

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
