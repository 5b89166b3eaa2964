// SPDX-License-Identifier: MIT
// The acceleration criterion where i-particles of one group differ, and in the caller's units.
// There are 3000 bodies in a cube.  A known |aold| of 1e-10 opens every cell (M l^2/d^4 is at least
// 1e-6, theta^4/48 |aold| is 5e-13); an |aold| of 100 opens only cells within their least distance.
#include "treewalk.h"

namespace g6test {
namespace {

constexpr int kBodies = 3000, kTargets = 60;
constexpr double kOpensAll = 1e-10, kTakesAll = 100;

class TreewalkAcceleration : public WalkPhysics {
protected:
    void SetUp() override { use(1, 1); }
    // The bodies in other units, in a fresh cluster.
    void use(double length, double mass)
    {
        client.reopen();
        walk("0.7");
        client.option("mac", "acceleration");
        bodies = in_units(resting_bodies(kBodies, 1), length, mass, 1);
        client.set_all(bodies);
        // Near each other and in a corner: a group of its own, to which most cells are far.
        Random random(2);
        block = IBlock{};
        block.eps2 = 1e-4 * length * length;
        for (int k = 0; k < kTargets; ++k) {
            const Vec3 x = random.vector(0.05);
            block.add(-1 - k, scaled({0.9 + x[0], 0.9 + x[1], 0.9 + x[2]}, length));
        }
        expected.clear();
        for (int k = 0; k < kTargets; ++k)
            expected.push_back(evaluate(client.memory(), kBodies, 0, block.particle(k)));
    }
    std::vector<double> errors(const std::vector<double> &old)
    {
        std::vector<Vec3> aold(kTargets);
        for (int k = 0; k < kTargets; ++k) aold[k][k % 3] = old[k];
        const Output out = run_with_aold(client, block, aold);
        std::vector<double> found;
        for (int k = 0; k < kTargets; ++k) found.push_back(relative_error(expected[k], out.acc[k]));
        return found;
    }
    static double mean(const std::vector<double> &x)
    {
        double sum = 0;
        for (double u : x) sum += u;
        return sum / double(x.size());
    }

    std::vector<Body> bodies;
    IBlock block;
    std::vector<Expected> expected;
};
INSTANTIATE_TEST_SUITE_P(, TreewalkAcceleration,
                         testing::ValuesIn(usable_machines("TreewalkAcceleration")), machine_name);

TEST_P(TreewalkAcceleration, old_accelerations_are_in_the_callers_units)
{
    for (double length : {0x1p-40, 0x1p40}) {
        use(length, 0x1p-30);
        const double unit = 0x1p-30 / (length * length);
        EXPECT_LT(mean(errors(std::vector<double>(kTargets, kOpensAll * unit))), 1e-5);
        EXPECT_GT(mean(errors(std::vector<double>(kTargets, kTakesAll * unit))), 1e-3);
    }
}

// Cells that one of a group has to open are opened for all of it.
TEST_P(TreewalkAcceleration, smallest_of_a_group_rules)
{
    std::vector<double> old(kTargets, kTakesAll);
    for (int careful : {0, 37, 59}) {
        old[careful] = kOpensAll;
        EXPECT_LT(errors(old)[careful], 1e-4) << careful;
    }
}

// A particle without a known one is served by bh, those beside it by their own.
TEST_P(TreewalkAcceleration, known_and_unknown_ones_may_share_a_group)
{
    const double bh = mean(errors(std::vector<double>(kTargets, 0)));
    std::vector<double> careful(kTargets), careless(kTargets);
    for (int k = 0; k < kTargets; k += 2) careful[k] = kOpensAll, careless[k] = kTakesAll;
    const std::vector<double> a = errors(careful), b = errors(careless);
    for (int k = 0; k < kTargets; k += 2) EXPECT_LT(a[k], 1e-4) << k;
    double unknown = 0;
    for (int k = 1; k < kTargets; k += 2) unknown += b[k] / (kTargets / 2);
    EXPECT_LT(unknown, 2 * bh);
}

// A face of the octree cuts a cluster.  The cell on its other side holds half of the cluster and a
// heavier cluster far away.  Its M l^2/d^4 is small beside the pull of the neighbours, and the
// i-particles are farther from its centre of mass than all of its bodies, but it has half of these
// neighbours.  A cell that acts as a whole errs by 45 theta^4/48 |a| at most (opening.h).  At theta
// = 0.2 the 20 such cells that 40 neighbours can be in err by 0.03 |a|, and all of the far bodies
// pull with less than 0.001 |a|.
TEST_P(TreewalkAcceleration, a_cell_that_holds_neighbours_is_opened)
{
    for (double far : {100.0, 300.0, 1000.0}) {
        SCOPED_TRACE(far);
        client.reopen();
        walk("0.2");
        client.option("mac", "acceleration");
        std::vector<Body> bodies = resting_bodies(140, 3);
        for (Body &b : bodies) {
            const double side = b.index % 2 ? 1 : -1;
            const Vec3 x = b.x;  // each coordinate in -1 ... 1
            b.mass = 1;
            if (b.index < 40)
                b.x = {far + side * (0.002 + 0.01 * std::fabs(x[0])), 0.01 * x[1], 0.01 * x[2]};
            else
                b.x = {far + side * (far + 0.01 * x[0]), 0.01 * x[1], 0.01 * x[2]};
        }
        bodies[40].x[0] = -0.02, bodies[41].x[0] = 2 * far + 0.02;  // the face is at x = far
        client.set_all(bodies);
        IBlock probes;
        for (int k = 0; k < 8; ++k) probes.add(-1 - k, {far - 0.005, 0.015 + 0.001 * k, 0});
        std::vector<Vec3> aold(8);
        std::vector<Expected> sums;
        for (int k = 0; k < 8; ++k) {
            sums.push_back(evaluate(client.memory(), 140, 0, probes.particle(k)));
            for (int c = 0; c < 3; ++c) aold[k][c] = double(sums[k].acc[c]);
        }
        const Output out = run_with_aold(client, probes, aold);
        for (int k = 0; k < 8; ++k) EXPECT_LT(relative_error(sums[k], out.acc[k]), 0.031) << k;
    }
}

}  // namespace
}  // namespace g6test
