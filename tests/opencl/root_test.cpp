// SPDX-License-Identifier: MIT
// A device whose native_rsqrt() is coarse: its forces have the accuracy of their precision.
#include "../client.h"
#include "../info.h"
#include "../systems.h"

namespace g6test {
namespace {

// The relative error of the estimate is near the largest one that check.cpp allows, 3.7e-4.
TEST(OpenClRoot, of_a_coarse_device_is_made_exact)
{
    const std::string why = why_not("opencl");
    if (!why.empty()) GTEST_SKIP() << "opencl: " << why;
    const std::vector<Body> bodies = resting_bodies(600, 25);
    for (const char *precision : {"mixed", "double"}) {
        SCOPED_TRACE(precision);
        Client client({"opencl", precision, "", ""});
        client.debug("opencl_options", "-DG6_ROOT_ESTIMATE(x)=(rsqrt(x)*0.99965f)");
        client.set_all(bodies);
        client.run_and_check(block_of(bodies, 0, 48, 0));
        EXPECT_STREQ(g6_backend_name(client.id()), "opencl");
    }
}

}  // namespace
}  // namespace g6test
