// SPDX-License-Identifier: MIT
// Models by name: mass profiles within the scatter of the draw, and equilibrium.
#include "tools/common/models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using g6tools::Body;
std::vector<Body> make_model(const char *text, std::size_t n, std::uint64_t seed)
{
    return g6tools::make_model(text, n, seed).bodies;
}

constexpr std::size_t kBodies = 20000;

double radius(const Body &b)
{
    return std::sqrt(b.x[0] * b.x[0] + b.x[1] * b.x[1] + b.x[2] * b.x[2]);
}

template <class In> double fraction(const std::vector<Body> &bodies, In &&in)
{
    return double(std::count_if(bodies.begin(), bodies.end(), in)) / double(bodies.size());
}

// Counts of N draws scatter by sqrt(m (1-m) / N); moving the centre shifts them by less.
void expect_fraction(const std::vector<Body> &bodies, double expected, double got, const char *what)
{
    const double n = double(bodies.size());
    EXPECT_NEAR(got, expected, 5 * std::sqrt(expected * (1 - expected) / n)) << what;
}

TEST(Models, all_have_unit_mass_and_rest_at_the_origin)
{
    for (const char *name :
         {"plummer", "king", "two", "sphere", "cube", "hernquist", "nfw", "galaxy", "m31"}) {
        const std::vector<Body> bodies = make_model(name, 1000, 3);
        ASSERT_EQ(bodies.size(), 1000u) << name;
        double mass = 0, x[3] = {}, v[3] = {};
        for (const Body &b : bodies) {
            mass += b.mass;
            for (int d = 0; d < 3; d++) x[d] += b.mass * b.x[d], v[d] += b.mass * b.v[d];
        }
        EXPECT_NEAR(mass, 1, 1e-12);
        for (int d = 0; d < 3; d++) {
            EXPECT_NEAR(x[d], 0, 1e-12) << name;
            EXPECT_NEAR(v[d], 0, 1e-12) << name;
        }
        EXPECT_NE(g6tools::model_names().find(name), std::string::npos);
    }
    EXPECT_THROW(make_model("nosuch", 10, 1), g6tools::ModelError);
}

TEST(Models, uniform_ones_fill_their_volume)
{
    const auto sphere = make_model("sphere", kBodies, 1), cube = make_model("cube", kBodies, 1);
    for (double r : {0.3, 0.6, 0.9})
        expect_fraction(sphere, r * r * r,
                        fraction(sphere, [&](const Body &b) { return radius(b) < r; }), "sphere");
    for (double x : {-0.5, 0.0, 0.7})
        expect_fraction(cube, (x + 1) / 2,
                        fraction(cube, [&](const Body &b) { return b.x[2] < x; }), "cube");
}

TEST(Models, halos_follow_their_profiles)
{
    const auto hernquist = make_model("hernquist", kBodies, 1), nfw = make_model("nfw", kBodies, 1);
    auto h = [](double r) { return r * r / ((1 + r) * (1 + r)); };
    auto f = [](double r) { return std::log(1 + r) - r / (1 + r); };
    for (double r : {0.3, 1.0, 3.0, 10.0}) {
        expect_fraction(hernquist, h(r) / h(50),
                        fraction(hernquist, [&](const Body &b) { return radius(b) < r; }), "H");
        if (r > 5) continue;
        expect_fraction(nfw, f(r) / f(10),
                        fraction(nfw, [&](const Body &b) { return radius(b) < r; }), "NFW");
    }
}

// Halo, disk and bulge follow each other, as Gadget's types 1, 2 and 3.  The disk is flat and turns
// with a mean v_phi near the circular velocity of the mass within.
TEST(Models, galaxy_has_masses_1_2_12_and_a_disk_that_turns)
{
    const g6tools::Model model = g6tools::make_model("galaxy", 15000, 1);
    EXPECT_EQ(model.types, (std::array<std::size_t, 6>{0, 12000, 2000, 1000, 0, 0}));
    const std::vector<Body> &all = model.bodies;
    const std::vector<Body> disk(all.begin() + 12000, all.begin() + 14000);
    double z2 = 0, turning = 0, circular = 0;
    for (const Body &b : disk) {
        z2 += b.x[2] * b.x[2] / 2000;
        const double r = std::hypot(b.x[0], b.x[1]);
        turning += (b.x[0] * b.v[1] - b.x[1] * b.v[0]) / r / 2000;
        const double inside = fraction(all, [&](const Body &o) { return radius(o) < r; });
        circular += std::sqrt(inside / r) / 2000;
    }
    const double height = 0.6 / 5.4;  // sech^2: <z^2> = pi^2/12 height^2
    EXPECT_NEAR(std::sqrt(z2), height * 3.14159265 / std::sqrt(12.0), 0.1 * height);
    EXPECT_NEAR(turning / circular, 1, 0.1);
    // Exponential: 1 - (1+R) e^-R of it within R.
    for (double r : {1.0, 2.0, 4.0})
        expect_fraction(
            disk, 1 - (1 + r) * std::exp(-r),
            fraction(disk, [&](const Body &b) { return std::hypot(b.x[0], b.x[1]) < r; }), "disk");
}

}  // namespace
