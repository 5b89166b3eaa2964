// SPDX-License-Identifier: MIT
// Which predicted tiles of the cpu's are valid, without any prediction.
#include "backends/cpu/predicted_tiles.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

class PredictedTiles : public testing::Test {
protected:
    static constexpr int kTiles = 10, kMost = 20;

    PredictedTiles() { begin(false, 2500); }
    void begin(bool split, int nj) { tiles.begin(kTiles, split, nj); }
    void store_all()
    {
        tiles.need_stored(kMost);
        tiles.note_stored(0, kTiles);
    }

    g6::cpu::PredictedTiles tiles{64};
};

TEST_F(PredictedTiles, are_stored_once_all_are_noted)
{
    EXPECT_FALSE(tiles.has_all());
    tiles.need_stored(kMost);
    tiles.note_stored(0, 4);
    tiles.note_stored(5, kTiles);
    EXPECT_TRUE(tiles.has(0, 4));
    EXPECT_FALSE(tiles.has_all());
    tiles.note_stored(4, 5);
    EXPECT_TRUE(tiles.has_all());
}

TEST_F(PredictedTiles, of_a_larger_block_are_more)
{
    store_all();
    tiles.begin(kTiles + 1, false, 2700);
    EXPECT_FALSE(tiles.has_all());
    EXPECT_TRUE(tiles.has(0, kTiles));
    tiles.begin(kMost + 1, false, 6000);
    tiles.need_stored(kMost + 1);  // new memory
    EXPECT_FALSE(tiles.has(0, 1));
}

TEST_F(PredictedTiles, of_another_time_are_of_no_use)
{
    store_all();
    tiles.need_own(2, 4);
    tiles.note_own(1, 4, 8);
    EXPECT_TRUE(tiles.has_own(1, 4, 8));
    tiles.forget();
    EXPECT_FALSE(tiles.has_all());
    EXPECT_FALSE(tiles.has_own(1, 4, 8));
}

TEST_F(PredictedTiles, without_split_positions_serve_any_number_of_slots)
{
    store_all();
    begin(false, 2400);
    EXPECT_TRUE(tiles.has_all());
    begin(true, 2400);
    EXPECT_FALSE(tiles.has_all());
}

TEST_F(PredictedTiles, with_split_positions_serve_one_number_of_slots)
{
    begin(true, 2500);
    store_all();
    for (bool split : {true, false}) {
        begin(split, 2500);
        EXPECT_TRUE(tiles.has_all());
        EXPECT_TRUE(tiles.is_split());
    }
    begin(false, 2400);
    EXPECT_FALSE(tiles.has_all());
    EXPECT_FALSE(tiles.is_split());
}

TEST_F(PredictedTiles, of_a_thread_are_those_of_one_piece)
{
    tiles.need_own(3, 4);
    for (int thread : {0, 1, 2}) EXPECT_FALSE(tiles.has_own(thread, 0, 4));
    tiles.note_own(1, 4, 7);
    EXPECT_TRUE(tiles.has_own(1, 4, 7));
    EXPECT_TRUE(tiles.has_own(1, 4, 6));
    EXPECT_FALSE(tiles.has_own(1, 4, 8)) << "one tile is not there";
    EXPECT_FALSE(tiles.has_own(1, 0, 4));
    EXPECT_FALSE(tiles.has_own(2, 4, 7));
    tiles.need_own(2, 4);
    EXPECT_TRUE(tiles.has_own(1, 4, 7));
    tiles.need_own(2, 1);  // the places are others
    EXPECT_FALSE(tiles.has_own(1, 4, 7));
}

TEST_F(PredictedTiles, have_places_that_do_not_overlap)
{
    tiles.need_own(3, 4);
    EXPECT_EQ(tiles.own(1) - tiles.own(0), 4 * 64);
    EXPECT_EQ(tiles.own(2) - tiles.own(1), 4 * 64);
    tiles.need_stored(kMost);
    EXPECT_EQ(tiles.stored(7) - tiles.stored(0), 7 * 64);
}

}  // namespace
}  // namespace g6test
