// SPDX-License-Identifier: MIT
// Texts of refused settings, and the log.  g6fuzz sets and reads every setting by each form of its
// key.
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

TEST_F(Options, an_unknown_value_is_refused_with_the_allowed_ones)
{
    EXPECT_EQ(set("precision", "quadruple"), G6_ERR_OPTION);
    for (const char *part : {"precision", "quadruple", "mixed", "double"})
        EXPECT_TRUE(last_error_has(part));
    EXPECT_EQ(get("precision"), "mixed");
    EXPECT_EQ(g6_set_mode(client.id(), "fast"), G6_ERR_OPTION);
    EXPECT_TRUE(last_error_has("treeonly"));
}

TEST_F(Options, of_the_process_cannot_change_in_it)
{
    EXPECT_EQ(set("npipes", "48"), G6_ERR_OPTION);
    EXPECT_TRUE(last_error_has("G6_NPIPES"));
    EXPECT_EQ(g6_npipes(), 48);
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

}  // namespace
}  // namespace g6test
