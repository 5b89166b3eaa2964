// SPDX-License-Identifier: MIT
// Softening lengths of particle types: how they are read, the forces and energies of pairs, steps
// and files.
#include "g6run_systems.h"

#include "tests/tolerance.h"
#include "tools/g6run/block_leapfrog.h"
#include "tools/g6run/diagnostics.h"
#include "tools/g6run/field.h"
#include "tools/g6run/gadget_file.h"
#include "tools/g6run/integrator.h"
#include "tools/g6run/leapfrog.h"
#include "tools/g6run/plan.h"
#include "tools/g6run/type_softening.h"

#include <algorithm>

namespace g6runtest {
namespace {

using namespace g6run;

constexpr TypeCounts kTypes = {0, 40, 60, 0, 0, 0};

// 40 bodies of type 1 and 60 of type 2.
std::vector<Body> two_types()
{
    return model_snapshot("hernquist", 100, 3).bodies;
}

Settings settings_of(const std::string &text)
{
    Settings s;
    s.eps = 0.5;
    s.eps_types = text;
    return s;
}

// A pair has (eps_i^2 + eps_j^2) / 2.
g6test::Expected pull_on(int i, const std::vector<Body> &bodies, const std::vector<double> &eps)
{
    std::vector<Vector> x;
    std::vector<double> mass;
    g6test::Softenings halves;
    for (std::size_t k = 0; k < bodies.size(); k++) {
        const Body &b = bodies[k];
        x.push_back({b.x[0], b.x[1], b.x[2]});
        mass.push_back(b.mass);
        halves[static_cast<int>(k)] = eps[k] * eps[k] / 2;
    }
    return g6runtest::pull_on(memory_of(x, mass), i, halves.at(i), halves);
}

TEST(TypeSoftening, IsReadByTypeInTheUnitsOfTheRun)
{
    const Units units = units_of("2pc,1Msun");
    EXPECT_EQ(eps_types_in("", nullptr, false), "");
    EXPECT_EQ(eps_types_in("2=1/256,1=5e-1", nullptr, false), "1=0.5,2=0.00390625");
    EXPECT_EQ(eps_types_in("4=1pc,0=3", &units, false), "0=3,4=0.5");
    const std::vector<double> eps = softening_lengths(settings_of("2=0.25"), kTypes);
    ASSERT_EQ(eps.size(), 100u);
    for (std::size_t k = 0; k < 100; k++) EXPECT_EQ(eps[k], k < 40 ? 0.5 : 0.25);
    EXPECT_TRUE(softening_lengths(settings_of(""), kTypes).empty());
    EXPECT_EQ(least_softening(settings_of("2=0.25,3=0"), kTypes), 0.25);
    EXPECT_EQ(empty_types("0=1,2=1,5=1", kTypes), "0, 5");
}

TEST(TypeSoftening, RefusesWhatIsNoLengthOfAType)
{
    for (const char *text : {"1", "1=", "6=1", "-1=1", "halo=1", "1=x", "1=-1", "1=nan", "1=inf",
                             "1=1/0", "1=1/", "1=1,", ",1=1", "1=1,1=2", "1=1pc"})
        EXPECT_NE(error_of([&] { eps_types_in(text, nullptr, false); }), "") << text;
}

TEST(TypeSoftening, OfAPairIsTheMeanSquareOfBothTypes)
{
    const std::vector<Body> bodies = two_types();
    const std::vector<double> eps = softening_lengths(settings_of("1=0.25,2=0.0625"), kTypes);
    for (const char *mode : {"hermite", "treewalk"}) {
        SCOPED_TRACE(mode);
        Gravity gravity("cpu", "double", mode, 0.5, mode[0] == 't' ? "0" : "");
        gravity.soften_each(eps);
        g6run::Numbers<int> all(100);
        for (int k = 0; k < 100; k++) all[k] = k;
        gravity.send(all, bodies);
        // Blocks that name bodies in any order.
        Block block;
        block.resize(30);
        for (int k = 0; k < 30; k++) {
            block.index[k] = (37 * k + 11) % 100;
            std::copy_n(bodies[block.index[k]].x, 3, block.x[k].begin());
            std::copy_n(bodies[block.index[k]].v, 3, block.v[k].begin());
        }
        gravity.compute(0, 100, block);
        for (int k = 0; k < 30; k++) {
            const g6test::Expected p = pull_on(block.index[k], bodies, eps);
            EXPECT_TRUE(g6test::within("acc", p.acc, block.acc[k], 1e-12 * p.acc_size));
            EXPECT_TRUE(g6test::within("pot", p.pot, block.pot[k], 1e-13));
        }
    }
}

// The energy of the table is that of long-double sums, and stays: types 1 and 2 meet all the time.
TEST(TypeSoftening, KeepsTheEnergyOfBothSchemes)
{
    const std::vector<double> eps = softening_lengths(settings_of("1=0.25,2=0.0625"), kTypes);
    const std::vector<Body> bodies = two_types();
    long double energy = 0;
    for (std::size_t k = 0; k < bodies.size(); k++) {
        const Body &b = bodies[k];
        energy += b.mass *
                  (b.v[0] * b.v[0] + b.v[1] * b.v[1] + b.v[2] * b.v[2] +
                   pull_on(static_cast<int>(k), bodies, eps).pot) /
                  2;
    }
    Settings s = settings_of("1=0.25,2=0.0625");
    s.eta = 0.005;
    {
        Gravity gravity("cpu", "double", "hermite", s.eps);
        gravity.soften_each(eps);
        Integrator run(gravity, bodies, s, 0, false);
        const double before = figures(run.bodies(), run.potentials()).energy();
        EXPECT_NEAR(before, static_cast<double>(energy), 1e-12);
        while (run.time() < 1) run.step();
        EXPECT_NEAR(figures(run.bodies(), run.potentials()).energy(), before, 1e-7);
    }
    Gravity gravity("cpu", "double", "treewalk", s.eps, "0", false);
    gravity.soften_each(eps);
    Leapfrog run(std::make_unique<LibraryField>(gravity), bodies, 1.0 / 1024, 0, false);
    const double before = figures(run.bodies(), run.potentials()).energy();
    EXPECT_NEAR(before, static_cast<double>(energy), 1e-12);
    while (run.time() < 0.5) run.step();
    EXPECT_NEAR(figures(run.bodies(), run.potentials()).energy(), before, 1e-5);
}

TEST(TypeSoftening, OfABodyIsThatOfItsStep)
{
    Settings s = settings_of("1=0.25,2=0.0625");
    s.method = "treewalk";
    s.eta = 0.25;
    s.dt_max = 8;
    const std::vector<double> eps = softening_lengths(s, kTypes);
    Gravity gravity("cpu", "double", "treewalk", s.eps, "0", false);
    gravity.soften_each(eps);
    BlockLeapfrog run(gravity, two_types(), s, 0, false, eps);
    for (std::size_t k = 0; k < 100; k++) {
        const Body &b = run.bodies()[k];
        const double step = leap_step(b.a, eps[k], s.eta);  // rounded down to a power of 1/2
        EXPECT_LE(b.dt, step);
        EXPECT_GT(b.dt, step / 2);
    }
}

}  // namespace
}  // namespace g6runtest
