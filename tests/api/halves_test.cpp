// SPDX-License-Identifier: MIT
// firsthalf and lasthalf: what is copied when, what is written, and every order in which clients
// call them.
#include "../physics.h"

namespace g6test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class HalvesBase : public Physics {
protected:
    void SetUp() override { client.set_all(bodies); }
    const std::vector<Body> bodies = moving_bodies(50, 1);
    const IBlock block = block_of(bodies, 0, 10), other = block_of(bodies, 20, 10);
};

class Halves : public HalvesBase {};
INSTANTIATE_TEST_SUITE_P(, Halves, testing::ValuesIn(usable_machines("Halves")), machine_name);

TEST_P(Halves, old_values_never_matter)
{
    const Output expected = client.run(block);
    const double odd[] = {0, kNan, -1, 1e300, std::numeric_limits<double>::infinity(), 1e-320};
    for (double value : odd) {
        IBlock b = block;
        std::vector<Vec3> aold(10, Vec3{value, value, value}), j6old(aold);
        std::vector<double> phiold(10, value);
        g6calc_firsthalf(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), rows(aold),
                         rows(j6old), phiold.data(), b.eps2, b.h2.data());
        EXPECT_TRUE(same_bits(client.last(block, 50), expected)) << value;
    }
    IBlock b = block;
    g6calc_firsthalf(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), nullptr, nullptr,
                     nullptr, b.eps2, b.h2.data());
    EXPECT_TRUE(same_bits(client.last(block, 50), expected));
}

TEST_P(Halves, firsthalf_copies_its_inputs)
{
    IBlock b = block;
    g6calc_firsthalf(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), rows(b.x),
                     rows(b.v), b.h2.data(), b.eps2, b.h2.data());
    b.index.assign(10, 3);
    b.x.assign(10, Vec3{kNan, kNan, kNan});
    b.v.assign(10, Vec3{kNan, kNan, kNan});
    b.h2.assign(10, -1);
    Output out(10);  // lasthalf gets the scribbled arrays, as clients pass them
    out.status = g6calc_lasthalf2(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), 7.0,
                                  b.h2.data(), rows(out.acc), rows(out.jerk), out.pot.data(),
                                  out.nearest.data());
    client.expect_right(block, out);
    client.expect_lists(block, 50);
}

TEST_P(Halves, inputs_are_never_written)
{
    IBlock b = block;
    std::vector<Vec3> aold(10, Vec3{1, 2, 3}), j6old(10, Vec3{4, 5, 6});
    std::vector<double> phiold(10, -7);
    const auto aold0 = aold, j6old0 = j6old;
    const auto phiold0 = phiold;
    Output out(10);
    g6calc_firsthalf(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), rows(aold),
                     rows(j6old), phiold.data(), b.eps2, b.h2.data());
    g6calc_lasthalf2(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), b.eps2, b.h2.data(),
                     rows(out.acc), rows(out.jerk), out.pot.data(), out.nearest.data());
    EXPECT_EQ(b.index, block.index);
    EXPECT_EQ(b.x, block.x);
    EXPECT_EQ(b.v, block.v);
    EXPECT_EQ(b.h2, block.h2);
    EXPECT_EQ(aold, aold0);
    EXPECT_EQ(j6old, j6old0);
    EXPECT_EQ(phiold, phiold0);
}

TEST_P(Halves, j_particle_arrays_are_never_written)
{
    Body b = bodies[3];
    g6_set_j_particle(client.id(), 3, b.index, b.t, 0, b.mass, b.k18.data(), b.j6.data(),
                      b.a2.data(), b.v.data(), b.x.data());
    EXPECT_EQ(b.k18, bodies[3].k18);
    EXPECT_EQ(b.j6, bodies[3].j6);
    EXPECT_EQ(b.a2, bodies[3].a2);
    EXPECT_EQ(b.v, bodies[3].v);
    EXPECT_EQ(b.x, bodies[3].x);
}

TEST_P(Halves, outputs_beyond_ni_are_not_touched)
{
    IBlock b = block;
    Output out(15);
    client.first(block, 50);
    g6calc_lasthalf2(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), b.eps2, b.h2.data(),
                     rows(out.acc), rows(out.jerk), out.pot.data(), out.nearest.data());
    const Output untouched(15);
    for (int k = 10; k < 15; ++k) {
        EXPECT_EQ(out.acc[k], untouched.acc[k]);
        EXPECT_EQ(out.jerk[k], untouched.jerk[k]);
        EXPECT_EQ(out.pot[k], untouched.pot[k]);
        EXPECT_EQ(out.nearest[k], untouched.nearest[k]);
    }
}

TEST_P(Halves, acc_and_jerk_may_be_one_buffer)
{
    const Output expected = client.run(block);
    IBlock b = block;
    Output out(10);
    client.first(block, 50);
    EXPECT_EQ(g6calc_lasthalf2(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), b.eps2,
                               b.h2.data(), rows(out.acc), rows(out.acc), out.pot.data(),
                               out.nearest.data()),
              0);
    EXPECT_EQ(out.pot, expected.pot);
    EXPECT_EQ(out.nearest, expected.nearest);
    EXPECT_TRUE(out.acc == expected.acc || out.acc == expected.jerk);
}

TEST_P(Halves, outputs_may_be_the_old_value_inputs)
{
    const Output expected = client.run(block);
    IBlock b = block;
    Output out(10);
    out.nearest = expected.nearest;
    g6calc_firsthalf(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), rows(out.acc),
                     rows(out.jerk), out.pot.data(), b.eps2, b.h2.data());
    g6calc_lasthalf(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), b.eps2, b.h2.data(),
                    rows(out.acc), rows(out.jerk), out.pot.data());
    EXPECT_TRUE(same_bits(out, expected));
}

// The host corrects finished particles while the pipelines work on the next block.
TEST_P(Halves, writes_between_the_halves_do_not_change_the_pending_block)
{
    const Memory before = client.memory();
    const std::vector<Body> changed = moving_bodies(60, 2);
    client.run_and_check(block);
    client.first(block, 50);
    client.set_all(changed);
    client.set_ti(0.5);
    client.expect_right(block, 50, client.last(block, 50), before, 0);
    client.expect_lists(block, 50, before, 0);  // lists of that block, not of the new particles
    client.expect_right(block, 50, client.run(block, 50));
    client.expect_lists(block, 50);
}

// The first lasthalf2 after plain lasthalfs has to compute again: with the particles of its own
// firsthalf.
TEST_P(Halves, a_wrong_guess_is_repeated_with_the_particles_of_its_firsthalf)
{
    for (int k = 0; k < 4; ++k) client.run(block, 50, Half::kLast);
    const Memory before = client.memory();
    client.first(block, 50);
    client.set_all(moving_bodies(50, 4));
    client.set_ti(0.25);
    client.expect_right(block, 50, client.last(block, 50, Half::kLast2), before, 0);
    client.expect_lists(block, 50, before, 0);
}

TEST_P(Halves, of_two_firsthalfs_the_last_wins)
{
    client.first(block, 50);
    client.first(other, 50);
    client.expect_right(other, client.last(other, 50));
    client.first(other, 50);
    client.first(block, 40);
    client.expect_right(block, 40, client.last(block, 40));
}

TEST_P(Halves, firsthalf_without_lasthalf_is_legal)
{
    for (int k = 0; k < 5; ++k) client.first(block, 50);
    client.set(0, bodies[1]);
    client.first(other, 50);
    client.set_ti(0.25);
    client.reopen();
    client.set_all(bodies);
    client.run_and_check(block);
}

TEST_P(Halves, lasthalf_without_firsthalf_computes_its_own_arguments)
{
    client.expect_right(block, 50, client.last(block, 50));
    client.set_ti(0.125);
    const IBlock later = block_of(bodies, 10, 20, 0.125);
    client.expect_right(later, 50, client.last(later, 50));
    client.expect_right(later, 30, client.last(later, 30, Half::kLast));
}

TEST_P(Halves, a_second_lasthalf_computes_its_own_arguments)
{
    const Output once = client.run(block);
    client.expect_right(block, once);
    EXPECT_TRUE(same_bits(client.last(block, 50), once));
    client.expect_right(other, client.last(other, 50));
}

TEST_P(Halves, a_second_lasthalf_uses_the_particles_and_the_time_of_its_own_call)
{
    client.run_and_check(block);
    client.set(20, moving_bodies(60, 5)[20]);
    client.expect_right(block, client.last(block, 50));
    client.set_ti(0.125);
    client.expect_right(block, client.last(block, 50));
    client.expect_right(block, client.last(block, 50, Half::kLast));
}

TEST_P(Halves, lasthalf_of_other_numbers_than_the_pending_block_computes_its_own_arguments)
{
    const IBlock small = block_of(bodies, 5, 3);
    client.first(block, 50);
    client.expect_right(small, 50, client.last(small, 50));
    client.first(block, 50);
    client.expect_right(block, 25, client.last(block, 25));
    client.run_and_check(block);
}

TEST_P(Halves, no_radii_means_no_lists)
{
    IBlock b = block;
    Output out(10);
    g6calc_firsthalf(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), nullptr, nullptr,
                     nullptr, b.eps2, nullptr);
    out.status =
        g6calc_lasthalf2(client.id(), 50, 10, b.index.data(), rows(b.x), rows(b.v), b.eps2, nullptr,
                         rows(out.acc), rows(out.jerk), out.pot.data(), out.nearest.data());
    client.expect_right(block, out);
    EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
    for (int k = 0; k < 10; ++k) EXPECT_EQ(client.list(k), std::vector<int>());
}

// A block without i-particles has nothing to compute: what is pending stays, with its j-particles.
TEST_P(Halves, a_lasthalf_without_i_particles_leaves_the_pending_block)
{
    for (int nj : {50, 0, 7}) {
        const Memory before = client.memory();
        client.first(block, 50);
        for (int k = 0; k < 50; ++k) client.set(k, moving_bodies(50, 77 + nj)[k]);
        client.set_ti(client.ti() + 0.01);
        EXPECT_EQ(client.last(IBlock{}, nj).status, 0);
        client.expect_right(block, 50, client.last(block, 50), before, client.ti() - 0.01);
        EXPECT_EQ(client.last(IBlock{}, nj).status, 0);
        client.expect_lists(block, 50, before, client.ti() - 0.01);
        client.set_ti(client.ti() - 0.01);
        client.run_and_check(block);
    }
    EXPECT_EQ(client.last(IBlock{}, -1).status, G6_ERR_ARGUMENT);
    EXPECT_EQ(client.last(IBlock{}, 50).status, 0);
    client.expect_right(block, client.last(block, 50));
}

// Once: and what follows is as if that firsthalf had not been.
TEST_P(Halves, an_error_of_firsthalf_is_that_of_the_next_lasthalf)
{
    client.run_and_check(block);
    IBlock bad = block;
    bad.x[3][1] = kNan;
    for (bool by_count : {true, false}) {
        by_count ? client.first(block, -1) : client.first(bad, 50);
        const std::string why = g6_last_error();
        const Output out = client.last(block, 50);
        EXPECT_EQ(out.status, G6_ERR_ARGUMENT);
        EXPECT_NE(std::string(g6_last_error()).find(by_count ? "nj = -1" : "i-particle 3"),
                  std::string::npos)
            << g6_last_error() << " after " << why;
        // One call is named: the one that returns the error.
        EXPECT_EQ(std::string(g6_last_error()).rfind("g6calc_lasthalf2: the first half", 0), 0u)
            << g6_last_error();
        EXPECT_EQ(std::string(g6_last_error()).find("g6calc", 1), std::string::npos)
            << g6_last_error();
        EXPECT_EQ(out.pot, std::vector<double>(10));
        EXPECT_EQ(out.acc, std::vector<Vec3>(10));
        client.expect_right(block, client.last(block, 50));
        client.run_and_check(other);
    }
}

// A block that was collected is another one as soon as one of its arguments is.
TEST_P(Halves, a_second_lasthalf_looks_at_every_argument)
{
    for (int what = 0; what < 5; ++what) {
        SCOPED_TRACE(what);
        IBlock changed = block;
        if (what == 0) changed.index[4] = -7;
        if (what == 1) changed.x[4][1] += 0.25;
        if (what == 2) changed.v[4][2] += 1;
        if (what == 3) changed.eps2 *= 4096;
        if (what == 4) changed.h2[4] *= 4;
        client.run_and_check(block);
        client.expect_lists(block, 50);
        client.expect_right(changed, client.last(changed, 50));
        client.expect_lists(changed, 50);
    }
}

// With lists a softening changes what is left of the radii, too.
TEST_P(Halves, a_second_lasthalf_looks_at_the_softening_without_radii)
{
    IBlock hard = block;
    hard.h2.assign(hard.h2.size(), 0);
    IBlock soft = hard;
    soft.eps2 *= 4096;
    client.run_and_check(hard);
    client.expect_right(soft, client.last(soft, 50));
}

}  // namespace
}  // namespace g6test
