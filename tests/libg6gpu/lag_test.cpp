// SPDX-License-Identifier: MIT
// When a device behind messages gets what it lacks: once the blocks without it have lost as much
// time as the sending takes.
#include "libg6gpu/core/division.h"
#include "libg6gpu/core/lag.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using namespace g6;

constexpr int kAll = 20000;

JStore store_of_many()
{
    JStore store;
    const double x[3] = {1, 2, 3};
    for (int a = 0; a < kAll; a++) {
        store.write(a, kRecordWords, false, [&](G6JRecord &row, int words) {
            fill_row(row, words, a, 0, x, 0, nullptr, nullptr, nullptr, nullptr);
        });
    }
    return store;
}

// A block takes one device 1000 us, and two 500 us and 20 us for starting one: 480 us less.  To
// send 20000 particles of 144 bytes takes 2880 us.
TEST(Lag, is_made_up_for_once_as_much_time_was_lost_as_that_takes)
{
    DeviceSpeed far{1e6, 10, 0};
    far.round_trip_us = 10;
    far.bytes_per_us = 1000;
    const Team team{far, 1, 10};
    JStore store = store_of_many();
    Lag lag;
    lag.grow(store);
    EXPECT_EQ(lag.price(kAll), kAll);
    DivisionWork work{1000, 1000000, false};
    work.changed = 0;
    const double gain = block_time(work, 1, team) - block_time(work, 2, team),
                 sending = kAll * sizeof(G6JRecord) / far.bytes_per_us;
    int blocks = 0;
    for (;; blocks++) {
        ASSERT_LT(blocks, 1000);
        work.lacking = {0, lag.price(kAll)};
        if (devices_for(work, 2, team) == 2) break;
        lag.leave_out();
    }
    EXPECT_GT((blocks + 1) * gain, sending);
    EXPECT_LE(blocks * gain, sending);
    lag.clear();
    EXPECT_EQ(lag.price(kAll), 0);
    lag.grow(store);
    EXPECT_EQ(lag.price(kAll), kAll);
}

}  // namespace
}  // namespace g6test
