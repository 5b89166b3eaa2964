// SPDX-License-Identifier: MIT
// Threads compute on g5 devices of their own at the same time, as FDPS's do.  Also run alone under
// ThreadSanitizer.
#include "tests/api/grape5.h"

#include <thread>

namespace g6test {
namespace {

// Devices are made by their first call, all at once.
TEST(Grape5Threads, have_devices_of_their_own)
{
    const PointSession session({"cpu", "single", ""});
    constexpr int kThreads = 8;
    g5_set_eps_to_all(1.0 / 32);
    for (int round = 0; round < 3; ++round) {
        std::vector<std::thread> threads;
        for (int device = 0; device < kThreads; ++device)
            threads.emplace_back([device] {
                for (unsigned k = 0; k < 20; ++k) {
                    PointList l = make_list(70 + 9 * device, 12, 1.0 / 32, 100u * device + k);
                    const PointForces f = compute(device, l);
                    expect_target(l, f, int(k) % 12, point_tolerance("single"));
                }
            });
        for (std::thread &t : threads) t.join();
        g5_close();
    }
}

}  // namespace
}  // namespace g6test
