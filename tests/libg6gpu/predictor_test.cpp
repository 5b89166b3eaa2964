// SPDX-License-Identifier: MIT
// The host predictor against the long-double polynomial.
#include "libg6gpu/particles/predictor.h"
#include "tests/systems.h"
#include "tests/tolerance.h"

namespace g6test {
namespace {

G6JRecord record(const Body &b)
{
    G6JRecord r{};
    for (int k = 0; k < 3; ++k)
        r.x[k] = b.x[k], r.v[k] = b.v[k], r.a2[k] = b.a2[k], r.j6[k] = b.j6[k], r.k18[k] = b.k18[k];
    r.mass = b.mass, r.t = b.t, r.index = b.index;
    return r;
}

void expect_predicted(const Body &b, double t, bool use_snap)
{
    Vec3 x, v;
    g6::predict(record(b), t, use_snap, x.data(), v.data());
    Body used = b;
    if (!use_snap) used.k18 = {};
    const Predicted p = predict(used, t);
    const Real u = tolerance("double").x;
    EXPECT_TRUE(within("x", p.x, x, u * p.x_size));
    EXPECT_TRUE(within("v", p.v, v, u * p.v_size));
}

TEST(Predict, is_the_polynomial_of_the_interface)
{
    for (const Body &b : moving_bodies(200, 1))
        for (double t : {0.0, 0.0625, -1.0, 3.0, 1e3, 1e-9})
            for (bool use_snap : {true, false}) expect_predicted(b, t, use_snap);
}

TEST(Predict, at_the_own_time_changes_nothing)
{
    for (const Body &b : moving_bodies(20, 2)) {
        Vec3 x, v;
        g6::predict(record(b), b.t, true, x.data(), v.data());
        EXPECT_EQ(x, b.x);
        EXPECT_EQ(v, b.v);
    }
}

// s = 2, one coefficient 1 at a time: x gains 2, 4, 8, 3/4 16 = 12; v gains 1, 2*2 = 4, 3*4 = 12,
// 3*8 = 24.
TEST(Predict, has_the_coefficients_of_the_interface)
{
    const double dx[] = {2, 4, 8, 12}, dv[] = {1, 4, 12, 24};
    for (int term = 0; term < 4; ++term) {
        Body b;
        Vec3 *const coefficient[] = {&b.v, &b.a2, &b.j6, &b.k18};
        *coefficient[term] = {1, 0, 0};
        Vec3 x, v;
        g6::predict(record(b), 2, true, x.data(), v.data());
        EXPECT_EQ(x, (Vec3{dx[term], 0, 0})) << term;
        EXPECT_EQ(v, (Vec3{dv[term], 0, 0})) << term;
    }
}

}  // namespace
}  // namespace g6test
