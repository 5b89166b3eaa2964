// SPDX-License-Identifier: MIT
// Tells the fake backend, through its control block, at which call it loses a device.
#include "fault.h"

#include "tests/fake/find.h"

#include <cstdlib>

namespace g6fuzz {
namespace {

using namespace g6test;

bool g_used = false;

}  // namespace

void use_fake_backends()
{
    g_used = true;
    setenv("G6_BACKEND_DIR", fake_folder().c_str(), 1);
}

void lose_device(int device, int call, int count)
{
    if (g_used && device >= 0 && device < kFakeDevices && call >= 0 && call < kCalls)
        fake_control().device[device].lose_at[call] = count;
}

std::string fake_violation()
{
    return g_used ? fake_control().violation : "";
}

}  // namespace g6fuzz
