// SPDX-License-Identifier: MIT
// The table of settings and its parser.
#include "libg6gpu/config.h"
#include "libg6gpu/status.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace g6test {
namespace {

using g6::Config;

// One G6_* variable for the length of a test.
class Variable {
public:
    Variable(const char *name, const char *value) : name_(name) { setenv(name, value, 1); }
    ~Variable() { unsetenv(name_); }

private:
    const char *name_;
};

int refusal(const std::string &key, const std::string &value)
{
    Config config;
    try {
        g6::set_option(config, key, value);
    } catch (const g6::Error &e) {
        EXPECT_NE(std::string(e.what()).find(key), std::string::npos) << e.what();
        return e.status();
    }
    return G6_OK;
}

TEST(Config, defaults_are_those_of_the_documentation)
{
    std::string problems = "unset";
    const Config c = g6::config_from_environment(&problems);
    EXPECT_EQ(problems, "");
    EXPECT_EQ(c.npipes, 2048);
    EXPECT_EQ(c.backend, "auto");
    EXPECT_EQ(c.precision, g6::Precision::kMixed);
    EXPECT_EQ(c.nn_none, 0);
    EXPECT_TRUE(c.snap);
    EXPECT_FALSE(c.stats);
    EXPECT_EQ(c.log, "none");
    EXPECT_TRUE(c.own_in_lists());
}

// What a row prints, it must parse: g6_get_option() and g6_set_option() are inverse.
TEST(Config, every_row_takes_what_it_prints)
{
    for (const g6::OptionRow &row : g6::option_rows()) {
        Config c;
        EXPECT_TRUE(row.parse(c, row.print(c)) || row.print(c).empty())
            << row.key << "=" << row.print(c);
    }
}

TEST(Config, keys_are_found_in_every_form)
{
    for (const char *key : {"precision", "G6_PRECISION", "Precision", "g6_precision"}) {
        Config c;
        EXPECT_NO_THROW(g6::set_option(c, key, "double")) << key;
        EXPECT_EQ(c.precision, g6::Precision::kDouble);
    }
}

TEST(Config, a_refused_value_leaves_the_config_as_it_was)
{
    Config c;
    g6::set_option(c, "nn_none", "-1");
    EXPECT_THROW(g6::set_option(c, "nn_none", "5"), g6::Error);
    EXPECT_EQ(c.nn_none, -1);
    EXPECT_EQ(refusal("threads", "4097"), G6_ERR_OPTION);
    EXPECT_EQ(refusal("threads", "4 threads"), G6_ERR_OPTION);
    EXPECT_EQ(refusal("snap", "2"), G6_ERR_OPTION);
    EXPECT_EQ(refusal("nosuchkey", "1"), G6_ERR_OPTION);
    EXPECT_EQ(refusal("npipes", "48"), G6_ERR_OPTION);  // of the process
}

TEST(Config, names_override_the_profile)
{
    const Variable profile("G6_PROFILE", "grape6");
    EXPECT_EQ(g6::config_from_environment().npipes, 48);
    EXPECT_FALSE(g6::config_from_environment().own_in_lists());
    const Variable pipes("G6_NPIPES", "64");
    EXPECT_EQ(g6::config_from_environment().npipes, 64);
    EXPECT_TRUE(g6::config_from_environment().own_in_lists());
}

TEST(Config, every_problem_is_named_and_the_rest_is_used)
{
    const Variable a("G6_PRECISION", "exact"), b("G6_NN_NONE", "-1"), c("G6_THREADS", "lots");
    std::string problems;
    const Config config = g6::config_from_environment(&problems);
    EXPECT_EQ(config.nn_none, -1);
    EXPECT_EQ(config.precision, g6::Precision::kMixed);
    for (const char *part :
         {"G6_PRECISION", "exact", "mixed, double", "G6_THREADS", "lots", "4096"})
        EXPECT_NE(problems.find(part), std::string::npos) << part << " in " << problems;
}

TEST(Config, variables_that_are_no_settings_are_named)
{
    const Variable misspelt("G6_BACKENDS", "cpu"), good("G6_THETA", "0.3");
    const Variable others[] = {{"G6_CUDA_GROUP", "8"}, {"G6_OPENCL_FP64", "1"}};
    std::string problems;
    EXPECT_EQ(g6::config_from_environment(&problems).walk.theta, 0.3);
    EXPECT_EQ(problems, "G6_BACKENDS is no setting; g6info lists them");
}

TEST(Config, an_empty_variable_is_none)
{
    const Variable v("G6_PRECISION", "");
    std::string problems;
    EXPECT_EQ(g6::config_from_environment(&problems).precision, g6::Precision::kMixed);
    EXPECT_EQ(problems, "");
}

TEST(Config, blanks_around_a_value_do_not_matter)
{
    const Variable v("G6_PRECISION", " double ");
    EXPECT_EQ(g6::config_from_environment().precision, g6::Precision::kDouble);
}

}  // namespace
}  // namespace g6test
