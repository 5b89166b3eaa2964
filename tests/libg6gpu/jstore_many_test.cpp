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

// Some go beyond the end, into their slots, and the others, between them, into the log.
TEST(JStore, many_writes_across_the_end_leave_what_was_committed)
{
    JStore store;
    for (int a = 0; a < 10; ++a) store.write(a).mass = a;
    store.commit();
    const int addresses[] = {12, 3, 4, 14, 5};
    const auto at = [&](int k) { return addresses[k]; };
    write_many<G6JRecord>(store, 5, at,
                          [&](int k, G6JRecord &r) { r = G6JRecord{}, r.mass = 50 + k; });
    store.rewind();
    for (int a = 0; a < 10; ++a) EXPECT_EQ(store.record(a).mass, a) << a;
    EXPECT_FALSE(store.written(12));
    store.replay();
    for (int k = 0; k < 5; ++k) EXPECT_EQ(store.record(addresses[k]).mass, 50 + k) << k;
}

// Of the address that comes twice the log has two records.  Once a new particle is dirty too, there
// are as many records as dirty particles, but they do not belong to each other.
TEST(JStore, a_log_with_two_records_of_one_address_does_not_count_as_that_of_the_dirty_ones)
{
    constexpr int kMany = 10000;
    JStore store;
    store.use_threads(4);
    for (int a = 0; a < kMany; ++a) write(store, a, -1);
    store.commit();
    const auto at = [&](int k) { return k == 20 ? 10 : k; };
    write_many<G6JRecord>(store, kMany, at, [&](int k, G6JRecord &r) {
        r = {};
        r.x[0] = k;
    });
    write(store, kMany, kMany);
    ASSERT_EQ(store.dirty().size(), static_cast<std::size_t>(kMany));
    const G6JRecord *log = store.dirty_log();
    for (std::size_t k = 0; log && k < store.dirty().size(); ++k)
        ASSERT_EQ(log[k].x[0], store.record(store.dirty()[k]).x[0]) << k;
    store.commit();
    write(store, 3, 30);
    EXPECT_NE(store.dirty_log(), nullptr);
}

// So many that several threads write, in no order, after a commit: of the address that comes twice
// the last one stays, and its place in dirty() is that of the first.
TEST(JStore, many_writes_in_no_order_may_have_one_address_twice)
{
    for (bool twice : {false, true})
        for (bool at_rest : {false, true}) {
            JStore store;
            store.use_threads(4);
            for (int a = 0; a < 20000; ++a) write(store, a, -1);
            store.commit();
            std::vector<int> address;
            for (int k = 0; k < 10000; ++k) address.push_back(int(7919L * k % 20000));
            if (twice) address[9000] = address[17];
            const auto at = [&](int k) { return address[static_cast<std::size_t>(k)]; };
            const auto fill = [&](int k, auto &r) {
                r = {};
                r.x[0] = k;
            };
            at_rest ? write_many<G6JPoint>(store, 10000, at, fill)
                    : write_many<G6JRecord>(store, 10000, at, fill);
            ASSERT_EQ(store.dirty().size(), twice ? 9999u : 10000u);
            g6::Addresses expected(address.begin(), address.end());
            if (twice) expected.erase(expected.begin() + 9000);
            ASSERT_EQ(store.dirty(), expected);
            for (int k = 0; k < 10000; ++k)
                ASSERT_EQ(store.record(at(k)).x[0], twice && k == 17 ? 9000 : k) << k;
            store.commit();
            for (int k = 0; k < 10000; ++k)
                ASSERT_EQ(store.record(at(k)).x[0], twice && k == 17 ? 9000 : k) << k;
        }
}

TEST(JStore, many_writes_to_a_new_store_may_have_one_address_twice)
{
    JStore store;
    const int addresses[] = {1, 1, 2};
    write_many<G6JRecord>(
        store, 3, [&](int k) { return addresses[k]; },
        [](int k, G6JRecord &r) { r = G6JRecord{}, r.mass = k; });
    EXPECT_EQ(store.dirty(), (g6::Addresses{1, 2}));
    EXPECT_EQ(store.record(1).mass, 1);
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
