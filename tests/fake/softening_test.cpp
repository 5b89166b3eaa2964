// SPDX-License-Identifier: MIT
// Softening classes on devices that fail, and on several devices.
#include "fixture.h"

namespace g6test {
namespace {

class SofteningOnDevices : public FakeTest, public testing::WithParamInterface<const char *> {
protected:
    void SetUp() override
    {
        FakeTest::SetUp();
        client.set_all(bodies);
        eps2.resize(bodies.size());
        for (size_t k = 0; k < eps2.size(); ++k) eps2[k] = k % 3 / 16.0;
        ASSERT_EQ(g6_set_j_softening(client.id(), int(eps2.size()), nullptr, eps2.data()), 0);
    }
    void run_and_check()
    {
        const int nj = int(bodies.size());
        const IBlock block = block_of(bodies, 0, 12);
        const Output out = client.run(block, nj);
        ASSERT_EQ(out.status, 0) << g6_last_error();
        const Tolerance t = tolerance("double");
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
        for (int k = 0; k < block.size(); ++k) {
            SCOPED_TRACE(k);
            const IParticle i = block.particle(k);
            Expected e;
            for (int a = 0; a < nj; ++a) {
                const Body &j = bodies[a];
                IParticle pair = i;
                pair.eps2 += eps2[a];
                const Predicted p = predict(j, 0);
                Real r[3], v[3], r2 = 0;
                for (int c = 0; c < 3; ++c)
                    r[c] = p.x[c] - i.x[c], v[c] = p.v[c] - i.v[c], r2 += r[c] * r[c];
                if (j.index == i.index) continue;
                if (r2 + pair.eps2 < i.h2) e.neighbours.push_back(j.index);
                add_pair(e, r, v, p, j.mass, pair);
                if (e.nearest_address < 0 || r2 < e.nearest_r2)
                    e.nearest_address = a, e.nearest_index = j.index, e.nearest_r2 = r2;
            }
            EXPECT_TRUE(within("acc", e.acc, out.acc[k], Allowed(e, t).acc));
            EXPECT_TRUE(within("jerk", e.jerk, out.jerk[k], Allowed(e, t).jerk));
            EXPECT_TRUE(within("pot", e.pot, out.pot[k], Allowed(e, t).pot));
            EXPECT_EQ(out.nearest[k], e.nearest_index);
            EXPECT_EQ(client.list(k), e.neighbours);
        }
    }

    Client client{on("0,1", GetParam())};
    const std::vector<Body> bodies = moving_bodies(101, 1);
    std::vector<double> eps2;
};
INSTANTIATE_TEST_SUITE_P(, SofteningOnDevices, testing::Values("i", "j"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(SofteningOnDevices, has_the_sums_of_both)
{
    run_and_check();
    run_and_check();
    // Two blocks of three classes, of which the first was started without lists.
    for (int d = 0; d < 2; ++d) EXPECT_EQ(calls(d, kStart), 9);
}

TEST_P(SofteningOnDevices, repeats_what_a_lost_device_had)
{
    run_and_check();
    for (const Call call : {kStart, kFinish, kNeighbours}) {
        SCOPED_TRACE(call);
        const double before = stats(client).recoveries;
        device(1).lose_at[call] = 1;  // that of a class that still has this device
        client.set(5, bodies[5]);
        run_and_check();
        EXPECT_EQ(stats(client).recoveries, before + 1);
    }
}

}  // namespace
}  // namespace g6test
