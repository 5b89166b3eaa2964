// SPDX-License-Identifier: MIT
// What an OpenCL device without doubles leaves to the host.
#include "../physics.h"

namespace g6test {
namespace {

// Body 0 is 2^-30 away from body 1, nearer than 2^-24 of its coordinate.  Body 2 has no close pair,
// but its neighbours are equally near in float, which counts in direct sums that look for the
// nearest.  The pull of body 1 is 2^60; body 2, from a distance of 2, pulls with 1/4 in the
// opposite direction.
TEST(WithoutDoubles, sums_with_close_pairs_and_doubtful_neighbours_are_the_hosts)
{
    if (device_notes("opencl").empty()) GTEST_SKIP() << "no OpenCL device";
    std::vector<Body> bodies(3);
    const double x[] = {1, 1 + 0x1p-30, -1};
    for (int k = 0; k < 3; k++) bodies[k].index = k, bodies[k].mass = 1, bodies[k].x[0] = x[k];
    for (const char *mode : {"hermite", "treewalk"}) {
        SCOPED_TRACE(mode);
        Client client({"opencl", "mixed", "0", "nodouble"});
        client.option("mode", mode);
        client.option("direct", "0");
        client.set_all(bodies);
        IBlock block;
        for (int k : {0, 2}) block.add(k, bodies[k].x);
        client.run(block, 3, Half::kLast);
        EXPECT_EQ(client.overflows(), 1);
        const Output out = client.run(block, 3, Half::kLast2);
        EXPECT_EQ(client.overflows(), mode[0] == 'h' ? 3 : 2);
        EXPECT_NEAR(out.acc[0][0], 0x1p60 - 0.25, 0x1p60 * 1e-15);
        EXPECT_EQ(out.nearest[0], 1);
        EXPECT_NEAR(out.acc[1][0], 0.5, 1e-7);
    }
}

}  // namespace
}  // namespace g6test
