// SPDX-License-Identifier: MIT
// Threads compute on their own g5 devices at the same time, as those of FDPS do, or on one device,
// which is refused.  Also run alone under ThreadSanitizer.
#include "tests/api/grape5.h"

#include <atomic>

namespace g6test {
namespace {

// Devices are made by their first call, all at once.
TEST(Grape5Threads, have_devices_of_their_own)
{
    const PointSession session({"cpu", "single", ""});
    constexpr int kThreads = 8;
    g5_set_eps_to_all(1.0 / 32);
    for (int round = 0; round < 3; ++round) {
        at_once(kThreads, [](int device) {
            for (unsigned k = 0; k < 20; ++k) {
                PointList l = make_list(70 + 9 * device, 12, 1.0 / 32, 100u * device + k);
                const PointForces f = compute(device, l);
                expect_target(l, f, int(k) % 12, point_tolerance("single"));
            }
        });
        g5_close();
    }
}

// A refused call has zeros, and so has a device that another thread has closed.
TEST(Grape5Threads, that_meet_on_one_device_do_no_harm)
{
    const PointSession session({"cpu", "single", ""});
    g5_set_eps_to_all(1.0 / 32);
    const PointList list = make_list(70, 12, 1.0 / 32, 1);
    std::atomic<int> right{0};
    const auto work = [&](bool closes) {
        PointList l = list;
        for (int round = 0; round < 300; ++round) {
            const PointForces f = compute(0, l);
            if (f.p == std::vector<double>(f.p.size())) {
                EXPECT_EQ(f.a, std::vector<Vec3>(f.a.size()));
            } else {
                expect_target(l, f, round % 12, point_tolerance("single"));
                right++;
            }
            if (closes && round % 10 == 0) g5_close();
        }
    };
    for (const bool closes : {false, true}) at_once(3, [&](int t) { work(closes && t == 0); });
    EXPECT_GT(right, 0);
}

}  // namespace
}  // namespace g6test
