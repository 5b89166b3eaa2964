// SPDX-License-Identifier: MIT
// Lists of several devices become one.
#include "libg6gpu/core/neighbours.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using g6::NeighbourLists;
using g6::NeighbourView;

struct View {
    std::vector<std::int64_t> offset;
    std::vector<int> index, slot;
    NeighbourView view() const { return {offset.data(), index.data(), slot.data()}; }
};

std::vector<int> list(const NeighbourLists &lists, int i)
{
    return {lists.list(i), lists.list(i) + lists.count(i)};
}

// Addresses 0 ... 5 on two devices: slot s of device d is address 2 s + d.
const View kEven = {{0, 3, 3}, {50, 30, 10}, {0, 1, 2}};  // addresses 0, 2, 4
const View kOdd = {{0, 2, 3}, {40, 20, 7}, {0, 2, 1}};    // addresses 1, 5; 3

TEST(NeighbourLists, are_merged_by_address)
{
    NeighbourLists lists;
    lists.merge({kEven.view(), kOdd.view()}, 2, false, true);
    ASSERT_EQ(lists.size(), 2);
    EXPECT_EQ(list(lists, 0), (std::vector<int>{50, 40, 30, 10, 20}));
    EXPECT_EQ(list(lists, 1), std::vector<int>{7});
}

// Devices that share a walk have the lists of different i-particles.
TEST(NeighbourLists, of_which_one_device_has_each_are_taken_as_they_are)
{
    const View first = {{0, 0, 2}, {5, 3}, {1, 8}}, second = {{0, 3, 3}, {50, 30, 10}, {0, 1, 2}};
    NeighbourLists lists;
    lists.merge({first.view(), second.view()}, 2, false, false);
    EXPECT_EQ(list(lists, 0), second.index);
    EXPECT_EQ(list(lists, 1), first.index);
    lists.merge({first.view(), second.view()}, 2, true, false);
    EXPECT_EQ(list(lists, 1), (std::vector<int>{3, 5}));
}

// Of devices that hold all addresses and have some i-particles each.
TEST(NeighbourLists, are_appended_for_more_i_particles)
{
    const std::int64_t offset[] = {0, 3, 3, 5};
    const int index[] = {9, -2, 4, 8, 7}, slot[] = {0, 1, 2, 3, 4};
    for (bool by_index : {false, true}) {
        NeighbourLists lists;
        lists.clear(0);
        for (int device : {0, 1}) {
            lists.append({offset, index, slot}, 3, by_index);
            ASSERT_EQ(lists.size(), 3 * (device + 1));
            const std::vector<int> first =
                by_index ? std::vector<int>{-2, 4, 9} : std::vector<int>{9, -2, 4};
            EXPECT_EQ(list(lists, 3 * device), first);
            EXPECT_EQ(lists.count(3 * device + 1), 0);
            EXPECT_EQ(list(lists, 3 * device + 2),
                      by_index ? (std::vector<int>{7, 8}) : (std::vector<int>{8, 7}));
        }
    }
}

}  // namespace
}  // namespace g6test
