// SPDX-License-Identifier: MIT
// Bad input: a code, a text that says what was wrong, a defined result, and everything works
// afterwards.
#include "../physics.h"

#include <cfenv>

namespace g6test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class Arguments : public testing::Test {
protected:
    void SetUp() override { client.set_all(bodies); }
    void TearDown() override { client.run_and_check(block); }  // nothing was changed

    int set(int address, Body b) const
    {
        return g6_set_j_particle(client.id(), address, b.index, b.t, 0, b.mass, b.k18.data(),
                                 b.j6.data(), b.a2.data(), b.v.data(), b.x.data());
    }
    static void expect_text(const char *part)
    {
        EXPECT_NE(std::string(g6_last_error()).find(part), std::string::npos) << g6_last_error();
    }
    // Both halves with these numbers; the error of firsthalf is kept for lasthalf.
    Output halves(int nj, int ni, IBlock b)
    {
        Output out(b.size());
        g6calc_firsthalf(client.id(), nj, ni, b.index.data(), rows(b.x), rows(b.v), nullptr,
                         nullptr, nullptr, b.eps2, b.h2.data());
        out.status = g6calc_lasthalf2(client.id(), nj, ni, b.index.data(), rows(b.x), rows(b.v),
                                      b.eps2, b.h2.data(), rows(out.acc), rows(out.jerk),
                                      out.pot.data(), out.nearest.data());
        return out;
    }

    const std::vector<Body> bodies = moving_bodies(20, 1);
    const IBlock block = block_of(bodies, 0, 5);
    Client client;
};

TEST_F(Arguments, a_particle_that_is_not_finite_is_refused_and_the_slot_keeps_its_data)
{
    for (double bad : {kNan, kInf, -kInf})
        for (int k = 0; k < 17; ++k) {
            Body b = moving_bodies(1, 2)[0];
            Vec3 *const vector[] = {&b.x, &b.v, &b.a2, &b.j6, &b.k18};
            (k < 15 ? (*vector[k / 3])[k % 3] : k == 15 ? b.mass : b.t) = bad;
            EXPECT_EQ(set(3, b), G6_ERR_ARGUMENT) << k;
            EXPECT_STRNE(g6_last_error(), "");
        }
}

// Values so large that their sum is not finite.  Nothing may trap, neither here nor with a NaN:
// Fortran codes are built with -ffpe-trap=invalid,zero,overflow.
TEST_F(Arguments, a_large_finite_particle_is_taken_and_no_value_raises_an_exception)
{
    Body b = moving_bodies(1, 2)[0];
    std::feclearexcept(FE_ALL_EXCEPT);
    b.x = {1e308, 1e308, -1e308}, b.v = {1.7e308, 1.7e308, 0};
    EXPECT_EQ(set(3, b), G6_OK) << g6_last_error();
    EXPECT_EQ(g6_set_j_particle_mxonly(client.id(), 4, 1, 1e308, b.x.data()), G6_OK);
    for (double bad : {kNan, kInf, -kInf, std::numeric_limits<double>::signaling_NaN()}) {
        b.x[1] = bad;
        EXPECT_EQ(set(3, b), G6_ERR_ARGUMENT);
    }
    EXPECT_FALSE(std::fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    for (int k : {3, 4}) EXPECT_EQ(set(k, bodies[static_cast<size_t>(k)]), G6_OK);
}

TEST_F(Arguments, a_point_that_is_not_finite_is_refused)
{
    double x[3] = {0, 0, 0};
    for (double &component : x) {
        component = kNan;
        EXPECT_EQ(g6_set_j_particle_mxonly(client.id(), 3, 1, 1.0, x), G6_ERR_ARGUMENT);
        component = 0;
    }
    EXPECT_EQ(g6_set_j_particle_mxonly(client.id(), 3, 1, kInf, x), G6_ERR_ARGUMENT);
    EXPECT_EQ(g6_set_j_particle_mxonly(client.id(), -3, 1, 1.0, x), G6_ERR_ARGUMENT);
}

TEST_F(Arguments, a_negative_address_is_refused)
{
    EXPECT_EQ(set(-1, bodies[1]), G6_ERR_ARGUMENT);
    expect_text("address");
    EXPECT_EQ(set(std::numeric_limits<int>::min(), bodies[1]), G6_ERR_ARGUMENT);
}

TEST_F(Arguments, a_null_array_of_a_particle_is_refused)
{
    Body b = bodies[5];
    double *ok = b.x.data();
    double *p[5] = {ok, ok, ok, ok, ok};
    for (int k = 0; k < 5; ++k) {
        p[k] = nullptr;
        const int status =
            g6_set_j_particle(client.id(), 3, 1, 0, 0, 1, p[0], p[1], p[2], p[3], p[4]);
        if (k == 4) {
            EXPECT_EQ(status, G6_ERR_ARGUMENT);
        } else {  // a zero vector would be a defined reading, too
            EXPECT_TRUE(status == G6_ERR_ARGUMENT || status == 0);
        }
        p[k] = ok;
    }
    EXPECT_EQ(g6_set_j_particle_mxonly(client.id(), 3, 1, 1.0, nullptr), G6_ERR_ARGUMENT);
    EXPECT_EQ(set(3, bodies[3]), 0);
}

TEST_F(Arguments, ti_that_is_not_finite_is_refused)
{
    for (double bad : {kNan, kInf}) EXPECT_EQ(g6_set_ti(client.id(), bad), G6_ERR_ARGUMENT);
}

void expect_zeros(const Output &out, int n)
{
    for (int k = 0; k < n; ++k) {
        EXPECT_EQ(out.acc[k], Vec3());
        EXPECT_EQ(out.jerk[k], Vec3());
        EXPECT_EQ(out.pot[k], 0);
        EXPECT_EQ(out.nearest[k], 0);
    }
}

TEST_F(Arguments, an_i_position_that_is_not_finite_is_an_error_of_lasthalf_with_zeros)
{
    for (double bad : {kNan, kInf}) {
        IBlock b = block;
        b.x[2][1] = bad;
        const Output out = halves(20, 5, b);
        EXPECT_EQ(out.status, G6_ERR_ARGUMENT);
        EXPECT_STRNE(g6_last_error(), "");
        expect_zeros(out, 5);
    }
}

TEST_F(Arguments, softening_that_is_negative_or_not_finite_is_refused)
{
    for (double bad : {-1.0, kNan, kInf}) {
        IBlock b = block;
        b.eps2 = bad;
        const Output out = halves(20, 5, b);
        EXPECT_EQ(out.status, G6_ERR_ARGUMENT) << bad;
        expect_zeros(out, 5);
    }
}

TEST_F(Arguments, negative_numbers_of_particles_are_refused)
{
    EXPECT_EQ(halves(-1, 5, block).status, G6_ERR_ARGUMENT);
    expect_text("nj");
    const Output out = halves(20, -1, block);
    EXPECT_EQ(out.status, G6_ERR_ARGUMENT);
    expect_text("ni");
    EXPECT_TRUE(same_bits(out, Output(5)));
}

TEST_F(Arguments, null_inputs_of_firsthalf_are_refused)
{
    IBlock b = block;
    for (int k = 0; k < 2; ++k) {
        g6calc_firsthalf(client.id(), 20, 5, k == 0 ? nullptr : b.index.data(),
                         k == 1 ? nullptr : rows(b.x), rows(b.v), nullptr, nullptr, nullptr, 0,
                         nullptr);
        EXPECT_STRNE(g6_last_error(), "");
        EXPECT_EQ(client.last(block, 20).status, G6_ERR_ARGUMENT);
    }
}

TEST_F(Arguments, null_outputs_of_lasthalf_are_refused)
{
    IBlock b = block;
    Output out(5);
    const int id = client.id();
    double *h2 = b.h2.data(), *pot = out.pot.data();
    int *index = b.index.data(), *nn = out.nearest.data();
    const Rows x = rows(b.x), v = rows(b.v), acc = rows(out.acc), jerk = rows(out.jerk);
    client.first(block, 20);
    EXPECT_EQ(g6calc_lasthalf2(id, 20, 5, index, x, v, 0, h2, nullptr, jerk, pot, nn),
              G6_ERR_ARGUMENT);
    client.first(block, 20);
    EXPECT_EQ(g6calc_lasthalf2(id, 20, 5, index, x, v, 0, h2, acc, jerk, pot, nullptr),
              G6_ERR_ARGUMENT);
    expect_text("nnbindex");
}

TEST_F(Arguments, null_and_negative_in_the_list_calls_are_refused)
{
    client.run(block);
    ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
    int n = 0, nbl[20];
    EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 20, nullptr, nbl), G6_ERR_ARGUMENT);
    EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 20, &n, nullptr), G6_ERR_ARGUMENT);
    EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, -1, &n, nbl), G6_ERR_ARGUMENT);
    EXPECT_EQ(g6_get_neighbour_list(client.id(), -1, 20, &n, nbl), G6_ERR_ARGUMENT);
}

TEST_F(Arguments, bulk_load_refuses_what_the_single_call_refuses)
{
    double mass[2] = {1, 1}, x[2][3] = {{0, 0, 0}, {1, 1, kNan}};
    int address[2] = {25, -4};
    const int id = client.id();
    const auto load = [&](int n, const int *where, const double *m, const double(*at)[3]) {
        return g6_set_j_particles(id, n, where, nullptr, nullptr, m, nullptr, nullptr, nullptr,
                                  nullptr, at);
    };
    EXPECT_EQ(load(-1, nullptr, mass, x), G6_ERR_ARGUMENT);
    for (int n : {1, 2}) {
        EXPECT_EQ(load(n, nullptr, nullptr, x), G6_ERR_ARGUMENT) << n;
        EXPECT_EQ(load(n, nullptr, mass, nullptr), G6_ERR_ARGUMENT) << n;
    }
    address[0] = 26;
    EXPECT_EQ(load(2, address, mass, x), G6_ERR_ARGUMENT);
    EXPECT_EQ(load(0, nullptr, nullptr, nullptr), 0);
}

TEST_F(Arguments, the_low_level_calls_refuse_bad_input)
{
    const int id = client.id();
    double x[3] = {0, 0, kNan}, v[3] = {};
    g6_set_nip(id, -1);
    g6_set_njp(id, -1);
    g6_set_i_particle(id, -1, 1, v, v, 0, 0);
    EXPECT_STRNE(g6_last_error(), "");
    g6_set_i_particle(id, 0, 1, x, v, 0, 0);
    g6_set_i_particle(id, 0, 1, nullptr, nullptr, 0, 0);
    EXPECT_NE(g6_predict(id, -1, nullptr, nullptr), 0);
    EXPECT_NE(g6_get_predicted_j_particles(id, -5, nullptr, nullptr), 0);
}

TEST_F(Arguments, a_block_of_negative_size_takes_no_devices)
{
    EXPECT_EQ(g6_devices_for(client.id(), -1, 10), G6_ERR_ARGUMENT);
    EXPECT_EQ(g6_devices_for(client.id(), 10, -1), G6_ERR_ARGUMENT);
    EXPECT_STRNE(g6_last_error(), "");
    EXPECT_GE(g6_devices_for(client.id(), 0, 0), 1);
}

TEST_F(Arguments, statistics_into_nothing_are_refused)
{
    EXPECT_EQ(g6_get_stats(client.id(), nullptr), G6_ERR_ARGUMENT);
    EXPECT_NE(g6_get_option(client.id(), "mode", nullptr, 10), 0);
    char text[4] = "abc";
    EXPECT_NE(g6_get_option(client.id(), "mode", text, -1), 0);
    EXPECT_STREQ(text, "abc");
}

TEST(Status, every_code_has_a_text)
{
#define G6_TEST_ROW(code, value, text, remedy)                                                     \
    EXPECT_STREQ(g6_status_text(code), text);                                                      \
    EXPECT_EQ(int(code), value);
    G6_STATUS_TABLE(G6_TEST_ROW)
#undef G6_TEST_ROW
    EXPECT_NE(g6_status_text(-12345), nullptr);
}

TEST(Version, is_that_of_the_header)
{
    EXPECT_EQ(g6_version(), std::to_string(G6_VERSION_MAJOR) + "." +
                                std::to_string(G6_VERSION_MINOR) + "." +
                                std::to_string(G6_VERSION_PATCH));
}

}  // namespace
}  // namespace g6test
