// SPDX-License-Identifier: MIT
// The g5 calls with a softening of each j-particle, and other g5 calls that few libraries have, in
// cases that g6fuzz does not reach: huge units, threads, Fortran names.
#include "grape5.h"

namespace g6test {
namespace {

// A list whose masses have softenings, too.
struct SoftList {
    PointList points;
    std::vector<double> epsj2;

    int nj() const { return points.nj(); }
    int ni() const { return points.ni(); }
    double *m() { return points.mj.data(); }
    void set(int device)
    {
        g5_set_xmjMC0(device, 0, nj(), rows(points.xj), m(), epsj2.data());
        g5_set_nMC(device, nj());
    }
    PointForces compute(int device)
    {
        set(device);
        PointForces f(ni());
        g5_calculate_force_on_xMC0(device, rows(points.xi), rows(f.a), f.p.data(), ni(),
                                   points.eps2.data());
        return f;
    }
};

// Softening lengths of 1/512 to 1/8, and none for every seventh.
SoftList make_soft_list(int nj, int ni, unsigned seed)
{
    SoftList l{make_list(nj, ni, 0, seed), {}};
    Random random(seed + 1);
    const auto square = [&](int k) {
        const double eps = std::ldexp(random(1, 2), -3 - k % 6);
        return k % 7 == 6 ? 0 : eps * eps;
    };
    for (int k = 0; k < nj; ++k) l.epsj2.push_back(square(k));
    for (int k = 0; k < ni; ++k) l.points.eps2[k] = square(k);
    return l;
}

// A term has some ten operations in double, and n terms are added.
void expect_soft(const SoftList &l, const PointForces &f)
{
    const Real off = (10 + l.nj()) * std::ldexp(Real(1), -53);
    PointList points = l.points;
    for (int j = 0; j < l.nj(); ++j) points.epsj2[j] = l.epsj2[j];
    expect_list(points, f, {off, 0, off, 0, 0});
}

class Grape5Soft : public PointTest {
protected:
    SoftList l = make_soft_list(100, 20, 3);
    const PointForces whole = l.compute(0);
};

// Without softening, and no double holds the square of a distance.
TEST_F(Grape5Soft, is_right_in_huge_units)
{
    l = make_soft_list(20, 9, 1);
    l.epsj2.assign(20, 0);
    l.points.eps2.assign(9, 0);
    for (auto *rows : {&l.points.xj, &l.points.xi})
        for (Vec3 &x : *rows)
            for (double &c : x) c = std::ldexp(c, -560);
    for (double &m : l.points.mj) m = std::ldexp(m, -500);
    expect_soft(l, l.compute(0));
}

// A million pairs and more on device 0 have all threads.
TEST_F(Grape5Soft, threads_change_no_bit)
{
    SoftList many = make_soft_list(1100, 1001, 5);
    const PointForces all = many.compute(0), one = many.compute(1);
    EXPECT_EQ(all.a, one.a);
    EXPECT_EQ(all.p, one.p);
}

TEST_F(Grape5Soft, open_special_opens)
{
    g5_close();
    int first[1] = {0};
    for (int n : {0, 1, -1, std::numeric_limits<int>::min()})
        EXPECT_EQ(g5_open_special(n, first), 0);
    EXPECT_EQ(g5_open_special(1, nullptr), G6_ERR_ARGUMENT);
    EXPECT_TRUE(last_error_has("list is NULL"));
    expect_soft(l, l.compute(0));
    EXPECT_EQ(g5_get_pcibus_freq(), 1.0);
}

extern "C" {
double g5_get_pcibus_freq_(), g5_get_pcibus_freq__();
int g5_set_xmjmc0_(int *, int *, int *, double *, double *, double *);
int g5_set_ximc0_(int *, int *, double *, double *);
int g5_runmc0_(int *);
int g5_calculate_force_on_xmc0_(int *, double *, double *, double *, int *, double *);
}

// g6fuzz calls the twins of the other names.
TEST_F(Grape5Soft, names_as_fortran_writes_them_do_the_same)
{
    int zero = 0, device = 9, nj = 100, ni = 20;
    double *x = rows(l.points.xi)[0], *xj = rows(l.points.xj)[0], *e = l.points.eps2.data();
    PointForces f(20), g(20);
    EXPECT_EQ(g5_get_pcibus_freq_() + g5_get_pcibus_freq__(), 2.0);
    g5_set_xmjmc0_(&device, &zero, &nj, xj, l.m(), l.epsj2.data());
    g5_set_nMC(device, nj);
    g5_calculate_force_on_xmc0_(&device, x, rows(f.a)[0], f.p.data(), &ni, e);
    EXPECT_EQ(f.a, whole.a);
    EXPECT_EQ(f.p, whole.p);
    g5_set_ximc0_(&device, &ni, x, e);
    g5_runmc0_(&device);
    g5_get_forceMC(device, ni, rows(g.a), g.p.data());
    EXPECT_EQ(g.a, whole.a);
    EXPECT_EQ(g.p, whole.p);
}

}  // namespace
}  // namespace g6test
