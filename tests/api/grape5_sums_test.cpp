// SPDX-License-Identifier: MIT
// The sums of the g5 calls on every machine: their errors, and when two sums have equal bits.
#include "grape5.h"

namespace g6test {
namespace {

class Grape5Sums : public testing::TestWithParam<PointMachine> {
protected:
    // Checks every 13th target.  Device 1 of the cpu has one thread, device 0 has all, and both
    // give the same bits.
    void expect_large(PointList l) const
    {
        const PointForces f = compute(0, l), other = compute(1, l);
        for (int i = 0; i < l.ni(); i += 13) expect_target(l, f, i, t);
        if (GetParam().backend == "cpu") {
            EXPECT_EQ(f.a, other.a);
            EXPECT_EQ(f.p, other.p);
        }
    }

    const PointSession session{GetParam()};
    const Tolerance t = point_tolerance(GetParam().precision);
};

INSTANTIATE_TEST_SUITE_P(, Grape5Sums, testing::ValuesIn(point_machines()), point_machine_name);

// 40 x 27000 pairs are enough for all threads of the cpu, and more than one block of row sums.
TEST_P(Grape5Sums, are_right_for_large_blocks)
{
    g5_set_eps_to_all(1.0 / 32);
    expect_large(make_list(27000, 40, 1.0 / 32, 1));
}

// So many pairs have several threads, more of them than there are shares of so few targets.
TEST_P(Grape5Sums, leave_what_lies_beside_the_results)
{
    g5_set_eps_to_all(1.0 / 32);
    for (int ni : {8, 40}) {
        PointList l = make_list(1100000 / ni, ni, 1.0 / 32, 2);
        const PointForces alone = compute(0, l);
        PointForces with(ni + 2);
        g5_calculate_force_on_xMC(0, rows(l.xi), rows(with.a) + 1, with.p.data() + 1, ni);
        for (int i = 0; i < ni; ++i) {
            EXPECT_EQ(with.a[i + 1], alone.a[i]) << ni << " targets";
            EXPECT_EQ(with.p[i + 1], alone.p[i]) << ni << " targets";
        }
        for (int k : {0, ni + 1}) {
            EXPECT_EQ(with.a[k], (Vec3{7, 7, 7})) << ni << " targets";
            EXPECT_EQ(with.p[k], 7) << ni << " targets";
        }
    }
}

// With coordinates up to 2 from slot 0, 2^-13 is the smallest softening for which float positions
// serve all pairs; below it, near pairs are summed in double.  Each target has a mass at the
// distance of the softening.
TEST_P(Grape5Sums, are_right_for_small_softening)
{
    for (int e : {-13, -14, -20, -30, -60}) {
        const double eps = std::ldexp(1.0, e);
        PointList l = make_list(300, 10, eps, 1);
        for (int i = 0; i < 10; ++i) l.xi[i][0] += eps;
        g5_set_eps_to_all(eps);
        expect_list(l, compute(0, l), with_float_positions(t, GetParam().precision));
        if (HasFailure()) FAIL() << "softening 2^" << e;
    }
}

// Float positions show nothing of the distance of a pair that is 2^-27 or less apart in a box of
// side 2.  The nearest one makes nearly all of the force, so that it must be right by itself.
TEST_P(Grape5Sums, are_right_without_softening)
{
    for (int e : {-8, -9, -10, -11, -12, -16, -27, -40}) {
        PointList l = make_list(300, 40, 0, 1);
        for (int i = 0; i < 40; ++i) l.xi[i][i % 3] += std::ldexp(1.0, e);
        expect_list(l, compute(0, l), with_float_positions(t, GetParam().precision));
        if (HasFailure()) FAIL() << "distance 2^" << e;
    }
}

// 800 pairs at distances from 2^-40 to 2, each in a list of its own.
TEST_P(Grape5Sums, are_right_for_a_pair_at_any_distance)
{
    Random random(1);
    for (int k = 0; k < 800; ++k) {
        PointList l{{{0, 0, 0}, random.vector(1)}, {{0, 0, 0}}, {0, 1}, {0}};
        const double distance = std::ldexp(random(1, 2), -k % 41);
        const Vec3 step = scaled(random.vector(1), distance);
        for (int d = 0; d < 3; ++d) l.xi[0][d] = l.xj[1][d] + step[d];
        expect_list(l, compute(0, l), with_float_positions(t, GetParam().precision));
    }
}

// Slot 0 is 2^12 away from a group of side 0.2, whose targets are all nearer to each other than
// 2^-10 of that; another mass lies as far on the other side.
TEST_P(Grape5Sums, are_right_when_slot_0_is_far_from_the_targets)
{
    for (int nj : {40, 300, 3000})
        for (double eps : {0.0, std::ldexp(1.0, -10)}) {
            PointList l = make_list(nj, 35, eps, 1);
            l.xj[0] = {4096, 4096, -4096};
            l.xj[nj - 1] = {-4096, 0, 4096};
            l.xi[0] = {0.0625, 0.125, 0};
            g5_set_eps_to_all(eps);
            expect_list(l, compute(0, l), with_float_positions(t, GetParam().precision));
            compute(0, l);
            const PointForces f = compute(0, l), g = compute(1, l);
            EXPECT_EQ(f.a, g.a);
            if (HasFailure()) FAIL() << nj << " masses, softening " << eps;
        }
}

// Beside the softening of most targets the list is a point; two targets have none.
TEST_P(Grape5Sums, take_softenings_that_differ_by_more_than_the_range_of_float)
{
    PointList l = make_list(4, 7, 0x1p46, 1);
    for (auto *rows : {&l.xj, &l.xi})
        for (Vec3 &x : *rows) x = scaled(x, 0x1p-40);
    g5_set_eps_to_all(0x1p46);
    set_list(0, l);
    g5_set_xi(7, rows(l.xi));
    l.eps2[0] = l.eps2[1] = 0;
    g5_set_eps(2, l.eps2.data());
    g5_run();
    PointForces f(7);
    g5_get_force(7, rows(f.a), f.p.data());
    expect_list(l, f, with_float_positions(t, GetParam().precision));
}

// The unit of the acceleration is out of the range of double, and the acceleration is not.
TEST_P(Grape5Sums, do_not_vanish_or_overflow_with_their_units)
{
    const double close = 0x1p-600;
    PointList l{{{close, 0, 0}, {-close, 0, 0}}, {{0, 0, 0}}, {1, 1}, {0}};
    g5_set_eps_to_all(0);
    EXPECT_EQ(compute(0, l).a[0], (Vec3{0, 0, 0}));
    l.xj = {{0x1p600, 0, 0}, {0x1p320, 0, 0}};
    EXPECT_EQ(compute(0, l).a[0], (Vec3{0x1p-640, 0, 0}));
}

// Powers of two round nothing, so that every bit must be the same in other units.
TEST_P(Grape5Sums, have_the_same_bits_in_other_units)
{
    PointList l = make_list(200, 9, 1.0 / 32, 1);
    g5_set_eps_to_all(1.0 / 32);
    const PointForces f = compute(0, l);
    for (int e : {-90, -60, 60, 90}) {
        PointList other = l;
        for (Vec3 &x : other.xj) x = scaled(x, std::ldexp(1.0, e));
        for (Vec3 &x : other.xi) x = scaled(x, std::ldexp(1.0, e));
        for (double &m : other.mj) m = std::ldexp(m, 2 * e);
        g5_set_eps_to_all(std::ldexp(1.0, e - 5));
        const PointForces g = compute(0, other);
        for (int i = 0; i < l.ni(); ++i) {
            EXPECT_EQ(g.a[i], f.a[i]) << e;  // m / r^2
            EXPECT_EQ(g.p[i], std::ldexp(f.p[i], e)) << e;
        }
    }
}

TEST_P(Grape5Sums, have_the_same_bits_whatever_was_computed_before)
{
    g5_set_eps_to_all(1.0 / 32);
    PointList l = make_list(100, 5, 1.0 / 32, 1), other = make_list(3000, 9, 1.0 / 32, 2);
    for (Vec3 &x : other.xj) x[0] += 1e5;
    for (double &m : other.mj) m *= 1e-30;
    const PointForces before = compute(0, l);
    compute(0, other);
    const PointForces after = compute(0, l);
    EXPECT_EQ(before.a, after.a);
    EXPECT_EQ(before.p, after.p);
}

// Coordinates are multiples of 2^-20, so that the shift rounds nothing; in float the system would
// be one point.
TEST_P(Grape5Sums, are_right_far_from_the_origin)
{
    PointList l = make_list(300, 20, 1.0 / 32, 1);
    g5_set_eps_to_all(1.0 / 32);
    const double shift = std::ldexp(1.0, 30);
    for (Vec3 &x : l.xj) x[1] += shift;
    for (Vec3 &x : l.xi) x[1] += shift;
    expect_list(l, compute(0, l), t);
}

TEST_P(Grape5Sums, take_masses_of_any_sign_and_size)
{
    PointList l = make_list(200, 9, 1.0 / 32, 1);
    g5_set_eps_to_all(1.0 / 32);
    for (int j = 0; j < l.nj(); j += 3) l.mj[j] *= -1;
    for (int j = 0; j < l.nj(); j += 7) l.mj[j] = 0;
    for (int j = 1; j < l.nj(); j += 7) l.mj[j] *= 1e20;
    for (int round = 0; round < 2; ++round) {  // the second time the unit of mass is known
        expect_list(l, compute(0, l), t);
        std::swap(l.mj[0], l.mj[1]);
    }
}

}  // namespace
}  // namespace g6test
