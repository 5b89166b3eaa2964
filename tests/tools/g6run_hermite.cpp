// SPDX-License-Identifier: MIT
// The formulas of the Hermite scheme against motions that are known in closed form.
#include "tools/g6run/hermite.h"
#include "g6run_systems.h"

namespace {

using g6run::Body;
using namespace g6runtest;

// x(t) = sum c_k t^k / k! in each coordinate, and its derivatives.
struct Polynomial {
    double c[6];

    double derivative(int order, double t) const
    {
        double sum = 0, term = 1;
        for (int k = order; k < 6; k++) {
            sum += c[k] * term;
            term *= t / (k - order + 1);
        }
        return sum;
    }
};
constexpr Polynomial kPaths[3] = {
    {{1, -0.5, 0.7, 0.3, -0.9, 1.1}}, {{-2, 0.25, -0.4, 0.6, 0.8, -0.7}}, {{0, 1, 0, 0, 0, 0}}};

Body on_path(double t)
{
    Body b;
    b.t = t;
    for (int d = 0; d < 3; d++) {
        b.x[d] = kPaths[d].derivative(0, t);
        b.v[d] = kPaths[d].derivative(1, t);
        b.a[d] = kPaths[d].derivative(2, t);
        b.j[d] = kPaths[d].derivative(3, t);
    }
    return b;
}

// Predicted are the terms up to the jerk.
TEST(Hermite, PredictorIsTheTaylorSeriesToTheJerk)
{
    Body b = on_path(0);
    b.t = 2;
    double x[3], v[3];
    g6run::predict(b, 2.5, x, v);
    for (int d = 0; d < 3; d++) {
        Polynomial p = kPaths[d];
        p.c[4] = p.c[5] = 0;
        EXPECT_NEAR(x[d], p.derivative(0, 0.5), 4e-16);
        EXPECT_NEAR(v[d], p.derivative(1, 0.5), 4e-16);
    }
}

// State on the unit circle at unit speed, where every derivative has length 1.
Body on_circle(double t)
{
    const double c = std::cos(t), s = std::sin(t);
    Body b = body(1, {c, s, 0}, {-s, c, 0});
    b.t = t;
    b.a[0] = -c;
    b.a[1] = -s;
    b.j[0] = s;
    b.j[1] = -c;
    return b;
}

// Acceleration and jerk at both ends fix a cubic acceleration: a quintic path is exact, and so are
// its derivatives at the end of the step.  Of those dt of eq. 7 is made, not of the ones at its
// start.  Rounding: some ten operations on numbers below 3.
TEST(Hermite, CorrectorAndAarsethStepAreExactForAQuintic)
{
    const double t0 = 0.25, t1 = 0.75, eta = 0.03;
    Body b = on_path(t0);
    const Body end = on_path(t1);
    const auto size = [](int order, double t) {
        double sum = 0;
        for (const Polynomial &p : kPaths) sum += p.derivative(order, t) * p.derivative(order, t);
        return std::sqrt(sum);
    };
    const auto step = [&](double t) {
        const double a = size(2, t), j = size(3, t), s = size(4, t), c = size(5, t);
        return std::sqrt(eta * (a * s + j * j) / (j * c + s * s));
    };
    EXPECT_GT(std::fabs(step(t0) / step(t1) - 1), 0.05);
    EXPECT_NEAR(g6run::correct(b, t1, end.a, end.j, 0, {eta, 0}), step(t1), 1e-10);
    EXPECT_EQ(b.t, t1);
    for (int d = 0; d < 3; d++) {
        EXPECT_NEAR(b.x[d], end.x[d], 10 * 3 * 0x1p-53);
        EXPECT_NEAR(b.v[d], end.v[d], 10 * 3 * 0x1p-53);
        EXPECT_EQ(b.a[d], end.a[d]);
        EXPECT_EQ(b.j[d], end.j[d]);
    }
}

// Over a tree: dt = sqrt(eta) |a|/|j|, up to sqrt(eta) M/|pot|^(3/2): here 0.2 * 8 / 4^(3/2) = 0.2.
TEST(Hermite, StepOverATreeIsThatOfAccelerationAndJerk)
{
    const g6run::Criterion criterion{0.04, 0, true, 8};
    Body b = on_circle(0);
    const double acc[3] = {3, 0, 4}, jerk[3] = {0, 20, 0}, none[3] = {0, 0, 0};
    EXPECT_DOUBLE_EQ(g6run::correct(b, 0.01, acc, jerk, -4, criterion), 0.2 * 5 / 20);
    EXPECT_DOUBLE_EQ(g6run::correct(b, 0.02, acc, none, -4, criterion), 0.2);
    EXPECT_EQ(g6run::correct(b, 0.03, none, none, 0, criterion), HUGE_VAL);
}

// An error of 1e-8 in an acceleration of 1 puts 12e-8/h^3 = 120 on the crackle, whose true value
// is 1: taken at its word it cuts the step to sqrt(2 eta / 121).  Below 4 * 12 * 2^-28 / h^3 = 179
// it is noise: dt = sqrt(eta (s + 1) / s^2), with a snap s = 1 that errs by 6e-8/h^2 = 0.06 and is
// above its own noise of 4 * 6 * 2^-28 / h^2 = 0.09.
TEST(Hermite, RoundingOfTheForcesDoesNotShortenSteps)
{
    const double h = 1e-3, eta = 0.04;
    const auto step = [&](double noise) {
        Body b = on_circle(0);
        Body end = on_circle(h);
        end.a[2] += 1e-8;
        return g6run::correct(b, h, end.a, end.j, 0, {eta, noise});
    };
    EXPECT_NEAR(step(0), std::sqrt(2 * eta / 121), 0.01 * std::sqrt(2 * eta / 121));
    EXPECT_NEAR(step(0x1p-28), std::sqrt(2 * eta), 0.06 * std::sqrt(2 * eta));
}

// A body whose attractors cancel: every derivative is noise, of terms whose sum is pot^2/M = 1.  A
// step that followed them would be h/8, and each one after it shorter by as much.
TEST(Hermite, RoundingOfTermsThatCancelDoesNotShortenSteps)
{
    const double h = 0x1p-10, acc[3] = {1e-8, 0, 0}, jerk[3] = {0, 1e-8, 0};
    Body b = body(1, {0, 0, 0}, {0, 0, 0});
    b.a[1] = -1e-8;
    EXPECT_EQ(g6run::correct(b, h, acc, jerk, -1, {0.01, 0x1p-23, false, 1}), HUGE_VAL);
    Body c = body(1, {0, 0, 0}, {0, 0, 0});
    c.a[1] = -1e-8;
    EXPECT_LT(g6run::correct(c, h, acc, jerk, -1, {0.01, 0, false, 1}), h / 8);
}

// On the circle of frequency 1 the corrector adds h^2/6 of a h to the velocity, and of the larger
// of a h and j h^2 a sixth at h = 1.  A body whose acceleration is noise has terms beside it.
TEST(Hermite, AStepIsTooLongWhereTheCorrectorChangesTheVelocity)
{
    const auto too_long = [](double h) {
        const Body end = on_circle(h);
        return g6run::is_too_long(on_circle(0), h, end.a, end.j, -1, 1);
    };
    EXPECT_FALSE(too_long(0.9));
    for (double h : {1.2, 2.0, 4.0, 8.0}) EXPECT_TRUE(too_long(h)) << h;
    const double noise[3] = {1e-7, 0, 0}, none[3] = {0, 0, 0};
    EXPECT_FALSE(g6run::is_too_long(Body(), 0.1, noise, none, -1, 1));
    EXPECT_TRUE(g6run::is_too_long(Body(), 0.1, noise, none, 0, 1));
}

TEST(Hermite, StartingStepIsTheShorterOfTwoTimes)
{
    Body b;
    b.a[0] = 3;
    b.a[1] = 4;
    b.j[2] = 20;                                              // |a|/|j| = 1/4
    const double slow[3] = {0, 5, 0}, fast[3] = {0, 0, 500};  // sqrt(|a|/|a2|) = 1, 1/10
    EXPECT_DOUBLE_EQ(g6run::starting_step(b, slow, -1, 1, 0.01), 0.01 / 4);
    EXPECT_DOUBLE_EQ(g6run::starting_step(b, fast, -1, 1, 0.01), 0.01 / 10);
}

}  // namespace
