// SPDX-License-Identifier: MIT
// Groups of i-particles in the order of their keys lose no i-particle.  Also the keys along the
// curve, and their sort.
#include "libg6gpu/tree/groups.h"

#include "libg6gpu/tree/keys.h"
#include "libg6gpu/tree/sort.h"
#include "tree_systems.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace g6test {
namespace {

using namespace g6;

std::vector<G6IRecord> records(const std::vector<Body> &bodies)
{
    std::vector<G6IRecord> i;
    for (const Body &b : bodies) i.push_back({{b.x[0], b.x[1], b.x[2]}, 0, 0, 0, {}, 0});
    return i;
}

// The groups of these i-particles, in the units of the tree.
void make(Groups &g, const TreeView &view, const std::vector<G6IRecord> &i, int wanted, int spread,
          int threads)
{
    Block block{};
    block.tree = &view;
    block.ni = static_cast<int>(i.size());
    block.i = i.data();
    g.make(block, wanted, spread, threads);
}

std::uint64_t key_in(const TreeView &view, const G6IRecord &i)
{
    const Cube cube = {{view.corner[0], view.corner[1], view.corner[2]}, view.size};
    return key_of(cube, i.x[0], i.x[1], i.x[2]);
}

// Every i-particle once, in groups of at most `most`, by ascending keys.
void expect_all_once(const Groups &g, const TreeView &view, int n, int most)
{
    std::vector<int> seen(n);
    int at = 0;
    for (const Group &group : g.groups()) {
        ASSERT_EQ(group.first, at);
        ASSERT_GT(group.last, group.first);
        ASSERT_LE(group.last - group.first, most);
        at = group.last;
    }
    ASSERT_EQ(at, n);
    for (int k = 0; k < n; ++k) {
        ASSERT_EQ(seen[g.number(k)]++, 0);
        if (k > 0) {
            ASSERT_LE(key_in(view, g.i()[k - 1]), key_in(view, g.i()[k]));
        }
    }
}

TEST(Groups, hold_every_particle_once_in_the_order_of_keys)
{
    Tree tree;
    tree.write_all(resting_bodies(3000, 1));
    const TreeView &view = tree.update();
    for (int n : {1, 2, 100, 3000, 9000}) {
        const std::vector<G6IRecord> i = records(resting_bodies(n, 2));
        for (int threads : {1, 3}) {
            Groups g;
            make(g, view, i, 128, 1, threads);
            expect_all_once(g, view, n, 128);
            make(g, view, i, 32, 8, threads);
            expect_all_once(g, view, n, 32);
            for (int k = 0; k < n; ++k) {
                const G6IRecord &one = i[g.number(k)];
                ASSERT_TRUE(std::equal(one.x, one.x + 3, g.i()[k].x));
                ASSERT_EQ(g.place(k),
                          std::lower_bound(view.key, view.key + view.bodies, key_in(view, one)) -
                              view.key);
            }
        }
    }
}

// Then a group's box does not grow with the number of bodies that are in no block.
TEST(Groups, of_few_particles_have_few_bodies_between_them)
{
    const std::vector<Body> bodies = resting_bodies(40000, 6);
    Tree tree;
    tree.write_all(bodies);
    const TreeView &view = tree.update();
    std::vector<Body> some;
    for (int k = 0; k < 40000; k += 500) some.push_back(bodies[k]);
    for (int spread : {1, 4}) {
        Groups g;
        make(g, view, records(some), 64, spread, 1);
        expect_all_once(g, view, 80, 64);
        EXPECT_LT(g.groups().size(), 80u);
        for (const Group &group : g.groups())
            for (int k = group.first + 1; k < group.last; ++k)
                ASSERT_LE(g.place(k) - g.place(k - 1), 2 * 1024 * spread);
    }
}

// ---- keys along the curve, and the sort

struct Place {
    int x, y, z;
};

// Cells of the level in the order of their keys; key_of_place(x, y, z) on the finest grid.
template <class F> std::vector<Place> along_curve(int level, F key_of_place)
{
    const int n = 1 << level, shift = kKeyLevels - level;
    std::vector<Place> order(std::size_t(n) * n * n, Place{-1, -1, -1});
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z) {
                const std::uint64_t key =
                    key_of_place(x << shift, y << shift, z << shift) >> (3 * shift);
                if (key < order.size()) order[key] = {x, y, z};
            }
    return order;
}

// Hilbert's curve visits every cell, and each lies beside the one before it.
TEST(TreeKeys, hilbert_order_goes_from_each_cell_to_one_beside_it)
{
    for (int level : {1, 2, 3, 4, 5}) {
        const std::vector<Place> order = along_curve(level, hilbert_key);
        for (std::size_t k = 0; k < order.size(); ++k) {
            ASSERT_GE(order[k].x, 0) << "no cell has key " << k;
            if (k == 0) continue;
            const Place &a = order[k - 1], &b = order[k];
            ASSERT_EQ(std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z), 1) << k;
        }
    }
}

// Two places share the leading 3 l bits of their keys exactly when they share the cell of level l.
TEST(TreeKeys, leading_bits_name_the_cell)
{
    std::mt19937_64 random(1);
    for (int n = 0; n < 2000; ++n) {
        std::uint32_t a[3], b[3];
        const int close = int(random() % 22);
        for (int c = 0; c < 3; ++c) {
            a[c] = std::uint32_t(random() >> (64 - kKeyLevels));
            b[c] = a[c] ^ (std::uint32_t(random() >> (64 - kKeyLevels)) >> close);
        }
        int level = 0;
        auto same = [&](int l) {
            const int s = kKeyLevels - l;
            return a[0] >> s == b[0] >> s && a[1] >> s == b[1] >> s && a[2] >> s == b[2] >> s;
        };
        while (level < kKeyLevels && same(level + 1)) ++level;
        ASSERT_EQ(common_level(hilbert_key(a[0], a[1], a[2]), hilbert_key(b[0], b[1], b[2])),
                  level);
    }
}

TEST(TreeSort, is_stable_and_the_same_for_any_number_of_threads)
{
    std::mt19937_64 random(2);
    for (std::size_t n : {0, 1, 2, 1000, 100000})
        for (std::uint64_t mask : {~std::uint64_t{0} >> 1, std::uint64_t{0xff}, std::uint64_t{0},
                                   std::uint64_t{0x00ff00ff000000ff}}) {
            std::vector<KeyValue> data(n), spare(n);
            for (std::size_t k = 0; k < n; ++k) data[k] = {random() & mask, std::int64_t(k)};
            std::vector<KeyValue> expected = data, other = data;
            std::stable_sort(expected.begin(), expected.end(),
                             [](const KeyValue &a, const KeyValue &b) { return a.key < b.key; });
            radix_sort(data.data(), spare.data(), n, 63, 1);
            radix_sort(other.data(), spare.data(), n, 63, 5);
            for (std::size_t k = 0; k < n; ++k) {
                ASSERT_EQ(data[k].key, expected[k].key);
                ASSERT_EQ(data[k].value, expected[k].value);
                ASSERT_EQ(other[k].value, expected[k].value);
            }
        }
}

}  // namespace
}  // namespace g6test
