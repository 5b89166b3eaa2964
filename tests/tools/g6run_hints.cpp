// SPDX-License-Identifier: MIT
// The hints of g6run about scales that do not fit each other, and about softenings.
#include "g6run_systems.h"
#include "tools/g6run/hints.h"

namespace {

using namespace g6run;
using namespace g6runtest;

Figures some_figures(double kinetic, double radius)
{
    Figures f;
    f.kinetic = kinetic;
    f.potential = -0.5;
    f.radii = {0.4 * radius, radius, 3 * radius};
    return f;
}

TEST(Hints, AreGivenWhereScalesDoNotGoTogether)
{
    const auto all = [](const Figures &figures, double table_every, double speed = 0) {
        Settings s;
        s.t_end = 8;
        s.table_every = table_every;
        std::string sum;
        const std::vector<Body> bodies = {body(2, {}, {speed, 0, 0}), body(2, {}, {speed, 0, 0})};
        for (const std::string &hint : hints(figures, bodies, s, 0)) sum += hint + '\n';
        return sum;
    };
    EXPECT_EQ(all(some_figures(0.25, 0.8), 0.125), "");
    EXPECT_EQ(all(some_figures(0, 0.8), 0.125), "");   // at rest
    EXPECT_EQ(all(some_figures(0.25, 0), 0.125), "");  // all in one place
    expect_in("T/|W| is 20:", all(some_figures(9.8, 0.8), 0.125));
    expect_in("T/|W| is 0.0022:", all(some_figures(1.1e-3, 0.8), 0.125));
    expect_in("some 5e+05 units of time", all(some_figures(0.25, 1e4), 0.125));
    expect_in("some 5e-10 units of time", all(some_figures(0.25, 1e-6), 0.125));
    expect_in("the table gets 32768 lines", all(some_figures(0.25, 0.8), 0x1p-12));
    // Mass 4 moves at 10: 200 of 200.25, so that the energy is 199.75 with it and -0.25 without.
    const std::string moving = all(some_figures(200.25, 0.8), 0.125, 10);
    expect_in("T/|W| is 0.5, and dE/E 799 times that of the table\n", moving);
    EXPECT_EQ(moving.find('\n'), moving.size() - 1);  // of the units nothing
    // A fall from rest with a slow drift: the energy is -0.49 with it and -0.5 without.
    EXPECT_EQ(all(some_figures(0.01, 0.8), 0.125, std::sqrt(0.005)), "");
}

// The Sun, the Earth and Jupiter in AU and solar masses: the Sun holds half of the mass within
// Jupiter's pull on it, 0.005 AU.
TEST(Hints, TakeAStarAndItsPlanetsForOneSystem)
{
    const std::vector<Body> bodies = {body(1, {}, {}), body(3e-6, {1, 0, 0}, {0, 1, 0}),
                                      body(1e-3, {5.2, 0, 0}, {0, 0.44, 0})};
    Figures figures = some_figures(0.25, 0.005);
    Settings s;
    s.t_end = 1000;
    EXPECT_TRUE(hints(figures, bodies, s, 0).empty());
    figures.potential = 0;  // as with planets that have no mass
    expect_in("one particle has all the mass", hints(figures, bodies, s, 0).at(0));
    figures.potential = -0.5;
    s.t_end = 1e6;
    s.table_every = 1e3;
    expect_in("some 0.99 units of time", hints(figures, bodies, s, 0).at(0));
}

TEST(Hints, NameASofteningForEqualSteps)
{
    Settings s;
    const std::vector<Body> bodies = plummer_snapshot(2048, 1).bodies;
    EXPECT_TRUE(hints(some_figures(0.25, 0.8), bodies, s, 0).empty());
    s.method = "treewalk";
    ASSERT_EQ(hints(some_figures(0.25, 0.8), bodies, s, 0).size(), 1u);
    expect_in("is 0.03125", hints(some_figures(0.25, 0.8), bodies, s, 0)[0]);
    s.eps = 0.1;
    EXPECT_TRUE(hints(some_figures(0.25, 0.8), bodies, s, 0).empty());
}

// The mass of the model is 2 units: 100 Msun are 2 times 50 Msun.
TEST(Hints, NameTheUnitOfMassThatKeepsTheStars)
{
    Snapshot start;
    start.bodies = {body(1.5, {}, {}), body(0.5, {}, {})};
    start.solar_masses = 100;
    const auto said = [&](const char *units) {
        Settings s;
        s.units = units;
        const std::vector<std::string> texts = model_hints(start, s);
        return texts.empty() ? "" : texts[0];
    };
    expect_in("makes 200 Msun of them: --units 2pc,50Msun keeps", said("2pc,100Msun"));
    for (const char *units : {"1pc,50Msun", "1pc,50.4Msun", ""}) EXPECT_EQ(said(units), "");
    expect_in("--units 1pc,50Msun", said("1pc,50.6Msun"));
    start.solar_masses = 0;
    EXPECT_EQ(said("2pc,100Msun"), "");
}

// Masses as in a table id x y z vx vy vz, also with --input-units.
TEST(Hints, AskWhetherMassesAreNumbersOfBodiesAndTellThatGasHasNoPressure)
{
    for (const double first : {0., 1.})
        for (const double unit : {1., 0.00430091}) {
            Snapshot start;
            for (int k = 0; k < 8; k++) {
                EXPECT_TRUE(model_hints(start, {}).empty()) << k;
                start.bodies.push_back(body(unit * (first + k), {}, {}));
            }
            ASSERT_EQ(model_hints(start, {}).size(), 1u);
            expect_in("the masses count the bodies", model_hints(start, {})[0]);
            std::swap(start.bodies[6].mass, start.bodies[7].mass);
            EXPECT_TRUE(model_hints(start, {}).empty());
            start.types = {1, 7, 0, 0, 0, 0};
            expect_in("1 particles are gas (type 0)", model_hints(start, {}).at(0));
        }
}

// Axes from 0.01 to 0.01, times the scale of 3.
TEST(Hints, NameASofteningThatBinariesDoNotBear)
{
    Settings s;
    const Snapshot start =
        model_snapshot("plummer:binaries=0.5,a_min=0.01,a_max=0.01,scale=3", 100, 1);
    EXPECT_NEAR(start.closest_binary, 0.03, 1e-15);
    s.eps = 0.0031;
    ASSERT_EQ(model_hints(start, s).size(), 1u);
    expect_in("eps 0.0031 changes the orbits of binaries", model_hints(start, s)[0]);
    s.eps = 0.0029;
    EXPECT_TRUE(model_hints(start, s).empty());
    s.eps = 1;
    EXPECT_TRUE(model_hints(model_snapshot("plummer:imf=kroupa", 100, 1), s).empty());
    EXPECT_EQ(model_snapshot("plummer", 100, 1).closest_binary, 0);
}

}  // namespace
