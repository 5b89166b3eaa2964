// SPDX-License-Identifier: MIT
// The file that G6_CONFIG names.
#include "settings.h"

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

namespace g6test {
namespace {

using g6::Config;

// What is said about this path as G6_CONFIG.
std::string refusal_of_file(const std::string &path)
{
    const Variable variable("G6_CONFIG", path);
    std::string problems;
    EXPECT_EQ(g6::config_from_environment(&problems).npipes, 48);
    return problems;
}

TEST(Config, only_regular_files_are_read)
{
    const Folder folder;
    ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
    ASSERT_EQ(symlink("fifo", (folder / "link").c_str()), 0);
    const std::string other[][2] = {{folder.path(), "it is a folder"},
                                    {folder / "fifo", "it is no regular file"},
                                    {folder / "link", "it is no regular file"},
                                    {"/dev/zero", "it is no regular file"},
                                    {folder / "nowhere", "No such file or directory"}};
    for (const auto &[path, why] : other)
        EXPECT_EQ(refusal_of_file(path),
                  "G6_CONFIG=" + path + " cannot be read: " + why + "; going on without it");
}

TEST(Config, a_link_to_a_regular_file_is_read)
{
    const SettingsFile file("npipes = 96\n");
    const Folder folder;
    ASSERT_EQ(symlink(file.path().c_str(), (folder / "link").c_str()), 0);
    const Variable variable("G6_CONFIG", folder / "link");
    EXPECT_EQ(g6::config_from_environment().npipes, 96);
}

// The text goes to a terminal.
TEST(Config, a_file_that_is_no_text_is_reported_in_a_few_printable_lines)
{
    std::string bytes;
    for (int k = 0; k < 4000; k++) bytes += static_cast<char>(1 + k * 7 % 255);
    for (int k = 0; k < 100; k++) bytes += "\n\033[2J" + std::string(1, '\0') + "mode";
    const SettingsFile file(bytes + "\nsnap = 0\nnpipes = 9" + std::string(1, '\0') + "6\n");
    std::string problems;
    const Config config = g6::config_from_environment(&problems);
    EXPECT_FALSE(config.snap);
    EXPECT_EQ(config.npipes, 48);
    EXPECT_LE(std::count(problems.begin(), problems.end(), '\n'), 22);
    for (const char c : problems)
        EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != 127)) << int(c);
    std::string names;
    for (int k = 0; k < 23; k++) names += "x\n";
    const SettingsFile wrong(names);  // 20 lines are named
    EXPECT_NE(refusal_of_file(wrong.path()).find(": 3 more such lines"), std::string::npos);
}

}  // namespace
}  // namespace g6test
