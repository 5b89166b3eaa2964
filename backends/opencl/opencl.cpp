// SPDX-License-Identifier: MIT
// The entry of g6_opencl.so: which devices there are and how to open one.
#include "device.h"

#include <cstdio>
#include <memory>

namespace g6::opencl {
namespace {

thread_local char t_reason[512];

const char *reason(const std::string &text)
{
    std::snprintf(t_reason, sizeof t_reason, "%s", text.c_str());
    return t_reason;
}

int count(const char **why)
{
    try {
        std::string text;
        const size_t n = all_hardware(&text).size();
        if (n > 0) return static_cast<int>(n);
        *why = reason(text);
    } catch (const ClError &e) {
        *why = reason(e.text);
    } catch (const std::exception &e) {
        *why = reason(e.what());
    }
    return -1;
}

DeviceStatus describe(int number, DeviceInfo *info)
{
    const std::vector<Hardware> &all = all_hardware();
    if (number < 0 || static_cast<size_t>(number) >= all.size()) return kDeviceLost;
    const Hardware &h = all[static_cast<size_t>(number)];
    *info = DeviceInfo{};
    info->has_double = uses_double(h);
    std::snprintf(info->name, sizeof info->name, "%s", h.name.c_str());
    std::snprintf(info->notes, sizeof info->notes,
                  "platform %.80s, %.60s, driver %.40s; precisions mixed, %ssingle (treeonly)",
                  h.platform_name.c_str(), h.platform_version.c_str(), h.driver.c_str(),
                  info->has_double ? "double, " : "");
    info->memory_bytes = info->memory_free_bytes = static_cast<double>(h.memory_bytes);
    info->compute_units = h.compute_units;
    info->is_cpu = h.is_cpu;
    return kDeviceOk;
}

Device *open(int number, const DeviceOptions *options, const char **why)
{
    try {
        return new OpenClDevice(number, *options);
    } catch (const ClError &e) {
        *why = reason(e.text);
    } catch (const std::exception &e) {
        *why = reason(e.what());
    }
    return nullptr;
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
