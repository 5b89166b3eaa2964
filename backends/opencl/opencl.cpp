// SPDX-License-Identifier: MIT
// The entry of g6_opencl.so: counts, describes and opens devices.
#include "../../libg6gpu/base/kept_text.h"
#include "device.h"

#include <cstdio>

namespace g6::opencl {
namespace {

// Runs f.  Where f throws, *why is the text of the exception.
template <class F> void attempt(const char **why, F &&f) noexcept
{
    try {
        f();
    } catch (const ClError &e) {
        *why = kept_text(e.text.c_str());
    } catch (const std::exception &e) {
        *why = kept_text(e.what());
    }
}

int count(const char **why)
{
    int n = 0;
    attempt(why, [&] {
        std::string text;
        n = static_cast<int>(all_hardware(&text).size());
        if (n == 0) *why = kept_text(text.c_str());
    });
    return n > 0 ? n : -1;
}

DeviceStatus describe(int number, DeviceInfo *info)
{
    const Hardware &h = all_hardware()[static_cast<size_t>(number)];
    *info = DeviceInfo{};
    info->has_double = h.fp64;
    std::snprintf(info->name, sizeof info->name, "%s", h.name.c_str());
    std::snprintf(info->notes, sizeof info->notes,
                  "platform %.70s, %.60s, driver %.40s; precisions mixed, %ssingle (treeonly)",
                  h.platform_name.c_str(), h.platform_version.c_str(), h.driver.c_str(),
                  info->has_double ? "double, " : "");
    info->memory_bytes = info->memory_free_bytes = static_cast<double>(h.memory_bytes);
    info->compute_units = h.compute_units;
    info->is_cpu = h.is_cpu;
    // The rates of an H200 and of a processor core, in mixed; the driver takes 60 us for a block.
    info->speed = {h.compute_units * (h.is_cpu ? 700.0 : 5000.0), 60, 280};
    return kDeviceOk;
}

Device *open(int number, const DeviceOptions *options, const char **why)
{
    // Set once, because threads may open devices at the same time.
    static const PoolTable *const pool = loop_pool() = options->pool;
    (void)pool;
    Device *device = nullptr;
    attempt(why, [&] {
        try {
            device = new OpenClDevice(number, *options);
        } catch (const ClError &e) {
            if (is_of_device(e.code)) Engine::forget(number);
            throw;
        }
    });
    return device;
}

}  // namespace
}  // namespace g6::opencl

extern "C" __attribute__((visibility("default"))) const g6::Backend *g6_backend_entry()
{
    static const g6::Backend backend = {g6::kBackendAbi,   "opencl",
                                        g6::opencl::count, g6::opencl::describe,
                                        g6::opencl::open,  g6::TreeSupport::kHostTree};
    return &backend;
}
