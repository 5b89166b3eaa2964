// SPDX-License-Identifier: MIT
// Threads that make calls on one cluster at the same time, which is not allowed: each call gives a
// right answer, or G6_ERR_STATE with zeros.
#include "../client.h"

#include <atomic>
#include <thread>

namespace g6test {
namespace {

#ifdef __SANITIZE_THREAD__
constexpr int kRounds = 30;
#else
constexpr int kRounds = 300;
#endif
constexpr int kBodies = 200, kTargets = 4;

bool is_one_of(int status, std::initializer_list<int> allowed)
{
    return std::find(allowed.begin(), allowed.end(), status) != allowed.end();
}

// Blocks on an id while others do the same: the particles, written anew with what they are, stay
// the same.
void work(int id, const std::vector<Body> &bodies, std::atomic<int> &refused)
{
    const IBlock b = block_of(bodies, 0, kTargets);
    std::vector<int> list(kBodies);
    Memory memory;
    for (int k = 0; k < kBodies; ++k) memory[k] = bodies[k];
    for (int round = 0; round < kRounds; ++round) {
        for (int k = 0; k < kBodies; ++k) {
            const int status = send(id, k, bodies[k]);
            if (!is_one_of(status, {G6_OK, G6_ERR_STATE})) ADD_FAILURE() << g6_last_error();
            refused += status != G6_OK;
        }
        first_half(id, kBodies, b);
        const Output out = last_half(id, kBodies, b);
        if (!is_one_of(out.status, {G6_OK, G6_ERR_STATE})) ADD_FAILURE() << g6_last_error();
        refused += out.status != G6_OK;
        for (int k = 0; k < kTargets && out.status == G6_OK; ++k)
            EXPECT_EQ(wrong_part(evaluate(memory, kBodies, 0, b.particle(k)), out, k), "");
        EXPECT_TRUE(out.status == G6_OK || is_zero(out));
        int n = 0;
        g6_get_neighbour_list(id, 0, kBodies, &n, list.data());
    }
}

TEST(Threads, that_meet_on_one_cluster_do_no_harm)
{
    const std::vector<Body> bodies = moving_bodies(kBodies, 3);
    for (const bool one_id : {true, false}) {
        Client client;  // the only open cluster: it serves ids that are not open
        client.set_all(bodies);
        std::atomic<int> refused{0};
        const int id = client.id(), step = one_id ? 0 : 100;
        at_once(3, [&](int t) { work(id + step * (t + 1), bodies, refused); });
        EXPECT_GT(refused, 0);
        client.run_and_check(block_of(bodies, 0, kTargets));
    }
}

// Each answer is that of an empty cluster, or of one with all particles; or the call is refused.
TEST(Threads, may_close_a_cluster_under_a_call)
{
    const int id = fresh_id();
    std::atomic<bool> stop{false};
    std::thread closer([&] {
        while (!stop) {
            const int closed = g6_close(id), opened = g6_open(id);
            if (!is_one_of(closed, {G6_OK, G6_ERR_STATE}) ||
                !is_one_of(opened, {G6_OK, G6_ERR_STATE}))
                ADD_FAILURE() << g6_last_error();
        }
    });
    double x[1][3] = {{2, 0, 0}}, zero[1][3] = {}, acc[1][3], jerk[1][3], pot[1], h2[1] = {9};
    int index[1] = {-1}, list[1], n;
    for (int round = 0; round < 20 * kRounds; ++round) {
        const int set = g6_set_j_particle(id, 0, 1, 0, 0, 1, *zero, *zero, *zero, *zero, *x);
        g6calc_firsthalf(id, 1, 1, index, zero, zero, nullptr, nullptr, nullptr, 0, h2);
        const int last = g6calc_lasthalf(id, 1, 1, index, zero, zero, 0, h2, acc, jerk, pot);
        const int got = g6_get_neighbour_list(id, 0, 1, &n, list);
        for (int status : {set, last, got})
            if (!is_one_of(status, {G6_OK, G6_ERR_STATE})) ADD_FAILURE() << g6_last_error();
        // A unit mass at distance 2.
        if (pot[0] != 0) {
            EXPECT_NEAR(pot[0], -0.5, 1e-6);
        }
    }
    stop = true;
    closer.join();
    EXPECT_EQ(g6_close(id), 0);
}

// Calls that do not overlap, but whose halves are mixed: the first block is lost, and its lasthalf
// must not give the second one's results.
TEST(OverlapOfHalves, a_thread_whose_block_another_one_replaced_gets_an_error)
{
    const std::vector<Body> bodies = moving_bodies(kBodies, 7);
    Client client({"cpu", "mixed", "", ""}, 6100);
    client.set_all(bodies);
    const IBlock mine = block_of(bodies, 0, kTargets), others = block_of(bodies, 50, kTargets);
    for (int round = 0; round < 3; ++round) {
        client.first(mine, kBodies);
        std::thread([&] { client.first(others, kBodies); }).join();
        const Output lost = client.last(mine, kBodies);
        EXPECT_EQ(lost.status, G6_ERR_STATE);
        EXPECT_EQ(lost.acc[0], (Vec3{}));
        EXPECT_TRUE(last_error_has("one lock from firsthalf"));
        // The block that is there can still be collected, and a new one is right.
        client.expect_right(others, client.last(others, kBodies));
        client.expect_right(mine, client.run(mine, kBodies));
    }
    // A block that one thread begins and another one collects is right.
    client.first(mine, kBodies);
    std::thread([&] { client.expect_right(mine, client.last(mine, kBodies)); }).join();
}

// The same where the other thread sets its i-particles one by one.
TEST(OverlapOfHalves, a_thread_whose_block_g6_get_force_replaced_gets_an_error)
{
    const std::vector<Body> bodies = moving_bodies(kBodies, 7);
    Client client({"cpu", "mixed", "", ""}, 6200);
    client.set_all(bodies);
    const IBlock mine = block_of(bodies, 0, kTargets), others = block_of(bodies, 50, kTargets);
    const auto get_force = [&] {
        g6_set_njp(client.id(), kBodies);
        g6_set_nip(client.id(), kTargets);
        for (size_t k = 0; k < kTargets; ++k)
            g6_set_i_particle(client.id(), static_cast<int>(k), others.index[k], data(others.x[k]),
                              data(others.v[k]), others.eps2, 0);
        Output out(kTargets);
        out.half = Half::kLast;
        out.status =
            g6_get_force(client.id(), rows(out.acc), rows(out.jerk), out.pot.data(), nullptr);
        client.expect_right(others, out);
    };
    client.first(mine, kBodies);
    std::thread(get_force).join();
    EXPECT_EQ(client.last(mine, kBodies).status, G6_ERR_STATE);
    // A thread that has lost a block may ask for the forces of another one.
    client.first(mine, kBodies);
    std::thread([&] { client.first(others, kBodies); }).join();
    get_force();
}

}  // namespace
}  // namespace g6test
