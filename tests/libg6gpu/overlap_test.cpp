// SPDX-License-Identifier: MIT
// Calls on a cluster while another call on it runs: they are refused with zeros, and change
// nothing.
#include "../child.h"
#include "../client.h"
#include "libg6gpu/core/clusters.h"

#include <functional>

namespace g6test {
namespace {

constexpr int kBodies = 20, kTargets = 5;

class Overlap : public testing::Test {
protected:
    Overlap() { client.set_all(bodies); }
    // Makes a call while the cluster is in use, as by another thread.
    template <class F> auto amid_another(F &&call) const
    {
        const auto in_use = g6::clusters::resolve(client.id());
        return call();
    }
    void expect_refused(const char *name, const std::function<int()> &call) const
    {
        SCOPED_TRACE(name);
        EXPECT_EQ(amid_another(call), G6_ERR_STATE);
        EXPECT_TRUE(last_error_has("busy"));
    }
    static void expect_zeros(const Output &out)
    {
        EXPECT_EQ(out.status, G6_ERR_STATE);
        EXPECT_TRUE(is_zero(out));
        EXPECT_EQ(out.nearest, std::vector<int>(kTargets));
    }
    int id() const { return client.id(); }

    const std::vector<Body> bodies = moving_bodies(kBodies, 1);
    IBlock block = block_of(bodies, 0, kTargets), other = block_of(bodies, 5, kTargets);
    Client client;
};

TEST_F(Overlap, is_refused_and_changes_nothing)
{
    int one = 1, n = kTargets, index = 0, address[1] = {0};
    const int ids[] = {id()};
    double zero[3] = {}, far[3] = {1e3, 2e3, 3e3}, mass[1] = {1e3};
    expect_refused("set_ti", [&] { return g6_set_ti(id(), 7); });
    expect_refused("set_j", [&] {
        return g6_set_j_particle(id(), 0, 0, 0, 0, 1e3, zero, zero, zero, zero, far);
    });
    expect_refused("mxonly", [&] { return g6_set_j_particle_mxonly(id(), 0, 0, 1e3, far); });
    expect_refused("multisend", [&] {
        return g6_set_j_particle_multisend(id(), one, 0, 0, 0, 0, 1e3, zero, zero, zero, zero, far);
    });
    expect_refused("bulk", [&] {
        return g6_set_j_particles(id(), 1, address, nullptr, nullptr, mass, nullptr, nullptr,
                                  nullptr, nullptr, &far);
    });
    expect_refused("option", [&] { return g6_set_option(id(), "precision", "double"); });
    expect_refused("mode", [&] { return g6_set_mode(id(), "treeonly"); });
    char value[16];
    expect_refused("get_option", [&] { return g6_get_option(id(), "mode", value, sizeof value); });
    expect_refused("reserve", [&] { return g6_setup_njdata(id(), 100); });
    expect_refused("reset", [&] { return g6_reset(id()); });
    expect_refused("reinitialize", [&] { return g6_reinitialize(id()); });
    expect_refused("open", [&] { return g6_open(id()); });
    expect_refused("close", [&] { return g6_close(id()); });
    expect_refused("devices", [&] { return g6_devices_for(id(), 10, 10); });
    expect_refused("status", [&] { return g6_print_chip_status(id()); });
    expect_refused("lists", [&] { return g6_read_neighbour_list(id()); });
    expect_refused("vector of i", [&] {
        return g6_set_i_particle_vector_(const_cast<int *>(ids), address, &one, &index, &far, &far,
                                         zero, zero);
    });
    amid_another([&] { g6_set_nip(id(), n), g6_set_njp(id(), n); });
    client.run_and_check_with_lists(block);
}

TEST_F(Overlap, has_zeros_for_answers)
{
    Output out(kTargets);
    out = amid_another([&] { return client.last(block, kBodies); });
    expect_zeros(out);

    int length = 7, list[7];
    expect_refused("list", [&] { return g6_get_neighbour_list(id(), 0, 7, &length, list); });
    EXPECT_EQ(length, 0);

    std::vector<Vec3> x(2, Vec3{7, 7, 7}), v(x);
    expect_refused("predict", [&] { return g6_predict(id(), 2, rows(x), rows(v)); });
    EXPECT_EQ(x, std::vector<Vec3>(2));
    EXPECT_EQ(v, std::vector<Vec3>(2));

    g6_stats stats;
    std::memset(&stats, 7, sizeof stats);
    stats.size = sizeof stats;
    expect_refused("stats", [&] { return g6_get_stats(id(), &stats); });
    EXPECT_EQ(stats.size, sizeof stats);
    EXPECT_EQ(stats.blocks, 0);
    EXPECT_EQ(stats.overflows, 0);

    EXPECT_EQ(amid_another([&] { return g6_getnjmax(id()); }), 0);
    EXPECT_STREQ(amid_another([&] { return g6_backend_name(id()); }), "none");
}

TEST_F(Overlap, has_zeros_for_as_many_pipes_as_the_thread_has_set)
{
    g6_set_nip(id(), 2);
    g6_set_njp(id(), kBodies);
    for (int k = 0; k < kTargets; ++k)
        g6_set_i_particle(id(), k, block.index[k], block.x[k].data(), block.v[k].data(), block.eps2,
                          block.h2[k]);
    Output out(kTargets);
    out.status = amid_another([&] {
        return g6_get_force_etc(id(), rows(out.acc), rows(out.jerk), out.pot.data(),
                                out.nearest.data(), nullptr);
    });
    expect_zeros(out);
    out.status = g6_get_force_etc(id(), rows(out.acc), rows(out.jerk), out.pot.data(),
                                  out.nearest.data(), nullptr);
    client.expect_right(block, out);
}

// g6calc_firsthalf() has no status.
TEST_F(Overlap, of_a_firsthalf_is_told_by_the_lasthalf)
{
    amid_another([&] { client.first(block, kBodies); });
    expect_zeros(client.last(block, kBodies));
    EXPECT_TRUE(last_error_has("first half"));
    client.run_and_check(block);

    // Another thread's block of the same size is not taken for one's own.
    client.first(other, kBodies);
    amid_another([&] { client.first(block, kBodies); });
    expect_zeros(client.last(block, kBodies));
    client.expect_right(other, client.last(other, kBodies));

    // A firsthalf that succeeds takes the place of the refused one, and so does a close.
    amid_another([&] { client.first(other, kBodies); });
    client.run_and_check(block);
    amid_another([&] { client.first(other, kBodies); });
    client.reopen(bodies);
    client.expect_right(block, client.last(block, kBodies));
}

TEST_F(Overlap, through_an_id_that_is_not_open_names_the_remedy)
{
    const int another = fresh_id();
    if (!g6::clusters::stand_in(another)) GTEST_SKIP() << "several clusters are open";
    EXPECT_EQ(amid_another([&] { return g6_set_ti(another, 1); }), G6_ERR_STATE);
    const std::string text = g6_last_error();
    EXPECT_NE(text.find("cluster " + std::to_string(id())), std::string::npos) << text;
    EXPECT_NE(text.find("g6_open()"), std::string::npos) << text;
}

TEST_F(Overlap, with_a_thread_of_the_parent_there_is_none_in_a_child)
{
    EXPECT_TRUE(
        amid_another([&] { return good_in_a_child([&] { return g6_set_ti(id(), 1) == G6_OK; }); }));
}

}  // namespace
}  // namespace g6test
