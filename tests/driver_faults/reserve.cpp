// SPDX-License-Identifier: MIT
// A rule of backend.h for Device::reserve(): after kDeviceOutOfMemory the slots keep their values.
// The core gives up such a device; an MPI client asks for less.
#include "reserve.h"

#include "faults.h"
#include "libg6gpu/backend.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <memory>

namespace {

using namespace g6;

constexpr int kBodies = 100;

std::unique_ptr<Device> open_device(const Backend &backend)
{
    const DeviceOptions options{Precision::kMixed, 1, nullptr, ""};
    const char *why = "";
    std::unique_ptr<Device> device(backend.open(0, &options, &why));
    double *const rows = device && device->reserve(kBodies) == kDeviceOk
                             ? device->stage(kBodies, kRecordWords)
                             : nullptr;
    for (int k = 0; rows && k < kBodies; k++) {
        G6JRecord &row = row_at(rows, kRecordWords, static_cast<size_t>(k));
        row = G6JRecord{};
        row.x[k % 3] = 1 + 0.01 * k;
        row.mass = 1;
        row.index = row.slot = k;
    }
    return device;
}

// Sums over all slots.  nn_slot is -2 where there are none.
G6Sums sums_of(Device &device)
{
    G6IRecord i{};
    i.index = -1;
    Block block{};
    block.nj = kBodies;
    block.ni = block.whole_ni = block.parts = 1;
    block.i = &i;
    block.lead = &device;
    block.motion = Motion::kAtRest;
    G6Sums sums{};
    if (device.start(block) != kDeviceOk || device.finish(&sums) != kDeviceOk) sums.nn_slot = -2;
    if (const SumsView there = device.sums_memory(); there && sums.nn_slot != -2) sums = there[0];
    return sums;
}

}  // namespace

int g6test::check_reserve(const char *file)
{
    void *const library = dlopen(file, RTLD_NOW);
    void *const entry = library ? dlsym(library, kBackendEntryName) : nullptr;
    const auto arm =
        reinterpret_cast<decltype(&g6_faults_arm)>(dlsym(RTLD_DEFAULT, "g6_faults_arm"));
    const auto disarm =
        reinterpret_cast<decltype(&g6_faults_disarm)>(dlsym(RTLD_DEFAULT, "g6_faults_disarm"));
    if (!entry || !arm || !disarm) return std::printf("no backend, or no wrapper\n"), 1;
    const Backend &backend = *reinterpret_cast<BackendEntry>(entry)();
    const char *why = nullptr;
    if (backend.count(&why) < 1) return std::printf("%s\n", why), 1;
    bool has_failed = true;
    long k = 0;
    while (has_failed) {
        k++;
        const std::unique_ptr<Device> device = open_device(backend);
        if (!device) return std::printf("no device\n"), 1;
        const G6Sums before = sums_of(*device);
        arm(g6::faults::kMemory, k);
        const DeviceStatus status = device->reserve(100 * kBodies);
        has_failed = disarm() >= k;
        if (status == kDeviceLost) continue;
        const DeviceStatus less = device->reserve(10 * kBodies);
        const G6Sums after = sums_of(*device);
        if (less != kDeviceOk || before.nn_slot == -2 || before.pot == 0 ||
            std::memcmp(&before, &after, sizeof before) != 0)
            return std::printf("call %ld of reserve(): %g became %g\n", k, before.pot, after.pot),
                   1;
    }
    std::printf("reserve(): %ld calls failed in turn, all right\n", k - 1);
    return 0;
}
