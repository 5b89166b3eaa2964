// SPDX-License-Identifier: MIT
// Random sequences of g5 calls, compared with a plain model of what include/gp5util.h says: the
// lists of a tree code, codes that set and run in steps, two devices, and all forms of each name.
#include "grape5.h"

#include "tests/fuzz/twins.h"

#include <algorithm>
#include <cfenv>

// The Fortran names.
#define MC_CALL(name, ...) G6FUZZ_TWINS(name##MC)
#define MC0_CALL(name, ...) G6FUZZ_TWINS(name##MC0)
#include "libg6gpu/api/grape5_names.h"

namespace g6test {
namespace {

using g6fuzz::call_form;
using g6fuzz::Form;

// Makes a call of all devices, of one, or of one by either name, in a random form.
#define ALL(name, ...) make([&](const g6fuzz::Call &c) { G6FUZZ_CALL(name, ##__VA_ARGS__); })
#define ON(name, ...) make([&](const g6fuzz::Call &c) { G6FUZZ_CALL_ID(name, ##__VA_ARGS__); })
#define EITHER(name, with_device, ...)                                                             \
    make([&](const g6fuzz::Call &c) {                                                              \
        is_all(c.form) ? G6FUZZ_CALL(name, ##__VA_ARGS__)                                          \
                       : G6FUZZ_CALL_ID(with_device, ##__VA_ARGS__);                               \
    })

class Grape5Sequences : public testing::TestWithParam<PointMachine> {
protected:
    struct Device {
        PointList set;  // all slots and targets
        int n = 0;      // slots that act
        PointList run;  // what the last run summed
        bool has_run = false, soft_run = false;
    };

    // With floating-point traps, which stay.
    template <class F> void make(const F &call)
    {
        g6fuzz::Call c;
        c.id = number;
        c.form = static_cast<Form>(random.below(3) + (number == 0 ? 3 * random.below(2) : 0));
        c.null_id = is_twin(c.form) && number == 0 && chance(0.2);
        constexpr int kTraps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
        std::feclearexcept(FE_ALL_EXCEPT);
        feenableexcept(kTraps);
        call(c);
        EXPECT_EQ(fedisableexcept(FE_ALL_EXCEPT) & kTraps, fetestexcept(0) | kTraps);
    }
    Device &device() { return devices[number]; }
    bool chance(double p) { return random(0, 1) < p; }

    // ---- a scene: pairs in one place, two clumps, an outlier, masses of both signs, any units

    void new_scene()
    {
        shape = random.below(4);
        softened = random(0, 1);
        length = std::ldexp(1.0, random.below(3) ? 0 : random.below(160) - 80);
        unit = std::ldexp(1.0, random.below(3) ? 0 : random.below(160) - 80);
        common = 0;
        g5_set_eps_to_all(common);
    }
    Vec3 place()
    {
        Vec3 x = random.vector(1);
        for (double &c : x) c = shape == 0 ? std::floor(c) : std::ldexp(std::round(c * 1e6), -20);
        if (shape == 1 && chance(0.5)) x[0] += 1000;
        if (shape == 2 && chance(0.04)) x[1] -= 1e4;
        return scaled(x, length);
    }
    double eps2()
    {
        const double eps = chance(softened) ? std::ldexp(random(1, 2), -random.below(12)) : 0;
        return eps * eps * length * length;
    }

    // ---- calls, and what they do to the model

    // What lies in front of element adr is not to be read.
    void set_slots(int adr, int n)
    {
        PointList &s = device().set;
        const int how = random.below(6), size = std::max(s.nj(), adr + n);
        s.xj.resize(size), s.mj.resize(size);
        std::vector<Vec3> x(adr, {NAN, NAN, NAN});
        std::vector<double> m(adr, NAN), e(adr, NAN);
        for (int k = adr; k < adr + n; ++k) {
            x.push_back(place()), m.push_back(unit * random(shape == 1 ? -1 : 0.1, 2));
            e.push_back(eps2());
            if (how != 3) s.xj[k] = x[k];
            if (how != 4) s.mj[k] = m[k];
            if (how == 5) s.epsj2[k] = e[k];
        }
        if (how < 2) EITHER(g5_set_xmj, g5_set_xmjMC, adr, n, rows(x), m.data());
        if (how == 2) EITHER(g5_set_jp, g5_set_jpMC, adr, n, m.data(), rows(x));
        if (how == 3) EITHER(g5_set_mj, g5_set_mjMC, adr, n, m.data());
        if (how == 4) EITHER(g5_set_xj, g5_set_xjMC, adr, n, rows(x));
        if (how == 5) EITHER(g5_set_xmj0, g5_set_xmjMC0, adr, n, rows(x), m.data(), e.data());
    }
    void set_n(int n)
    {
        EITHER(g5_set_n, g5_set_nMC, n);
        device().n = n;
    }
    // The slots, and targets of which some are masses.
    PointList with_targets(int n)
    {
        PointList l = device().set;
        l.xi.clear(), l.eps2.clear();
        for (int i = 0; i < n; ++i) {
            l.xi.push_back(l.nj() > 0 && chance(0.5) ? l.xj[random.below(l.nj())] : place());
            l.eps2.push_back(eps2());
        }
        return l;
    }
    void set_targets(int n)
    {
        PointList l = with_targets(n);
        const int how = random.below(number == 0 ? 4 : 3);
        if (how == 0) EITHER(g5_set_xi, g5_set_xiMC, n, rows(l.xi));
        if (how == 1) EITHER(g5_set_xei, g5_set_xeiMC, n, rows(l.xi), l.eps2.data());
        if (how == 2) ON(g5_set_xiMC0, n, rows(l.xi), l.eps2.data());
        if (how == 0) l.eps2.assign(n, common);
        if (how == 3) {
            std::vector<double> eps;
            for (double &e : l.eps2) eps.push_back(std::sqrt(e)), e = eps.back() * eps.back();
            ALL(g5_set_ip, n, rows(l.xi), eps.data(), eps.data());
        }
        device().set = l;
        device().has_run = false;
    }
    // Of more targets than there are it is refused.
    void set_eps(int n)
    {
        std::vector<double> eps;
        for (int i = 0; i < n; ++i) eps.push_back(std::sqrt(eps2()));
        EITHER(g5_set_eps, g5_set_epsMC, n, eps.data());
        if (n > device().set.ni()) return;
        for (int i = 0; i < n; ++i) device().set.eps2[i] = eps[i] * eps[i];
        device().has_run = false;
    }
    void set_common()
    {
        const double squared = eps2(), eps = -std::sqrt(squared), bad = chance(0.5) ? -1 : NAN;
        const bool by_square = chance(0.5);
        if (by_square) ALL(g5_set_eps2_to_all, squared);
        if (!by_square) ALL(g5_set_eps_to_all, eps);
        common = by_square ? squared : eps * eps;
        ALL(g5_set_eps2_to_all, bad);
    }
    void run()
    {
        Device &d = device();
        d.soft_run = chance(0.3);
        if (d.soft_run) ON(g5_runMC0);
        if (!d.soft_run) EITHER(g5_run, g5_runMC);
        d.run = acting(d.set);
        d.has_run = !cutoff || d.set.ni() == 0;
    }
    // Of more targets than the last run had, or without one, the forces are 0.
    void get_force(int n)
    {
        const Device &d = device();
        PointForces f(n + 1);
        EITHER(g5_get_force, g5_get_forceMC, n, rows(f.a), f.p.data());
        expect_forces(d.has_run && n <= d.run.ni() ? d.run : PointList{}, n, f, d.soft_run);
    }
    void calculate(int n)
    {
        PointList l = with_targets(n);
        PointForces f(n + 1);
        const int how = random.below(4);
        const Rows x = rows(l.xi), a = rows(f.a);
        double *p = f.p.data(), *e = l.eps2.data();
        if (how < 2) EITHER(g5_calculate_force_on_x, g5_calculate_force_on_xMC, x, a, p, n);
        if (how == 2) EITHER(g5_calculate_force_on_xe, g5_calculate_force_on_xeMC, x, e, a, p, n);
        if (how == 3) EITHER(g5_calculate_force_on_x0, g5_calculate_force_on_xMC0, x, a, p, n, e);
        if (how < 2) l.eps2.assign(n, common);
        expect_forces(cutoff ? PointList{} : acting(l), n, f, how == 3);
    }
    void rest()
    {
        const double eta = cutoff || chance(0.7) ? 0 : -0.5;
        make([](const g6fuzz::Call &c) {
            EXPECT_EQ(G6FUZZ_CALL(g5_get_number_of_pipelines), 96);
            EXPECT_EQ(G6FUZZ_CALL(g5_get_number_of_pipelines_per_board), 96);
            EXPECT_EQ(G6FUZZ_CALL(g5_get_number_of_real_pipelines), 16);
            EXPECT_EQ(G6FUZZ_CALL(g5_get_number_of_boards), 1);
            EXPECT_EQ(G6FUZZ_CALL(g5_get_firstcluster), 0);
            EXPECT_EQ(G6FUZZ_CALL(g5_get_jmemsize), 65536);
        });
        ALL(g5_set_range, -length, length, unit);
        ALL(g5_open);
        ALL(g5_set_eta, eta);
        cutoff = eta != 0;
        if (chance(0.7)) return;
        ALL(g5_close);
        devices.clear();
        cutoff = false;
        new_scene();
    }

    // ---- answers

    PointList acting(PointList l)
    {
        const int n = std::min(l.nj(), device().n);
        l.xj.resize(n), l.mj.resize(n);
        return l;
    }
    // Of no masses the forces are 0.  The row behind the last is as it was.
    void expect_forces(PointList l, int n, const PointForces &f, bool soft) const
    {
        const Real off = (10 + l.nj()) * 0x1p-53L;
        if (!soft) l.epsj2.clear();
        for (int i = 0; i < n; ++i) {
            if (l.nj() > 0) expect_target(l, f, i, soft ? Tolerance{off, 0, off, 0, 0} : t);
            if (l.nj() > 0) continue;
            EXPECT_EQ(f.a[i], Vec3{}) << i;
            EXPECT_EQ(f.p[i], 0) << i;
        }
        EXPECT_EQ(f.a[n], (Vec3{7, 7, 7}));
        EXPECT_EQ(f.p[n], 7);
    }

    const PointSession session{GetParam()};
    const Tolerance t =
        with_float_positions(point_tolerance(GetParam().precision), GetParam().precision);
    Random random{1};
    std::map<int, Device> devices;
    int number = 0, shape = 0;
    double softened = 0, length = 1, unit = 1, common = 0;
    bool cutoff = false;
};
INSTANTIATE_TEST_SUITE_P(, Grape5Sequences, testing::ValuesIn(point_machines()),
                         point_machine_name);

TEST_P(Grape5Sequences, give_the_forces_of_what_was_set)
{
    new_scene();
    const int steps = GetParam().backend == "cpu" ? 5000 : 1000;
    for (int step = 0; step < steps && !HasFailure(); ++step) {
        SCOPED_TRACE(step);
        number = random.below(3) ? 0 : 5;
        const int slots = device().set.nj(), targets = device().set.ni();
        const int nj = chance(0.1) ? 300 + random.below(1000) : 1 + random.below(60);
        const int ni = random.below(20);
        switch (random.below(11)) {
        case 0:
        case 1: set_slots(0, nj), set_n(nj), calculate(ni); break;
        case 2: set_slots(random.below(slots + 20), ni); break;
        case 3: set_n(random.below(slots + 5)); break;
        case 4: calculate(ni); break;
        case 5: set_targets(ni); break;
        case 6: set_eps(random.below(targets + 2)); break;
        case 7: run(), get_force(targets); break;
        case 8: get_force(random.below(targets + 3)); break;
        case 9: set_common(); break;
        default: rest();
        }
    }
}

}  // namespace
}  // namespace g6test
