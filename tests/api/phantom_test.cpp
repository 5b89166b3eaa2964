// SPDX-License-Identifier: MIT
// Phantom-GRAPE's forms of lasthalf.
#include "../physics.h"

namespace g6test {
namespace {

class PhantomBase : public Physics {
protected:
    void SetUp() override
    {
        client.set_all(bodies);
        client.first(block, 50);
    }
    const std::vector<Body> bodies = moving_bodies(50, 1);
    const IBlock block = block_of(bodies, 0, 10, 0, 0.0625);
    IBlock b = block;
    Output out{10};
    std::vector<float> rnnb = std::vector<float>(11, -1);

    // Softened distance of the nearest neighbour, not squared.
    void expect_distances() const
    {
        for (int k = 0; k < 10; ++k) {
            const Expected e = evaluate(client.memory(), 50, 0, block.particle(k));
            const double r = double(std::sqrt(e.nearest_r2 + block.eps2));
            EXPECT_NEAR(rnnb[k], r, kFloatDistance * r);
        }
        EXPECT_EQ(rnnb[10], -1);
    }
};

class Phantom : public PhantomBase {};
INSTANTIATE_TEST_SUITE_P(, Phantom, testing::ValuesIn(usable_machines("Phantom")), machine_name);

TEST_P(Phantom, lasthalfn_is_lasthalf_with_lists)
{
    out.half = Half::kLast;
    out.status = g6calc_lasthalfn(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), b.eps2,
                                  b.h2.data(), rows(out.acc), rows(out.jerk), out.pot.data());
    client.expect_right(block, out);
    client.expect_lists(block, 50);
}

TEST_P(Phantom, lasthalf2n_is_lasthalf2_with_lists)
{
    out.status = g6calc_lasthalf2n(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v),
                                   b.eps2, b.h2.data(), rows(out.acc), rows(out.jerk),
                                   out.pot.data(), out.nearest.data());
    client.expect_right(block, out);
    client.expect_lists(block, 50);
}

TEST_P(Phantom, lasthalf2p_gives_the_softened_distance_of_the_nearest)
{
    out.status = g6calc_lasthalf2p(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v),
                                   b.eps2, b.h2.data(), rows(out.acc), rows(out.jerk),
                                   out.pot.data(), out.nearest.data(), rnnb.data());
    client.expect_right(block, out);
    expect_distances();
}

TEST_P(Phantom, lasthalf2np_gives_distance_and_lists)
{
    out.status = g6calc_lasthalf2np(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v),
                                    b.eps2, b.h2.data(), rows(out.acc), rows(out.jerk),
                                    out.pot.data(), out.nearest.data(), rnnb.data());
    client.expect_right(block, out);
    expect_distances();
    client.expect_lists(block, 50);
}

}  // namespace
}  // namespace g6test
