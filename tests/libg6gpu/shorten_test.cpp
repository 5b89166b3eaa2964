// SPDX-License-Identifier: MIT
// Messages that are longer than their buffer.
#include "libg6gpu/base/shorten.h"
#include "libg6gpu/base/status.h"
#include "libg6gpu/settings/config_text.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

std::string in_room(size_t size, const std::string &text)
{
    std::string buffer(size, '\0');
    g6::mark_shortened(&buffer[0], size, std::snprintf(&buffer[0], size, "%s", text.c_str()));
    return buffer.c_str();
}

TEST(Shorten, a_text_that_fits_stays)
{
    EXPECT_EQ(in_room(12, "one two six"), "one two six");
    EXPECT_EQ(in_room(12, ""), "");
}

TEST(Shorten, a_longer_text_ends_after_a_whole_word)
{
    // 15 bytes leave 14 for the text: ten of it and " ...".
    EXPECT_EQ(in_room(15, "leaf, rebuild, isa"), "leaf ...");
    EXPECT_EQ(in_room(15, "leaf, rebu ild, isa"), "leaf, rebu ...");
    EXPECT_EQ(in_room(15, "leaf, rebui ld, isa"), "leaf ...");
}

TEST(Shorten, a_word_that_fills_the_room_is_divided_between_characters)
{
    EXPECT_EQ(in_room(15, "abcdefghijklmnop"), "abcdefghij ...");
    // The tenth byte is the first half of an e with an accent.
    EXPECT_EQ(in_room(15, "abcdefghi\xc3\xa9klmnop"), "abcdefghi ...");
}

TEST(Shorten, errors_and_values_are_marked_where_they_are_shortened)
{
    const std::string words = [] {
        std::string s;
        while (s.size() < 5000) s += "word ";
        return s;
    }();
    const std::string what = g6::Error(G6_ERR_ARGUMENT, "%s", words.c_str()).what();
    EXPECT_LT(what.size(), 1024u);
    EXPECT_EQ(what.substr(what.size() - 9), " word ...");
    const std::string shown = g6::printable(words);
    EXPECT_LE(shown.size(), 104u);
    EXPECT_EQ(shown.substr(shown.size() - 9), " word ...");
}

}  // namespace
}  // namespace g6test
