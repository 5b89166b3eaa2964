// SPDX-License-Identifier: MIT
// The cpu backend's entry: what this processor offers, and the choice of its instruction set.
#include "tiles.h"

#include "../../libg6gpu/settings/debug.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <unistd.h>

namespace g6::cpu {
namespace {

int count(const char **)
{
    return 1;
}

template <size_t N> void write_processor_name(char (&name)[N])
{
    std::snprintf(name, N, "CPU");
    FILE *f = std::fopen("/proc/cpuinfo", "re");
    if (!f) return;
    char line[N];
    while (std::fgets(line, sizeof line, f)) {
        const char *colon = std::strchr(line, ':');
        if (std::strncmp(line, "model name", 10) != 0 || !colon) continue;
        std::snprintf(name, N, "%s", colon + std::min<size_t>(2, std::strlen(colon)));
        for (size_t n = std::strlen(name); n > 0 && std::strchr("\n ", name[n - 1]); n--)
            name[n - 1] = '\0';
        break;
    }
    std::fclose(f);
}

DeviceStatus describe(int, DeviceInfo *info)
{
    *info = DeviceInfo{};
    const Kernels *best = choose_kernels("");
    write_processor_name(info->name);
    std::snprintf(info->notes, sizeof info->notes, "instruction set %s; precisions mixed, double",
                  best->name);
    const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
    info->memory_bytes = page * static_cast<double>(sysconf(_SC_PHYS_PAGES));
    info->memory_free_bytes = page * static_cast<double>(sysconf(_SC_AVPHYS_PAGES));
    info->compute_units = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    info->has_double = 1;
    info->is_cpu = 1;
    // Pairs of a core in precision mixed as in docs/measurements/direct-cpu.md.  The
    // threads join a loop within a few microseconds.
    const double rate = !std::strcmp(best->name, "avx512") ? 1620
                        : !std::strcmp(best->name, "avx2") ? 1190
                                                           : 490;
    info->speed = {info->compute_units * rate, 5, 50};
    return kDeviceOk;
}

Device *open(int, const DeviceOptions *options, const char **reason)
{
    *reason = "host memory exhausted";
    try {
        const Kernels *kernels = choose_kernels(debug_value(options->debug, "isa").c_str());
        if (kernels) return make_device(*kernels, *options);
        *reason = "this processor lacks the instruction set of G6_DEBUG=isa=...";
    } catch (const std::bad_alloc &) {
    }
    return nullptr;
}

}  // namespace

const Kernels *choose_kernels(const char *isa)
{
    const std::string name = *isa ? lower(isa) : "auto";
#if defined(__x86_64__)
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx512 && (name == "auto" || name == "avx512")) {
        static const Kernels kernels = make_kernels_avx512();
        return &kernels;
    }
    if (avx2 && (name == "auto" || name == "avx2")) {
        static const Kernels kernels = make_kernels_avx2();
        return &kernels;
    }
#endif
    static const Kernels kernels = make_kernels_generic();
    return name == "auto" || name == "generic" ? &kernels : nullptr;
}

}  // namespace g6::cpu

namespace g6 {

const Backend *cpu_backend();  // the core's loader.h declares it too
const Backend *cpu_backend()
{
    static const Backend backend = {kBackendAbi,   "cpu",     cpu::count,
                                    cpu::describe, cpu::open, TreeSupport::kHostTree};
    return &backend;
}

}  // namespace g6
