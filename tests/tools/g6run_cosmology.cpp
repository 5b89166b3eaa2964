// SPDX-License-Identifier: MIT
// The expanding background and the comoving leapfrog, compared with known solutions.
#include "g6run_systems.h"
#include "tools/g6run/cosmic_energy.h"

namespace {

using namespace g6run;

constexpr Cosmology kEinsteinDeSitter{1, 0, 0.7}, kFlat{0.3, 0.7, 0.7}, kOpen{0.3, 0, 0.7},
    kCurved{0.4, 0.8, 0.7};

// ---- background --------------------------------------------------------------------------------

// Matter alone: t = 2/(3 H0) a^(3/2), and the integrals of a^-n dt = a^(1/2 - n) da / H0.
TEST(Cosmology, of_matter_alone_has_the_powers_of_einstein_and_de_sitter)
{
    const double a0 = 0.02, a1 = 0.7;
    EXPECT_NEAR(kEinsteinDeSitter.age(a1) * kHubble0, 2.0 / 3 * std::pow(a1, 1.5), 1e-13);
    EXPECT_NEAR(kEinsteinDeSitter.integral(a0, a1, 1) * kHubble0,
                2 * (std::sqrt(a1) - std::sqrt(a0)), 1e-13);
    EXPECT_NEAR(kEinsteinDeSitter.integral(a0, a1, 2) * kHubble0,
                2 * (1 / std::sqrt(a0) - 1 / std::sqrt(a1)), 1e-12);
}

// Flat with a cosmological constant: t = 2/(3 H0 sqrt(OL)) asinh(sqrt(OL/Om) a^(3/2)).
TEST(Cosmology, that_is_flat_has_the_age_of_the_closed_formula)
{
    for (double a : {0.01, 0.3, 1.0})
        EXPECT_NEAR(kFlat.age(a) * kHubble0,
                    2 / (3 * std::sqrt(0.7)) * std::asinh(std::sqrt(0.7 / 0.3) * std::pow(a, 1.5)),
                    1e-13);
    // 1 / (100 km/s/Mpc) is 9.77792 Gyr: age 0.964099 / H0.
    EXPECT_NEAR(kFlat.gyr(kFlat.age(1)), 0.964099 * 9.77792 / 0.7, 1e-4);
}

// Open without a constant: H0 t = (sinh u - u) Om / (2 Ok^1.5), a = Om (cosh u - 1) / (2 Ok).
TEST(Cosmology, that_is_open_has_the_age_of_the_closed_formula)
{
    for (double u : {0.2, 1.0, 2.0}) {
        const double a = 0.3 / 1.4 * (std::cosh(u) - 1);
        EXPECT_NEAR(kOpen.age(a) * kHubble0, 0.15 / std::pow(0.7, 1.5) * (std::sinh(u) - u), 1e-13);
    }
}

TEST(Cosmology, finds_the_scale_factor_of_a_time)
{
    for (const Cosmology &c : {kEinsteinDeSitter, kFlat, kOpen, kCurved})
        for (double a : {0.0200001, 0.1, 0.99}) {
            const double found = c.after(0.02, c.integral(0.02, a, 0), 1);
            EXPECT_NEAR(found, a, 1e-13);
        }
}

// rho = 3 Om H0^2/(8 pi G); 2.7754e11 Om h^2 Msun/Mpc^3 is 27.754e-9 in the units of the run.
TEST(Cosmology, has_the_critical_density_of_the_textbooks)
{
    EXPECT_NEAR(kEinsteinDeSitter.mean_density(), 27.754e-9, 0.001e-9);
}

// ---- steps -------------------------------------------------------------------------------------

TEST(ExpansionSteps, are_equal_in_what_was_asked_for)
{
    const double a0 = 0.02, a1 = 1;
    const ExpansionSteps time(kFlat, a0, a1, 10, "time"), a(kFlat, a0, a1, 10, "a"),
        loga(kFlat, a0, a1, 10, "loga");
    for (int k = 0; k < 10; k++) {
        EXPECT_NEAR(kFlat.integral(time.a(k), time.a(k + 1), 0), kFlat.integral(a0, a1, 0) / 10,
                    1e-12);
        EXPECT_NEAR(a.a(k + 1) - a.a(k), 0.098, 1e-15);
        EXPECT_NEAR(loga.a(k + 1) / loga.a(k), std::pow(50, 0.1), 1e-14);
    }
    for (const ExpansionSteps &steps : {time, a, loga}) {
        EXPECT_EQ(steps.a(0), a0);
        EXPECT_EQ(steps.a(10), a1);
        for (int k = 0; k <= 10; k++) EXPECT_EQ(steps.nearest(steps.a(k)), k);
        const StepFactors f = steps.factors(3);
        EXPECT_NEAR(f.kick_open + f.kick_close, kFlat.integral(steps.a(3), steps.a(4), 1), 1e-13);
        EXPECT_NEAR(f.drift, kFlat.integral(steps.a(3), steps.a(4), 2), 1e-12);
    }
}

// ---- one shell about a heavy point
// --------------------------------------------------------------- A shell feels the mass inside
// alone.  A light particle at x beside a point that has (1 + delta) times the mean mass inside x
// moves as the edge of a top-hat of overdensity delta.

constexpr double kRadius = 1000, kLight = 1e-12;

struct Shell {
    Cosmology cosmology;
    double delta, a_begin, a_end;
    double p = 0;  // of the light particle, outward
    int count = 400;
    const char *in = "a";
    CosmicSoftening softening{1e-6, 1};

    ComovingForce force() const
    {
        return {kGravity, cosmology.omega_m * kHubble0 * kHubble0 / 2, softening};
    }
    double mass() const
    {
        return (1 + delta) * cosmology.mean_density() * 4 * M_PI / 3 * std::pow(kRadius, 3);
    }
    Particles particles() const
    {
        Particles s;
        s.resize(2);
        s.mass = {mass(), kLight * mass()};
        s.x[1] = {0.6 * kRadius, 0, 0.8 * kRadius};
        s.p[1] = {0.6 * p, 0, 0.8 * p};
        return s;
    }
};

double radius(const ComovingLeapfrog &run)
{
    const auto &x = run.particles().x;
    double r2 = 0;
    for (std::size_t d = 0; d < 3; d++) r2 += (x[1][d] - x[0][d]) * (x[1][d] - x[0][d]);
    return std::sqrt(r2);
}

// The shell's comoving radius after each step.
std::vector<double> radii(const Shell &shell)
{
    Gravity gravity("cpu", "double", "treewalk", 0, "0.5", false);
    ComovingLeapfrog run(gravity, std::make_unique<LibraryField>(gravity), shell.particles(),
                         {shell.cosmology, shell.a_begin, shell.a_end, shell.count, shell.in},
                         shell.force(), 0);
    run.first_force();
    std::vector<double> found{radius(run)};
    for (int k = 0; k < shell.count; k++) {
        run.step(true);
        found.push_back(radius(run));
    }
    return found;
}

TEST(ComovingShell, of_mean_density_stays_where_it_is)
{
    for (const Cosmology &c : {kEinsteinDeSitter, kFlat, kOpen, kCurved})
        for (const char *in : {"time", "a", "loga"})
            for (double r : radii({c, 0, 0.02, 1, 0, 50, in})) ASSERT_NEAR(r, kRadius, 1e-7) << in;
}

// The cycloid of a bound shell that starts with Hubble's flow: r = A (1 - cos u), t = B (u - sin u)
// + const, A = GM/(2|e|), B = A^1.5 / sqrt(GM), e = v^2/2 - GM/r.  It turns at u = pi.
TEST(ComovingShell, of_more_turns_where_and_when_the_spherical_collapse_does)
{
    const double a0 = 0.02, delta = 0.1;
    const Shell shell{kEinsteinDeSitter, delta, a0, 0.6, 0, 4000};
    const double gm = kGravity * shell.mass(), r0 = a0 * kRadius;
    const double v0 = kEinsteinDeSitter.hubble(a0) * r0;
    const double size = gm / (2 * (gm / r0 - v0 * v0 / 2)),
                 pace = std::sqrt(size * size * size / gm);
    const double u0 = std::acos(1 - r0 / size);
    const double turn = kEinsteinDeSitter.age(a0) + pace * (M_PI - u0 + std::sin(u0));
    const ExpansionSteps steps(shell.cosmology, a0, 0.6, shell.count, "a");
    const std::vector<double> found = radii(shell);
    double largest = 0, when = 0;
    for (int k = 0; k <= shell.count; k++) {
        const double r = steps.a(k) * found[static_cast<std::size_t>(k)];
        if (r > largest) when = kEinsteinDeSitter.age(steps.a(k));
        largest = std::max(largest, r);
    }
    // Second order: 4000 steps of 1.5e-4 in a; the begin has the largest, 0.7 % of a.
    EXPECT_NEAR(largest / (2 * size), 1, 2e-4);
    EXPECT_NEAR(when / turn, 1, 2e-3);  // a step is 1e-3 of the time there, and the top is flat
}

// D(a) = H(a) times the integral of da / (a H)^3 from 0 (Heath 1977), here from the growing mode's
// D = a at a start that is early enough for any of these universes: 1e-6.
double growth(const Cosmology &c, double a)
{
    const int n = 20000;
    const double first = std::log(1e-6), h = (std::log(a) - first) / n;
    double sum = 0.4 * std::pow(1e-6, 2.5) / std::pow(c.omega_m, 1.5);
    for (int k = 0; k <= n; k++) {
        const double b = std::exp(first + k * h), e2 = c.expansion2(b);
        sum += (k == 0 || k == n ? 1 : k % 2 ? 4 : 2) * h / 3 * b / std::pow(b * b * e2, 1.5);
    }
    return std::sqrt(c.expansion2(a)) * sum;
}

// A shell that is displaced by -x delta/3 from where its mass has mean density is the growing mode
// of overdensity delta when its momentum is -a^2 (delta/3) x dlnD/dt.
TEST(ComovingShell, of_little_more_grows_as_linear_theory_says)
{
    for (const Cosmology &c : {kEinsteinDeSitter, kFlat, kOpen, kCurved})
        for (const char *in : {"time", "a", "loga"}) {
            const double delta = 1e-6, a0 = 0.02;
            const double rate = std::log(growth(c, a0 * 1.001) / growth(c, a0 / 1.001)) /
                                (2 * std::log(1.001)) * c.hubble(a0);
            // Of the mean mass inside R (1 + delta/3): the same as a displacement inward.
            const double velocity = -a0 * a0 * delta / 3 * rate * kRadius;
            const Shell shell{c, delta, a0, 1, velocity, 2000, in, CosmicSoftening{1e-6, 1}};
            const double found = 1 + delta - std::pow(radii(shell).back() / kRadius, 3);
            const double expected = delta * growth(c, 1) / growth(c, a0);
            EXPECT_NEAR(found / expected, 1, 1e-3) << c.omega_m << " " << c.omega_l << " " << in;
        }
}

}  // namespace
