// SPDX-License-Identifier: MIT
// What an OpenCL device without doubles leaves to the host.
#include "../physics.h"

namespace g6test {
namespace {

// Body 0 is 2^-30 away from body 1, nearer than 2^-24 of its coordinate.  The pull of body 1 is
// 2^60; body 2, from a distance of 2, pulls with 1/4 in the opposite direction.  Bodies 0 and 1 are
// at distances 2 and 2 + 2^-30 from body 2, which are equal in float: the nearer one is found in
// double.
TEST(WithoutDoubles, sums_with_close_pairs_and_nearest_neighbours_are_the_hosts)
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
        EXPECT_EQ(client.overflows(), 2);
        EXPECT_NEAR(out.acc[0][0], 0x1p60 - 0.25, 0x1p60 * 1e-15);
        EXPECT_EQ(out.nearest[0], 1);
        EXPECT_EQ(out.nearest[1], 0);
        EXPECT_NEAR(out.acc[1][0], 0.5, 1e-7);
    }
}

}  // namespace
}  // namespace g6test
