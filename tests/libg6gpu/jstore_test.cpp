// SPDX-License-Identifier: MIT
// The host's copy of the j-particles against a plain map, in random orders of writes, sends and
// rewinds.
#include "libg6gpu/particles/jstore_many.h"

#include "tests/systems.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace g6test {
namespace {

using g6::JStore;

void write_at_rest(g6::JStore &store, int address, double value, bool point_call = true)
{
    const double x[3] = {value, 0, 0};
    store.write_point(address, x, 1, address, point_call);
}

void write(g6::JStore &store, int address, double value, bool point = false)
{
    if (point) return write_at_rest(store, address, value);
    G6JRecord &r = store.write(address);
    const int slot = r.slot;
    r = G6JRecord{};
    r.slot = slot;
    r.x[0] = value;
    r.mass = 1;
    r.index = address;
}

// As a client's call with many particles does.
template <class Record, class Address, class Fill>
void write_many(g6::JStore &store, int n, const Address &address, const Fill &fill)
{
    g6::JStore::ManyAddresses all;
    for (int k = 0; k < n; ++k) all.add(k, address, store);
    store.write_many<Record>(n, all, address, fill);
}

using Values = std::map<int, double>;

// The log, where it has all that is dirty, has it in the order of the addresses.
void expect_right_log(const JStore &store)
{
    const G6JRecord *log = store.dirty_log();
    for (size_t k = 0; log && k < store.dirty().size(); ++k)
        ASSERT_EQ(log[k].x[0], store.record(store.dirty()[k]).x[0]) << k;
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

// All particles in the order of their slots, as a code with equal steps writes them; between two such
// rounds some are written, as records or points, and some are added.
TEST(JStore, of_all_particles_in_their_order_takes_the_log_for_its_slots)
{
    Random random(4);
    for (int size : {1, 700, 1024, 1025, 3000}) {
        JStore store;
        Values truth, device;
        for (int round = 0, n = size; round < 12; ++round) {
            const auto value = [&](int k) { return round + k / 4096.0; };
            const auto itself = [](int k) { return k; };
            g6::JStore::ManyAddresses all;
            for (int k = 0; k < n; ++k) all.add(k, itself, store);
            const auto fill = [&](int k, G6JRecord &r) {
                r = {{value(k)}, {}, {}, {}, {}, 1, 0, k, r.slot};
            };
            auto ahead = store.write_ahead<G6JRecord>(n);
            for (int k = 0; ahead && k < n; ++k) ahead.fill(k, fill);
            store.write_many<G6JRecord>(n, all, itself, fill, ahead);
            for (int k = 0; k < n; ++k) truth[k] = value(k);
            for (int more = round % 3; more > 0; --more) {  // then the log has other addresses, too
                const int a = random.below(n + 2);
                write(store, a, -1 - round, random.below(2)), truth[a] = -1 - round;
                n = std::max(n, a + 1);
            }
            for (int a = n - 1; a >= 0; --a)
                if (!truth.count(a)) write(store, a, 0.5), truth[a] = 0.5;
            send(store, device);
            expect_holds(store, truth);
            ASSERT_EQ(device, truth);
            write(store, 0, -0.25);
            store.rewind();
            expect_holds(store, truth);
            store.replay();
            truth[0] = -0.25;
            expect_holds(store, truth);
            if (round % 4) send(store, device);
        }
    }
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

// 1/1000 is off by 4.7e-8 in float; scaled by the first mass, equal masses are 1 to a rounding of
// double.
TEST(JStore, float_masses_are_scaled_by_the_first_unless_that_is_far_from_the_rest)
{
    JStore store;
    for (int a = 0; a < 300; ++a) store.write(a).mass = 1e-3;
    EXPECT_EQ(static_cast<float>(1e-3 * store.scale(300, true).mass), 1.0f);
    for (double first : {1e-30, 0.0}) {
        store.write(0).mass = first;
        EXPECT_EQ(store.scale(300, true).mass, store.scale(300, false).mass);
    }
}

}  // namespace
}  // namespace g6test
