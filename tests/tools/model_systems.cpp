// SPDX-License-Identifier: MIT
// Models by name, with and without parameters: mass profiles, energies, virial ratios and radii
// agree with theory within the statistical scatter of a sample.
#include "tools/common/king.h"
#include "tools/common/models.h"
#include "tools/common/plummer.h"
#include "tools/common/star_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using g6tools::Body;
using g6tools::make_model;

constexpr std::size_t kBodies = 4000;

double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double radius(const Body &b)
{
    return std::sqrt(dot(b.x, b.x));
}

// Kinetic and potential energy, and the standard deviations of both over draws of such bodies.
struct Energies {
    double kinetic = 0, potential = 0, kinetic_scatter = 0, potential_scatter = 0;
};

// A sum of m f(x) over independent bodies scatters by sqrt(sum m^2) times the deviation of f.  The
// potential energy is half the sum of m phi, where each draw counts in its own phi and in those of
// the others, and so twice.
Energies energies(const std::vector<Body> &bodies)
{
    Energies e;
    double mass = 0, squares = 0, v4 = 0, phi2 = 0;
    for (const Body &b : bodies) {
        double phi = 0;
        for (const Body &o : bodies) {
            if (&o == &b) continue;
            const double r[3] = {o.x[0] - b.x[0], o.x[1] - b.x[1], o.x[2] - b.x[2]};
            phi -= o.mass / std::sqrt(dot(r, r));
        }
        const double half_v2 = dot(b.v, b.v) / 2;
        e.kinetic += b.mass * half_v2;
        e.potential += b.mass * phi / 2;
        v4 += b.mass * half_v2 * half_v2;
        phi2 += b.mass * phi * phi;
        mass += b.mass;
        squares += b.mass * b.mass;
    }
    const double mean = e.kinetic / mass, mean_phi = 2 * e.potential / mass;
    e.kinetic_scatter = std::sqrt(squares * (v4 / mass - mean * mean));
    e.potential_scatter = std::sqrt(squares * (phi2 / mass - mean_phi * mean_phi));
    return e;
}

// Virial equilibrium, 2 T = -W.  other: part of the energies by which the model itself is off.
void expect_equilibrium(const std::vector<Body> &bodies, double potential, double other = 0)
{
    const Energies e = energies(bodies);
    const double least = 1e-3 + other;  // pairs of a body with itself that the sum leaves out
    EXPECT_NEAR(e.potential / potential, 1, least + 4 * e.potential_scatter / -potential);
    EXPECT_NEAR(-2 * e.kinetic / potential, 1, least + 8 * e.kinetic_scatter / -potential);
    EXPECT_LT(e.potential_scatter / -potential, 0.1);  // or the test says nothing
}

template <class In> double fraction(const std::vector<Body> &bodies, In &&in)
{
    return double(std::count_if(bodies.begin(), bodies.end(), in)) / double(bodies.size());
}

// Counts of N draws scatter by sqrt(m (1-m) / N); moving the centre shifts them by less.
template <class In>
void expect_fraction(const std::vector<Body> &bodies, double expected, In &&in,
                     const char *what = "")
{
    const double n = double(bodies.size());
    EXPECT_NEAR(fraction(bodies, in), expected, 5 * std::sqrt(expected * (1 - expected) / n))
        << what;
}

// Of bodies within a radius of the origin, or of the z axis.
auto within(double r)
{
    return [r](const Body &b) { return radius(b) < r; };
}

// Concentrations log10(r_t/r_c), radii of half and of a tenth of the mass and the tidal radius in
// N-body units, by scipy's DOP853 at 1e-12.  King (1966) plots the first: 0.67, 1.26, 2.12, 2.74.
TEST(King, has_the_radii_of_the_solution)
{
    const struct {
        double w0, concentration, half, tenth, tidal;
    } cases[] = {{1, 0.295507, 0.85739021, 0.40497100, 2.565726},
                 {3, 0.672043, 0.83879302, 0.36864569, 3.131075},
                 {6, 1.255070, 0.80383336, 0.27147733, 5.463914},
                 {9, 2.118532, 0.97987045, 0.13250614, 8.353449},
                 {12, 2.738938, 0.97862438, 0.15443031, 6.208634}};
    for (const auto &c : cases) {
        SCOPED_TRACE(c.w0);
        const g6tools::King king(c.w0);
        EXPECT_NEAR(std::log10(king.tidal_radius() / king.core_radius()), c.concentration, 2e-6);
        EXPECT_NEAR(king.tidal_radius() / c.tidal, 1, 2e-6);
        const std::vector<Body> bodies = king.bodies(kBodies, 5);
        expect_fraction(bodies, 0.5, within(c.half));
        expect_fraction(bodies, 0.1, within(c.tenth));
        // Taking out the centre of mass moves bodies by some 1/sqrt(N).
        EXPECT_EQ(fraction(bodies, within(c.tidal + 0.1)), 1);
    }
}

TEST(Models, of_clusters_are_in_virial_equilibrium)
{
    for (const char *text : {"plummer", "king:W0=3", "king", "king:W0=9"}) {
        SCOPED_TRACE(text);
        expect_equilibrium(make_model(text, kBodies, 3).bodies, -0.5);
    }
}

// Mass within r over that within the cut.
double nfw_mass(double r)
{
    return std::log1p(r) - r / (1 + r);
}
double hernquist_mass(double r)
{
    return r * r / ((1 + r) * (1 + r));
}

TEST(Models, halos_follow_their_profiles)
{
    constexpr std::size_t n = 20000;
    const auto hernquist = make_model("hernquist", n, 1).bodies,
               nfw = make_model("nfw", n, 1).bodies;
    for (double r : {0.3, 1.0, 3.0, 10.0})
        expect_fraction(hernquist, hernquist_mass(r) / hernquist_mass(50), within(r), "Hernquist");
    for (double r : {0.3, 1.0, 3.0})
        expect_fraction(nfw, nfw_mass(r) / nfw_mass(10), within(r), "NFW");
}

// W = -integral of M(r)/r dM, by the trapezoidal rule in ln r.
double potential(double (*mass)(double), double cut)
{
    constexpr int kCells = 100000;
    const double low = std::log(1e-6), high = std::log(cut);
    double w = 0, before = mass(1e-6);
    for (int k = 1; k <= kCells; k++) {
        const double r = std::exp(low + (high - low) * k / kCells), middle = mass(r);
        w -= (middle + before) / 2 / (r * std::exp(-(high - low) / kCells / 2)) * (middle - before);
        before = middle;
    }
    return w / (mass(cut) * mass(cut));
}

// A Gaussian of the right dispersion in place of the true distribution keeps 2 T = -W; its table
// of 1000 cells is off by a per cent at the centre.
TEST(Halos, have_the_energy_of_their_profile)
{
    for (const auto &[text, expected] :
         {std::pair{"nfw:c=5", potential(nfw_mass, 5)}, std::pair{"nfw", potential(nfw_mass, 10)},
          std::pair{"hernquist", potential(hernquist_mass, 50)},
          std::pair{"hernquist:c=4", potential(hernquist_mass, 4)}}) {
        SCOPED_TRACE(text);
        expect_equilibrium(make_model(text, kBodies, 2).bodies, expected, 0.02);
    }
    // Without a cut W = -M^2 / 6 a (Hernquist 1990).
    EXPECT_NEAR(potential(hernquist_mass, 1e6), -1.0 / 6, 1e-5);
}

TEST(Models, all_have_unit_mass_and_rest_at_the_origin)
{
    for (const char *name :
         {"plummer", "king", "two", "sphere", "cube", "hernquist", "nfw", "galaxy", "m31"}) {
        const std::vector<Body> bodies = make_model(name, 1000, 3).bodies;
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
    for (double r : {0.3, 0.6, 0.9})
        expect_fraction(make_model("sphere", 20000, 1).bodies, r * r * r, within(r), "sphere");
    for (double x : {-0.5, 0.0, 0.7})
        expect_fraction(
            make_model("cube", 20000, 1).bodies, (x + 1) / 2,
            [x](const Body &b) { return b.x[2] < x; }, "cube");
}

// Halo, disk and bulge follow each other, as Gadget's types 1, 2 and 3.  The disk is flat and turns
// with a mean v_phi near the circular velocity of the mass within.
TEST(Models, galaxy_has_masses_1_2_12_and_a_disk_that_turns)
{
    const g6tools::Model model = make_model("galaxy", 15000, 1);
    EXPECT_EQ(model.types, (std::array<std::size_t, 6>{0, 12000, 2000, 1000, 0, 0}));
    const std::vector<Body> &all = model.bodies;
    const std::vector<Body> disk(all.begin() + 12000, all.begin() + 14000);
    double z2 = 0, turning = 0, circular = 0;
    for (const Body &b : disk) {
        z2 += b.x[2] * b.x[2] / 2000;
        const double r = std::hypot(b.x[0], b.x[1]);
        turning += (b.x[0] * b.v[1] - b.x[1] * b.v[0]) / r / 2000;
        const double inside = fraction(all, within(r));
        circular += std::sqrt(inside / r) / 2000;
    }
    const double height = 0.6 / 5.4;  // sech^2: <z^2> = pi^2/12 height^2
    EXPECT_NEAR(std::sqrt(z2), height * 3.14159265 / std::sqrt(12.0), 0.1 * height);
    EXPECT_NEAR(turning / circular, 1, 0.1);
    // Exponential: 1 - (1+R) e^-R of it within R.
    for (double r : {1.0, 2.0, 4.0}) {
        const auto near_axis = [r](const Body &b) { return std::hypot(b.x[0], b.x[1]) < r; };
        expect_fraction(disk, 1 - (1 + r) * std::exp(-r), near_axis, "disk");
    }
}

TEST(Plummer, no_body_escapes)
{
    for (const Body &b : g6tools::plummer(40000, 4)) {
        const double scale = g6tools::kPlummerScale;
        const double escape = std::sqrt(2 / std::sqrt(dot(b.x, b.x) + scale * scale));
        // The shift to the rest frame of the centre is about 0.5/sqrt(N) = 0.0025.
        EXPECT_LT(std::sqrt(dot(b.v, b.v)), escape + 0.02);
        EXPECT_LT(radius(b), g6tools::kPlummerRadius + 0.05);
    }
}

// Lengths go as the scale, velocities as sqrt(mass/scale), energies as mass^2/scale.
TEST(Models, have_the_scale_and_mass_asked_for)
{
    for (const std::string name : {"plummer:", "king:W0=4,", "nfw:c=7,", "galaxy:"}) {
        SCOPED_TRACE(name);
        const auto one = make_model(name + "scale=1", 100, 4).bodies,
                   other = make_model(name + "scale=3,mass=48", 100, 4).bodies;
        for (std::size_t k = 0; k < one.size(); k++) {
            EXPECT_DOUBLE_EQ(other[k].mass, 48 * one[k].mass);
            EXPECT_DOUBLE_EQ(other[k].x[1], 3 * one[k].x[1]);
            EXPECT_DOUBLE_EQ(other[k].v[2], 4 * one[k].v[2]);
        }
        EXPECT_NE(make_model(name + "scale=1", 100, 5).bodies[9].x[0], one[9].x[0]);  // the seed
    }
}

TEST(Models, refuse_parameters_that_they_do_not_have)
{
    const auto refusal = [](const char *text) -> std::string {
        try {
            make_model(text, 10, 1);
        } catch (const g6tools::ModelError &error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal("king:w0=6"), "king has no parameter w0; it has W0, scale and mass");
    EXPECT_EQ(refusal("king:W0=60"), "king: W0=60 is no number from 0.1 to 16");
    EXPECT_EQ(refusal("nfw:c"), "nfw:c: 'c' is no KEY=VALUE, as in king:W0=6");
    EXPECT_EQ(refusal("nfw:c=3,c=4"), "nfw:c=3,c=4: c is there twice");
    EXPECT_EQ(refusal("plummer:imf=salpeter"), "plummer: imf=salpeter is not kroupa");
    EXPECT_EQ(refusal("plummer:m_max=3"), "plummer: m_min and m_max go with imf=kroupa");
    EXPECT_EQ(refusal("plummer:a_max=1"), "plummer: a_min and a_max go with binaries");
    EXPECT_EQ(refusal("two:q=0.01"), "two: q=0.01 leaves none of 10 bodies to the second sphere");
    EXPECT_NE(refusal("queen:W0=6"), "");
}

// Stars from 0.08 to 100 Msun have the integrals of m^-1.3 and m^-2.3 / 2 below and above 0.5 Msun:
// 3.008 and 0.946 of number, 0.636 and 1.633 of mass, 0.574 Msun in the mean.
TEST(Stars, have_the_masses_of_kroupa)
{
    const auto integral = [](double power, double from, double to) {
        return (std::pow(to, power) - std::pow(from, power)) / power;
    };
    const double low = integral(-0.3, 0.08, 0.5), high = 0.5 * integral(-1.3, 0.5, 100);
    const double mean = (integral(0.7, 0.08, 0.5) + 0.5 * integral(-0.3, 0.5, 100)) / (low + high);
    const g6tools::Kroupa kroupa(0.08, 100);
    EXPECT_NEAR(kroupa.mean(), mean, 1e-12);
    EXPECT_NEAR(mean, 0.574, 5e-4);
    g6tools::Uniform uniform(1);
    constexpr int kStars = 100000;
    int below = 0, above_ten = 0;
    for (int k = 0; k < kStars; k++) {
        const double m = kroupa(uniform);
        ASSERT_TRUE(m >= 0.08 && m <= 100) << m;
        below += m < 0.5;
        above_ten += m > 10;
    }
    const auto near = [](int count, double part) {
        EXPECT_NEAR(count / double(kStars), part, 4 * std::sqrt(part * (1 - part) / kStars));
    };
    near(below, low / (low + high));
    near(above_ten, 0.5 * integral(-1.3, 10, 100) / (low + high));
}

TEST(Stars, of_all_masses_are_in_virial_equilibrium)
{
    const g6tools::Model model = make_model("plummer:imf=kroupa,m_max=8", kBodies, 2);
    double least = 1, most = 0, mass = 0;
    for (const Body &b : model.bodies) {
        least = std::min(least, b.mass);
        most = std::max(most, b.mass);
        mass += b.mass;
    }
    EXPECT_NEAR(mass, 1, 1e-12);
    EXPECT_LE(most / least, 100);
    EXPECT_GT(most / least, 40);
    expect_equilibrium(model.bodies, -0.5);
    EXPECT_EQ(model.note.rfind("masses of Kroupa (2001), in all ", 0), 0u) << model.note;
}

// The systems are a Plummer sphere; each binary is on an orbit of its own, whose logarithm of the
// semi-major axis is uniform, of standard deviation ln(100)/sqrt(12), and whose eccentricity has
// the density 2 e: mean 2/3, standard deviation sqrt(1/18).  The mean of r over time is
// a (1 + e^2/2): 1.25 a in the mean, with <(r/a)^2> = 1 + 3 e^2/2 = 1.75.
TEST(Stars, of_binaries_are_on_their_orbits)
{
    const auto stars = make_model("plummer:binaries=0.5,a_min=1e-5,a_max=1e-3", 6000, 7).bodies;
    const std::size_t pairs = 2000;  // of 4000 systems
    std::vector<Body> systems;
    double log_axis = 0, eccentricity = 0, distance = 0;
    for (std::size_t k = 0; k < stars.size(); k += k < 2 * pairs ? 2 : 1) {
        Body centre = stars[k];
        if (k < 2 * pairs) {
            const Body &a = stars[k], &b = stars[k + 1];
            const double mass = a.mass + b.mass;
            double x[3], v[3];
            for (int d = 0; d < 3; d++) {
                x[d] = a.x[d] - b.x[d];
                v[d] = a.v[d] - b.v[d];
                centre.x[d] = (a.mass * a.x[d] + b.mass * b.x[d]) / mass;
                centre.v[d] = (a.mass * a.v[d] + b.mass * b.v[d]) / mass;
            }
            centre.mass = mass;
            const double r = std::sqrt(dot(x, x)), axis = 1 / (2 / r - dot(v, v) / mass);
            const double l2 = dot(x, x) * dot(v, v) - dot(x, v) * dot(x, v);
            ASSERT_GT(axis, 0.999e-5);
            ASSERT_LT(axis, 1.001e-3);
            log_axis += std::log(axis) / pairs;
            eccentricity += std::sqrt(std::max(0.0, 1 - l2 / (mass * axis))) / pairs;
            distance += r / axis / pairs;
        }
        systems.push_back(centre);
    }
    ASSERT_EQ(systems.size(), 4000u);
    const double draws = std::sqrt(double(pairs));
    EXPECT_NEAR(log_axis, std::log(1e-4), 4 * std::log(100) / std::sqrt(12) / draws);
    EXPECT_NEAR(eccentricity, 2.0 / 3, 4 * std::sqrt(1.0 / 18) / draws);
    EXPECT_NEAR(distance, 1.25, 4 * std::sqrt(1.75 - 1.25 * 1.25) / draws);
    expect_equilibrium(systems, -0.5);
}

// Masses 2:1.  Each cluster has -M^2 / 2 R of potential energy, R = 1 and 2^(-1/3); their centres
// are at the apocentre of an orbit with energy -1/2a = -(1 + e)/2d.
TEST(Two, clusters_are_on_their_orbit)
{
    const double d = 12, e = 0.4;
    const auto all = make_model("two:q=0.5,d=12,e=0.4", 6000, 3).bodies;
    std::vector<Body> cluster[2] = {{all.begin(), all.begin() + 4000},
                                    {all.begin() + 4000, all.end()}};
    const double mass[2] = {2.0 / 3, 1.0 / 3}, size[2] = {1, std::cbrt(0.5)};
    double x[2][3] = {}, v[2][3] = {};
    for (int k : {0, 1}) {
        for (const Body &b : cluster[k])
            for (int n = 0; n < 3; n++) {
                x[k][n] += b.mass / mass[k] * b.x[n];
                v[k][n] += b.mass / mass[k] * b.v[n];
            }
        for (Body &b : cluster[k])
            for (int n = 0; n < 3; n++) {
                b.x[n] -= x[k][n];
                b.v[n] -= v[k][n];
            }
        expect_equilibrium(cluster[k], -mass[k] * mass[k] / (2 * size[k]));
    }
    for (int n = 0; n < 3; n++) {
        x[0][n] -= x[1][n];
        v[0][n] -= v[1][n];
    }
    EXPECT_NEAR(dot(x[0], x[0]), d * d, 1e-9);
    EXPECT_NEAR(dot(x[0], v[0]), 0, 1e-12);
    EXPECT_NEAR(dot(v[0], v[0]) / 2 - 1 / d, -(1 + e) / (2 * d), 1e-12);
    // The second cluster is not the first one of the next seed.
    const auto one = make_model("two", 4, 1).bodies, next = make_model("two", 4, 2).bodies;
    EXPECT_GT(std::fabs((one[3].x[2] - one[2].x[2]) - (next[1].x[2] - next[0].x[2])), 1e-3);
}

}  // namespace
