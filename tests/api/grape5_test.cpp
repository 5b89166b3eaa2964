// SPDX-License-Identifier: MIT
// What each of the g5 calls does.
#include "grape5.h"

namespace g6test {
namespace {

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
    PointForces f(3);
    PointList l = make_list(100, 3, 1.0 / 32, 1);
    set_list(0, l);
    g5_set_n(0);
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), 3);
    EXPECT_EQ(f.a, std::vector<Vec3>(3, Vec3({0, 0, 0})));
    EXPECT_EQ(f.p, std::vector<double>(3, 0));
    g5_set_n(1000);  // slots that were never set add nothing
    g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), 3);
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
