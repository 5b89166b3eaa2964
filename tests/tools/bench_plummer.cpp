// SPDX-License-Identifier: MIT
// Plummer spheres: bodies are bound, and a seed gives the same ones.
#include "tools/common/plummer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using g6tools::Body;
using g6tools::kPlummerScale;
using g6tools::plummer;

double length(const double u[3])
{
    return std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

TEST(Plummer, NoBodyEscapes)
{
    for (const Body &b : plummer(40000, 4)) {
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

}  // namespace
