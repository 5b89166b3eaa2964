// SPDX-License-Identifier: MIT
// The long-double sums against values in closed form.
#include "tools/common/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace g6tools;

// A few roundings of long double.
constexpr long double kFew = 16 * 0x1p-64L;

JParticle at(double x, double y, double z, double mass, int index)
{
    JParticle j;
    j.x[0] = x, j.x[1] = y, j.x[2] = z;
    j.mass = mass;
    j.index = index;
    return j;
}

IParticle own(int index, double h2 = 0)
{
    IParticle i;
    i.index = index;
    i.h2 = h2;
    return i;
}

ReferenceSums one(const std::vector<JParticle> &j, const IParticle &i, double ti = 0,
                  double eps2 = 0)
{
    return reference(j, {i}, ti, eps2).at(0);
}

TEST(Reference, TwoBodiesAtADistance)
{
    // r = (3,0,4), r = 5, m = 10: acc = 10/125 r, pot = -10/5.
    const ReferenceSums s = one({at(3, 0, 4, 10, 2)}, own(1));
    EXPECT_NEAR(s.acc[0], 0.24L, kFew);
    EXPECT_EQ(s.acc[1], 0);
    EXPECT_NEAR(s.acc[2], 0.32L, kFew);
    EXPECT_NEAR(s.pot, -2, kFew);
    EXPECT_EQ(s.jerk[0], 0);
}

TEST(Reference, SizesOfTermsForTolerances)
{
    // r = x = 5, m = 10, v = 2: each size is its formula in reference.h.
    JParticle j = at(3, 0, 4, 10, 2);
    j.v[1] = 2;
    const ReferenceSums s = one({j}, own(1));
    EXPECT_NEAR(s.acc_size, 10 * 5 / 125.0L, kFew);
    EXPECT_NEAR(s.jerk_size, 4 * 10 * 2 / 125.0L, kFew);
    EXPECT_NEAR(s.pot_size, 10 / 5.0L, kFew);
    EXPECT_NEAR(s.acc_by_x, 2 * 10 * 5 / 125.0L, kFew);
    EXPECT_NEAR(s.jerk_by_x, 24 * 10 * 2 * 5 / 625.0L, 4 * kFew);
    EXPECT_NEAR(s.pot_by_x, 10 * 5 / 25.0L, kFew);
}

TEST(Reference, SofteningAddsToTheSquareOfTheDistance)
{
    // r^2 + eps2 = 9 + 16 = 25.
    const ReferenceSums s = one({at(3, 0, 0, 1, 2)}, own(1), 0, 16);
    EXPECT_NEAR(s.acc[0], 3 / 125.0L, kFew);
    EXPECT_NEAR(s.pot, -1 / 5.0L, kFew);
    EXPECT_EQ(s.nearest_r2, 9);
}

TEST(Reference, JerkOfRadialAndOfTransverseMotion)
{
    // acc = m r/r^3.  Radial v: d/dt r^-2 = -2 v/r^3.  Transverse v: v/r^3 across.
    JParticle j = at(2, 0, 0, 1, 2);
    j.v[0] = 3, j.v[1] = 5;
    const ReferenceSums s = one({j}, own(1));
    EXPECT_NEAR(s.jerk[0], -2 * 3 / 8.0L, kFew);
    EXPECT_NEAR(s.jerk[1], 5 / 8.0L, kFew);
    EXPECT_EQ(s.jerk[2], 0);
}

TEST(Reference, RotatingTriangleHasTheJerkOfItsRotation)
{
    // Rigid rotation with angular velocity w about the centre of mass: jerk = w x acc.
    const double h = std::sqrt(3.0) / 2, w = 2;
    std::vector<JParticle> j = {at(0, 0, 0, 1, 1), at(1, 0, 0, 1, 2), at(0.5, h, 0, 1, 3)};
    IParticle i = own(1);
    auto rotate = [&](const double x[3], double v[3]) {
        v[0] = -w * (x[1] - h / 3);
        v[1] = w * (x[0] - 0.5);
    };
    for (JParticle &body : j) rotate(body.x, body.v);
    rotate(i.x, i.v);
    const ReferenceSums s = one(j, i);
    // Velocities are doubles below 2: a few 2^-52, times at most four derivatives of size 3.
    EXPECT_NEAR(s.jerk[0], -w * s.acc[1], 0x1p-46L);
    EXPECT_NEAR(s.jerk[1], w * s.acc[0], 0x1p-46L);
    EXPECT_EQ(s.jerk[2], 0);
}

TEST(Reference, OwnIndexIsLeftOutEverywhere)
{
    const ReferenceSums s = one({at(1, 0, 0, 1, 7), at(2, 0, 0, 1, 7)}, own(7, 100));
    EXPECT_EQ(s.acc[0], 0);
    EXPECT_EQ(s.pot, 0);
    EXPECT_EQ(s.nearest, -1);
    EXPECT_TRUE(s.neighbours.empty());
}

TEST(Reference, CoincidentUnsoftenedPairAddsNothing)
{
    const ReferenceSums s = one({at(0, 0, 0, 1, 2)}, own(1));
    EXPECT_EQ(s.acc[0], 0);
    EXPECT_EQ(s.pot, 0);
    EXPECT_EQ(s.nearest, 0);
}

TEST(Reference, NearestIsUnsoftenedAndTiesGoToTheFirstSlot)
{
    const ReferenceSums s =
        one({at(3, 0, 0, 1, 4), at(0, 2, 0, 0, 5), at(0, 0, -2, 1, 6)}, own(1), 0, 100);
    EXPECT_EQ(s.nearest, 1);
    EXPECT_EQ(s.nearest_r2, 4);
}

TEST(Reference, NeighboursAreStrictlyInside)
{
    const std::vector<JParticle> j = {at(1, 0, 0, 1, 9), at(2, 0, 0, 1, 8), at(0, 1.5, 0, 1, 7)};
    EXPECT_EQ(one(j, own(1, 4)).neighbours, (std::vector<int>{9, 7}));
    EXPECT_TRUE(one(j, own(1, 0)).neighbours.empty());
}

// x = 1 + 2 s + 3 s^2 + 5 s^3 + 3/4 7 s^4 at s = 2: 1+4+12+40+84; its derivative 2+12+60+168.
TEST(Reference, PredictsWithTheFullPolynomial)
{
    JParticle j = at(1, 1, 1, 1, 2);
    j.t = 0.5;
    for (int d = 0; d < 3; d++) j.v[d] = 2, j.a2[d] = 3, j.j6[d] = 5, j.k18[d] = 7;
    const Predicted p = predict(j, 2.5);
    for (int d = 0; d < 3; d++) {
        EXPECT_EQ(p.x[d], 141);
        EXPECT_EQ(p.v[d], 242);
    }
    // Backwards, s = -1: 1-2+3-5+5.25 and 2-6+15-21.
    const Predicted back = predict(j, -0.5);
    EXPECT_EQ(back.x[1], 2.25L);
    EXPECT_EQ(back.v[1], -10);
}

}  // namespace
