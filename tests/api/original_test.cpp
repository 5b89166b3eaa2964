// SPDX-License-Identifier: MIT
// The same calls on GRAPE-6's own host library (2002, with the bit-level model of its chip) and on
// this library: the expected numbers are what the original library printed.  docs/differences.md
// has the differences that are on purpose.  What the rules of g6check test is not tested here.
//
// The original's arithmetic has some 24 bits in acc and pot and fewer in the jerk; its predictor
// works in 16 to 32 bits.  Tolerances are the errors of its numbers, printed with seven digits.
#include "../physics.h"

namespace g6test {
namespace {

constexpr double kAcc = 1e-6, kJerk = 1e-4, kPot = 6e-7;

G6_PHYSICS_SUITE(Original);

double length(const Vec3 &u)
{
    return std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

// One line of the original: entry k of a block.
void expect_line(const Output &out, int k, const Vec3 &acc, const Vec3 &jerk, double pot,
                 int nearest)
{
    EXPECT_EQ(out.status, 0);
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(out.acc[k][c], acc[c], kAcc * length(acc)) << "component " << c;
        EXPECT_NEAR(out.jerk[k][c], jerk[c], kJerk * length(jerk)) << "component " << c;
    }
    EXPECT_NEAR(out.pot[k], pot, kPot * std::fabs(pot));
    EXPECT_EQ(out.nearest[k], nearest);
}

IBlock one(int index, const Vec3 &x = {}, const Vec3 &v = {}, double eps2 = 0, double h2 = 0)
{
    IBlock block;
    block.eps2 = eps2;
    block.add(index, x, v, h2);
    return block;
}

void send_pair(Client &client)
{
    client.set(0, body_at(7, {0, 0, 0}));
    client.set(1, body_at(9, {2, 0, 0}, 1, {0, 1, 0}));
}

TEST_P(Original, signs_of_a_pair)
{
    send_pair(client);
    IBlock pair = one(7);
    pair.add(9, {2, 0, 0}, {0, 1, 0});
    const Output out = client.run(pair, 2);
    expect_line(out, 0, {0.25, 0, 0}, {0, 0.125, 0}, -0.5, 9);
    expect_line(out, 1, {-0.25, 0, 0}, {0, -0.125, 0}, -0.5, 7);
    expect_line(client.run(one(7, {}, {}, 0.01), 2), 0, {0.2490654, 0, 0}, {0, 0.1245329, 0},
                -0.4993762, 9);
}

TEST_P(Original, an_index_is_the_identity)
{
    send_pair(client);
    expect_line(client.run(one(-1, {}, {}, 0.01), 2), 0, {0.2490654, 0, 0}, {0, 0.1245329, 0},
                -10.49938, 7);
    IBlock elsewhere = one(7, {1, 0, 0});
    elsewhere.add(7, {4, 0, 0}, {0, 1, 0});
    const Output out = client.run(elsewhere, 2);
    expect_line(out, 0, {1, 0, 0}, {0, 1, 0}, -1, 9);
    expect_line(out, 1, {-0.25, 0, 0}, {0, 0, 0}, -0.5, 9);
    client.set(2, body_at(-1, {0, 0, 5}, 3));
    expect_line(client.run(one(7), 3), 0, {0.25, 0, 0.12}, {0, 0.125, 0}, -1.1, 9);
    expect_line(client.run(one(-1, {}, {}, 0.01), 3), 0, {0.2490654, 0, 0}, {0, 0.1245329, 0},
                -10.49938, 7);
    for (const int index : {2147483647, 16777223}) {  // the second: 2^24 + 7
        client.set(2, body_at(index, {0, 0, 1}, 3));
        expect_line(client.run(one(7), 3), 0, {0.25, 0, 3}, {0, 0.125, 0}, -3.5, index);
    }
}

// The original prints 0 for all of them, not -0.
TEST_P(Original, nobody_attracts)
{
    client.set(0, body_at(7, {0, 0, 0}));
    const Output alone = client.run(one(7), 1), nothing = client.run(one(7), 0);
    for (const Output *out : {&alone, &nothing}) {
        expect_line(*out, 0, {0, 0, 0}, {0, 0, 0}, 0, 0);
        EXPECT_FALSE(std::signbit(out->pot[0]));
    }
    client.set(1, body_at(9, {2, 0, 0}, 0));  // massless, and yet the nearest
    expect_line(client.run(one(7), 2), 0, {0, 0, 0}, {0, 0, 0}, 0, 9);
}

TEST_P(Original, the_nearest_and_how_many_slots_count)
{
    for (int k = 0; k < 8; ++k) client.set(k, body_at(100 + k, {1 + 1e-3 * k, 0, 0}));
    expect_line(client.run(one(7), 8), 0, {7.944418, 0, 0}, {0, 0, 0}, -7.972139, 100);
    for (int k = 0; k < 8; ++k) client.set(k, body_at(100 + k, {1.0 + k, 0, 0}));
    expect_line(client.run(one(7), 8), 0, {1.527422, 0, 0}, {0, 0, 0}, -2.717857, 100);
    expect_line(client.run(one(7), 5), 0, {1.463611, 0, 0}, {0, 0, 0}, -2.283333, 100);
    const Output none = client.run(IBlock{}, 8);
    EXPECT_EQ(none.status, 0);
    client.first(one(7), 8);
    client.first(one(8, {-1, 0, 0}), 8);  // the last firsthalf counts
    expect_line(client.last(one(8, {-1, 0, 0}), 8), 0, {0.5397677, 0, 0}, {0, 0, 0}, -1.828968,
                100);
}

std::vector<int> list_of(const Client &client, int pipe, int room = 4000)
{
    std::vector<int> list(size_t(room) + 1, -99);
    int n = -9;
    EXPECT_EQ(g6_get_neighbour_list(client.id(), pipe, room, &n, list.data()), 0);
    EXPECT_EQ(list.back(), -99);
    list.resize(size_t(std::max(n, 0)));
    return list;
}

TEST_P(Original, lists_of_eight_on_a_line)
{
    for (int k = 0; k < 8; ++k) client.set(k, body_at(50 - 3 * k, {1.0 + k, 0, 0}));
    using List = std::vector<int>;
    const auto lists = [&](double eps2, double h2) {
        IBlock block = one(44, {3, 0, 0}, {}, eps2, 16);
        block.add(7, {0, 0, 0}, {}, h2), block.add(8, {0, 0, 0}, {}, 0);
        EXPECT_EQ(client.run(block, 8).status, 0);
        EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
        EXPECT_EQ(list_of(client, 2), List());
        EXPECT_EQ(list_of(client, 5), List());  // a pipe that the block has not
        return list_of(client, 1);
    };
    EXPECT_EQ(lists(0, 9), (List{47, 50}));  // a third one at just that distance
    EXPECT_EQ(list_of(client, 0), (List{35, 38, 41, 47, 50}));
    EXPECT_EQ(lists(0, 9.0001), (List{44, 47, 50}));
    EXPECT_EQ(lists(4, 9.0001), (List{47, 50}));  // r^2 + eps2 < h2
    EXPECT_EQ(lists(4, 13.0001), (List{44, 47, 50}));
    const List all = {29, 32, 35, 38, 41, 44, 47, 50};
    EXPECT_EQ(lists(0, 100), all);
    EXPECT_EQ(list_of(client, 1, 9), all);
    for (const int room : {7, 3}) {
        int n = -9, list[8] = {};
        EXPECT_EQ(g6_get_neighbour_list(client.id(), 1, room, &n, list), 1);
        EXPECT_EQ(n, room);
        EXPECT_EQ(list[room], 0);
    }
    EXPECT_EQ(client.run(one(-7, {3, 0, 0}, {}, 0, 0), 8).status, 0);
    g6_read_neighbour_list(client.id());
    EXPECT_EQ(list_of(client, 0), List());
    EXPECT_EQ(client.run(one(-7, {3, 0, 0}, {}, 0, 1e-12), 8).status, 0);
    g6_read_neighbour_list(client.id());
    EXPECT_EQ(list_of(client, 0), (List{44}));
}

TEST_P(Original, predictor)
{
    Body b = body_at(50, {3, 4, 5}, 2, {0.4, 0.5, -0.6});
    b.a2 = {0.3, -0.2, 0.1}, b.j6 = {0.05, 0.07, -0.02}, b.k18 = {0.11, -0.13, 0.17};
    const IBlock i = one(1, {1, 1, 1}, {0.1, 0.2, 0.3});
    for (const double t : {1.0, 1000.0}) {
        b.t = t;
        client.set_ti(t + 0.25);
        client.set(0, b, 0.25);
        expect_line(client.run(i, 1), 0, {0.02706685, 0.03975037, 0.04923997},
                    {0.01049325, 0.009343058, -0.002500653}, -0.37102, 50);
    }
    b.t = 1, b.k18 = {};
    client.set(0, b, 0.5);
    client.set_ti(1.25);
    expect_line(client.run(i, 1), 0, {0.02706672, 0.03976104, 0.04924088},
                {0.01049083, 0.009515107, -0.002489328}, -0.3710382, 50);
    client.set_ti(1.5);
    b = body_at(50, {0, 0, 4}, 2), b.t = 1.5;
    client.set(0, b, 0.25);  // after set_ti
    expect_line(client.run(one(1, {}, {0.1, 0.2, 0.3}), 1), 0, {0, 0, 0.125},
                {-0.003124982, -0.006249994, 0.01874995}, -0.5, 50);
}

}  // namespace
}  // namespace g6test
