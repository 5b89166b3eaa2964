// SPDX-License-Identifier: MIT
// Settings through calls, the log, and silence.
#include "../physics.h"

namespace g6test {
namespace {

class Options : public testing::Test {
protected:
    int set(const char *key, const char *value) const
    {
        return g6_set_option(client.id(), key, value);
    }
    std::string get(const char *key) const
    {
        char text[64] = "";
        EXPECT_EQ(g6_get_option(client.id(), key, text, sizeof text), 0) << key;
        return text;
    }
    Client client;
};

bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

TEST_F(Options, can_be_set_and_read_by_either_form_of_the_key)
{
    EXPECT_EQ(set("precision", "double"), 0);
    EXPECT_EQ(get("G6_PRECISION"), "double");
    EXPECT_EQ(set("G6_NN_NONE", "-1"), 0);
    EXPECT_EQ(get("nn_none"), "-1");
    EXPECT_EQ(set("mode", "treeonly"), 0);
    EXPECT_EQ(get("mode"), "treeonly");
    EXPECT_EQ(g6_set_mode(client.id(), "hermite"), 0);
    EXPECT_EQ(get("mode"), "hermite");
}

TEST_F(Options, an_unknown_key_is_refused)
{
    for (const char *key : {"presicion", "", "G6_", "g6", "LD_PRELOAD"}) {
        EXPECT_EQ(set(key, "double"), G6_ERR_OPTION) << key;
        EXPECT_STRNE(g6_last_error(), "");
        char text[8];
        EXPECT_EQ(g6_get_option(client.id(), key, text, sizeof text), G6_ERR_OPTION) << key;
    }
    EXPECT_NE(set(nullptr, "double"), 0);
    EXPECT_NE(set("precision", nullptr), 0);
}

TEST_F(Options, an_unknown_value_is_refused_with_the_allowed_ones)
{
    EXPECT_EQ(set("precision", "quadruple"), G6_ERR_OPTION);
    for (const char *part : {"precision", "quadruple", "mixed", "double"})
        EXPECT_TRUE(last_error_has(part));
    EXPECT_EQ(get("precision"), "mixed");
    EXPECT_EQ(g6_set_mode(client.id(), "fast"), G6_ERR_OPTION);
    EXPECT_TRUE(last_error_has("treeonly"));
}

TEST_F(Options, a_backend_that_cannot_compute_is_never_fatal)
{
    for (const char *backend : {"cuda", "opencl", "cpu", "auto"}) {
        set("backend", backend);  // refused or not: the next block is right
        client.set_all(moving_bodies(20, 2));
        client.run_and_check(block_of(moving_bodies(20, 2), 0, 5));
    }
}

TEST_F(Options, of_the_process_cannot_change_in_it)
{
    EXPECT_EQ(set("npipes", "48"), G6_ERR_OPTION);
    EXPECT_TRUE(last_error_has("G6_NPIPES"));
    EXPECT_EQ(g6_npipes(), 48);
}

TEST_F(Options, the_table_lists_every_setting)
{
    std::string keys;
    const char *key, *values, *help;
    int row = 0;
    for (; g6_option_row(row, &key, &values, &help) == 0; ++row) {
        keys += std::string(" ") + key + " ";
        EXPECT_STRNE(values, "") << key;
        EXPECT_STRNE(help, "") << key;
        get(key);
    }
    for (const char *wanted : {"backend", "devices", "mode", "precision", "npipes", "profile",
                               "neighbour_self", "nn_none", "snap", "threads", "log", "stats"})
        EXPECT_TRUE(contains(keys, std::string(" ") + wanted + " ")) << wanted;
    EXPECT_NE(g6_option_row(row, &key, &values, &help), 0);
    EXPECT_NE(g6_option_row(-1, &key, &values, &help), 0);
}

TEST_F(Options, a_short_buffer_gets_no_more_than_it_holds)
{
    char text[8] = "xxxxxxx";
    g6_get_option(client.id(), "precision", text, 3);
    EXPECT_EQ(text[2], '\0');
    EXPECT_EQ(text[3], 'x');
}

// ---- the log

struct Lines {
    std::vector<std::string> text;
    std::vector<int> level;
    static void take(int level, const char *line, void *user)
    {
        static_cast<Lines *>(user)->text.push_back(line);
        static_cast<Lines *>(user)->level.push_back(level);
    }
};

TEST_F(Options, a_log_function_receives_the_lines_up_to_its_level)
{
    Lines lines;
    EXPECT_EQ(g6_set_log(Lines::take, 3, &lines), 0);
    EXPECT_EQ(g6_print_chip_status(client.id()), 0);
    EXPECT_FALSE(lines.text.empty());
    for (const std::string &line : lines.text) EXPECT_FALSE(contains(line, "\n"));
    for (int level : lines.level) EXPECT_LE(level, 3);
    const size_t before = lines.text.size();
    EXPECT_EQ(g6_set_log(Lines::take, 1, &lines), 0);
    g6_print_chip_status(client.id());
    EXPECT_EQ(lines.text.size(), before);
    EXPECT_EQ(g6_set_log(nullptr, 0, nullptr), 0);
    g6_print_chip_status(client.id());
    set("precision", "quadruple");
    EXPECT_EQ(lines.text.size(), before);
}

// A particle sent on the unopened id goes to the open cluster, whose precision is not the one set.
TEST_F(Options, of_an_id_that_another_cluster_serves_come_with_a_warning)
{
    constexpr int kUnopened = 77777;
    Lines lines;
    EXPECT_EQ(g6_set_log(Lines::take, 2, &lines), 0);
    EXPECT_EQ(g6_set_option(kUnopened, "precision", "double"), 0);
    EXPECT_EQ(g6_set_mode(kUnopened, "treewalk"), 0);
    ASSERT_EQ(lines.text.size(), 2u);
    for (size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(lines.level[k], 2);
        EXPECT_TRUE(contains(lines.text[k], "cluster 77777 is not open")) << lines.text[k];
        EXPECT_TRUE(contains(lines.text[k], "cluster " + std::to_string(client.id()) + ","))
            << lines.text[k];
    }
    EXPECT_EQ(get("precision"), "mixed");
    char text[16] = "";
    EXPECT_EQ(g6_get_option(kUnopened, "precision", text, sizeof text), 0);
    EXPECT_STREQ(text, "double");

    set("precision", "mixed");
    EXPECT_EQ(g6_open(kUnopened), 0);
    EXPECT_EQ(g6_set_option(kUnopened, "precision", "mixed"), 0);
    EXPECT_EQ(g6_set_option(kUnopened, "mode", "auto"), 0);
    EXPECT_EQ(g6_set_option(kUnopened + 1, "precision", "double"), 0);  // a call would open it
    EXPECT_EQ(g6_set_option(kUnopened + 1, "precision", "mixed"), 0);
    EXPECT_EQ(g6_close(kUnopened), 0);
    EXPECT_EQ(lines.text.size(), 2u);
    EXPECT_EQ(g6_set_log(nullptr, 0, nullptr), 0);
}

TEST_F(Options, nothing_is_ever_printed_on_stdout)
{
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    {
        Client noisy;
        noisy.set_all(moving_bodies(20, 3));
        noisy.run_and_check(block_of(moving_bodies(20, 3), 0, 5));
        Body bad = moving_bodies(1, 4)[0];
        bad.x[0] = std::numeric_limits<double>::quiet_NaN();
        g6_set_j_particle(noisy.id(), 0, 0, 0, 0, 1, data(bad.k18), data(bad.j6), data(bad.a2),
                          data(bad.v), data(bad.x));
        g6_set_option(noisy.id(), "precision", "quadruple");
        noisy.first(block_of(moving_bodies(20, 3), 0, 5), -1);
        noisy.last(block_of(moving_bodies(20, 3), 0, 5), -1);
        g6_print_chip_status(noisy.id());
        g6_reset(noisy.id());
        g6_reinitialize(noisy.id());
    }
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    testing::internal::GetCapturedStderr();  // tests/process looks at it
}

}  // namespace
}  // namespace g6test
