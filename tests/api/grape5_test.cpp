// SPDX-License-Identifier: MIT
// The g5 calls: sums on every machine, and what each call does.
#include "grape5.h"

namespace g6test {
namespace {

class Grape5Sums : public testing::TestWithParam<PointMachine> {
protected:
    const PointSession session{GetParam()};
    const Tolerance t = point_tolerance(GetParam().precision);
};

// With the rounding of float positions: 2^-10 of a pair's distance or softening, at worst.
Tolerance rounded(Tolerance t, const std::string &precision)
{
    if (precision == "single") {
        t.acc += std::ldexp(Real(1), -9);
        t.pot += std::ldexp(Real(1), -10);
    }
    return t;
}
INSTANTIATE_TEST_SUITE_P(, Grape5Sums, testing::ValuesIn(point_machines()), point_machine_name);

// Numbers of masses around those that vectors, tiles and blocks of tiles hold.
TEST_P(Grape5Sums, are_right_for_any_number_of_masses_and_targets)
{
    g5_set_eps_to_all(1.0 / 32);
    for (int nj : {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 70, 255, 256, 257, 1023, 1025, 2100})
        for (int ni : {1, 2, 3, 4, 5, 17}) {
            PointList l = make_list(nj, ni, 1.0 / 32, unsigned(nj));
            expect_list(l, compute(0, l), t);
            if (HasFailure()) FAIL() << nj << " masses, " << ni << " targets";
        }
}

// 40 x 27000 pairs are enough for all threads of the cpu, and more than one block of row sums.
TEST_P(Grape5Sums, are_right_for_large_blocks)
{
    g5_set_eps_to_all(1.0 / 32);
    PointList l = make_list(27000, 40, 1.0 / 32, 1);
    const PointForces f = compute(0, l), other = compute(1, l);
    for (int i = 0; i < l.ni(); i += 13) expect_target(l, f, i, t);
    if (GetParam().backend == "cpu") {
        EXPECT_EQ(f.a, other.a);  // device 1 has one thread
        EXPECT_EQ(f.p, other.p);
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
        expect_list(l, compute(0, l), rounded(t, GetParam().precision));
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
        expect_list(l, compute(0, l), rounded(t, GetParam().precision));
        if (HasFailure()) FAIL() << "distance 2^" << e;
    }
}

TEST_P(Grape5Sums, leave_out_coincident_pairs_without_softening)
{
    for (int nj : {2100, 300, 5, 2, 1}) {  // the targets are among the masses
        PointList l = make_list(nj, 25, 0, 1);
        expect_list(l, compute(0, l), t);
        if (HasFailure()) FAIL() << nj << " masses";
    }
}

// 3000 pairs at distances from 2^-40 to 2, each in a list of its own.
TEST_P(Grape5Sums, are_right_for_a_pair_at_any_distance)
{
    Random random(1);
    for (int k = 0; k < 3000; ++k) {
        PointList l{{{0, 0, 0}, random.vector(1)}, {{0, 0, 0}}, {0, 1}, {0}};
        const double distance = std::ldexp(random(1, 2), -k % 41);
        const Vec3 step = scaled(random.vector(1), distance);
        for (int d = 0; d < 3; ++d) l.xi[0][d] = l.xj[1][d] + step[d];
        expect_list(l, compute(0, l), rounded(t, GetParam().precision));
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
            expect_list(l, compute(0, l), rounded(t, GetParam().precision));
            compute(0, l);
            const PointForces f = compute(0, l), g = compute(1, l);
            EXPECT_EQ(f.a, g.a);
            if (HasFailure()) FAIL() << nj << " masses, softening " << eps;
        }
}

// The targets of the list before were far from slot 0: the masses were laid out about their middle.
TEST_P(Grape5Sums, do_not_depend_on_the_list_before)
{
    for (double eps : {0.0, std::ldexp(1.0, -10)}) {
        PointList far = make_list(300, 35, eps, 1);
        far.xj[0] = {4096, 4096, -4096};
        PointList near = far;
        for (int i = 0; i < near.ni(); ++i)
            for (int d = 0; d < 3; ++d) near.xi[i][d] = far.xj[0][d] + 0.3 * far.xi[i][d];
        g5_set_eps_to_all(eps);
        const PointForces fresh = compute(1, near);
        compute(0, far);
        PointForces f(near.ni());
        g5_calculate_force_on_xMC(0, rows(near.xi), rows(f.a), f.p.data(), near.ni());
        EXPECT_EQ(f.a, fresh.a) << eps;
        EXPECT_EQ(f.p, fresh.p) << eps;
        expect_list(near, f, rounded(t, GetParam().precision));
    }
}

// Half of the targets are 2^14 from the other half, so that most pairs of a half are near, whatever
// the middle.
TEST_P(Grape5Sums, are_right_when_most_pairs_are_near)
{
    PointList l = make_list(600, 300, 0, 1);
    for (int j = 0; j < l.nj(); j += 2) l.xj[j][2] += 16384;
    for (int i = 0; i < l.ni(); i += 2) l.xi[i][2] += 16384;
    expect_list(l, compute(0, l), rounded(t, GetParam().precision));
}

// Lists without softening: units of length and mass follow the list.
TEST_P(Grape5Sums, have_the_same_bits_in_other_units_without_softening)
{
    PointList l = make_list(200, 9, 0, 1);
    const PointForces f = compute(0, l);
    for (int e : {-192, -96, 96, 192}) {
        PointList other = l;
        for (Vec3 &x : other.xj) x = scaled(x, std::ldexp(1.0, e));
        for (Vec3 &x : other.xi) x = scaled(x, std::ldexp(1.0, e));
        for (double &m : other.mj) m = std::ldexp(m, 2 * e);
        const PointForces g = compute(0, other);
        for (int i = 0; i < l.ni(); ++i) {
            EXPECT_EQ(g.a[i], f.a[i]) << e;
            EXPECT_EQ(g.p[i], std::ldexp(f.p[i], e)) << e;
        }
    }
}

TEST_P(Grape5Sums, have_the_same_bits_for_any_number_of_threads_without_softening)
{
    PointList l = make_list(27000, 41, 0, 1);
    const PointForces f = compute(0, l), other = compute(1, l);
    for (int i = 0; i < l.ni(); i += 13) expect_target(l, f, i, t);
    if (GetParam().backend == "cpu") {
        EXPECT_EQ(f.a, other.a);  // device 1 has one thread
        EXPECT_EQ(f.p, other.p);
    }
}

// A sum of m / eps for the target itself, and of m / sqrt(1 + eps^2) for the other mass.
TEST_P(Grape5Sums, have_a_positive_potential_with_the_target_itself)
{
    PointList l{{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}}, {3, 5}, {0.25}};
    g5_set_eps_to_all(0.5);
    const PointForces f = compute(0, l);
    const double s = std::sqrt(1.25), size = 3 / 0.5 + 5 / s;
    EXPECT_NEAR(f.p[0], size, double(t.pot) * size);
    EXPECT_NEAR(f.a[0][0], 5 / (s * s * s), double(t.acc) * 5 / (s * s * s));
    EXPECT_EQ(f.a[0][1], 0);
    EXPECT_EQ(f.a[0][2], 0);
}

// Powers of two round nothing, so that every bit must be the same in other units.
TEST_P(Grape5Sums, have_the_same_bits_in_other_units)
{
    PointList l = make_list(200, 9, 1.0 / 32, 1);
    g5_set_eps_to_all(1.0 / 32);
    const PointForces f = compute(0, l);
    for (int e : {-120, -60, 60, 120}) {
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
        const PointForces f = compute(0, l);
        for (int i = 0; i < l.ni(); ++i) {
            const Expected e = l.expected(i);
            // evaluate() adds sizes with the sign of the mass.
            Real size = 0;
            for (int j = 0; j < l.nj(); ++j) size += std::fabs(l.mj[j]) / l.eps2[i];
            for (int d = 0; d < 3; ++d)
                EXPECT_NEAR(f.a[i][d], double(e.acc[d]), double(t.acc * size));
            EXPECT_NEAR(f.p[i], double(-e.pot), double(t.pot * size));
        }
        std::swap(l.mj[0], l.mj[1]);
    }
}

// ---- the calls
// ------------------------------------------------------------------------------------

class Grape5Calls : public PointTest {};
const Tolerance kSingle = point_tolerance("single");

TEST_F(Grape5Calls, tell_the_numbers_of_one_board)
{
    EXPECT_EQ(g5_get_number_of_pipelines(), 96);
    EXPECT_EQ(g5_get_number_of_pipelines_per_board(), 96);
    EXPECT_EQ(g5_get_number_of_boards(), 1);
    EXPECT_EQ(g5_get_firstcluster(), 0);
    EXPECT_EQ(g5_get_jmemsize(), JMEMSIZE);
}

TEST_F(Grape5Calls, work_without_open_and_after_close)
{
    g5_close();
    g5_close();
    g5_set_eps_to_all(0.25);
    PointList l = make_list(30, 5, 0.25, 1);
    expect_list(l, compute(0, l), kSingle);
    g5_open();
    g5_open();
    PointForces f(l.ni());
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
    expect_list(l, f, kSingle);
    g5_close();
    g5_set_n(l.nj());
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
    EXPECT_EQ(f.p[0], 0) << "masses outlive g5_close()";
}

// Element adr of the arrays is the first that is read.
TEST_F(Grape5Calls, index_arrays_by_address)
{
    g5_set_eps_to_all(1.0 / 32);
    PointList l = make_list(100, 5, 1.0 / 32, 1), wrong = make_list(100, 5, 1.0 / 32, 2);
    set_list(0, wrong);
    g5_set_xmj(60, 40, rows(l.xj), l.mj.data());
    g5_set_xmj(0, 25, rows(l.xj), l.mj.data());
    g5_set_xmj(25, 35, rows(l.xj), l.mj.data());
    PointForces f(l.ni());
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
    expect_list(l, f, kSingle);
}

TEST_F(Grape5Calls, set_masses_and_positions_alone)
{
    g5_set_eps_to_all(1.0 / 32);
    PointList l = make_list(100, 5, 1.0 / 32, 1);
    g5_set_mj(0, 100, l.mj.data());
    g5_set_xj(0, 100, rows(l.xj));
    g5_set_n(100);
    PointForces f(l.ni());
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
    expect_list(l, f, kSingle);
    for (int j = 30; j < 40; ++j) l.mj[j] *= 2;
    g5_set_mj(30, 10, l.mj.data());
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
    expect_list(l, f, kSingle);
    for (int j = 50; j < 70; ++j) l.xj[j][2] += 0.5;
    g5_set_xjMC(0, 50, 20, rows(l.xj));
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
    expect_list(l, f, kSingle);
}

TEST_F(Grape5Calls, set_jp_is_set_xmj_the_other_way_round)
{
    g5_set_range(-1, 1, 1e-3);
    g5_set_eps2_to_all(1.0 / 1024);
    PointList l = make_list(100, 5, 1.0 / 32, 1);
    g5_set_jp(0, 100, l.mj.data(), rows(l.xj));
    g5_set_n(100);
    PointForces f(l.ni());
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
    expect_list(l, f, kSingle);
}

TEST_F(Grape5Calls, use_the_first_n_slots)
{
    g5_set_eps_to_all(1.0 / 32);
    for (int n : {100, 99, 50, 16, 1}) {
        PointList l = make_list(100, 5, 1.0 / 32, 1);
        set_list(0, l);
        g5_set_n(n);
        PointForces f(l.ni());
        g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), l.ni());
        l.xj.resize(n), l.mj.resize(n);
        expect_list(l, f, kSingle);
    }
    PointForces f(1);
    PointList l = make_list(100, 1, 1.0 / 32, 1);
    set_list(0, l);
    g5_set_n(0);
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), 1);
    EXPECT_EQ(f.a[0], Vec3({0, 0, 0}));
    EXPECT_EQ(f.p[0], 0);
    g5_set_n(1000);  // slots that were never set add nothing
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), 1);
    expect_list(l, f, kSingle);
}

TEST_F(Grape5Calls, run_in_steps_as_in_one_call)
{
    g5_set_eps_to_all(1.0 / 32);
    PointList l = make_list(100, 200, 1.0 / 32, 1);
    const PointForces whole = compute(0, l);
    PointForces f(l.ni());
    const int np = g5_get_number_of_pipelines();
    for (int first = 0; first < l.ni(); first += np) {
        const int n = std::min(np, l.ni() - first);
        g5_set_xi(n, rows(l.xi) + first);
        g5_run();
        g5_get_force(n, rows(f.a) + first, f.p.data() + first);
        g5_get_force(n, rows(f.a) + first, f.p.data() + first);  // reading changes nothing
    }
    EXPECT_EQ(f.a, whole.a);
    EXPECT_EQ(f.p, whole.p);
}

TEST_F(Grape5Calls, keep_set_targets_while_others_are_calculated)
{
    g5_set_eps_to_all(1.0 / 32);
    PointList l = make_list(100, 8, 1.0 / 32, 1), other = make_list(100, 3, 1.0 / 32, 2);
    const PointForces whole = compute(0, l);
    g5_set_xi(8, rows(l.xi));
    PointForces f(3), g(8);
    g5_calculate_force_on_x(rows(other.xi), rows(f.a), f.p.data(), 3);
    g5_run();
    g5_get_force(8, rows(g.a), g.p.data());
    EXPECT_EQ(g.a, whole.a);
}

TEST_F(Grape5Calls, soften_each_target_by_its_own_length)
{
    PointList l = make_list(100, 5, 0, 1);
    std::vector<double> eps = {0.03, 0.1, 0.5, 0.06, 1};
    for (int i = 0; i < 5; ++i) l.eps2[i] = eps[i] * eps[i];
    set_list(0, l);
    PointForces f(5), g(5), h(5);
    g5_calculate_force_on_xe(rows(l.xi), l.eps2.data(), rows(f.a), f.p.data(), 5);
    expect_list(l, f, kSingle);
    g5_set_xei(5, rows(l.xi), l.eps2.data());
    g5_run();
    g5_get_force(5, rows(g.a), g.p.data());
    EXPECT_EQ(f.a, g.a);
    g5_set_xi(5, rows(l.xi));
    g5_set_eps(5, eps.data());
    g5_run();
    g5_get_force(5, rows(h.a), h.p.data());
    EXPECT_EQ(f.a, h.a);
}

// A softening that is large for one target and tiny for another leaves the quick kernel.
TEST_F(Grape5Calls, soften_targets_by_very_different_lengths)
{
    PointList l = make_list(100, 4, 0, 1);
    l.eps2 = {1e-16, 1, 0, 1e12};
    set_list(0, l);
    PointForces f(4);
    g5_calculate_force_on_xe(rows(l.xi), l.eps2.data(), rows(f.a), f.p.data(), 4);
    expect_list(l, f, kSingle);
}

TEST_F(Grape5Calls, take_the_softening_of_the_moment_when_targets_are_set)
{
    PointList l = make_list(100, 4, 0.25, 1);
    set_list(0, l);
    g5_set_eps_to_all(0.25);
    g5_set_xi(4, rows(l.xi));
    g5_set_eps_to_all(1);
    g5_run();
    PointForces f(4);
    g5_get_force(4, rows(f.a), f.p.data());
    expect_list(l, f, kSingle);
}

TEST_F(Grape5Calls, keep_devices_apart)
{
    g5_set_eps_to_all(1.0 / 32);
    PointList one = make_list(100, 5, 1.0 / 32, 1), two = make_list(70, 3, 1.0 / 32, 2);
    set_list(3, one);
    set_list(127, two);
    g5_set_xiMC(3, 5, rows(one.xi));
    g5_set_xiMC(127, 3, rows(two.xi));
    g5_runMC(3);
    g5_runMC(127);
    PointForces f(5), g(3);
    g5_get_forceMC(127, 3, rows(g.a), g.p.data());
    g5_get_forceMC(3, 5, rows(f.a), f.p.data());
    expect_list(one, f, kSingle);
    expect_list(two, g, kSingle);
}

// What was computed earlier on a device does not change a bit.
TEST_F(Grape5Calls, give_the_same_bits_whatever_was_computed_before)
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

}  // namespace
}  // namespace g6test
