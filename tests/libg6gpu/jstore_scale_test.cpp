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

// One heavy body among many light ones: its mass stays a float.
TEST(JStore, scale_keeps_the_largest_mass_and_velocity_in_the_range_of_float)
{
    JStore store;
    for (int a = 0; a < 1000; ++a) write(store, a, 1);
    const auto put = [&](int address, double mass, double v) {
        G6JRecord &r = store.write(address);
        r.mass = mass, r.v[1] = v;
        store.units().note(mass, v, 1);
    };
    for (double heavy : {1e45, 1e300}) {
        put(777, heavy, heavy);
        const g6::Scale s = store.scale(1000, false);
        EXPECT_LT(heavy * s.mass, 0x1p61);
        EXPECT_LT(heavy * s.velocity, 0x1p61);
        EXPECT_GE(heavy * s.mass, 0x1p60);
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

TEST(JStore, scale_forgets_the_largest_values_that_are_gone)
{
    JStore store;
    for (int a = 0; a < 1000; ++a) write(store, a, 1);
    const auto put = [&](double mass, double v) {
        G6JRecord &r = store.write(777);
        r.mass = mass, r.v[1] = v;
        store.units().note(mass, v, 1);
    };
    put(1e45, 1e45);
    EXPECT_LT(store.scale(1000, false).mass, 1);
    put(1, 1);
    EXPECT_EQ(store.scale(1000, false).mass, 1);
    EXPECT_EQ(store.scale(1000, false).velocity, 1);
}

}  // namespace
}  // namespace g6test
