// SPDX-License-Identifier: MIT
// The limit of candidates: no entry of a neighbour list is beyond it in float, and few others are
// within it.
#include "../systems.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace g6test {
namespace {

#define G6_FN inline
#define G6_SQRT(x) std::sqrt(x)
#define G6_MIN(a, b) std::fmin(a, b)
#define G6_MAX(a, b) std::fmax(a, b)
#define G6_INFINITY std::numeric_limits<double>::infinity()
namespace in_double {
#define G6_REAL double
#include "libg6gpu/formulas/candidates.h"
#undef G6_REAL
}  // namespace in_double
namespace in_float {
#define G6_REAL float
#include "libg6gpu/formulas/candidates.h"
#undef G6_REAL
}  // namespace in_float

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Components from the centre, with doubles: rounded once.
Vec3 rounded(const Vec3 &x)
{
    return {float(x[0]), float(x[1]), float(x[2])};
}
// Without doubles: high and low parts of floats, and a centre that is a float.
Vec3 rounded_parts(const Vec3 &x, const Vec3 &centre)
{
    Vec3 r;
    for (int c = 0; c < 3; ++c) {
        const float high = float(x[c]), low = float(x[c] - high), from = high - float(centre[c]);
        r[c] = from + low;
    }
    return r;
}
float length2(const Vec3 &j, const Vec3 &i)
{
    const float dx = float(j[0]) - float(i[0]), dy = float(j[1]) - float(i[1]),
                dz = float(j[2]) - float(i[2]);
    const float x2 = dx * dx, y2 = dy * dy, z2 = dz * dz, xy = x2 + y2;
    return xy + z2;
}
double largest(const Vec3 &x)
{
    return std::max(std::fabs(x[0]), std::max(std::fabs(x[1]), std::fabs(x[2])));
}

// The pair in the worst place: just inside the radius, as far from the centre as `far` says.
struct Pair {
    Vec3 i, j;
    double h2;
};
Pair pair_inside(Random &random, double far, double h)
{
    Pair p;
    p.i = random.vector(far);
    Vec3 d = random.vector(1);
    const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    Real r2 = 0;
    for (int c = 0; c < 3; ++c) {
        p.j[c] = p.i[c] + d[c] / length * h;
        r2 += (Real(p.j[c]) - p.i[c]) * (Real(p.j[c]) - p.i[c]);
    }
    p.h2 = std::nextafter(double(r2), 1e300);
    return p;
}

TEST(Candidates, no_entry_is_missed)
{
    Random random(1);
    for (int k = 0; k < 200000; ++k) {
        const double far = std::pow(10.0, random(-12, 16)), h = std::pow(10.0, random(-12, 16));
        const Pair p = pair_inside(random, far, h);
        const float r2 = length2(rounded(p.j), rounded(p.i));
        ASSERT_LE(r2, in_double::g6_candidate_limit(largest(p.i), p.h2)) << far << " " << h;
    }
}

// A centre as far from the origin as it is from the particles, and farther; a radius as the
// kernels have it, from 6e-8 of the coordinates on.
TEST(Candidates, no_entry_is_missed_without_doubles)
{
    Random random(2);
    for (int k = 0; k < 200000; ++k) {
        const double size = std::pow(10.0, random(-2, 4)),
                     far = size * std::pow(10.0, random(-7, 0)),
                     h = size * std::pow(10.0, random(-7, 0));
        const Vec3 centre = random.vector(size);
        Pair p = pair_inside(random, far, h);
        for (int c = 0; c < 3; ++c) p.i[c] += centre[c], p.j[c] += centre[c];
        const float widened = std::max(float(p.h2) * 1.00001f, float(36e-16 * size * size));
        const Vec3 i = rounded_parts(p.i, centre);
        const float r2 = length2(rounded_parts(p.j, centre), i);
        ASSERT_LE(r2, in_float::g6_candidate_limit(float(largest(i)), widened))
            << size << " " << far << " " << h;
    }
}

// Beside a centre that is not much farther than the radius, the shell of doubt is thin.
TEST(Candidates, are_few_more_than_the_entries)
{
    for (double h2 : {1e-10, 1.0, 3e7}) {
        EXPECT_LT(in_double::g6_candidate_limit(10 * std::sqrt(h2), h2), 1.00001 * h2);
        EXPECT_LT(in_float::g6_candidate_limit(float(10 * std::sqrt(h2)), float(h2)), 1.0001 * h2);
    }
}

TEST(Candidates, have_a_centre_amid_three_points)
{
    double x[3] = {-1, 2, 7};
    do EXPECT_EQ(in_double::g6_middle(x[0], x[1], x[2]), 2);
    while (std::next_permutation(x, x + 3));
    EXPECT_EQ(in_double::g6_middle(3, 1e150, 3), 3);
}

TEST(Candidates, are_none_without_a_radius_and_all_where_floats_end)
{
    for (double h2 : {0.0, -1.0, double(NAN)}) EXPECT_LT(in_double::g6_candidate_limit(1, h2), 0);
    for (double h2 : {1e40, 1e300, double(INFINITY)})
        EXPECT_EQ(in_double::g6_candidate_limit(1, h2), kInfinity);
    for (double far : {1e18, 1e150, double(NAN)})
        EXPECT_EQ(in_double::g6_candidate_limit(far, 1), kInfinity);
    EXPECT_EQ(in_float::g6_candidate_limit(1, kInfinity), kInfinity);
    // Where the device may flush small floats to zero.
    EXPECT_GE(in_double::g6_candidate_limit(0, 1e-60), std::numeric_limits<float>::min());
}

}  // namespace
}  // namespace g6test
