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

// Devices measure velocities from the common one, and take them up to 2^62 units (range.h).
TEST(CommonVelocityOf, a_store_leaves_room_for_velocities_against_it)
{
    g6::JStore store;
    fill(store, 300, {0x1p59, 0, 0}, 1);
    store.write(299).v[0] = -0x1p59;
    const g6::Scale scale = store.scale(300, true);
    ASSERT_NEAR(scale.common_velocity[0], 0x1p59, 2);
    EXPECT_LT(0x1p60 * scale.velocity, 0x1p61);
}

// The particles of the slots that act decide.
TEST(CommonVelocityOf, a_store_is_that_of_the_slots_that_act)
{
    g6::JStore store;
    fill(store, 300, {1000, 0, 0}, 1);
    for (int a = 300; a < 330; ++a) write(store, a, 1);  // at rest
    EXPECT_NE(store.scale(300, true).common_velocity[0], 0);
    EXPECT_EQ(store.scale(330, true).common_velocity[0], 0);
}

// The median difference is in the range of float.
TEST(CommonVelocityOf, a_store_with_one_very_fast_particle_is_not_used)
{
    g6::JStore store;
    fill(store, 300, {1000, 0, 0}, 1);
    EXPECT_NE(store.scale(300, true).common_velocity[0], 0);
    store.write(299).v[1] = 0x1p122;
    store.units().note(1, 0x1p122, 1);
    write(store, 300, 1);
    const g6::Scale s = store.scale(301, true);
    EXPECT_EQ(s.common_velocity[0], 0);
    EXPECT_LT(0x1p122 * s.velocity, 0x1p61);
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

}  // namespace
}  // namespace g6test
