// SPDX-License-Identifier: MIT
// Errors of mode treewalk against long-double sums, bounded by theory.
//
// A cell at distance d whose bodies lie within b of its centre of mass gives an acceleration with
// an error of at most 3 B2 / (d^2 (d-b)^2) as a monopole and 4 B3 / (d^3 (d-b)^2) with its
// quadrupole, where Bn = sum m r^n (Salmon & Warren 1994, J. Comput. Phys. 111, 136, eq. 9 without
// the terms that lower it).  A block of one particle uses exactly the cells of a plain walk over
// the same tree, so the sum of these bounds holds for it.
#include "tests/physics.h"
#include "tree_systems.h"

namespace g6test {
namespace {

using namespace g6;

struct Setting {
    Mac mac;
    int multipole;
    double theta;
};
const char *const kMacNames[] = {"bh", "bmax", "multipole", "acceleration", "combined"};

std::string setting_name(const testing::TestParamInfo<Setting> &info)
{
    return std::string(kMacNames[int(info.param.mac)]) + (info.param.multipole ? "_2_" : "_0_") +
           std::to_string(int(100 * info.param.theta));
}

Real error_bound(const TreeView &t, const Walk &walk, const Vec3 &x, double a)
{
    Real bound = 0;
    for (int k = 0; k < t.cells;) {
        const G6Cell &c = t.cell[k];
        Real d2 = 0;
        for (int n = 0; n < 3; ++n) d2 += (c.x[n] - Real(x[n])) * (c.x[n] - Real(x[n]));
        const bool far = walk.mac == Mac::kAcceleration
                             ? d2 > c.near2 && d2 * d2 * a > Real(c.weight)
                             : d2 > c.radius2;
        if (far) {
            const CellTruth truth(t, c);
            const Real d = std::sqrt(d2), gap = d - truth.reach;
            bound += (walk.multipole ? 4 * truth.b3 / d : 3 * truth.b2) / (d2 * gap * gap);
        }
        k = far ? c.next : k + 1;
    }
    return bound;
}

class TreeError : public testing::TestWithParam<Setting> {
protected:
    TreeError()
    {
        const Setting s = GetParam();
        client.use_mode("treewalk", std::to_string(s.theta));
        client.option("mac", kMacNames[int(s.mac)]);
        client.option("multipole", std::to_string(s.multipole));
        client.debug("rebuild", "1000");
        tree.request.walk = {s.mac, std::stod(std::to_string(s.theta)), s.multipole, 16, 1000};
        tree.request.motion = Motion::kQuartic;
        client.set_all(bodies);
        tree.write_all(bodies);
    }
    Output run(IBlock block)
    {
        std::vector<Vec3> aold(block.size(), Vec3{kOld, 0, 0});
        g6calc_firsthalf(client.id(), client.nj(), block.size(), block.index.data(), rows(block.x),
                         rows(block.v), rows(aold), nullptr, nullptr, block.eps2, block.h2.data());
        return client.last(block, client.nj());
    }

    static constexpr double kOld = 0.5;  // |aold|, a power of two: exact as a float
    Client client{{"cpu", "double", "0", ""}};
    Tree tree;
    const std::vector<Body> bodies = moving_bodies(4000, 1);
};

INSTANTIATE_TEST_SUITE_P(
    , TreeError,
    testing::Values(Setting{Mac::kBh, 0, 0.5}, Setting{Mac::kBh, 2, 0.8}, Setting{Mac::kBh, 0, 1},
                    Setting{Mac::kBmax, 0, 0.4}, Setting{Mac::kBmax, 2, 0.4},
                    Setting{Mac::kMultipole, 0, 0.5}, Setting{Mac::kMultipole, 2, 0.6},
                    Setting{Mac::kAcceleration, 0, 0.5}, Setting{Mac::kAcceleration, 2, 0.7},
                    Setting{Mac::kCombined, 0, 0.5}, Setting{Mac::kCombined, 2, 0.7}),
    setting_name);

Real distance(const Real expected[3], const Vec3 &got)
{
    Real d2 = 0;
    for (int c = 0; c < 3; ++c) d2 += (expected[c] - got[c]) * (expected[c] - got[c]);
    return std::sqrt(d2);
}

// Also after the bodies have moved far from where the structure was made, and blocks of many
// particles err no more on the whole than those of one.
TEST_P(TreeError, is_within_the_bound_of_the_cells_taken)
{
    for (double ti : {0.0, 0.25, 1.0}) {
        SCOPED_TRACE("time " + std::to_string(ti));
        client.set_ti(ti);
        tree.request.t = ti;
        tree.update();
        const IBlock all = block_of(bodies, 0, 4000, ti, 0, 0);
        const Output together = run(all);
        Real alone_sum = 0, together_sum = 0, bound_sum = 0;
        for (int k = 0; k < 4000; k += 50) {
            IBlock one;
            one.add(all.index[k], all.x[k], all.v[k]);
            const Expected e = evaluate(client.memory(), 4000, ti, one.particle(0));
            const Real bound = error_bound(tree.tree.view(), tree.request.walk, all.x[k], kOld);
            const Real error = distance(e.acc, run(one).acc[0]);
            ASSERT_LE(error, bound + 1e-12L * e.acc_size) << k;
            alone_sum += error;
            together_sum += distance(e.acc, together.acc[k]);
            bound_sum += bound;
        }
        EXPECT_LE(together_sum, alone_sum);
        EXPECT_GT(bound_sum, 0);  // cells were taken at all
    }
    EXPECT_EQ(tree.tree.builds(), 1);
}

// ---- one cell, seen from afar: how the error falls with the cell's size

class FarCell : public testing::TestWithParam<std::string> {
protected:
    // Largest errors over directions, of 60 bodies within `size` at distance 1.
    struct Errors {
        Real acc = 0, pot = 0, jerk = 0;
    };
    Errors errors(double size, int multipole, double eps2)
    {
        Client client({"cpu", "double", "0", GetParam()});
        client.use_mode("treewalk", "0.9");
        client.option("multipole", std::to_string(multipole));
        client.debug("leaf", "4");
        std::vector<Body> bodies = resting_bodies(60, 5);
        for (Body &b : bodies) {
            b.x = scaled(b.x, size);
            b.mass *= b.index;
            b.v = {0.3, -0.2, 0.1};  // one velocity for all: it is the mean of each cell
        }
        client.set_all(bodies);
        Random random(6);
        Errors largest;
        for (int k = 0; k < 20; ++k) {  // one by one: a group's box must not reach the cell
            const Vec3 x = random.vector(1);
            IBlock block;
            block.eps2 = eps2;
            block.add(1000, scaled(x, 1 / std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])));
            const Output out = client.run(block);
            const Expected e = evaluate(client.memory(), 60, 0, block.particle(0));
            largest.acc = std::max(largest.acc, distance(e.acc, out.acc[0]));
            largest.jerk = std::max(largest.jerk, distance(e.jerk, out.jerk[0]));
            largest.pot = std::max(largest.pot, std::fabs(e.pot - out.pot[0]));
        }
        EXPECT_EQ(client.interactions(), 20) << "the whole system must act as one cell";
        return largest;
    }
};
INSTANTIATE_TEST_SUITE_P(, FarCell, testing::ValuesIn(instruction_sets("cpu")));

// The first term left out is of order 2 for a monopole, 3 with the quadrupole; half the size, an
// eighth of the latter, up to the next order, which is 1/100 of it here.
TEST_P(FarCell, errors_fall_with_the_size_as_the_order_says)
{
    for (double eps2 : {0.0, 0.04, 1.0}) {
        SCOPED_TRACE("eps2 " + std::to_string(eps2));
        const Errors m1 = errors(0.01, 0, eps2), m2 = errors(0.005, 0, eps2);
        const Errors q1 = errors(0.01, 2, eps2), q2 = errors(0.005, 2, eps2);
        EXPECT_NEAR(double(m1.acc / m2.acc), 4, 0.4);
        EXPECT_NEAR(double(m1.pot / m2.pot), 4, 0.4);
        EXPECT_NEAR(double(m1.jerk / m2.jerk), 4, 0.4);
        EXPECT_NEAR(double(q1.acc / q2.acc), 8, 0.8);
        EXPECT_NEAR(double(q1.pot / q2.pot), 8, 0.8);
        // The quadrupole has no part in the jerk.
        EXPECT_NEAR(double(q1.jerk / m1.jerk), 1, 1e-6);
        EXPECT_LT(q1.acc, 0.1 * m1.acc);
        EXPECT_LT(q1.pot, 0.1 * m1.pot);
    }
}

}  // namespace
}  // namespace g6test
