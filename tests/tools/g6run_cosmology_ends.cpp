// SPDX-License-Identifier: MIT
// What cosmological runs leave that go wrong, and what their terminal shows.
#include "g6run_cosmic_case.h"
#include "tools/g6run/cosmology_file.h"
#include "tools/g6run/error.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace {

using namespace g6run;
using g6runtest::bytes;
using g6runtest::Case;

namespace fs = std::filesystem;

constexpr int kSteps = 130, kStretch = 3;  // a run has at most 64 stretches
constexpr const char *kHard = "1kpc";      // close pairs, whose energy these steps lose
constexpr double kLimit = 0.3;

std::vector<std::string> rows(const std::string &text)
{
    std::vector<std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != '#') found.push_back(line);
    return found;
}

// The error of the energy equation in a line of the table.
double error_in(const std::string &row)
{
    std::istringstream words(row);
    std::string word;
    for (int column = 0; column < 7; column++) words >> word;
    return std::fabs(std::strtod(word.c_str(), nullptr));
}

TEST(CosmicRun, leaves_the_last_particles_that_are_right_when_its_energy_is_not)
{
    Case whole;
    whole.o.cosmic.n_steps = kSteps;
    whole.o.cosmic.eps = kHard;
    ASSERT_EQ(run_cosmology(whole.o), 0);
    const std::vector<std::string> table = rows(bytes(whole.out("table.txt")));
    int wrong = 0;
    while (wrong < kSteps && error_in(table[static_cast<std::size_t>(wrong)]) <= kLimit) wrong++;
    ASSERT_GT(wrong, kStretch);
    ASSERT_LT(wrong, kSteps);
    Case c;
    c.o.cosmic.n_steps = kSteps;
    c.o.cosmic.eps = kHard;
    c.o.max_error = kLimit;
    try {
        run_cosmology(c.o);
        FAIL() << "no error";
    } catch (const Error &error) {
        EXPECT_EQ(error.status(), kExitWrongPhysics) << error.what();
    }
    ASSERT_TRUE(fs::exists(c.out("last_good.hdf5")));
    const CosmicSnapshot good = read_cosmic_snapshot(c.out("last_good.hdf5"));
    EXPECT_EQ(good.state.step, (wrong - 1) / kStretch * kStretch);
    // It goes on as a run does that nothing ended.
    Options again;
    again.quiet = true;
    again.backend = "cpu";
    again.restart = c.out("last_good.hdf5");
    again.max_error = 1e9;
    ASSERT_EQ(run_cosmology(again), 0);
    const CosmicSnapshot end = read_cosmic_snapshot(c.out("snapshot_0001.hdf5"));
    const CosmicSnapshot expected = read_cosmic_snapshot(whole.out("snapshot_0001.hdf5"));
    EXPECT_EQ(end.particles.x, expected.particles.x);
    EXPECT_EQ(end.particles.p, expected.particles.p);
}

std::size_t shown_rows(Case &c)
{
    c.o.quiet = false;
    testing::internal::CaptureStdout();
    const int status = run_cosmology(c.o);
    const std::string shown = testing::internal::GetCapturedStdout();
    EXPECT_EQ(status, 0);
    return rows(shown).size();
}

TEST(CosmicRun, shows_a_line_for_each_stretch_and_keeps_one_for_each_step)
{
    Case c;
    c.o.cosmic.n_steps = kSteps;
    // Steps 0, 3 ... 129, and the last.
    EXPECT_EQ(shown_rows(c), 45u);
    EXPECT_EQ(rows(bytes(c.out("table.txt"))).size(), 131u);
}

TEST(CosmicRun, shows_all_lines_that_table_asks_for)
{
    Case c;
    c.o.cosmic.n_steps = kSteps;
    c.o.table_every = 1;
    EXPECT_EQ(shown_rows(c), 131u);
    Case tenth;
    tenth.o.cosmic.n_steps = kSteps;
    tenth.o.table_every = 10;
    EXPECT_EQ(shown_rows(tenth), 14u);
    EXPECT_EQ(rows(bytes(tenth.out("table.txt"))).size(), 14u);
}

}  // namespace
