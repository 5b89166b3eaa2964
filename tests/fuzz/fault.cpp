// SPDX-License-Identifier: MIT
// Finds the control block of the fake backend by loading its shared object, and sets there at which
// call a device is lost.
#include "fault.h"

#include "tests/fake/control.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace g6fuzz {
namespace {

using namespace g6test;

std::string fake_folder()
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    const std::string exe(path, n > 0 ? static_cast<size_t>(n) : 0);
    return exe.substr(0, exe.rfind("/bin/")) + "/test-backends/fakes";
}

bool g_used = false;

// Null where the fake backends are not in use.
FakeControl *control()
{
    static FakeControl *const found = []() -> FakeControl * {
        if (!g_used) return nullptr;
        void *handle = dlopen((fake_folder() + "/g6_fake.so").c_str(), RTLD_NOW);
        void *get = handle ? dlsym(handle, "g6_fake_control") : nullptr;
        return get ? reinterpret_cast<FakeControl *(*)()>(get)() : nullptr;
    }();
    return found;
}

}  // namespace

void use_fake_backends()
{
    g_used = true;
    setenv("G6_BACKEND_DIR", fake_folder().c_str(), 1);
}

void lose_device(int device, int call, int count)
{
    FakeControl *c = control();
    if (c && device >= 0 && device < kFakeDevices && call >= 0 && call < kCalls)
        c->device[device].lose_at[call] = count;
}

std::string fake_violation()
{
    const FakeControl *c = control();
    return c ? c->violation : "";
}

}  // namespace g6fuzz
