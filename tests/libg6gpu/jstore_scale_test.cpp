// SPDX-License-Identifier: MIT
// The units in which devices compute, from a sample of the particles of the store.
#include "jstore_writes.h"
#include "tests/systems.h"

#include <cmath>
#include <gtest/gtest.h>

namespace g6test {
namespace {

using g6::JStore;

double exponent_of(double factor)
{
    int e = 0;
    EXPECT_EQ(std::frexp(factor, &e), 0.5) << "not a power of two";
    return e - 1;
}

TEST(JStore, scale_is_one_in_n_body_units_and_brings_others_near_one)
{
    for (double unit : {1.0, 1e-3, 1e3, 1e21, 1e-15, 1e33}) {
        JStore store;
        for (int a = 0; a < 300; ++a) {
            write(store, a, unit * (1 + a % 7));
            G6JRecord &r = store.write(a);
            r.mass = unit, r.v[2] = unit;
        }
        const g6::Scale s = store.scale(300, false);
        exponent_of(s.length);
        EXPECT_LE(std::fabs(std::log2(s.length * unit)), 6);
        EXPECT_TRUE(unit != 1 || s.length == 1);
        for (double factor : {s.mass, s.velocity}) {
            exponent_of(factor);
            EXPECT_LE(std::fabs(std::log2(factor * unit)), 26);
            EXPECT_TRUE(std::fabs(std::log2(unit)) > 20 || factor == 1) << factor;
        }
    }
}

// Particles in few of the slots, whichever these are: cgs units in every tenth slot, or at the end.
TEST(JStore, scale_is_that_of_the_particles_wherever_they_are)
{
    for (int first : {0, 5, 9}) {
        JStore store;
        for (int k = 0; k < 129; ++k) {
            write(store, 10 * k + first, 3e18);
            G6JRecord &r = store.write(10 * k + first);
            r.mass = 2e33, r.v[0] = 1e5;
        }
        const g6::Scale s = store.scale(1290, false);
        EXPECT_EQ(s.length, std::ldexp(1.0, -std::ilogb(3e18)));
        EXPECT_EQ(s.mass, std::ldexp(1.0, -std::ilogb(2e33)));
    }
    JStore store;
    write(store, 99999, 3e18);
    EXPECT_EQ(store.scale(100000, false).length, std::ldexp(1.0, -std::ilogb(3e18)));
    EXPECT_EQ(store.scale(99999, false).length, 1);  // nobody is there
}

// A particle whose sizes are noted, as the calls of the library do it.
void put(JStore &store, int address, double x, double mass, double v)
{
    write(store, address, x);
    G6JRecord &r = store.write(address);
    r.mass = mass, r.v[1] = v;
    store.units().note(mass, v, x);
}

// A massive black hole, also in cgs units, among test particles, which have no mass or next to
// none: the sample of the thousand lacks it.
TEST(JStore, scale_has_a_black_hole_beside_test_particles_in_the_range_of_float)
{
    for (double tracer : {0.0, 1e-36, 1e-30, 1e-10, 1.0})
        for (double heavy : {1.0, 1e6, 1e10, 1e43}) {
            JStore store;
            for (int a = 0; a < 1000; ++a) put(store, a, 1, a == 777 ? heavy : tracer, 1);
            const g6::Scale s = store.scale(1000, false);
            if (tracer > 0 && heavy / tracer > 0x1p121) {
                EXPECT_FALSE(store.units().fit());
                continue;
            }
            EXPECT_TRUE(store.units().fit()) << tracer << " " << heavy;
            EXPECT_LT(heavy * s.mass, 0x1p61);
            EXPECT_GE(heavy * s.mass, 0x1p-24);
            EXPECT_TRUE(tracer == 0 || tracer * s.mass >= 0x1p-61);
        }
}

// Escapers, or places where a code keeps particles that it does not use.
TEST(JStore, scale_has_the_farthest_particle_within_reach)
{
    JStore store;
    for (int a = 0; a < 1000; ++a) put(store, a, 1, 1, 1);
    for (double x : {1e6, 1e10, 1e15, 1e20}) {
        put(store, 5, x, 1, 1);
        put(store, 1000, 1, 1, 1);
        const g6::Scale s = store.scale(store.high_water(), true);
        EXPECT_TRUE(store.units().fit());
        EXPECT_LT(x * s.length, 0x1p35);
        EXPECT_TRUE(x > 0x1p34 || s.length == 1);
    }
}

// A cold clump far inside its softening.
TEST(JStore, scale_has_a_long_softening_within_reach)
{
    JStore store;
    for (int a = 0; a < 100; ++a) put(store, a, 1, 1, 1);
    for (double eps : {1e-9, 1.0, 1e6, 1e9, 1e17}) {
        const g6::Scale s = store.scale(100, true, {1, 1, eps});
        EXPECT_TRUE(store.units().fit());
        EXPECT_LT(eps * s.length, 0x1p21);
        EXPECT_TRUE(eps > 1e6 || s.length == 1);
    }
    store.scale(100, true, {1, 1, 1e19});
    EXPECT_FALSE(store.units().fit());
}

// No unit has both ends.
TEST(JStore, scale_does_not_fit_values_that_span_too_many_powers_of_ten)
{
    JStore store;
    for (int a = 0; a < 100; ++a) put(store, a, 1, 1, 1);
    store.scale(100, true);
    EXPECT_TRUE(store.units().fit());
    const double beyond[3][3] = {{1e30, 1, 1}, {1, 1e45, 1}, {1, 1, 1e45}};
    for (const auto &b : beyond) {
        put(store, 7, b[0], b[1], b[2]);
        store.scale(100, true);
        EXPECT_FALSE(store.units().fit());
        put(store, 7, 1, 1, 1);
        store.scale(100, true);
        EXPECT_TRUE(store.units().fit()) << "that particle is gone";
    }
    for (double unit : {1e70, 1e-70})
        for (int kind = 0; kind < 3; ++kind) {
            JStore other;
            for (int a = 0; a < 100; ++a)
                put(other, a, kind == 0 ? unit : 1, kind == 1 ? unit : 1, kind == 2 ? unit : 1);
            other.scale(100, true);
            EXPECT_FALSE(other.units().fit()) << unit << " " << kind;
        }
}

// 1/1000 is off by 4.7e-8 in float; scaled by the first mass, equal masses are 1 to a rounding of
// double.
TEST(JStore, float_masses_are_scaled_by_the_first_unless_that_is_far_from_the_rest)
{
    JStore store;
    for (int a = 0; a < 300; ++a) store.write(a).mass = 1e-3;
    EXPECT_EQ(static_cast<float>(1e-3 * store.scale(300, true).mass), 1.0f);
    store.write(0).mass = 1e-30;
    EXPECT_EQ(store.scale(300, true).mass, store.scale(300, false).mass);
    store.write(0).mass = 0;
    EXPECT_EQ(store.scale(300, true).mass, store.scale(300, false).mass);
}

// j-particles that tell no length or velocity: a star at the origin, at rest.
TEST(JStore, scale_is_that_of_the_i_particles_where_no_j_particle_tells_one)
{
    JStore store;
    put(store, 0, 0, 2e33, 0);
    const g6::Scale s = store.scale(1, false, {1e13, 1e-20});
    EXPECT_EQ(s.length, std::ldexp(1.0, -std::ilogb(1e13)));
    EXPECT_EQ(s.velocity, std::ldexp(1.0, -std::ilogb(1e-20)));
    put(store, 1, 1e3, 1, 1e6);
    EXPECT_EQ(store.scale(2, false, {1e13, 1e-20}).velocity, 1);
}

}  // namespace
}  // namespace g6test
