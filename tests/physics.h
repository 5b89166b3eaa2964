// SPDX-License-Identifier: MIT
// Base of the physics tests.  Each test runs for every usable backend, in mixed and double, for
// every instruction set of the processor and every variant of a GPU's kernels, and for one device
// and for all devices of a backend.  On the processor only make check-long takes all combinations
// of precisions with instruction sets and variants (is_left_out()).
// PoCL, which is OpenCL on a processor, takes seconds to compile a kernel.  With PoCL only the
// suites of is_sampled() have variants; all others run in mixed, with the kernels that the library
// chooses. tests/api/backends_test.cpp tells which backends were left out, and why.
#pragma once

#include "client.h"

#include <cstdlib>

namespace g6test {

// Driver, instruction set and so on of a backend's first device; "": there is none.
inline std::string device_notes(const std::string &backend)
{
    const std::vector<g6_device_info> devices = devices_of(backend);
    return devices.empty() ? "" : devices[0].notes;
}
inline bool has_note(const std::string &backend, const char *note)
{
    return device_notes(backend).find(note) != std::string::npos;
}

// The values of Machine::isa for a backend.  "" stands for what the library chooses, which is the
// best instruction set of the processor.  The others are the lesser instruction sets of this
// processor for the cpu backend, and the variants of the other backends (variant()).
inline std::vector<std::string> instruction_sets(const std::string &backend,
                                                 const std::string &precision = "mixed")
{
    std::vector<std::string> sets = {""};
    if (backend == "opencl") {
        sets.push_back("groups");
        if (precision == "mixed") sets.push_back("nodouble");
    }
    if (backend == "cuda") sets.push_back("groups");
    if (backend == "cuda" && precision == "mixed") sets.push_back("tensors");
#if defined(__x86_64__)
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (backend == "cpu" && has_avx2) sets.push_back("generic");
    if (backend == "cpu" && has_avx2 && __builtin_cpu_supports("avx512f")) sets.push_back("avx2");
#endif
    return sets;
}

// Whether a suite runs in every variant also on PoCL.  Together these suites use every kernel and
// every output.
inline bool is_sampled(const std::string &suite)
{
    for (const char *name : {"CommonVelocity", "Force", "Lists", "Nearest", "Predictor", "Treewalk",
                             "TreewalkChanges"})
        if (suite == name) return true;
    return false;
}

// Combinations that wait for make check-long.  Each precision, instruction set and variant is in
// one of those that stay: kernels are the same source for all of them.
inline bool is_left_out(const Machine &m)
{
    const char *all_cases = std::getenv("LONG");
    if (all_cases && *all_cases) return false;
    if (m.precision == "single") return false;  // kernels of the g5 calls alone
    if (m.backend == "cpu") return m.isa == (m.precision == "mixed" ? "generic" : "avx2");
    if (!has_note(m.backend, "PoCL")) return false;
    return m.isa == (m.precision == "mixed" ? "groups" : "");
}

inline std::vector<Machine> usable_machines(const std::string &suite)
{
    std::vector<Machine> machines;
    for (const g6_backend_info &b : all_backends()) {
        if (b.reason[0]) continue;
        const std::string name = b.name;
        const bool few = has_note(name, "PoCL") && !is_sampled(suite);
        for (const char *precision : {"mixed", "double"}) {
            if (few && precision == std::string("double")) continue;
            for (const std::string &isa : instruction_sets(name, precision))
                if (const Machine m{name, precision, "0", isa}; few ? isa.empty() : !is_left_out(m))
                    machines.push_back(m);
            if (b.ndevices > 1) machines.push_back({name, precision, "all", ""});
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
    void TearDown() override { EXPECT_EQ(client.stats().recoveries, 0); }
    Client client{GetParam()};
};

}  // namespace g6test

// gtest 1.12 makes a suite of each fixture name; a class per file keeps the names apart.
#define G6_SUITE(fixture, name)                                                                    \
    class name : public fixture {};                                                                \
    INSTANTIATE_TEST_SUITE_P(, name, testing::ValuesIn(g6test::usable_machines(#name)),            \
                             g6test::machine_name)
#define G6_PHYSICS_SUITE(name) G6_SUITE(g6test::Physics, name)
