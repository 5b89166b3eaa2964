// SPDX-License-Identifier: MIT
// The host's copy of the j-particles against a plain map, in random orders of writes, sends and
// rewinds.
#include "jstore_writes.h"

#include "libg6gpu/base/status.h"
#include "tests/systems.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <unistd.h>

namespace g6test {
namespace {

using g6::Addresses;
using g6::JStore;

TEST(JStore, keeps_all_records_while_it_grows)
{
    JStore store;
    for (int a = 0; a < 100000; ++a) write(store, a, a);
    EXPECT_EQ(store.high_water(), 100000);
    for (int a = 0; a < 100000; ++a) ASSERT_EQ(store.record(a).x[0], a);
}

// Addresses on both sides of each power of two, where memory grows.
TEST(JStore, slots_below_the_highest_are_empty_until_written)
{
    for (int address : {0, 1, 1023, 1024, 1025, 2047, 2048, 2049, 65535, 65536, 65537}) {
        JStore store;
        write(store, address, 1);
        EXPECT_EQ(store.high_water(), address + 1);
        for (int a = 0; a < address; ++a) ASSERT_FALSE(store.written(a));
        EXPECT_TRUE(store.written(address));
        EXPECT_FALSE(store.written(address + 1));
        EXPECT_EQ(store.dirty(), g6::Addresses{address});
    }
}

TEST(JStore, dirty_holds_each_address_once_in_the_order_of_first_writing)
{
    JStore store;
    for (int a : {5, 2, 5, 9, 2, 0}) write(store, a, a);
    EXPECT_EQ(store.dirty(), (g6::Addresses{5, 2, 9, 0}));
    store.commit();
    EXPECT_TRUE(store.dirty().empty());
    write(store, 9, 1);
    EXPECT_EQ(store.dirty(), g6::Addresses{9});
    store.mark_all_dirty();
    EXPECT_EQ(store.dirty(), (g6::Addresses{0, 2, 5, 9}));
}

TEST(JStore, clear_forgets_everything)
{
    JStore store;
    for (int a = 0; a < 3000; ++a) write(store, a, a);
    store.note_motion(g6::Motion::kQuartic);
    store.clear();
    EXPECT_EQ(store.high_water(), 0);
    EXPECT_TRUE(store.dirty().empty());
    EXPECT_EQ(store.motion(), g6::Motion::kAtRest);
    write(store, 2000, 1, true);
    for (int a = 0; a < 2000; ++a) ASSERT_FALSE(store.written(a));
    EXPECT_TRUE(store.all_by_point_calls());
}

using Values = std::map<int, double>;

// The log, where it has all that is dirty, has it in the order of the addresses.
void expect_right_log(const JStore &store)
{
    const G6JRecord *log = store.dirty_log();
    for (size_t k = 0; log && k < store.dirty().size(); ++k)
        ASSERT_EQ(log[k].x[0], store.record(store.dirty()[k]).x[0]) << k;
}

TEST(JStore, has_the_dirty_records_in_its_log_when_all_came_as_records_to_committed_slots)
{
    JStore store;
    for (int a : {0, 1, 2, 3}) write(store, a, a);
    EXPECT_EQ(store.dirty_log(), nullptr);  // new slots are written in place
    store.commit();
    for (int a : {3, 1, 3}) write(store, a, 10 + a);
    ASSERT_NE(store.dirty_log(), nullptr);
    expect_right_log(store);
    write(store, 2, 12, true);
    EXPECT_EQ(store.dirty_log(), nullptr);
    store.commit();
    write(store, 0, 20);
    g6::Addresses also{1};
    store.mark_dirty(also);
    EXPECT_EQ(store.dirty_log(), nullptr);
}

// What a device holds that received every dirty record.
void send(JStore &store, Values &device)
{
    expect_right_log(store);
    for (int a : store.dirty()) device[a] = store.record(a).x[0];
    store.commit();
}

void expect_holds(const JStore &store, const Values &expected)
{
    int written = 0;
    for (int a = 0; a < store.high_water(); ++a) written += store.written(a);
    ASSERT_EQ(written, int(expected.size()));
    for (const auto &[a, value] : expected) {
        ASSERT_TRUE(store.written(a)) << a;
        ASSERT_EQ(store.record(a).x[0], value) << a;
    }
}

// Rewinding gives the state of the last commit to an empty device, replaying brings that device to
// the present; twice, as when a second device fails in the same block.
TEST(JStore, rewinds_to_the_last_commit_and_replays)
{
    Random random(1);
    JStore store;
    Values truth, device;
    for (int round = 0; round < 100; ++round) {
        for (int k = random.below(20); k >= 0; --k) {
            const int a = random.below(60 + round);
            write(store, a, round + k / 64.0, random.below(2)), truth[a] = round + k / 64.0;
        }
        send(store, device);
        ASSERT_EQ(device, truth);
        const Values at_start = truth;
        for (int loss = random.below(3); loss > 0; --loss) {
            for (int k = random.below(10); k > 0; --k) {
                const int a = random.below(80 + round);
                write(store, a, -round - k / 64.0, random.below(2));
                truth[a] = -round - k / 64.0;
            }
            Values fresh;
            store.rewind();
            expect_holds(store, at_start);
            store.mark_all_dirty();
            send(store, fresh);
            ASSERT_EQ(fresh, at_start);
            store.replay();
            expect_holds(store, truth);
            device = fresh;
        }
    }
    send(store, device);
    EXPECT_EQ(device, truth);
}

// A treecode writes all particles as points again and again.  In between some are written as points
// or as records, new ones come, and a lost device has the last commit sent anew.
TEST(JStore, points_that_fill_all_slots_are_kept_beside_other_writes)
{
    Random random(3);
    JStore store;
    store.use_threads(4);
    Values truth, at_commit;
    std::map<int, bool> point, point_at_commit;
    const auto value_of = [](int round, int k) { return round + k / 65536.0; };
    const auto note = [&](int a, double value, bool is_point) {
        truth[a] = value;
        point[a] = is_point;
    };
    const auto expect_all = [&](const Values &values, const std::map<int, bool> &points) {
        expect_holds(store, values);
        for (const auto &[a, is_point] : points) ASSERT_EQ(store.is_point(a), is_point) << a;
    };
    for (int round = 0; round < 200; ++round) {
        const int n = store.high_water();
        switch (random.below(5)) {
        case 0:
        case 1:
            if (random.below(2)) {
                write_many<G6JPoint>(
                    store, n, [](int k) { return k; },
                    [&](int k, G6JPoint &p) {
                        p = {{value_of(round, k), 0, 0}, 1, k, 0};
                    });
            } else {
                for (int a = 0; a < n; ++a) write_at_rest(store, a, value_of(round, a), true);
            }
            for (int a = 0; a < n; ++a) note(a, value_of(round, a), true);
            break;
        case 2:
        case 3:
            for (int k = random.below(4); k >= 0 && n > 0; --k) {
                const int a = random.below(n);
                const bool as_point = random.below(2);
                as_point ? write_at_rest(store, a, value_of(round, a), true)
                         : write(store, a, value_of(round, a));
                note(a, value_of(round, a), as_point);
            }
            break;
        default:
            write_at_rest(store, n + random.below(2), value_of(round, n), true);
            note(store.high_water() - 1, value_of(round, n), true);
        }
        expect_all(truth, point);
        if (random.below(3) == 0) {
            store.rewind();
            expect_all(at_commit, point_at_commit);
            store.mark_all_dirty();
            ASSERT_EQ(store.dirty().size(), at_commit.size());
            store.commit();
            store.replay();
            expect_all(truth, point);
        }
        if (random.below(2) == 0) continue;
        store.commit();
        expect_all(truth, point);
        at_commit = truth;
        point_at_commit = point;
    }
}

TEST(JStore, address_that_no_count_reaches_is_refused_and_changes_nothing)
{
    JStore store;
    write(store, 3, 1);
    EXPECT_THROW(store.write(std::numeric_limits<int>::max()), g6::Error);
    EXPECT_EQ(store.high_water(), 4);
    EXPECT_EQ(store.dirty(), g6::Addresses{3});
}

// 300 GB: refused with a status, not granted by the system and fatal when it is used.
TEST(JStore, more_slots_than_the_machine_has_memory_for_are_refused)
{
    const double bytes = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
    if (bytes > 250e9) GTEST_SKIP() << "this machine has memory for 2^31 particles";
    JStore store;
    write(store, 3, 1);
    try {
        store.write(2147483646);
        FAIL() << "granted";
    } catch (const g6::Error &e) {
        EXPECT_EQ(e.status(), G6_ERR_MEMORY) << e.what();
    }
    EXPECT_EQ(store.high_water(), 4);
    EXPECT_TRUE(store.written(3));
}

TEST(JStore, marked_addresses_are_dirty_once)
{
    JStore store;
    for (int a = 0; a < 10; ++a) write(store, a, a);
    store.commit();
    write(store, 7, 70);
    g6::Addresses marked = {3, 7, 1, 3, 3};
    store.mark_dirty(marked);
    EXPECT_EQ(store.dirty(), (g6::Addresses{7, 1, 3}));
    for (int a : store.dirty()) EXPECT_EQ(store.record(a).x[0], a == 7 ? 70 : a);
    store.commit();
    write(store, 3, 30);
    EXPECT_EQ(store.dirty(), g6::Addresses{3});
}

}  // namespace
}  // namespace g6test
