// SPDX-License-Identifier: MIT
// Where settings come from, and which source overrides which.
#include "settings.h"

namespace g6test {
namespace {

using g6::Config;

TEST(Config, names_override_the_profile_wherever_each_is_given)
{
    {
        const SettingsFile file("npipes = 96\nprofile = grape6\n");
        EXPECT_EQ(g6::config_from_environment().npipes, 96);
        const Variable profile("G6_PROFILE", "grape6");
        EXPECT_EQ(g6::config_from_environment().npipes, 96);
    }
    {
        const SettingsFile file("npipes = 96\nnn_none = 0\n");
        const Variable grape6("G6_PROFILE", "grape6");
        EXPECT_EQ(g6::config_from_environment().npipes, 96);
        const Variable ph4("G6_PROFILE", "ph4");
        EXPECT_EQ(g6::config_from_environment().nn_none, 0);
    }
    {
        const SettingsFile file("profile = grape6\n");
        EXPECT_EQ(g6::config_from_environment().npipes, 48);
        const Variable pipes("G6_NPIPES", "64");
        EXPECT_EQ(g6::config_from_environment().npipes, 64);
    }
}

TEST(Config, a_profile_of_the_environment_takes_the_place_of_the_files)
{
    const SettingsFile file("profile = ph4\nprofile = grape6\n");
    EXPECT_EQ(g6::config_from_environment().profile, "grape6");
    EXPECT_EQ(g6::config_from_environment().nn_none, 0);
    const Variable ph4("G6_PROFILE", "ph4");
    EXPECT_EQ(g6::config_from_environment().npipes, 16384);
    EXPECT_EQ(g6::config_from_environment().nn_none, -1);
    const Variable none("G6_PROFILE", "auto");
    EXPECT_EQ(g6::config_from_environment().npipes, 48);
    EXPECT_EQ(g6::config_from_environment().nn_none, 0);
}

TEST(Config, blanks_around_a_value_do_not_matter)
{
    const Variable v("G6_PRECISION", " double ");
    EXPECT_EQ(g6::config_from_environment().precision, g6::Precision::kDouble);
}

}  // namespace
}  // namespace g6test
