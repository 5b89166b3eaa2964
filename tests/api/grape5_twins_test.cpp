// SPDX-License-Identifier: MIT
// Fortran twins of the g5 calls: as a Fortran compiler writes the names, and as Phantom-GRAPE has
// those with MC.
#include "grape5.h"

extern "C" {
int g5_open_(), g5_close_(), g5_get_number_of_pipelines_(), g5_get_jmemsize_();
int g5_get_number_of_pipelines_per_board_(), g5_get_number_of_boards_(), g5_get_firstcluster_();
int g5_set_range_(double *, double *, double *), g5_set_eps_to_all_(double *);
int g5_set_eta_(double *), g5_set_eps2_to_all_(double *), g5_set_eps_(int *, double *);
int g5_set_n_(int *), g5_set_nMC_(int *, int *), g5_set_nmc_(int *, int *);
int g5_set_xmj_(int *, int *, double *, double *), g5_set_jp_(int *, int *, double *, double *);
int g5_set_mj_(int *, int *, double *), g5_set_xj_(int *, int *, double *);
int g5_set_xmjMC_(int *, int *, int *, double *, double *);
int g5_set_xmjmc_(int *, int *, int *, double *, double *);
int g5_set_xi_(int *, double *), g5_set_ximc_(int *, int *, double *);
int g5_set_xei_(int *, double *, double *);
int g5_run_(), g5_run__(), g5_runmc_(int *), g5_runMC_(int *), g5_runMC__(int *);
int g5_get_force_(int *, double *, double *), g5_get_forcemc_(int *, int *, double *, double *);
int g5_calculate_force_on_x_(double *, double *, double *, int *);
int g5_calculate_force_on_xe_(double *, double *, double *, double *, int *);
int g5_calculate_force_on_xMC_(int *, double *, double *, double *, int *);
int g5_calculate_force_on_xmc_(int *, double *, double *, double *, int *);
}

namespace g6test {
namespace {

class Grape5Twins : public PointTest {
protected:
    double eps = 1.0 / 32, eps2 = eps * eps;
    int zero = 0, device = 5, nj = 60, ni = 7;
    PointList l = make_list(nj, ni, eps, 1);
    PointForces f{ni};
    double *x = rows(l.xi)[0], *a = rows(f.a)[0], *p = f.p.data(), *xj = rows(l.xj)[0];
    double *mj = l.mj.data();
    void expect_right()
    {
        expect_list(l, f, point_tolerance("single"));
        f = PointForces(ni);
        a = rows(f.a)[0], p = f.p.data();
    }
};

TEST_F(Grape5Twins, serve_device_0)
{
    double low = -1, high = 1, least = 1, none = 0;
    EXPECT_EQ(g5_close_() | g5_open_() | g5_set_range_(&low, &high, &least), 0);
    EXPECT_EQ(g5_set_eta_(&none), 0);
    EXPECT_EQ(g5_get_number_of_pipelines_(), 96);
    EXPECT_EQ(g5_get_number_of_pipelines_per_board_(), 96);
    EXPECT_EQ(g5_get_number_of_boards_(), 1);
    EXPECT_EQ(g5_get_firstcluster_(), 0);
    EXPECT_EQ(g5_get_jmemsize_(), JMEMSIZE);
    g5_set_eps_to_all_(&eps);
    g5_set_xmj_(&zero, &nj, xj, mj);
    g5_set_n_(&nj);
    g5_calculate_force_on_x_(x, a, p, &ni);
    expect_right();
    g5_close_();
    g5_set_eps2_to_all_(&eps2);
    g5_set_jp_(&zero, &nj, mj, xj);
    g5_set_n_(&nj);
    g5_set_xi_(&ni, x);
    g5_run_();
    g5_get_force_(&ni, a, p);
    expect_right();
    g5_close_();
    g5_set_mj_(&zero, &nj, mj);
    g5_set_xj_(&zero, &nj, xj);
    g5_set_n_(&nj);
    g5_set_xei_(&ni, x, l.eps2.data());
    std::vector<double> lengths(size_t(ni), eps);
    g5_set_eps_(&ni, lengths.data());
    g5_run__();
    g5_get_force_(&ni, a, p);
    expect_right();
    g5_calculate_force_on_xe_(x, l.eps2.data(), a, p, &ni);
    expect_right();
}

TEST_F(Grape5Twins, serve_other_devices_by_both_names)
{
    g5_set_eps_to_all_(&eps);
    g5_set_xmjMC_(&device, &zero, &nj, xj, mj);
    g5_set_nMC_(&device, &nj);
    g5_calculate_force_on_xMC_(&device, x, a, p, &ni);
    expect_right();
    g5_close_();
    g5_set_xmjmc_(&device, &zero, &nj, xj, mj);
    g5_set_nmc_(&device, &nj);
    g5_calculate_force_on_xmc_(&device, x, a, p, &ni);
    expect_right();
    for (int (*run)(int *) : {g5_runmc_, g5_runMC_, g5_runMC__}) {
        g5_set_ximc_(&device, &ni, x);
        run(&device);
        g5_get_forcemc_(&device, &ni, a, p);
        expect_right();
    }
}

}  // namespace
}  // namespace g6test
