// SPDX-License-Identifier: MIT
// The host's copy of the j-particles, compared with a plain map, in random orders of writes, sends
// and rewinds.
#include "libg6gpu/particles/jstore_many.h"

#include "tests/systems.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace g6test {
namespace {

using g6::JStore;

// A particle whose terms are `value` as far as a row of so many words goes, and 0 beyond.
struct Particle {
    double value = 0;
    int words = g6::kRestWords;

    void fill(int address, G6JRecord &row, int row_words) const
    {
        const double u[3] = {value, 0, 0}, none[3] = {0, 0, 0};
        g6::fill_row(row, row_words, address, 1, u, words > g6::kRestWords ? value : 0,
                     words > g6::kRestWords ? u : none, words > g6::kRestWords ? u : none,
                     words > g6::kLeapWords ? u : none, words > g6::kJerkWords ? u : none);
    }
    bool is(const G6JRecord &r, int address) const
    {
        G6JRecord full;
        fill(address, full, g6::kRecordWords);
        full.slot = r.slot;  // the store's own
        return std::memcmp(&r, &full, sizeof r) == 0;
    }
};

int some_words(Random &random)
{
    const int all[] = {g6::kRestWords, g6::kLeapWords, g6::kJerkWords, g6::kRecordWords};
    return all[random.below(4)];
}

void write(JStore &store, int address, const Particle &p, bool point_call = false)
{
    store.write(address, p.words, [&](G6JRecord &row, int words) { p.fill(address, row, words); });
    if (!point_call) store.note_full_call();
}

// As a client's call with many particles does: particle(k) to address(k).  ahead_words: of the rows
// that are filled in ahead; 0: none are.
template <class Address, class Of>
void write_many(JStore &store, int n, const Address &address, const Of &particle,
                int ahead_words = 0)
{
    JStore::ManyAddresses all;
    int words = g6::kRestWords;
    for (int k = 0; k < n; ++k) {
        all.add(k, address, store);
        words = std::max(words, particle(k).words);
    }
    const auto fill = [&](int k, G6JRecord &row, int row_words) {
        particle(k).fill(address(k), row, row_words);
    };
    JStore::Ahead ahead;
    if (ahead_words > 0 && n > 0)
        ahead = store.write_ahead(n, std::min(ahead_words, store.words()), address(0));
    for (int k = 0; ahead && k < n; ++k) ahead.fill(k, fill);
    store.write_many(n, words, all, address, fill, ahead);
    if (n > 0) store.note_full_call();
}

using Particles = std::map<int, Particle>;

void expect_holds(const JStore &store, const Particles &expected)
{
    int written = 0;
    for (int a = 0; a < store.high_water(); ++a) written += store.written(a);
    ASSERT_EQ(written, int(expected.size()));
    for (const auto &[a, particle] : expected) {
        ASSERT_TRUE(store.written(a)) << a;
        ASSERT_TRUE(particle.is(store.record(a), a)) << a;
    }
}

// A device that receives every dirty particle, as rows of dirty_words() words: from the log, where
// the store shows one.
struct Device {
    std::map<int, G6JRecord> particles;

    void receive(JStore &store)
    {
        const int words = store.dirty_words();
        const double *log = store.dirty_log();
        for (std::size_t k = 0; k < store.dirty().size(); ++k) {
            const int a = store.dirty()[k];
            G6JRecord copied{};
            store.copy(a, copied, words);
            particles[a] = log ? g6::record_from(g6::row_at(log, words, k), words) : copied;
            ASSERT_EQ(std::memcmp(&particles[a], &copied, sizeof copied), 0) << a;
        }
        store.begin_commit();
        ASSERT_TRUE(store.dirty().empty());
    }
    void expect_holds(const Particles &expected) const
    {
        ASSERT_EQ(particles.size(), expected.size());
        for (const auto &[a, particle] : expected)
            ASSERT_TRUE(particle.is(particles.at(a), a)) << a;
    }
};

// Rewinding gives the state of the last commit to an empty device, replaying brings that device to
// the present; twice, as when a second device fails in the same block.
TEST(JStore, rewinds_to_the_last_commit_and_replays)
{
    Random random(1);
    JStore store;
    Particles truth;
    Device device;
    for (int round = 0; round < 100; ++round) {
        const auto write_some = [&](int n, int addresses, double sign) {
            for (int k = 0; k < n; ++k) {
                const int a = random.below(addresses);
                const Particle p{sign * (round + 1 + k / 64.0), some_words(random)};
                write(store, a, p), truth[a] = p;
            }
        };
        write_some(1 + random.below(20), 60 + round, 1);
        device.receive(store);
        device.expect_holds(truth);
        const Particles at_start = truth;
        for (int loss = random.below(3); loss > 0; --loss) {
            write_some(random.below(10), 80 + round, -1);
            Device fresh;
            store.rewind();
            expect_holds(store, at_start);
            store.mark_all_dirty();
            fresh.receive(store);
            fresh.expect_holds(at_start);
            store.replay();
            expect_holds(store, truth);
            device = fresh;
        }
    }
    device.receive(store);
    device.expect_holds(truth);
}

// All particles in the order of their slots, as a code with equal steps writes them, with one call
// or one by one; between two such rounds some are written, and some are added.
TEST(JStore, holds_all_particles_that_are_written_in_the_order_of_slots)
{
    Random random(4);
    for (int size : {1, 700, 1024, 1025, 3000}) {
        JStore store;
        store.use_threads(4);
        Particles truth;
        Device device;
        for (int round = 0, n = size; round < 16; ++round) {
            const int words = round < 4 ? int{g6::kRestWords} : some_words(random);
            const auto particle = [&](int k) { return Particle{round + k / 4096.0, words}; };
            if (random.below(3))
                write_many(
                    store, n, [](int k) { return k; }, particle,
                    random.below(2) ? words : some_words(random));
            else
                for (int k = 0; k < n; ++k) write(store, k, particle(k), true);
            for (int k = 0; k < n; ++k) truth[k] = particle(k);
            for (int more = round % 3; more > 0; --more) {  // then the log has other addresses, too
                const int a = random.below(n + 2);
                truth[a] = {-1.0 - round, some_words(random)};
                write(store, a, truth[a]);
                n = std::max(n, a + 1);
            }
            for (int a = n - 1; a >= 0; --a)
                if (!truth.count(a)) truth[a] = {0.5, g6::kRestWords}, write(store, a, truth[a]);
            device.receive(store);
            expect_holds(store, truth);
            device.expect_holds(truth);
            const Particles at_commit = truth;
            truth[0] = {-0.25, some_words(random)};
            write(store, 0, truth[0]);
            store.rewind();
            expect_holds(store, at_commit);
            store.replay();
            expect_holds(store, truth);
            if (round % 4) device.receive(store);
        }
    }
}

// The memory of the slots and that of the log are exchanged while the store is small, and then it
// grows back into the blocks of memory that it had before clear().
TEST(JStore, that_was_cleared_keeps_its_slots_apart_from_its_log)
{
    JStore store;
    Particles truth;
    const auto write_all = [&](int first, int last, double value, bool falling) {
        for (int k = first; k < last; ++k) {
            const int a = falling ? first + last - 1 - k : k;
            truth[a] = {value + a / 8192.0, g6::kLeapWords};
            write(store, a, truth[a]);
        }
    };
    write_all(0, 5000, 1, false);
    store.commit();
    write_all(0, 5000, 2, false);
    store.commit();
    store.clear();
    truth.clear();
    write_all(0, 1000, 3, false);
    store.commit();
    write_all(0, 1000, 4, false);
    store.commit();
    write_all(1000, 5000, 5, false);
    store.commit();
    const Particles at_commit = truth;
    write_all(0, 5000, 6, true);
    store.rewind();
    expect_holds(store, at_commit);
    store.replay();
    expect_holds(store, truth);
    store.commit();
    expect_holds(store, truth);
}

// write_many() against write() in a loop: addresses that come twice in a call, that were written
// since the last commit, that lie beyond the end; few, and so many that several threads fill them
// where the store has several.
// One store commits at once, the other only begins to.
TEST(JStore, many_writes_of_one_call_are_as_if_made_one_by_one)
{
    Random random(2);
    JStore store, expected;
    for (int round = 0; round < 120; ++round) {
        store.use_threads(random.below(2) ? 4 : 1);
        const int n = round % 3 ? random.below(30) : 4096 + random.below(4096);
        const int range = 1 + random.below(round % 2 ? 20 : 30000);
        const bool distinct = round % 4 == 0;
        const int words = some_words(random);
        std::vector<int> address;
        for (int k = 0; k < n; ++k)
            address.push_back(distinct ? 3 * k + round : random.below(range));
        if (round % 7 == 3) std::sort(address.begin(), address.end());
        if (round % 8 == 0) std::reverse(address.begin(), address.end());
        const auto at = [&](int k) { return address[static_cast<std::size_t>(k)]; };
        const auto particle = [&](int k) { return Particle{round + k / 65536.0, words}; };
        // In one call or in three, of which each may go on behind the one before.
        const int calls = round % 2 ? 1 : 3, ahead = round % 3 ? 0 : some_words(random);
        for (int c = 0; c < calls; ++c) {
            const int first = n * c / calls, last = n * (c + 1) / calls;
            write_many(
                store, last - first, [&](int k) { return at(first + k); },
                [&](int k) { return particle(first + k); }, ahead);
        }
        for (int k = 0; k < n; ++k) write(expected, at(k), particle(k));
        ASSERT_TRUE(std::equal(store.dirty().begin(), store.dirty().end(), expected.dirty().begin(),
                               expected.dirty().end()));
        ASSERT_EQ(store.high_water(), expected.high_water());
        ASSERT_EQ(store.revision(), expected.revision());
        ASSERT_EQ(store.all_by_point_calls(), expected.all_by_point_calls());
        for (int a = 0; a < store.high_water(); ++a) {
            ASSERT_EQ(store.written(a), expected.written(a)) << a;
            const G6JRecord r = store.record(a), e = expected.record(a);
            ASSERT_EQ(std::memcmp(&r, &e, sizeof r), 0) << a;
        }
        if (random.below(2)) continue;
        store.begin_commit();
        expected.commit();
    }
}

}  // namespace
}  // namespace g6test
