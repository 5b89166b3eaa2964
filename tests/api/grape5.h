// SPDX-License-Identifier: MIT
// Lists of point masses for tests of the g5 calls, and the forces of these lists in long double.
#pragma once

#include "tests/client.h"
#include "tests/libg6gpu/settings.h"
#include "tests/physics.h"

#include "include/gp5util.h"

namespace g6test {

// Masses and targets of one list.
struct PointList {
    std::vector<Vec3> xj, xi;
    std::vector<double> mj, eps2;  // eps2: of each target
    Softenings epsj2{};

    int nj() const { return int(mj.size()); }
    int ni() const { return int(xi.size()); }
    // With the softening that the targets have.
    Expected expected(int i) const
    {
        Memory memory;
        for (int j = 0; j < nj(); ++j) {
            memory[j].index = j;
            memory[j].mass = mj[j];
            memory[j].x = xj[j];
        }
        return evaluate(memory, nj(), 0, {-1, xi[i], {}, eps2[i], 0}, epsj2);
    }
};

// A tree code's list: a group of ni bodies in a box of side 0.2, among nj bodies in a box of side
// 2.  Coordinates are multiples of 2^-20, masses unequal.
inline PointList make_list(int nj, int ni, double eps, unsigned seed)
{
    Random random(seed);
    PointList l;
    const auto place = [&](double size) {
        Vec3 x = random.vector(size);
        for (double &c : x) c = std::ldexp(std::round(std::ldexp(c, 20)), -20);
        return x;
    };
    for (int j = 0; j < nj; ++j) {
        l.xj.push_back(place(j < ni ? 0.1 : 1));
        l.mj.push_back(random(0.5, 1.5) / nj);
    }
    for (int i = 0; i < ni; ++i) l.xi.push_back(i < nj ? l.xj[i] : place(0.1));
    l.eps2.assign(ni, eps * eps);
    return l;
}

struct PointForces {
    explicit PointForces(int ni) : a(ni, {7, 7, 7}), p(ni, 7) {}
    std::vector<Vec3> a;
    std::vector<double> p;
};

inline void set_list(int device, PointList &l)
{
    g5_set_xmjMC(device, 0, l.nj(), rows(l.xj), l.mj.data());
    g5_set_nMC(device, l.nj());
}

inline PointForces compute(int device, PointList &l)
{
    set_list(device, l);
    PointForces f(l.ni());
    g5_calculate_force_on_xMC(device, rows(l.xi), rows(f.a), f.p.data(), l.ni());
    return f;
}

// Relative errors of the sizes of terms that a sum may have, at worst.  Precision single, the
// estimate of 1/s: 1.5 2^-12 with AVX2; a term of the acceleration has three times that, and at
// most 2^-10 from the rounding of positions (backends/cpu/point_sums.cpp), nothing to speak of
// where lists are short beside 16384 softening lengths.  The others: tolerance.h.
inline Tolerance point_tolerance(const std::string &precision)
{
    const Real u12 = std::ldexp(Real(1), -12);
    if (precision != "single") return tolerance(precision);
    return {5 * u12, 0, 2 * u12, 0, 0};
}

// With the rounding of float positions: 2^-10 of a pair's distance or softening, at worst.
inline Tolerance with_float_positions(Tolerance t, const std::string &precision)
{
    if (precision == "single") {
        t.acc += std::ldexp(Real(1), -9);
        t.pot += std::ldexp(Real(1), -10);
    }
    return t;
}

inline void expect_target(const PointList &l, const PointForces &f, int i, const Tolerance &t)
{
    const Expected e = l.expected(i);
    for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(f.a[i][d], double(e.acc[d]), double(t.acc * e.acc_size)) << i;
    EXPECT_NEAR(f.p[i], double(-e.pot), double(t.pot * e.pot_size)) << i;
}

inline void expect_list(const PointList &l, const PointForces &f, const Tolerance &t)
{
    for (int i = 0; i < l.ni(); ++i) expect_target(l, f, i, t);
}

// What computes: settings before g5_open().
struct PointMachine {
    std::string backend, precision, isa;
};

inline std::ostream &operator<<(std::ostream &out, const PointMachine &m)
{
    return out << m.backend << " " << m.precision << " " << m.isa;
}

inline std::vector<PointMachine> point_machines()
{
    std::vector<PointMachine> machines;
    for (const g6_backend_info &b : all_backends()) {
        if (b.reason[0]) continue;
        for (const char *precision : {"single", "mixed", "double"}) {
            if (std::string(b.name) != "cpu" && std::string(precision) == "single") continue;
            for (const std::string &isa : instruction_sets(b.name, precision))
                if (std::string(b.name) == "cpu" ? !is_left_out({b.name, precision, "0", isa})
                                                 : isa.empty())
                    machines.push_back({b.name, precision, isa});
        }
    }
    return machines;
}

inline std::string point_machine_name(const testing::TestParamInfo<PointMachine> &info)
{
    return info.param.backend + "_" + info.param.precision +
           (info.param.isa.empty() ? "" : "_" + info.param.isa);
}

// Opens and closes the devices with the settings of a machine.
class PointSession {
public:
    explicit PointSession(const PointMachine &m)
        : backend_("G6_BACKEND", m.backend), precision_("G6_PRECISION", m.precision),
          debug_("G6_DEBUG", m.isa.empty() ? "" : "isa=" + m.isa)
    {
        g5_close();
        g5_set_eps_to_all(0);
        g5_open();
    }
    ~PointSession() { g5_close(); }

private:
    const Variable backend_, precision_, debug_;
};

class PointTest : public testing::Test {
protected:
    const PointSession session{{"cpu", "single", ""}};
};

}  // namespace g6test
