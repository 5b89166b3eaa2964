// SPDX-License-Identifier: MIT
// Lists one after the other, as a tree code sends them.  The cpu has a quick way for a list that is
// like the last one, and must not use it for other lists.
#include "grape5.h"

namespace g6test {
namespace {

constexpr double kEps = 1.0 / 32;

class Grape5Lists : public testing::TestWithParam<PointMachine> {
protected:
    void SetUp() override
    {
        g5_set_eps_to_all(kEps);
        compute(0, list);
        compute(0, list);
    }
    PointForces forces(PointList &l)
    {
        PointForces f(l.ni());
        g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
        return f;
    }
    // By the calls that do one step each, which have no short way.
    PointForces forces_in_steps(PointList &l)
    {
        PointForces f(l.ni());
        g5_set_xi(l.ni(), rows(l.xi));
        g5_run();
        g5_get_force(l.ni(), rows(f.a), f.p.data());
        return f;
    }

    const PointSession session{GetParam()};
    const Tolerance t = point_tolerance(GetParam().precision);
    PointList list = make_list(100, 9, kEps, 1);
};
INSTANTIATE_TEST_SUITE_P(, Grape5Lists, testing::ValuesIn(point_machines()), point_machine_name);

// Numbers of targets around those that vectors and shares hold, numbers of masses around blocks and
// batches.
TEST_P(Grape5Lists, of_any_length_are_right_and_have_the_bits_of_single_steps)
{
    for (int nj : {1, 2, 3, 4, 5, 8, 9, 15, 70, 71, 511, 512, 513, 1025})
        for (int ni : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 18, 33, 43}) {
            PointList l = make_list(nj, ni, kEps, unsigned(nj));
            const PointForces f = compute(0, l), steps = forces_in_steps(l);
            expect_list(l, f, t);
            EXPECT_EQ(f.a, steps.a);
            EXPECT_EQ(f.p, steps.p);
            if (HasFailure()) FAIL() << nj << " masses, " << ni << " targets";
        }
}

// Only the n-th mass and target may be read: what is behind them is no number.
TEST_P(Grape5Lists, do_not_read_behind_their_ends)
{
    for (int n : {1, 2, 3, 5, 6, 7, 9, 10, 11, 13}) {
        PointList l = make_list(n, n, kEps, unsigned(n)), longer = l;
        for (int k = 0; k < 8; ++k) {
            longer.xj.push_back({NAN, NAN, NAN});
            longer.xi.push_back({NAN, NAN, NAN});
            longer.mj.push_back(NAN);
        }
        g5_set_xmj(0, n, rows(longer.xj), longer.mj.data());
        g5_set_n(n);
        PointForces f(n + 1);
        g5_calculate_force_on_x(rows(longer.xi), rows(f.a), f.p.data(), n);
        EXPECT_EQ(f.a[n], (Vec3{7, 7, 7}));
        EXPECT_EQ(f.p[n], 7);
        expect_list(l, f, t);
    }
}

// In units of the softening, 2^14 is the largest coordinate of the short way.  The distance of a
// target is so large beside those of the masses that terms are as good as float coordinates.
TEST_P(Grape5Lists, take_targets_and_masses_that_are_far_away)
{
    for (double far : {500.0, 520.0, 1e5, 1e15}) {
        set_list(0, list);
        PointList l = list;
        l.xi[4][1] = far;
        expect_target(l, forces(l), 4, t);
        expect_list(list, forces(list), t);
        l = list;
        l.xj[50][2] = -far;
        const PointForces f = compute(0, l);
        Tolerance rounded = t;
        if (GetParam().precision == "single") rounded.acc += std::ldexp(Real(1), -9);
        expect_list(l, f, rounded);
    }
}

}  // namespace
}  // namespace g6test
