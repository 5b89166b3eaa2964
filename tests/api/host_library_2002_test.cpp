// SPDX-License-Identifier: MIT
// Part 7 of g6lib.h: calls that only GRAPE-6's host library of 2002 and Phantom-GRAPE have.
#include "../client.h"

extern "C" {
int g6_changed_index_(int *), g6_changed_index__(int *);
int g6_set_j_particle_multisend_(int *, int *, int *, int *, double *, double *, double *, double *,
                                 double *, double *, double *, double *);
int g6_preset_i_particle_scales_from_real_value_(int *, int *, double *, double *, double *,
                                                 double *, double *);
int g6_change_cbjpmode_(int *, int *), g6_set_simulator_use_(int *), g6_setmccount_(int *);
int g6_dump_(double *, int *, double *, double (*)[3], double (*)[3]);
int g6_debugfunc_(int *), g6_debugfunc_double_(double *);
}

namespace g6test {
namespace {

class HostLibrary2002 : public testing::Test {
protected:
    void SetUp() override { client.set_all(bodies); }
    int nj = 40, ni = 6, id = fresh_id(), one = 1, zero = 0;
    const std::vector<Body> bodies = moving_bodies(nj, 1);
    IBlock block = block_of(bodies, 0, ni);
    Client client{{}, id};
};

// NBODY4 takes a number >= 0 as the pipe whose force is wrong.
TEST_F(HostLibrary2002, no_index_changes)
{
    client.expect_right(block, client.run(block, nj, Half::kLast2));
    for (int of : {0, id, -1}) {
        EXPECT_EQ(g6_changed_index(of), -1);
        EXPECT_EQ(g6_changed_index_(&of), -1);
    }
    EXPECT_EQ(g6_changed_index_(nullptr), -1);
    EXPECT_EQ(g6_changed_index__(nullptr), -1);
}

TEST_F(HostLibrary2002, a_vector_of_i_particles_is_as_many_single_ones)
{
    std::vector<double> eps2(ni, block.eps2);
    int three = 3;
    g6_set_nip(id, ni);
    g6_set_njp_real_(&id, &nj);
    for (int from : {3, 0})
        EXPECT_EQ(g6_set_i_particle_vector_(&id, &from, &three, &block.index[from],
                                            rows(block.x) + from, rows(block.v) + from, &eps2[from],
                                            &block.h2[from]),
                  0);
    Output out(ni);
    std::vector<int> flag(ni, 9);
    out.status = g6_get_force_etc(id, rows(out.acc), rows(out.jerk), out.pot.data(),
                                  out.nearest.data(), flag.data());
    client.expect_right(block, out);
    client.expect_lists(block, nj);
    for (int &f : flag) EXPECT_EQ(g6_test_flag_(&id, &f), 0);
}

TEST_F(HostLibrary2002, a_vector_outside_the_pipes_is_refused)
{
    for (auto [pipe, n] : {std::pair(-1, 1), {2147483647, 1}, {0, -1}})
        EXPECT_EQ(g6_set_i_particle_vector_(&id, &pipe, &n, &one, rows(block.x), rows(block.v),
                                            &block.eps2, &block.eps2),
                  G6_ERR_ARGUMENT);
    for (int n : {1, 0})
        EXPECT_EQ(
            g6_set_i_particle_vector_(&id, &zero, &n, nullptr, nullptr, nullptr, nullptr, nullptr),
            n ? G6_ERR_ARGUMENT : 0);
}

// Mode 0: one eps2 for each i.
TEST_F(HostLibrary2002, lasthalf0a_has_the_nearest_and_a_softening_for_each_particle)
{
    std::vector<double> eps2(ni);
    for (int k = 0; k < ni; ++k) eps2[k] = 0.01 * k;
    g6calc_firsthalf0(id, nj, ni, block.index.data(), rows(block.x), rows(block.v), nullptr,
                      nullptr, nullptr, eps2.data(), block.h2.data(), 0);
    Output out(ni);
    out.status = g6calc_lasthalf0a_(&id, &nj, &ni, block.index.data(), rows(block.x), rows(block.v),
                                    eps2.data(), block.h2.data(), rows(out.acc), rows(out.jerk),
                                    out.pot.data(), out.nearest.data(), &zero);
    EXPECT_EQ(out.status, 0);
    const Tolerance t = tolerance(client.precision());
    for (int k = 0; k < ni; ++k) {
        IParticle i = block.particle(k);
        i.eps2 = eps2[k];
        expect_within(evaluate(client.memory(), nj, 0, i), t, out, k);
    }
}

// Three open clusters; the particles go to two of them.
TEST_F(HostLibrary2002, multisend_writes_to_clusters_that_follow_each_other)
{
    const int base = 5000000;
    for (int full : {1, 0}) {
        Client first({}, base), second({}, base + 1), third({}, base + 3);
        int to = base, two = 2;
        for (int k = 0; k < nj; ++k) {
            Body b = bodies[k];
            double dtj = 0;
            double *k18 = data(b.k18), *j6 = data(b.j6), *a2 = data(b.a2), *v = data(b.v),
                   *x = data(b.x);
            int status = 0;
            if (full && k % 2)
                status = g6_set_j_particle_multisend(to, 2, k, b.index, b.t, dtj, b.mass, k18, j6,
                                                     a2, v, x);
            else if (full)
                status = g6_set_j_particle_multisend_(&to, &two, &k, &b.index, &b.t, &dtj, &b.mass,
                                                      k18, j6, a2, v, x);
            else if (k % 2)
                status = g6_set_j_particle_multisend_mxf_(&to, &two, &k, &b.index, &b.mass, x);
            else
                status = g6_set_j_particle_multisend_mxfast_(&to, &two, &k, &b.index, &b.mass, x);
            EXPECT_EQ(status, 0);
            for (Client *c : {&first, &second}) {
                c->remember_point(k, b);
                if (full) c->mutable_memory()[k] = b;
            }
        }
        for (Client *c : {&first, &second}) {
            const Output out = c->run(block, nj, Half::kLast2);
            if (full) {
                c->expect_right(block, out);
                continue;
            }
            for (int k = 0; k < ni; ++k) {  // mass and position only: no jerk
                const Expected e = evaluate(c->memory(), nj, 0, block.particle(k));
                EXPECT_TRUE(
                    within("pot", e.pot, out.pot[k], Allowed(e, tolerance(c->precision())).pot));
            }
        }
        EXPECT_EQ(third.run(block, nj, Half::kLast2).pot, std::vector<double>(ni));
    }
}

TEST_F(HostLibrary2002, multisend_opens_nothing_and_refuses_as_set_j_particle_does)
{
    Body b = bodies[0];
    int many = 2147483647;
    const auto sent = [&](int to, int *clusters, int address, double *x) {
        return g6_set_j_particle_multisend_mxf_(&to, clusters, &address, &b.index, &b.mass, x);
    };
    EXPECT_EQ(sent(id, &many, nj, b.x.data()), 0);
    EXPECT_EQ(sent(2147483647, &many, nj, b.x.data()), 0);
    EXPECT_EQ(sent(id, nullptr, 0, b.x.data()), 0);
    EXPECT_EQ(sent(id, &many, -1, b.x.data()), G6_ERR_ARGUMENT);
    EXPECT_EQ(sent(id, &many, 0, nullptr), G6_ERR_ARGUMENT);
}

// The hardware's scales and modes change no force, and need no pointer.
TEST_F(HostLibrary2002, scales_and_modes_change_nothing)
{
    const Output plain = client.run(block, nj, Half::kLast2);
    double hint[3] = {1e-30, 0, 1e30}, phi = -1e20, factor = 2;
    int scale[3][2] = {{7, 7}, {7, 7}, {7, 7}}, mode = 3, flag = 255;
    EXPECT_EQ(g6_set_ip_scales_(&id, &one, hint, hint, &phi, &factor, &factor), 0);
    EXPECT_EQ(g6_preset_i_particle_scales_from_real_value(id, 1, hint, hint, &phi), 0);
    EXPECT_EQ(
        g6_preset_i_particle_scales_from_real_value_(&id, &one, hint, hint, &phi, &factor, &factor),
        0);
    EXPECT_EQ(g6_calc_i_particle_scales_from_real_value_(&id, &one, hint, hint, &phi, &factor,
                                                         &factor, scale[0], scale[1], scale[2]),
              0);
    for (auto &s : scale) EXPECT_EQ(std::vector<int>(s, s + 2), (std::vector<int>{7, 0}));
    EXPECT_EQ(g6_copy_i_particle_scales_(&id, &one, scale[0], scale[1], scale[2]), 0);
    EXPECT_EQ(g6_adjust_ip_scales_(&id, &one, &flag), 0);
    EXPECT_EQ(g6_setfoerrchkmode_(&id, &mode), 0);
    EXPECT_EQ(g6_change_cbjpmode(id, 1), 0);
    EXPECT_EQ(g6_change_cbjpmode_(&id, &mode), 0);
    EXPECT_EQ(g6_set_simulator_use(1), 0);
    EXPECT_EQ(g6_set_simulator_use_(&mode), 0);

    EXPECT_EQ(g6_set_ip_scales_(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(g6_preset_i_particle_scales_from_real_value(0, 0, nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(g6_calc_i_particle_scales_from_real_value_(nullptr, nullptr, nullptr, nullptr,
                                                         nullptr, nullptr, nullptr, nullptr,
                                                         nullptr, nullptr),
              0);
    EXPECT_EQ(g6_copy_i_particle_scales_(nullptr, nullptr, nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(g6_adjust_ip_scales_(nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(g6_test_flag_(nullptr, nullptr), 0);
    EXPECT_EQ(g6_test_flag_(&id, &flag), 1);
    EXPECT_EQ(g6_setfoerrchkmode_(nullptr, nullptr), 0);
    EXPECT_EQ(g6_change_cbjpmode_(nullptr, nullptr), 0);
    EXPECT_EQ(g6_set_simulator_use_(nullptr), 0);
    EXPECT_TRUE(same_bits(plain, client.run(block, nj, Half::kLast2)));
}

TEST(HostLibrary2002Modes, mccount_is_what_was_set)
{
    int two = 2;
    EXPECT_EQ(g6_mccount_(), 1);
    EXPECT_EQ(g6_setmccount(4), 0);
    EXPECT_EQ(g6_mccount_(), 4);
    EXPECT_EQ(g6_setmccount_(&two), 0);
    EXPECT_EQ(g6_mccount_(), 2);
    g6_setmccount(1);
}

TEST(HelpForDebugging, writes_no_files)
{
    int n = 0;
    double number = 0.5;
    EXPECT_EQ(g6_dump(12.75, 0, nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(g6_dump_(&number, &n, nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(g6_debugfunc(-3) | g6_debugfunc_(&n), 0);
    EXPECT_EQ(g6_debugfunc_double(-2) | g6_debugfunc_double_(&number), 0);
}

// sapporo's look at one particle.  At s = 0.5: x = 1 + 2 s + 3 s^2 + 4 s^3, v = 2 + 6 s + 12 s^2.
TEST(PartData, is_what_was_sent_and_what_it_is_at_the_time_set)
{
    Client client({}, 0);
    Body b;
    b.index = 77, b.mass = 0.25, b.t = 1;
    b.x = {1, 1, 1}, b.v = {2, 2, 2}, b.a2 = {3, 3, 3}, b.j6 = {4, 4, 4};
    client.set(5, b);
    client.set_ti(1.5);
    double x[3], v[3], a[3], j[3], px[3], pv[3], mass = 9, eps2 = 9;
    int id = 9;
    const auto is = [](const double *u, double c) { return u[0] == c && u[1] == c && u[2] == c; };
    EXPECT_EQ(get_j_part_data(5, 6, x, v, a, j, px, pv), 0);
    EXPECT_TRUE(is(x, 1) && is(v, 2) && is(a, 6) && is(j, 24) && is(px, 3.25) && is(pv, 8));
    get_j_part_data(5, 6, x, v, a, j, px, pv, mass, eps2, id);
    EXPECT_TRUE(mass == 0.25 && eps2 == 0 && id == 77);
    EXPECT_EQ(get_j_part_data(5, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr), 0);

    for (int nobody : {-1, 4, 6}) {
        EXPECT_EQ(get_j_part_data(nobody, 6, x, v, a, j, px, pv), G6_ERR_ARGUMENT);
        EXPECT_TRUE(is(x, 0) && is(v, 0) && is(a, 0) && is(j, 0) && is(px, 0) && is(pv, 0));
        get_j_part_data(nobody, 6, x, v, a, j, px, pv, mass, eps2, id);
        EXPECT_TRUE(mass == 0 && id == 0);
    }
}

}  // namespace
}  // namespace g6test
