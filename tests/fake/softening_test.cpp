// SPDX-License-Identifier: MIT
// Softening classes on devices that fail, and on several devices.
#include "fixture.h"

namespace g6test {
namespace {

class SofteningOnDevices : public FakeTest, public testing::WithParamInterface<const char *> {
protected:
    void start_with(const std::vector<Body> &bodies, int different)
    {
        client.set_all(bodies);
        for (int k = 0; k < int(bodies.size()); ++k) client.soften(k, k % different / 16.0);
    }

    Client client{on("0,1", GetParam())};
};
INSTANTIATE_TEST_SUITE_P(, SofteningOnDevices, testing::Values("i", "j"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(SofteningOnDevices, has_the_sums_of_both)
{
    const std::vector<Body> bodies = moving_bodies(101, 1);
    start_with(bodies, 3);
    for (int k = 0; k < 2; ++k) client.run_and_check_with_lists(block_of(bodies, 0, 12));
    // Two blocks of three classes, of which the first was started without lists.
    for (int d = 0; d < 2; ++d) EXPECT_EQ(calls(d, kStart), 9);
}

TEST_P(SofteningOnDevices, repeats_what_a_lost_device_had)
{
    const std::vector<Body> bodies = moving_bodies(101, 1);
    start_with(bodies, 3);
    client.run_and_check_with_lists(block_of(bodies, 0, 12));
    for (const Call call : {kStart, kFinish, kNeighbours}) {
        SCOPED_TRACE(call);
        const double before = client.stats().recoveries;
        device(1).lose_at[call] = 1;  // that of a class that still has this device
        client.set(5, bodies[5]);
        client.run_and_check_with_lists(block_of(bodies, 0, 12));
        EXPECT_EQ(client.stats().recoveries, before + 1);
    }
}

}  // namespace
}  // namespace g6test
