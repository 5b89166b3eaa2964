// SPDX-License-Identifier: MIT
// Base of the physics tests: each runs for every usable backend, both precisions and, where a
// backend has more than one device, for one and for all of them.  tests/api/backends_test.cpp says
// which backends were left out, and why.
#pragma once

#include "client.h"

namespace g6test {

inline std::vector<g6_backend_info> all_backends()
{
    std::vector<g6_backend_info> found;
    g6_backend_info info{};
    info.size = sizeof info;
    while (g6_get_backend_info(int(found.size()), &info) == 0) found.push_back(info);
    return found;
}

// Whether OpenCL's first device has tensor cores that the library uses.
inline bool opencl_has_tensor_cores()
{
    const auto backends = all_backends();
    for (size_t n = 0; n < backends.size(); n++) {
        if (std::string(backends[n].name) != "opencl" || backends[n].ndevices < 1) continue;
        g6_device_info info{};
        info.size = sizeof info;
        return g6_get_device_info(int(n), 0, &info) == 0 && std::strstr(info.notes, "tensor cores");
    }
    return false;
}

// The values of Machine::isa for a backend: instruction sets of the cpu backend that this processor
// has, and the variants of the other backends (variant()).  "": what the library chooses.
inline std::vector<std::string> instruction_sets(const std::string &backend,
                                                 const std::string &precision = "mixed")
{
    std::vector<std::string> sets = {""};
    if (backend == "opencl") {
        sets.push_back("groups");
        if (precision == "mixed") sets.push_back("nodouble");
        if (precision == "mixed" && opencl_has_tensor_cores()) sets.push_back("tensors");
    }
    if (backend == "cuda") sets.push_back("groups");
    if (backend == "cuda" && precision == "mixed") {
        sets.push_back("warps16");
        sets.push_back("warps32");
    }
    if (backend != "cpu") return sets;
    sets.push_back("generic");
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back("avx2");
    if (__builtin_cpu_supports("avx512f")) sets.push_back("avx512");
#endif
    return sets;
}

inline std::vector<Machine> usable_machines()
{
    std::vector<Machine> machines;
    for (const g6_backend_info &b : all_backends()) {
        if (b.reason[0]) continue;
        for (const char *precision : {"mixed", "double"}) {
            for (const std::string &isa : instruction_sets(b.name, precision))
                machines.push_back({b.name, precision, "0", isa});
            if (b.ndevices > 1) machines.push_back({b.name, precision, "all", ""});
        }
    }
    return machines;
}

inline std::string machine_name(const testing::TestParamInfo<Machine> &info)
{
    return info.param.backend + "_" + info.param.precision +
           (info.param.devices == "0" ? "" : "_" + info.param.devices) +
           (info.param.isa.empty() ? "" : "_" + info.param.isa);
}

class Physics : public testing::TestWithParam<Machine> {
protected:
    // A device that fails hands its work to the cpu, whose results would pass for its own.
    void TearDown() override
    {
        g6_stats stats{};
        stats.size = sizeof stats;
        if (g6_get_stats(client.id(), &stats) == G6_OK) {
            EXPECT_EQ(stats.recoveries, 0);
        }
    }
    Client client{GetParam()};
};

}  // namespace g6test

// gtest 1.12 makes a suite of each fixture name; a class per file keeps the names apart.
#define G6_PHYSICS_SUITE(name)                                                                     \
    class name : public g6test::Physics {};                                                        \
    INSTANTIATE_TEST_SUITE_P(, name, testing::ValuesIn(g6test::usable_machines()),                 \
                             g6test::machine_name)
