// SPDX-License-Identifier: MIT
// Each row of the table of settings: its values, and what is refused.
#include "settings.h"

#include <cctype>
#include <clocale>

namespace g6test {
namespace {

using g6::Config;

// What a row prints, it must parse: g6_get_option() and g6_set_option() are inverse.
TEST(Config, every_row_takes_what_it_prints)
{
    for (const g6::OptionRow &row : g6::option_rows()) {
        Config c;
        EXPECT_TRUE(row.parse(c, row.print(c)) || row.print(c).empty())
            << row.key << "=" << row.print(c);
    }
}

// Every value of the table is taken, and read back as it was given but in lower case.
TEST(Config, every_allowed_value_is_taken_and_printed)
{
    const std::pair<const char *, std::vector<const char *>> rows[] = {
        {"mode", {"auto", "hermite", "treeonly", "treewalk"}},
        {"precision", {"mixed", "double", "single"}},
        {"mac", {"bh", "bmax", "multipole", "acceleration", "combined"}},
        {"multipole", {"0", "2", "0"}},
        {"theta", {"0", "0.3", "10"}},
        {"direct", {"7", "auto", "0"}},
        {"neighbour_self", {"0", "1", "auto"}},
        {"nn_none", {"-1", "0"}},
        {"snap", {"0", "1"}},
        {"stats", {"1", "0"}},
        {"threads", {"0", "256"}},
        {"devices", {"all", "0,1", "local", "H200"}}};
    for (const auto &[key, values] : rows) {
        Config c;
        for (const char *value : values) {
            SCOPED_TRACE(std::string(key) + " " + value);
            g6::set_option(c, key, value);
            EXPECT_EQ(g6::option_row(key).print(c), value);
            std::string large = value;
            for (char &letter : large) letter = static_cast<char>(std::toupper(letter));
            g6::set_option(c, key, large);
            EXPECT_EQ(g6::option_row(key).print(c), value);
        }
    }
}

TEST(Config, on_and_off_are_1_and_0)
{
    Config c;
    for (const char *value : {"off", "on", "OFF", "On"}) {
        g6::set_option(c, "snap", value);
        EXPECT_EQ(c.snap, value[1] == 'n') << value;
    }
}

TEST(Config, values_beyond_the_limits_are_refused)
{
    const std::pair<const char *, std::vector<const char *>> rows[] = {
        {"theta", {"-0.1", "10.1", "nan", "inf", "0.5x", ""}},
        {"direct", {"-1", "2147483648", "few"}},
        {"multipole", {"1", "3", "-2"}},
        {"neighbour_self", {"2", "yes", "", "-1"}},
        {"threads", {"-1", "4097", "0x10", "4 4", "many", "1.5", "99999999999999999999"}},
        {"nn_none", {"1", "-2", "zero", "-1x"}}};
    for (const auto &[key, values] : rows)
        for (const char *value : values)
            EXPECT_EQ(refusal(key, value), G6_ERR_OPTION) << key << "=" << value;
}

// A locale whose numbers have a comma, made with localedef; null when that cannot be.
const char *set_comma_locale(const Folder &folder)
{
    std::ofstream(folder / "source") << "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\n"
                                        "grouping -1\nEND LC_NUMERIC\n";
    const std::string make = "localedef --no-archive -c -i " + (folder / "source") +
                             " -f ANSI_X3.4-1968 " + (folder / "comma") + " >/dev/null 2>&1";
    if (std::system(make.c_str()) < 0) return nullptr;
    const Variable path("LOCPATH", folder.path());
    return std::setlocale(LC_NUMERIC, "comma");
}

TEST(Config, numbers_have_a_point_in_every_locale)
{
    const Folder folder;
    if (!set_comma_locale(folder)) GTEST_SKIP() << "localedef cannot make a locale here";
    Config c;
    EXPECT_NO_THROW(g6::set_option(c, "theta", "0.375"));
    EXPECT_EQ(c.walk.theta, 0.375);
    EXPECT_THROW(g6::set_option(c, "theta", "0,5"), g6::Error);
    EXPECT_EQ(g6::option_row("theta").print(c), "0.375");
    std::setlocale(LC_NUMERIC, "C");
}

}  // namespace
}  // namespace g6test
