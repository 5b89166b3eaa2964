// SPDX-License-Identifier: MIT
// Takes nearly all memory of a GPU through the CUDA driver between two blocks, and compares both
// with long-double sums.
#include "shortage.h"

#include "g6lib.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace {

constexpr int kBodies = 1 << 20, kTargets = 32, kManyTargets = 1024;
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

struct System {
    std::vector<double> x;  // [kBodies][3]
    int id = 0, slots = kBodies;

    System() : x(3 * std::size_t(kBodies))
    {
        unsigned long long state = 1;  // Knuth's MMIX generator
        for (double &c : x) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            c = double(state >> 11) / 9007199254740992.0;
        }
    }
    void send()
    {
        double zero[3] = {0, 0, 0}, v[3] = {0, 0, 1};
        for (int k = 0; k < kBodies; k++)
            g6_set_j_particle(id, k, k, 0, 0, 1.0 / kBodies, zero, zero, zero, v, &x[3 * k]);
    }
    // A particle without mass in slot kBodies.
    void send_one_more()
    {
        double zero[3] = {0, 0, 0};
        g6_set_j_particle(id, kBodies, kBodies, 0, 0, 0, zero, zero, zero, zero, zero);
        slots = kBodies + 1;
    }
    // Computes the forces on bodies 0 ... n-1 and returns the largest error relative to the
    // acceleration, of the first kTargets bodies at most.
    double error(int n)
    {
        const auto count = std::size_t(n);
        std::vector<std::array<double, 3>> xi(count), vi(count), acc(count), jerk(count);
        std::vector<double> pot(count), h2(count);
        std::vector<int> index(count);
        for (int i = 0; i < n; i++) {
            index[i] = i;
            for (int c = 0; c < 3; c++) xi[i][c] = x[3 * i + c];
            vi[i][2] = 1;
        }
        const auto rows = [](auto &v) { return reinterpret_cast<double(*)[3]>(v.data()); };
        g6calc_firsthalf(id, slots, n, index.data(), rows(xi), rows(vi), nullptr, nullptr, nullptr,
                         kEps2, h2.data());
        if (g6calc_lasthalf(id, slots, n, index.data(), rows(xi), rows(vi), kEps2, h2.data(),
                            rows(acc), rows(jerk), pot.data()))
            return 1e30;
        double largest = 0;
        for (int i = 0; i < std::min(n, kTargets); i++) {
            long double a[3] = {0, 0, 0};
            for (int k = 0; k < kBodies; k++) {
                long double d[3], r2 = kEps2;
                for (int c = 0; c < 3; c++) d[c] = (long double)x[3 * k + c] - xi[i][c];
                for (int c = 0; c < 3; c++) r2 += d[c] * d[c];
                const long double w = k == i ? 0 : 1 / (r2 * std::sqrt(r2) * kBodies);
                for (int c = 0; c < 3; c++) a[c] += w * d[c];
            }
            long double e2 = 0, a2 = 0;
            for (int c = 0; c < 3; c++) {
                e2 += (acc[i][c] - a[c]) * (acc[i][c] - a[c]);
                a2 += a[c] * a[c];
            }
            const double e = double(std::sqrt(e2 / a2));
            if (!(e <= largest)) largest = e;
        }
        return largest;
    }
};

}  // namespace

void run_short(const std::string &what, std::size_t left_bytes)
{
    const bool tree = what == "tree", grows = what == "growth";
    const int many = what == "tensors" || grows ? kManyTargets : kTargets;
    setenv("G6_NPIPES", std::to_string(many).c_str(), 1);
    System s;
    g6_open(s.id);
    s.send();
    // Mixed sums are right to 1e-7, a tree at theta 0.3 to 1e-4 for most.
    const bool first = s.error(grows ? many : 1) < 1e-5;
    const std::string before = g6_backend_name(s.id);
    const bool taken = take_memory(left_bytes);
    if (tree) {
        g6_set_option(s.id, "mode", "treewalk");
        g6_set_option(s.id, "theta", "0.3");
        g6_set_option(s.id, "direct", "0");
    }
    if (grows) s.send_one_more();
    const bool second = s.error(many) < (tree ? 1e-2 : 1e-5);
    std::printf("backends=%s,%s right=%d,%d taken=%d\n", before.c_str(), g6_backend_name(s.id),
                first, second, taken);
    g6_close(s.id);
}
