// SPDX-License-Identifier: MIT
// Takes nearly all memory of a GPU through the CUDA driver between two blocks, and compares both
// with long-double sums.
#include "shortage.h"

#include "../blocks.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace {

using namespace g6test;

constexpr int kBodies = 1 << 20, kManyTargets = 1024;
constexpr int kTargets = 128;  // too many for a small block, which needs no memory for sums
constexpr double kEps2 = 1e-4;

// Takes memory until `left` bytes are free, through the driver and in the context of the backend.
bool take_memory(std::size_t left)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver) return false;
    const auto get = [&](const char *name, auto &function) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(driver, name));
        return function != nullptr;
    };
    int (*init)(unsigned) = nullptr, (*device_get)(int *, int) = nullptr,
        (*retain)(void **, int) = nullptr, (*set_current)(void *) = nullptr,
        (*info)(std::size_t *, std::size_t *) = nullptr,
        (*allocate)(unsigned long long *, std::size_t) = nullptr;
    if (!get("cuInit", init) || !get("cuDeviceGet", device_get) ||
        !get("cuDevicePrimaryCtxRetain", retain) || !get("cuCtxSetCurrent", set_current) ||
        !get("cuMemGetInfo_v2", info) || !get("cuMemAlloc_v2", allocate))
        return false;
    int device = 0;
    void *context = nullptr;
    if (init(0) || device_get(&device, 0) || retain(&context, device) || set_current(context))
        return false;
    std::size_t free = 0, total = 0;
    unsigned long long memory = 0;  // never given back: the process ends
    for (std::size_t chunk = std::size_t(1) << 36; chunk >= std::size_t(1) << 21;) {
        if (info(&free, &total)) return false;
        if (free < left + chunk || allocate(&memory, chunk)) chunk /= 2;
    }
    return !info(&free, &total) && free < left + (std::size_t(4) << 20);
}

// Whether the forces on the first n bodies have errors below those of precision mixed plus `error`
// of the sum of the terms.  Sums in long double for three of them.
bool is_right(const Memory &memory, const std::vector<Body> &bodies, int n, double error)
{
    const int nj = static_cast<int>(memory.size());
    const IBlock block = block_of(bodies, 0, n, 0, kEps2, 0);
    first_half(0, nj, block);
    const Output out = last_half(0, nj, block, Half::kLast);
    for (int k : {0, n / 2, n - 1})
        if (!wrong_part(evaluate(memory, nj, 0, block.particle(k)), out, k, Parts::kPull, error)
                 .empty())
            return false;
    return out.status == 0;
}

}  // namespace

void run_short(const std::string &what, std::size_t left_bytes)
{
    const bool tree = what == "tree", grows = what == "growth";
    const int many = what == "tensors" || grows ? kManyTargets : kTargets;
    setenv("G6_NPIPES", std::to_string(many).c_str(), 1);
    std::vector<Body> bodies = resting_bodies(kBodies, 1);
    Memory memory;
    g6_open(0);
    const auto send_body = [&](int k, const Body &b) { send(0, k, memory[k] = b); };
    for (int k = 0; k < kBodies; k++) {
        bodies[k].v[2] = 1;
        send_body(k, bodies[k]);
    }
    const bool first = is_right(memory, bodies, grows ? many : 1, 0);
    const std::string before = g6_backend_name(0);
    const bool taken = take_memory(left_bytes);
    if (tree) {
        g6_set_option(0, "mode", "treewalk");
        g6_set_option(0, "theta", "0.3");
        g6_set_option(0, "direct", "0");
    }
    if (grows) send_body(kBodies, body_at(0, {0, 0, 0}, 0));
    const bool second = is_right(memory, bodies, many, tree ? 1e-2 : 0);
    std::printf("backends=%s,%s right=%d,%d taken=%d\n", before.c_str(), g6_backend_name(0), first,
                second, taken);
    g6_close(0);
}
