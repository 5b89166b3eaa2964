// SPDX-License-Identifier: MIT
// Tests which systems have a common velocity, and when devices may measure the velocities of the
// j-particles in a store from it.
#include "libg6gpu/particles/common_velocity.h"

#include "jstore_writes.h"
#include "tests/systems.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using g6::find_common_velocity;

std::vector<Vec3> around(const Vec3 &common, int n, double size)
{
    Random random(static_cast<unsigned>(n));
    std::vector<Vec3> velocities;
    for (int k = 0; k < n; ++k) {
        const Vec3 own = random.vector(size);
        velocities.push_back({common[0] + own[0], common[1] + own[1], common[2] + own[2]});
    }
    return velocities;
}

TEST(CommonVelocityOf, random_directions_is_none)
{
    double common[3] = {5, 6, 7};
    for (int n : {2, 3, 10, 129, 1000})
        EXPECT_FALSE(find_common_velocity(around({0.5, 0, 0}, n, 1), common));
    EXPECT_FALSE(find_common_velocity({}, common));
    EXPECT_FALSE(find_common_velocity(std::vector<Vec3>(9), common));
    EXPECT_EQ(common[0], 5);
    EXPECT_EQ(common[2], 7);
}

TEST(CommonVelocityOf, particles_that_move_together_is_theirs)
{
    for (double speed : {20., 1e5, 1e13})
        for (int n : {1, 2, 3, 10, 129}) {
            double common[3];
            ASSERT_TRUE(find_common_velocity(around({speed, -speed, 3}, n, 1), common));
            EXPECT_NEAR(common[0], speed, 2);
            EXPECT_NEAR(common[1], -speed, 2);
            EXPECT_NEAR(common[2], 3, 2);
        }
}

// One in sixteen may move otherwise, in any direction and at any speed.
TEST(CommonVelocityOf, nearly_all_particles_is_theirs)
{
    double common[3];
    for (const Vec3 &other : {Vec3{0, 0, 0}, Vec3{-1e308, 1e308, 0}, Vec3{75, 0, 0}}) {
        std::vector<Vec3> velocities = around({100, 0, 0}, 160, 1);
        for (int k = 0; k < 10; ++k) velocities[16 * k] = other;
        EXPECT_TRUE(find_common_velocity(velocities, common));
        velocities[1] = other;
        EXPECT_FALSE(find_common_velocity(velocities, common));
    }
}

// The quick look never misses a common velocity, in whatever direction, and dismisses random ones.
TEST(CommonVelocityOf, directions_that_differ_is_none)
{
    const auto may_be_common = [](const std::vector<Vec3> &velocities) {
        g6::Directions directions;
        for (const Vec3 &v : velocities) directions.add(v.data());
        return directions.may_be_common();
    };
    for (const Vec3 &common : {Vec3{9, 0, 0}, Vec3{1, -9, 2}, Vec3{-3, -3, -9}}) {
        std::vector<Vec3> velocities = around(common, 32, 1);
        EXPECT_TRUE(may_be_common(velocities));
        velocities[3] = velocities[20] = {-common[0], -common[1], -common[2]};
        EXPECT_TRUE(may_be_common(velocities));
        velocities[0] = velocities[3];
        EXPECT_FALSE(may_be_common(velocities));
    }
    EXPECT_FALSE(may_be_common(around({0, 0, 0}, 129, 1)));
    EXPECT_FALSE(may_be_common({}));
    EXPECT_FALSE(may_be_common(std::vector<Vec3>(9)));
}

// A system that is accelerated a little keeps its common velocity for many steps.
TEST(CommonVelocityOf, a_system_seldom_changes)
{
    double first[3], last[3];
    int changes = 0;
    ASSERT_TRUE(find_common_velocity(around({1000, 500, 0}, 129, 1), first));
    for (int step = 1; step <= 1000; ++step) {
        ASSERT_TRUE(find_common_velocity(around({1000 + step / 1000., 500, 0}, 129, 1), last));
        changes += last[0] != first[0];
        first[0] = last[0];
    }
    // The typical difference is between 1/2 and 1, so that its power of two is 1/2.
    EXPECT_LE(changes, 3);
    EXPECT_EQ(std::remainder(last[0], 0.5), 0);
}

// Of very large and very small numbers, all equal.
TEST(CommonVelocityOf, any_numbers_is_a_number)
{
    double common[3];
    for (double speed : {1.7e308, 1e-300, 1.}) {
        ASSERT_TRUE(find_common_velocity(std::vector<Vec3>(8, {speed, -speed, 0}), common));
        EXPECT_EQ(common[0], speed);
        EXPECT_EQ(common[1], -speed);
        EXPECT_EQ(common[2], 0);
    }
    EXPECT_FALSE(find_common_velocity({{1.7e308, 0, 0}, {-1.7e308, 0, 0}}, common));
}

// A store of n particles with the velocity v, whose x component differs by up to `apart`.
void fill(g6::JStore &store, int n, const Vec3 &v, double apart)
{
    Random random(1);
    for (int a = 0; a < n; ++a) {
        write(store, a, 1);
        G6JRecord &r = store.write(a);
        r.v[0] = v[0] + random(-apart, apart), r.v[1] = v[1], r.v[2] = v[2];
        store.units().note(1, std::max(std::fabs(r.v[0]), std::fabs(v[1])), 1);
    }
}

TEST(CommonVelocityOf, a_store_is_for_float_alone)
{
    g6::JStore store;
    fill(store, 300, {0x1p70, 0, 0}, 0x1p40);
    const g6::Scale narrow = store.scale(300, true), wide = store.scale(300, false);
    EXPECT_NEAR(narrow.common_velocity[0], 0x1p70, 0x1p40);
    EXPECT_EQ(wide.common_velocity[0], 0);
    // The unit is that of the differences in float.  Half of these are within 2^38 and 3 * 2^38.
    EXPECT_GE(narrow.velocity, 0x1p-40);
    EXPECT_LE(narrow.velocity, 0x1p-38);
    EXPECT_GE(wide.velocity, 0x1p-70);
    EXPECT_LE(wide.velocity, 0x1p-69);
}

// Devices measure velocities from the common one, and take them up to 2^61 units (range.h).
TEST(CommonVelocityOf, a_store_leaves_room_for_velocities_against_it)
{
    g6::JStore store;
    fill(store, 300, {0x1p60, 0, 0}, 0x1p20);
    g6::Scale scale = store.scale(300, true);
    const double common = scale.common_velocity[0], against = -0x1.8p60;
    ASSERT_NEAR(common, 0x1p60, 0x1p20);
    store.units().bound_velocity(scale, std::fabs(against), 0);
    EXPECT_LT((common - against) * scale.velocity, 0x1p61);
}

// Only the present contents of the slots that act decide, not earlier writes.
TEST(CommonVelocityOf, a_store_follows_slow_particles_at_once)
{
    g6::JStore store;
    fill(store, 300, {1000, 0, 0}, 1);
    const auto set = [&](int address, double v) {
        write(store, address, 1);
        store.write(address).v[0] = v;
        store.units().note(1, v, 1);
    };
    const auto moves_together = [&](int nj) {
        return store.scale(nj, true).common_velocity[0] != 0;
    };
    EXPECT_TRUE(moves_together(300));
    set(320, 0);
    EXPECT_TRUE(moves_together(300));  // not in a slot that acts
    EXPECT_FALSE(moves_together(321));
    EXPECT_TRUE(moves_together(300));
    set(5, 0);
    EXPECT_FALSE(moves_together(300));
    EXPECT_FALSE(moves_together(300));
    set(5, 1000);
    EXPECT_TRUE(moves_together(300));
    set(5, 0);
    EXPECT_FALSE(moves_together(300));
    set(7, 0);
    set(5, 1000);
    EXPECT_FALSE(moves_together(300));
    set(7, 1000);
    EXPECT_TRUE(moves_together(300));
}

// The largest velocity in units of the differences is below 2^61.
TEST(CommonVelocityOf, a_store_with_one_very_fast_particle_is_not_used)
{
    g6::JStore store;
    fill(store, 300, {1000, 0, 0}, 1);
    EXPECT_NE(store.scale(300, true).common_velocity[0], 0);
    store.write(299).v[1] = 0x1p62;
    store.units().note(1, 0x1p62, 1);
    const g6::Scale s = store.scale(300, true);
    EXPECT_EQ(s.common_velocity[0], 0);
    EXPECT_LT(0x1p62 * s.velocity, 0x1p61);
}

TEST(CommonVelocityOf, a_store_is_forgotten_with_its_particles)
{
    g6::JStore store;
    fill(store, 300, {1000, 0, 0}, 1);
    EXPECT_NE(store.scale(300, true).common_velocity[0], 0);
    fill(store, 300, {0, 0, 0}, 1);
    EXPECT_EQ(store.scale(300, true).common_velocity[0], 0);
    EXPECT_EQ(store.scale(0, true).common_velocity[0], 0);
}

// There is no common velocity while particles with mass are at rest or slow: with one they would
// lose digits.
TEST(CommonVelocityOf, a_store_is_none_beside_slow_particles)
{
    for (double slow : {0., 320.}) {
        g6::JStore store;
        const auto put = [&](double mass, double speed) {
            G6JRecord &r = store.write(77);
            r.mass = mass, r.v[0] = speed, r.v[1] = 0, r.v[2] = 0;
            g6::Sizes sizes = store.units().no_sizes();
            sizes.add(mass, speed, 1);
            store.units().note(sizes);
        };
        const auto common = [&](int nj) { return store.scale(nj, true).common_velocity[0]; };
        fill(store, 300, {1000, 0, 0}, 1);
        EXPECT_NE(common(300), 0);
        put(0, slow);
        EXPECT_NE(common(300), 0);
        put(1, slow);
        EXPECT_EQ(common(300), 0);
        EXPECT_EQ(common(299), 0);  // these slots give another sample
        EXPECT_NE(common(77), 0);   // without the slow particle
        put(1, 340);
        EXPECT_NE(common(300), 0);
        store.commit();  // a later point stays a point
        store.write_point(77, store.record(77).x, 1, 78, false);
        store.units().note(1, 0, 1);
        EXPECT_EQ(common(300), 0);
        EXPECT_EQ(common(299), 0);
    }
}

}  // namespace
}  // namespace g6test
