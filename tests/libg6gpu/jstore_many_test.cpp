// SPDX-License-Identifier: MIT
// JStore::write_many(): a call with many particles is as good as many calls.
#include "jstore_writes.h"

#include "libg6gpu/base/status.h"
#include "tests/systems.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace g6test {
namespace {

using g6::JStore;

// write_many() against write() in a loop: addresses that come twice in a call, that were written
// since the last commit, that lie beyond the end; few, and so many that several threads fill them.
TEST(JStore, many_writes_of_one_call_are_as_if_made_one_by_one)
{
    Random random(2);
    JStore store, expected;
    for (JStore *s : {&store, &expected}) s->use_threads(4);
    for (int round = 0; round < 60; ++round) {
        const int n = round % 3 ? random.below(30) : 4096 + random.below(4096);
        const int range = 1 + random.below(round % 2 ? 20 : 30000);
        const bool at_rest = round % 5 == 0, distinct = round % 4 == 0;
        std::vector<int> address;
        for (int k = 0; k < n; ++k)
            address.push_back(distinct ? 3 * k + round : random.below(range));
        if (round % 7 == 3) std::sort(address.begin(), address.end());
        if (round % 8 == 0) std::reverse(address.begin(), address.end());
        const auto at = [&](int k) { return address[static_cast<std::size_t>(k)]; };
        const auto fill = [&](int k, auto &r) {
            const int slot = r.slot;
            r = {};
            r.slot = slot;
            r.x[0] = round + k / 65536.0;
            r.mass = 1;
            r.index = at(k);
        };
        at_rest ? write_many<G6JPoint>(store, n, at, fill)
                : write_many<G6JRecord>(store, n, at, fill);
        for (int k = 0; k < n; ++k)
            if (at_rest)
                write_at_rest(expected, at(k), round + k / 65536.0, false);
            else
                write(expected, at(k), round + k / 65536.0);
        ASSERT_EQ(store.dirty(), expected.dirty());
        ASSERT_EQ(store.high_water(), expected.high_water());
        ASSERT_EQ(store.revision(), expected.revision());
        ASSERT_EQ(store.all_by_point_calls(), expected.all_by_point_calls());
        for (int a = 0; a < store.high_water(); ++a) {
            ASSERT_EQ(store.written(a), expected.written(a)) << a;
            if (!store.written(a)) continue;
            ASSERT_EQ(store.record(a).x[0], expected.record(a).x[0]) << a;
            ASSERT_EQ(store.record(a).index, a);
            ASSERT_EQ(store.is_point(a), expected.is_point(a)) << a;
            if (!store.is_point(a)) continue;
            ASSERT_EQ(store.point(a).x[0], store.record(a).x[0]) << a;
        }
        for (int a : store.dirty())
            ASSERT_TRUE(store.is_point(a) ? store.any_dirty_point() : store.any_dirty_record());
        if (random.below(2))
            for (JStore *s : {&store, &expected}) s->commit();
    }
}

// What a device gets of a particle at rest is short, but the particle did not come by a
// mass-and-position-only call, which would choose mode treeonly.
TEST(JStore, many_writes_at_rest_are_points_to_devices_alone)
{
    JStore store;
    const auto three_from = [](int first) { return [=](int k) { return first + k; }; };
    const auto fill = [](int k, auto &r) { r.mass = k; };
    write_many<G6JPoint>(store, 3, three_from(0), fill);
    EXPECT_TRUE(store.is_point(2));
    EXPECT_TRUE(store.any_dirty_point() && !store.any_dirty_record() &&
                !store.all_by_point_calls());
    write_many<G6JRecord>(store, 3, three_from(2), fill);
    EXPECT_TRUE(store.is_point(1) && !store.is_point(2));
    EXPECT_TRUE(store.any_dirty_point() && store.any_dirty_record() && !store.all_by_point_calls());
    store.commit();
    write_many<G6JRecord>(store, 3, three_from(0), fill);
    EXPECT_FALSE(store.any_dirty_point());  // what was sent does not count
}

TEST(JStore, many_writes_of_which_one_has_no_room_change_nothing)
{
    JStore store;
    write(store, 3, 1);
    const int addresses[] = {5, std::numeric_limits<int>::max(), 6};
    const auto at = [&](int k) { return addresses[k]; };
    const auto fill = [](int, auto &) {};
    EXPECT_THROW(write_many<G6JRecord>(store, 3, at, fill), g6::Error);
    EXPECT_THROW(write_many<G6JPoint>(store, 3, at, fill), g6::Error);
    EXPECT_EQ(store.high_water(), 4);
    EXPECT_EQ(store.dirty(), g6::Addresses{3});
}

}  // namespace
}  // namespace g6test
