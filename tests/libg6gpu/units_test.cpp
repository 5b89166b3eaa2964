// SPDX-License-Identifier: MIT
// Masses in device units, and the conversion of sums in device units to results in the caller's
// units (libg6gpu/formulas/units.h).
#include "tree_systems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using Real = long double;  // its range holds any product here

// A factor of struct Scale, up to the largest that StoreUnits gives: lengths and velocities have
// powers of two.
double random_factor(std::mt19937 &random, int most)
{
    return std::ldexp(1.0, std::uniform_int_distribution<int>(-most, most)(random));
}

// Whether the value is a normal double, with some room to the ends of the range.
bool is_in_range(Real value)
{
    return std::fabs(value) > 0x1p-1020L && std::fabs(value) < 0x1p1020L;
}

// Sums up to the ends of double's range, whose results may be within it or not.  The units' product
// is exact, so that a result has one rounding.
TEST(Units, a_result_overflows_or_vanishes_only_where_it_is_out_of_range)
{
    std::mt19937 random(1);
    int in_range = 0;
    for (int k = 0; k < 100000; k++) {
        const double length = random_factor(random, 199), velocity = random_factor(random, 199),
                     mass = random_factor(random, 224),
                     value = (random() % 2 ? 1.25 : -1.25) * random_factor(random, 1000);
        const Real pot = Real(value) * length / mass, acc = pot * length,
                   jerk = acc * length / velocity, r2 = Real(value) / length / length;
        SCOPED_TRACE(testing::Message()
                     << value << ", factors " << length << ", " << mass << ", " << velocity);
        const G6Units units = g6::units_of({length, mass, velocity});
        const double sum[3] = {value, value, value};
        G6Sums out{};
        g6_put_result(out, units, sum, sum, value);
        const auto check = [&](double got, Real wanted) {
            if (is_in_range(wanted)) {
                ASSERT_EQ(got, wanted);
            } else if (std::fabs(wanted) > 1) {
                ASSERT_GT(std::fabs(got), 0x1p1019);
            } else {
                ASSERT_LT(std::fabs(got), 0x1p-1019);
            }
            in_range += is_in_range(wanted);
        };
        check(out.acc[2], acc);
        check(out.jerk[2], jerk);
        check(out.pot, -pot);
        check(value * units.r2, r2);
        ASSERT_EQ(0 * units.jerk, 0);
    }
    EXPECT_GT(in_range, 100000);
}

// 1/1000 is off by 4.7e-8 in float; scaled by the first mass, equal masses are 1 to a rounding of
// double.
TEST(Units, of_float_masses_are_the_first_mass_unless_that_is_far_from_the_rest)
{
    g6test::Tree system;
    const auto set_mass = [&](int k, double mass) {
        system.write(k, g6test::body_at(k, {1, 0, 0}, mass));
    };
    for (int k = 0; k < 300; ++k) set_mass(k, 1e-3);
    EXPECT_EQ(static_cast<float>(1e-3 * system.store.scale(300, true).mass), 1.0f);
    for (double first : {1e-30, 0.0}) {
        set_mass(0, first);
        EXPECT_EQ(system.store.scale(300, true).mass, system.store.scale(300, false).mass);
    }
}

}  // namespace
