// SPDX-License-Identifier: MIT
// Masses in device units, and from sums in device units to results in the caller's units
// (libg6gpu/formulas/units.h).
#include "tree_systems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using Real = long double;  // its range holds any product of four doubles

struct Sum {
    double value;
    G6Units units;
};

// A sum and factors, all of which may be near the ends of double's range.  The factors are powers
// of two, so that a product of them is exact.
Sum random_sum(std::mt19937 &random)
{
    const auto factor = [&](int most) {
        return std::ldexp(1.0, std::uniform_int_distribution<int>(-most, most)(random));
    };
    const double sign = random() % 2 ? 1 : -1;
    return {sign * 1.25 * factor(1000), {factor(600), factor(1000), factor(1000), 1}};
}

// Whether the value is a normal double, with some room to the ends of the range.
bool is_in_range(Real value)
{
    return std::fabs(value) > 0x1p-1020L && std::fabs(value) < 0x1p1020L;
}

TEST(Units, a_result_overflows_or_vanishes_only_where_it_is_out_of_range)
{
    std::mt19937 random(1);
    int in_range = 0;
    for (int k = 0; k < 100000; k++) {
        const Sum s = random_sum(random);
        const Real acc = Real(s.value) * s.units.length * s.units.pot, jerk = acc * s.units.rate;
        SCOPED_TRACE(testing::Message() << s.value << " * " << s.units.rate << " * "
                                        << s.units.length << " * " << s.units.pot);
        if (is_in_range(acc)) {
            ASSERT_EQ(g6_result_acc(s.units, s.value), acc);
        }
        if (is_in_range(jerk)) {
            ASSERT_EQ(g6_result_jerk(s.units, s.value), jerk);
        }
        in_range += is_in_range(acc) && is_in_range(jerk);
    }
    EXPECT_GT(in_range, 10000);
}

TEST(Units, a_sum_of_zero_stays_zero)
{
    const G6Units largest = g6_units(1, 0x1p-1000, 0x1p-1000);
    EXPECT_EQ(g6_result_jerk(largest, 0), 0);
    EXPECT_EQ(g6_result_acc(largest, 0), 0);
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
