// SPDX-License-Identifier: MIT
// The Fortran twins that twins_test.cpp leaves out: K&F's low-level group and the forms without a
// cluster id.
#include "../client.h"

extern "C" {
int g6_open_(int *), g6_close_(int *);
int g6_set_j_particle_mxonly_(int *, int *, int *, double *, double *);
int g6_open_all_(), g6_close_all_(), g6_set_ti_all_(double *);
int g6_set_j_particle_all_(int *, int *, double *, double *, double *, double *, double *, double *,
                           double *, double *);
int g6_get_predicted_j_particles_all_(int *, double *, double *);
int g6_set_nip_(int *, int *), g6_set_njp_(int *, int *);
int g6_set_i_particle_(int *, int *, int *, double *, double *, double *, double *);
int g6_get_force_(int *, double *, double *, double *, int *);
int g6_get_force_etc_(int *, double *, double *, double *, int *, int *);
int g6calc_firsthalf0_(int *, int *, int *, int *, double *, double *, double *, double *, double *,
                       double *, double *, int *);
int g6calc_lasthalf0_(int *, int *, int *, int *, double *, double *, double *, double *, double *,
                      double *, double *, int *);
}

namespace g6test {
namespace {

double *flat(std::vector<Vec3> &v)
{
    return v.data()->data();
}

class TwinForms : public testing::Test {
protected:
    void SetUp() override { client.set_all(bodies); }
    int nj = 40, ni = 5, id = fresh_id();
    const std::vector<Body> bodies = moving_bodies(nj, 1);
    IBlock block = block_of(bodies, 0, ni);
    Client client{{}, id};
};

TEST_F(TwinForms, of_the_low_level_group)
{
    g6_set_nip_(&id, &ni);
    g6_set_njp_(&id, &nj);
    for (int k = ni - 1; k >= 0; --k)
        g6_set_i_particle_(&id, &k, &block.index[k], block.x[k].data(), block.v[k].data(),
                           &block.eps2, &block.h2[k]);
    Output out(ni), etc(ni);
    out.half = Half::kLast;
    std::vector<int> flag(ni, 9);
    out.status = g6_get_force_(&id, flat(out.acc), flat(out.jerk), out.pot.data(), flag.data());
    client.expect_right(block, out);
    EXPECT_EQ(flag, std::vector<int>(ni));
    etc.status = g6_get_force_etc_(&id, flat(etc.acc), flat(etc.jerk), etc.pot.data(),
                                   etc.nearest.data(), nullptr);
    client.expect_right(block, etc);
    client.expect_lists(block, nj);
}

// Bit 0 of the mode: eps2[0] for all; else one for each.
TEST_F(TwinForms, with_a_softening_for_each_particle)
{
    std::vector<double> eps2 = {0.5, 0.01, 1e-6, 2.0, 0.125};
    for (int mode : {1, 0}) {
        Output out(ni);
        g6calc_firsthalf0_(&id, &nj, &ni, block.index.data(), flat(block.x), flat(block.v), nullptr,
                           nullptr, nullptr, eps2.data(), block.h2.data(), &mode);
        EXPECT_EQ(g6calc_lasthalf0_(&id, &nj, &ni, block.index.data(), flat(block.x), flat(block.v),
                                    eps2.data(), block.h2.data(), flat(out.acc), flat(out.jerk),
                                    out.pot.data(), &mode),
                  0);
        for (int k = 0; k < ni; ++k) {
            IParticle i = block.particle(k);
            i.eps2 = eps2[mode & 1 ? 0 : k];
            const Expected e = evaluate(client.memory(), nj, 0, i);
            const Allowed allowed(e, tolerance(client.precision()));
            EXPECT_TRUE(within("pot", e.pot, out.pot[k], allowed.pot)) << mode << k;
        }
    }
}

// Beside another open cluster, which must not notice.
TEST_F(TwinForms, without_an_id_go_to_the_cluster_of_their_own)
{
    EXPECT_EQ(g6_open_all_(), 0);
    Memory memory;
    for (int k = 0; k < 10; ++k) {
        Body b = bodies[20 + k];
        double dtj = 0;
        EXPECT_EQ(g6_set_j_particle_all_(&k, &b.index, &b.t, &dtj, &b.mass, b.k18.data(),
                                         b.j6.data(), b.a2.data(), b.v.data(), b.x.data()),
                  0);
        memory[k] = b;
    }
    double ti = 0.5;
    EXPECT_EQ(g6_set_ti_all_(&ti), 0);
    std::vector<Vec3> x(10), v(10);
    int n = 10;
    EXPECT_EQ(g6_get_predicted_j_particles_all_(&n, flat(x), flat(v)), 0);
    for (int k = 0; k < 10; ++k) {
        const Predicted p = predict(memory[k], ti);
        EXPECT_TRUE(within("x", p.x, x[k], 1e-14));
        EXPECT_TRUE(within("v", p.v, v[k], 1e-14));
    }
    client.run_and_check(block);  // at time 0
    EXPECT_EQ(g6_close_all_(), 0);
    client.run_and_check(block);
}

// A sapporo2 test calls g6_open_(0).  Beside another open cluster: one alone would serve any id.
TEST_F(TwinForms, with_a_null_id_go_to_cluster_0)
{
    EXPECT_EQ(g6_open_(nullptr), 0);
    double x[3] = {1, 2, 3}, got[1][3] = {}, one = 1;
    int address = 0, index = 5;
    EXPECT_EQ(g6_set_j_particle_mxonly_(nullptr, &address, &index, &one, x), 0);
    EXPECT_EQ(g6_predict(0, 1, got, nullptr), 0);
    EXPECT_EQ(got[0][2], 3);
    EXPECT_EQ(g6_close_(nullptr), 0);
    got[0][2] = 0;
    EXPECT_EQ(g6_open(0), 0);
    EXPECT_EQ(g6_predict(0, 1, got, nullptr), 0);
    EXPECT_EQ(got[0][2], 0);
    EXPECT_EQ(g6_close(0), 0);
}

}  // namespace
}  // namespace g6test
