// SPDX-License-Identifier: MIT
// Bad arguments of the g5 calls give a clear error and zero forces, and do not affect later calls.
#include "grape5.h"

#include "libg6gpu/core/grape5.h"
#include "tests/child.h"

#include <fstream>
#include <functional>
#include <limits>
#include <sys/resource.h>

namespace g6test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Counts the lines of the log.
class Grape5Arguments : public PointTest {
protected:
    void SetUp() override
    {
        g6_set_log([](int, const char *, void *user) { ++*static_cast<int *>(user); }, 1, &lines);
        g5_set_eps_to_all(1.0 / 32);
        set_list(0, l);
    }
    void TearDown() override { g6_set_log(nullptr, 0, nullptr); }
    // Since the last call of this function one error was told, with these words.
    void expect_error(const std::string &words)
    {
        EXPECT_EQ(lines, 1) << words;
        EXPECT_TRUE(last_error_has(words));
        lines = 0;
    }
    void expect_zero(int n)
    {
        for (int i = 0; i < n; ++i) {
            EXPECT_EQ(f.a[i], Vec3({0, 0, 0}));
            EXPECT_EQ(f.p[i], 0);
        }
    }
    void expect_unharmed()
    {
        g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), 5);
        expect_list(l, f, point_tolerance("single"));
        EXPECT_EQ(lines, 0);
    }
    int lines = 0;
    PointList l = make_list(100, 5, 1.0 / 32, 1);
    PointForces f{5};
};

// g6fuzz asks for forces of zero and for later calls that are right.
TEST_F(Grape5Arguments, that_are_refused_are_named)
{
    double *const a = l.mj.data(), eps[3] = {1, 1, 1};
    const Rows x = rows(l.xj), acc = rows(f.a), none = nullptr;
    const std::pair<const char *, std::function<void()>> calls[] = {
        {"n = -1", [] { g5_set_n(-1); }},
        {"devices 0 to 127", [] { g5_set_nMC(128, 1); }},
        {"devices 0 to 127", [] { g5_set_nMC(-1, 1); }},
        {"adr = -1", [&] { g5_set_xmj(-1, 1, x, a); }},
        {"nj = -2", [&] { g5_set_xmj(0, -2, x, a); }},
        {"overflows int", [&] { g5_set_xmj(1, std::numeric_limits<int>::max(), x, a); }},
        {"ni = -3", [&] { g5_set_xi(-3, x); }},
        {"ni = -3", [&] { g5_get_force(-3, acc, f.p.data()); }},
        {"ni = -3", [&] { g5_calculate_force_on_x(x, acc, f.p.data(), -3); }},
        {"x is NULL", [&] { g5_set_xmj(0, 1, none, a); }},
        {"m is NULL", [&] { g5_set_xmj(0, 1, x, nullptr); }},
        {"g5_set_jp: m is NULL", [&] { g5_set_jp(0, 1, nullptr, x); }},
        {"g5_set_xmj0: epsj2 is NULL", [&] { g5_set_xmj0(0, 1, x, a, nullptr); }},
        {"x is NULL", [&] { g5_set_xi(1, none); }},
        {"eps2 is NULL", [&] { g5_set_xei(1, x, nullptr); }},
        {"g5_set_ip: eps is NULL", [&] { g5_set_ip(1, x, nullptr, nullptr); }},
        {"eps is NULL", [] { g5_set_eps(1, nullptr); }},
        {"p is NULL", [&] { g5_calculate_force_on_x(x, acc, nullptr, 5); }},
        {"only 0 were set", [&] { g5_set_eps(3, eps); }},
        {"no g5_run since", [&] { g5_get_force(2, acc, f.p.data()); }},
        {"g5_set_xi had 0", [&] { g5_run(), g5_get_force(3, acc, f.p.data()); }}};
    for (const auto &[words, call] : calls) {
        call();
        expect_error(words);
    }
    expect_unharmed();
}

TEST_F(Grape5Arguments, values_that_are_no_numbers_empty_their_slots)
{
    for (double value : {kNan, kInfinity, -kInfinity, 1e302}) {
        for (int c = 0; c < 4; ++c)
            for (int j : {40, 55}) {
                PointList bad = l;
                (c < 3 ? bad.xj[j][c] : bad.mj[j]) = value;
                g5_set_xmj(40, 20, rows(bad.xj), bad.mj.data());
                expect_error("slots 40 to 59");
                PointForces g(5);
                g5_calculate_force_on_x(rows(l.xi), rows(g.a), g.p.data(), 5);
                for (int k = 40; k < 60; ++k) bad.mj[k] = 0, bad.xj[k] = {};
                expect_list(bad, g, point_tolerance("single"));
                g5_set_xmj(0, 100, rows(bad.xj), bad.mj.data());
                bad.mj[j] = value;
                g5_set_xmj(0, 100, rows(bad.xj), bad.mj.data());
                expect_error("slots 0 to 99");
                g5_calculate_force_on_x(rows(l.xi), rows(g.a), g.p.data(), 5);
                EXPECT_EQ(g.p[0], 0);
                set_list(0, l);
            }
    }
    expect_unharmed();
}

TEST_F(Grape5Arguments, targets_that_are_no_numbers)
{
    for (double value : {kNan, kInfinity, -1.0}) {
        PointList bad = l;
        bad.eps2[2] = value;
        f = PointForces(5);
        g5_calculate_force_on_xe(rows(bad.xi), bad.eps2.data(), rows(f.a), f.p.data(), 5);
        expect_error("softening of i-particle 2");
        expect_zero(5);
    }
    // Lists without any size, whose bad target the first sums see or do not see.
    for (double eps : {0.0, 1.0 / 32})
        for (double mass : {1.0, 1e300, 1e-300})
            for (int ni : {2, 40}) {
                PointList bad{{l.xj[0]}, {}, {mass}, {}};
                bad.xi.assign(ni, l.xj[0]);
                bad.eps2.assign(ni, eps * eps);
                bad.xi[ni / 2][2] = kNan;
                g5_set_eps_to_all(eps);
                f = compute(0, bad);
                expect_error("i-particle");
                expect_zero(ni);
            }
    g5_set_eps_to_all(1.0 / 32);
    f = PointForces(5);
    g5_set_xmj(0, l.nj(), rows(l.xj), l.mj.data());
    g5_set_n(l.nj());
    expect_unharmed();
}

TEST_F(Grape5Arguments, softening_that_is_no_number_stays_what_it_was)
{
    g5_set_eps_to_all(kNan);
    expect_error("eps stays 0.03125");
    g5_set_eps_to_all(1e200);
    expect_error("eps stays 0.03125");
    g5_set_eps2_to_all(-1);
    expect_error("must be finite and 0 or more");
    expect_unharmed();
}

// As while another thread's call is at work.
TEST_F(Grape5Arguments, amid_another_call_are_refused)
{
    const auto expect_refused = [&](auto &&call) {
        const g6::grape5::DeviceInUse in_use = g6::grape5::try_to_use(0);
        call();
        expect_error("device 0 is busy");
    };
    PointList other = make_list(50, 5, 1.0 / 32, 2);
    expect_refused([&] { g5_set_xmj(0, 50, rows(other.xj), other.mj.data()); });
    expect_refused([&] { g5_set_n(50); });
    expect_refused([&] { g5_set_xi(5, rows(other.xi)); });
    expect_refused([&] { g5_run(); });
    expect_refused([&] { g5_close(); });
    for (const bool at_once : {true, false}) {
        f = PointForces(5);
        expect_refused([&] {
            if (at_once)
                g5_calculate_force_on_x(rows(l.xi), rows(f.a), f.p.data(), 5);
            else
                g5_get_force(5, rows(f.a), f.p.data());
        });
        expect_zero(5);
    }
    expect_unharmed();
}

// A slot takes 16 bytes for the quick kernel, which are reserved first, and then 32.
TEST(PointSums, slots_without_memory_leave_the_others_as_they_were)
{
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "AddressSanitizer needs all of the address space";
#endif
    const std::unique_ptr<g6::PointSums> sums(g6::make_point_sums(g6::Precision::kSingle, ""));
    const double x[2][3] = {{0, 0, 0}, {2, 0, 0}}, mass[2] = {3, 5}, eps2 = 2.25;
    const g6::PointTargets targets{x, &eps2, 0, 2};
    double acc[2][3], pot[2];
    sums->set(0, 2, x, mass);
    EXPECT_TRUE(good_in_a_child([&] {
        constexpr int kSlot = 100000000;
        rlim_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlimit most{pages * static_cast<rlim_t>(getpagesize()) + 28l * kSlot, RLIM_INFINITY};
        setrlimit(RLIMIT_AS, &most);
        const bool refused = sums->set(kSlot, 1, x, mass) == g6::kDeviceOutOfMemory;
        sums->sum(2, targets, 1, acc, pot);
        return refused && std::fabs(pot[0] - (3 / 1.5 + 5 / 2.5)) < 1e-3;
    }));
}

TEST(Grape5Settings, that_do_not_parse_are_told_at_open)
{
    g5_close();
    const Variable wrong("G6_PRECISION", "quadruple");
    g5_open();
    EXPECT_TRUE(last_error_has("quadruple"));
    g5_close();
}

}  // namespace
}  // namespace g6test
