// SPDX-License-Identifier: MIT
// Plummer spheres: moments of the distribution within four standard deviations of the draw.
#include "tools/common/plummer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using g6tools::Body;
using g6tools::kPlummerScale;
using g6tools::plummer;

constexpr std::size_t kBodies = 40000;

double length(const double u[3])
{
    return std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

TEST(Plummer, HasUnitMassAndRestsAtTheOrigin)
{
    double mass = 0, x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (const Body &b : plummer(1000, 7)) {
        mass += b.mass;
        for (int d = 0; d < 3; d++) {
            x[d] += b.mass * b.x[d];
            v[d] += b.mass * b.v[d];
        }
    }
    // 1000 roundings of numbers below 1 (masses) and of terms below 13.5/1000 (positions).
    EXPECT_NEAR(mass, 1, 1000 * 0x1p-53);
    for (int d = 0; d < 3; d++) {
        EXPECT_NEAR(x[d], 0, 1000 * 14 * 0x1p-53);
        EXPECT_NEAR(v[d], 0, 1000 * 2 * 0x1p-53);
    }
}

// Mass inside r (in scale lengths): m(r) = r^3/(1+r^2)^(3/2), over the 0.9971 inside the cut.  The
// count of N draws scatters by sqrt(N m (1-m)); taking out the centre moves bodies by about
// 1/sqrt(N) = 0.005, less than the scatter.
TEST(Plummer, MassFollowsTheProfile)
{
    const auto bodies = plummer(kBodies, 1);
    for (double r : {0.3, 0.7, 1.0, 1.3048, 2.0, 4.0}) {
        const auto inside = std::count_if(bodies.begin(), bodies.end(), [&](const Body &b) {
            return length(b.x) < r * kPlummerScale;
        });
        const double cut = std::pow(1 + 1 / (22.8 * 22.8), -1.5);
        const double m = std::pow(1 + 1 / (r * r), -1.5) / cut;
        const double scatter = std::sqrt(m * (1 - m) / kBodies);
        EXPECT_NEAR(inside / double(kBodies), m, 5 * scatter) << "r = " << r;
    }
}

// Virial equilibrium at E = -1/4 means a kinetic energy 1/4, that is <v^2> = 1/2.  In the same
// units v^2 = 2 q^2 b^-1 (1+r^2)^(-1/2) <= 3.4; with <v^4> <= 3.4 <v^2> the mean of N scatters by
// less than sqrt(1.7/N).  The cut takes 0.3 % of the bodies, whose v^2 is small.
TEST(Plummer, IsInVirialEquilibrium)
{
    double v2 = 0;
    for (const Body &b : plummer(kBodies, 2)) v2 += b.mass * length(b.v) * length(b.v);
    EXPECT_NEAR(v2, 0.5, 4 * std::sqrt(1.7 / kBodies) + 0.003 * 0.5);
}

// The potential of the sphere, -1/sqrt(r^2+b^2), over the bodies gives 2 W = -1.  Terms lie between
// 0 and 1/b = 1.7, so the mean of N scatters by less than 0.85/sqrt(N).
TEST(Plummer, HasTheRightPotentialEnergy)
{
    double w = 0;
    for (const Body &b : plummer(kBodies, 3)) {
        const double r = length(b.x);
        w -= b.mass / std::sqrt(r * r + kPlummerScale * kPlummerScale);
    }
    EXPECT_NEAR(w, -1, 4 * 0.85 / std::sqrt(kBodies) + 0.003);
}

TEST(Plummer, NoBodyEscapes)
{
    for (const Body &b : plummer(kBodies, 4)) {
        const double r2 = b.x[0] * b.x[0] + b.x[1] * b.x[1] + b.x[2] * b.x[2];
        const double escape = std::sqrt(2 / std::sqrt(r2 + kPlummerScale * kPlummerScale));
        // The shift to the rest frame of the centre is about 0.5/sqrt(N) = 0.0025.
        EXPECT_LT(length(b.v), escape + 0.02);
        EXPECT_LT(std::sqrt(r2), g6tools::kPlummerRadius + 0.05);
    }
}

TEST(Plummer, SeedDecides)
{
    const auto a = plummer(10, 5), b = plummer(10, 5), c = plummer(10, 6);
    EXPECT_EQ(a[9].x[0], b[9].x[0]);
    EXPECT_EQ(a[9].v[2], b[9].v[2]);
    EXPECT_NE(a[9].x[0], c[9].x[0]);
}

TEST(Plummer, MayBeEmpty)
{
    EXPECT_TRUE(plummer(0, 1).empty());
}

}  // namespace
