// SPDX-License-Identifier: MIT
// First steps of systems in which a derivative of some body vanishes, compared with orbits that are
// good to 1e-8.
#include "g6run_systems.h"

#include "tools/g6run/integrator.h"

#include <g6lib.h>

#include <random>

namespace g6runtest {
namespace {

using namespace g6run;

constexpr double kPi = 3.14159265358979323846;

using Bodies = std::vector<Body>;

// `count` bodies of one mass on a circle of radius 1 about the z axis.  Turning they keep to it:
//   |a| = m sum_k 1/(4 sin(pi k/n)).
Bodies ring(int count, double mass, double turning = 1)
{
    double sum = 0;
    for (int k = 1; k < count; k++) sum += mass / (4 * std::sin(kPi * k / count));
    const double v = turning * std::sqrt(sum);
    Bodies bodies;
    for (int k = 0; k < count; k++) {
        // Bodies on opposite sides cancel to the last bit.
        const double sign = count % 2 == 0 && 2 * k >= count ? -1 : 1;
        const double angle = 2 * kPi * (sign > 0 ? k : k - count / 2) / count + 0.3;
        const double c = sign * std::cos(angle), s = sign * std::sin(angle);
        bodies.push_back(body(mass, {c, s, 0}, {-v * s, v * c, 0}));
    }
    return bodies;
}

Bodies with(Bodies bodies, const Body &more)
{
    bodies.push_back(more);
    return bodies;
}

// Lengths times `factor` at the same masses: velocities change by factor^(-1/2), times by
// factor^(3/2).
Bodies scaled(Bodies bodies, double factor)
{
    for (Body &b : bodies)
        for (int d = 0; d < 3; d++) {
            b.x[d] *= factor;
            b.v[d] /= std::sqrt(factor);
        }
    return bodies;
}

// Orbits by the classical Runge-Kutta scheme of fourth order in equal steps, twice as many until
// that changes no place by 1e-8 of the system's size.
class Orbits {
public:
    explicit Orbits(const Bodies &bodies) : start_(bodies)
    {
        for (const Body &b : bodies)
            for (double x : b.x) size_ = std::max(size_, std::fabs(x));
    }
    // False where bodies come so close that this takes more steps.
    bool move(double time, int most_steps)
    {
        end_ = moved(time, 32);
        for (int steps = 64; steps <= most_steps; steps *= 2) {
            const Bodies before = end_;
            end_ = moved(time, steps);
            if (distance(before) < 1e-8 * size_) return true;
        }
        return false;
    }
    // Largest distance of a body from its place here.
    double distance(const Bodies &bodies) const
    {
        double largest = 0;
        for (std::size_t k = 0; k < bodies.size(); k++) {
            const auto off = [&](int d) { return bodies[k].x[d] - end_[k].x[d]; };
            largest = std::max(largest, std::hypot(off(0), off(1), off(2)));
        }
        return largest;
    }
    double size() const { return size_; }

private:
    // Bodies after a time h at the rates v and a of other ones, with the accelerations there.
    static Bodies rates(const Bodies &at, double h, const Bodies &rate)
    {
        Bodies r = at;
        for (std::size_t k = 0; k < r.size(); k++)
            for (int d = 0; d < 3; d++) {
                r[k].x[d] += h * rate[k].v[d];
                r[k].v[d] += h * rate[k].a[d];
                r[k].a[d] = 0;
            }
        for (Body &i : r)
            for (const Body &j : r) {
                if (&i == &j || j.mass == 0) continue;
                const double x = j.x[0] - i.x[0], y = j.x[1] - i.x[1], z = j.x[2] - i.x[2],
                             r2 = x * x + y * y + z * z, w = j.mass / (r2 * std::sqrt(r2));
                i.a[0] += w * x, i.a[1] += w * y, i.a[2] += w * z;
            }
        return r;
    }
    Bodies moved(double time, int steps) const
    {
        const double h = time / steps;
        Bodies now = start_;
        for (int step = 0; step < steps; step++) {
            const Bodies one = rates(now, 0, now), two = rates(now, h / 2, one),
                         three = rates(now, h / 2, two), four = rates(now, h, three);
            for (std::size_t k = 0; k < now.size(); k++)
                for (int d = 0; d < 3; d++) {
                    const auto mean = [&](auto of) {
                        return (of(one[k]) + 2 * of(two[k]) + 2 * of(three[k]) + of(four[k])) / 6;
                    };
                    now[k].x[d] += h * mean([d](const Body &b) { return b.v[d]; });
                    now[k].v[d] += h * mean([d](const Body &b) { return b.a[d]; });
                }
        }
        return now;
    }

    const Bodies start_;
    Bodies end_;
    double size_ = 0;
};

// Random symmetric systems: up to four bodies and their images (none, mirrored at the centre,
// turned by half a turn, or a ring of five), perhaps with a body at the centre, which may move; at
// rest or not; in any plane; of any size.
Bodies random_system(unsigned seed)
{
    std::mt19937_64 bits(seed);
    const auto random = [&] { return std::uniform_real_distribution<double>(-1, 1)(bits); };
    const auto chance = [&](unsigned n) { return bits() % n == 0; };
    const bool rest = chance(4), turns = chance(2), middle = !chance(4);
    const int images = std::array{1, 2, 2, 5}[bits() % 4];
    const auto velocity = [&] { return rest || chance(4) ? 0 : random(); };
    Bodies bodies;
    for (auto count = 1 + bits() % 4; count > 0; count--) {
        const double mass = chance(4) ? 0 : std::pow(10, random() - 1), x = random(), y = random(),
                     z = chance(4) ? 0 : random(), vx = velocity(), vy = velocity(),
                     vz = velocity();
        for (int k = 0; k < images; k++) {
            const double angle = 2 * kPi * k / images;
            // Two images cancel to the last bit.
            const double c = images == 2 ? 1 - 2 * k : std::cos(angle);
            const double s = images == 2 ? 0 : std::sin(angle);
            const double side = k && images == 2 && !turns ? -1 : 1;
            bodies.push_back(body(mass, {c * x - s * y, s * x + c * y, side * z},
                                  {c * vx - s * vy, s * vx + c * vy, side * vz}));
        }
    }
    const double mass = chance(2) ? 0 : 1, along = velocity();
    if (middle || bodies.size() == 1) bodies.push_back(body(mass, {0, 0, 0}, {0, 0, along}));
    for (int k = 0; k < images; k++) bodies[static_cast<std::size_t>(k)].mass += 0.1;
    double sum = 0;  // velocities are of the order of those of a fall
    for (const Body &b : bodies) sum += b.mass;
    for (Body &b : bodies)
        for (double &v : b.v) v *= std::sqrt(sum);
    return scaled(bodies, std::pow(10, 6 * random()));
}

// The run lasts as long as the fastest body, or one that falls, takes to cross half of the system.
// With steps that follow the motion a body is off by 1e-7 of the system's size, and encounters
// enlarge this error; with a step that does not, it is off by some per cent.
TEST(FirstStep, of_random_systems_with_symmetries_follows_their_orbits)
{
    int compared = 0;
    for (unsigned seed = 0; seed < 200; seed++) {
        const Bodies bodies = random_system(seed);
        Orbits exact(bodies);
        double mass = 0, speed = 0;
        for (const Body &b : bodies) {
            mass += b.mass;
            speed = std::max(speed, std::hypot(b.v[0], b.v[1], b.v[2]));
        }
        const double size = exact.size();
        const double time = power_of_two_below(size / std::max(speed, std::sqrt(mass / size)));
        if (!exact.move(time, 1024)) continue;
        for (const char *mode : {"hermite", "treewalk"}) {
            Gravity gravity("cpu", "double", mode, 0);
            Settings s;
            s.dt_max = time;
            s.dt_min = time * 0x1p-40;
            s.steps = seed % 3 ? "block" : "shared";
            Integrator run(gravity, bodies, s, 0, false);
            for (int blocks = 0; run.time() < time && blocks < 3000; blocks++) run.step();
            EXPECT_EQ(run.time(), time) << seed << mode;
            EXPECT_LT(exact.distance(run.bodies()), 2e-3 * size) << seed << mode;
            compared++;
        }
    }
    EXPECT_GT(compared, 200);
}

// Two masses of 1/2 at rest, r apart: |a| = 1/(2 r^2), no jerk, |a2| = 2 |a|/r^3.  They would have
// passed each other and gone far away in a 1024th of dt_max.
TEST(FirstStep, of_a_tight_pair_at_rest_is_that_of_its_fall)
{
    const double r = 1e-4;
    Settings s;
    s.eta_start = 0.01;
    for (const char *mode : {"hermite", "treewalk"}) {
        Gravity gravity("cpu", "double", mode, 0);
        const Integrator run(
            gravity, {body(0.5, {-r / 2, 0, 0}, {0, 0, 0}), body(0.5, {r / 2, 0, 0}, {0, 0, 0})}, s,
            0, false);
        for (const Body &b : run.bodies())
            EXPECT_EQ(b.dt, power_of_two_below(s.eta_start * std::sqrt(r * r * r / 2))) << mode;
    }
}

// In float the five terms of the force on the middle do not cancel to the last bit.  What is left
// must not cut its steps: the ring alone takes 10 blocks in a unit of time, and steps that follow
// the rounding take thousands.
TEST(FirstStep, of_a_body_at_a_centre_of_symmetry_is_no_stall)
{
    for (double mass : {0.0, 1e-3}) {
        Gravity gravity("cpu", "mixed", "hermite", 0);
        Integrator run(gravity, with(ring(5, 0.2), body(mass, {0, 0, 0}, {0, 0, 0})), Settings(), 0,
                       false);
        int blocks = 0;
        while (run.time() < 1 && blocks++ < 100) run.step();
        EXPECT_EQ(run.time(), 1);
    }
}

// The corrector finds a first step that is too long for the orbit.  The run ends, and its bodies
// are those of the start.
TEST(FirstStep, that_is_too_long_ends_the_run)
{
    const Bodies bodies = scaled(with(ring(2, 0.5), body(0, {0, 0, 0}, {0, 0, 0.2})), 0.25);
    const auto refusal = [&](const char *mode, double eta_start, double dt_min) {
        Gravity gravity("cpu", "double", mode, 0);
        Settings s;
        s.eta_start = eta_start;
        s.dt_min = dt_min;
        s.dt_max = 2;
        Integrator run(gravity, bodies, s, 0, false);
        const Bodies start = run.bodies();
        return error_of([&] {
            try {
                run.step();
            } catch (...) {
                expect_same_bits(run.bodies(), start);
                throw;
            }
        });
    };
    for (const char *mode : {"hermite", "treewalk"}) {
        EXPECT_EQ(refusal(mode, 0.025, 0x1p-40), "");
        for (const std::string &text : {refusal(mode, 8, 0x1p-40), refusal(mode, 0.025, 2)}) {
            EXPECT_NE(text.find("is too long for its orbit"), std::string::npos) << text;
            EXPECT_NE(text.find("--eta-start"), std::string::npos) << text;
        }
    }
}

}  // namespace
}  // namespace g6runtest
