// SPDX-License-Identifier: MIT
// Settings of an id that another cluster serves; the setting snap in blocks, walks and predictions;
// old values that no setting needs; and callers that trap floating-point exceptions.  g6fuzz sets
// and reads every setting by each form of its key.
#include "../physics.h"

#include <cfenv>
#include <sys/mman.h>
#include <unistd.h>

namespace g6test {
namespace {

using Lines = std::vector<std::pair<int, std::string>>;

// A particle sent on the unopened id goes to the open cluster, whose precision is not the one set.
TEST(Options, of_an_id_that_another_cluster_serves_come_with_a_warning)
{
    constexpr int kUnopened = 77777;
    Client client;
    Lines lines;
    const auto take = [](int level, const char *line, void *to) {
        static_cast<Lines *>(to)->emplace_back(level, line);
    };
    EXPECT_EQ(g6_set_log(take, 2, &lines), 0);
    EXPECT_EQ(g6_set_option(kUnopened, "precision", "double"), 0);
    EXPECT_EQ(g6_set_mode(kUnopened, "treewalk"), 0);
    ASSERT_EQ(lines.size(), 2u);
    for (const auto &[level, text] : lines) {
        EXPECT_EQ(level, 2);
        for (const std::string &part : {std::string("cluster 77777 is not open"),
                                        "cluster " + std::to_string(client.id()) + ","})
            EXPECT_NE(text.find(part), std::string::npos) << text;
    }
    for (const auto &[id, precision] : {std::pair(client.id(), "mixed"), {kUnopened, "double"}}) {
        char text[16] = "";
        EXPECT_EQ(g6_get_option(id, "precision", text, sizeof text), 0);
        EXPECT_STREQ(text, precision);
    }

    client.option("precision", "mixed");
    EXPECT_EQ(g6_open(kUnopened), 0);
    EXPECT_EQ(g6_set_option(kUnopened, "precision", "mixed"), 0);
    EXPECT_EQ(g6_set_option(kUnopened, "mode", "auto"), 0);
    EXPECT_EQ(g6_set_option(kUnopened + 1, "precision", "double"), 0);  // a call would open it
    EXPECT_EQ(g6_set_option(kUnopened + 1, "precision", "mixed"), 0);
    EXPECT_EQ(g6_close(kUnopened), 0);
    EXPECT_EQ(lines.size(), 2u);
    EXPECT_EQ(g6_set_log(nullptr, 0, nullptr), 0);
}

G6_PHYSICS_SUITE(Settings);

constexpr double kTi = 0.25;

TEST_P(Settings, snap_counts_for_blocks_walks_and_predictions_alike)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(100, 1));
    client.set_ti(kTi);
    Memory without = client.memory();
    for (auto &entry : without) entry.second.k18 = {};
    const IBlock block = block_of(bodies, 0, 10, kTi);
    client.option("theta", "0");
    for (const char *direct : {"1000000", "0"})
        for (const char *mode : {"hermite", "treewalk"})
            for (const char *snap : {"1", "0", "1"}) {
                SCOPED_TRACE(std::string(mode) + ", direct " + direct + ", snap " + snap);
                client.option("mode", mode);
                client.option("direct", direct);
                client.option("snap", snap);
                const Memory &used = snap[0] == '1' ? client.memory() : without;
                client.expect_right(block, 100, client.run(block), used, kTi);
                std::vector<Vec3> x(100);
                EXPECT_EQ(g6_predict(client.id(), 100, rows(x), nullptr), 0);
                const Predicted p = predict(used.at(7), kTi);
                EXPECT_TRUE(within("x", p.x, x[7], 1e-14));
            }
}

// A client that knows no old values may pass any address for them.
TEST_P(Settings, old_values_that_nobody_needs_are_not_read)
{
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    void *const nothing = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(nothing, MAP_FAILED);
    const std::vector<Body> bodies = client.set_all(moving_bodies(50, 2));
    IBlock block = block_of(bodies, 0, 10);
    const Rows old = static_cast<Rows>(nothing);
    for (const char *mode : {"hermite", "treewalk"}) {
        client.use_mode(mode);
        g6calc_firsthalf(client.id(), 50, 10, block.index.data(), rows(block.x), rows(block.v), old,
                         old, static_cast<double *>(nothing), block.eps2, block.h2.data());
        client.expect_right(block, client.last(block, 50));
    }
    munmap(nothing, page);
}

// Fortran codes are built with -ffpe-trap=invalid,zero,overflow: an own particle, a coincident one
// and the empty lanes of a vector must not stop them, in any mode.
TEST_P(Settings, a_caller_that_traps_exceptions_meets_none)
{
#if defined(__GLIBC__) && defined(__x86_64__)
    std::vector<Body> bodies = moving_bodies(300, 3);
    bodies[7].x = bodies[8].x;
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 20, 0, 0);
    block.add(-1, bodies[8].x, {}, 1);
    client.run(block);  // drivers may start threads meanwhile, which would have the traps
    feclearexcept(
        FE_ALL_EXCEPT);  // what long doubles of other tests have raised would trap at once
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    Output out(0);
    for (const char *mode : {"hermite", "treewalk"}) {
        client.option("mode", mode);
        client.option("direct", "0");
        client.set(5, bodies[6]);
        out = client.run(block);
        EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
        EXPECT_EQ(fegetexcept(), FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    }
    // Powers of this time leave the range of double.
    std::vector<Vec3> x(300);
    EXPECT_EQ(g6_set_ti(client.id(), 1e200), 0);
    EXPECT_EQ(g6_predict(client.id(), 300, rows(x), nullptr), G6_ERR_ARGUMENT);
    fedisableexcept(FE_ALL_EXCEPT);
    EXPECT_EQ(out.status, 0);
    client.set_ti(0);
    client.option("mode", "hermite");
    client.run_and_check(block);
#else
    GTEST_SKIP() << "no way to trap exceptions here";
#endif
}

}  // namespace
}  // namespace g6test
