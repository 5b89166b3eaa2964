// SPDX-License-Identifier: MIT
// The cache of compiled kernels on disk: what comes back, and what is never trusted.
#include "backends/opencl/cache.h"
#include "tests/folder.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace g6::opencl {
namespace {

using Bytes = std::vector<unsigned char>;

class CacheTest : public testing::Test {
protected:
    void SetUp() override
    {
        before = std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "";
        setenv("XDG_CACHE_HOME", (folder + "/deep/down").c_str(), 1);
    }
    void TearDown() override { setenv("XDG_CACHE_HOME", before.c_str(), 1); }
    static std::string content(const std::string &path)
    {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static void write(const std::string &path, const std::string &text)
    {
        std::ofstream(path, std::ios::binary) << text;
    }

    const g6test::Folder own;
    const std::string &folder = own.path();
    std::string before;
    const std::string key = "device\ndriver\noptions\ntext";
    const Bytes binary = {1, 2, 0, 3, 255, 4};
};

TEST_F(CacheTest, gives_back_what_was_stored_and_nothing_for_another_key)
{
    const Cache cache;
    EXPECT_EQ(cache.load(key), Bytes());
    cache.store(key, binary);
    EXPECT_EQ(cache.load(key), binary);
    EXPECT_EQ(cache.load(key + "2"), Bytes());
    EXPECT_EQ(cache.load(""), Bytes());
    EXPECT_EQ(Cache().load(key), binary);
    cache.store(key, {9});
    EXPECT_EQ(cache.load(key), Bytes{9});
    EXPECT_NE(cache.file(key), cache.file(key + "2"));
    EXPECT_EQ(cache.file(key).find(folder + "/deep/down/g6gpu/"), 0u);
}

TEST_F(CacheTest, trusts_no_file_with_any_byte_changed)
{
    const Cache cache;
    cache.store(key, binary);
    const std::string good = content(cache.file(key));
    for (size_t at = 0; at < good.size(); at++) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 4);
        write(cache.file(key), bad);
        EXPECT_EQ(cache.load(key), Bytes()) << "byte " << at;
    }
    write(cache.file(key), good);
    EXPECT_EQ(cache.load(key), binary);
}

TEST_F(CacheTest, trusts_no_file_of_another_length_or_key)
{
    const Cache cache;
    cache.store(key, binary);
    const std::string good = content(cache.file(key));
    for (size_t length = 0; length < good.size(); length++) {
        write(cache.file(key), good.substr(0, length));
        EXPECT_EQ(cache.load(key), Bytes()) << length << " bytes";
    }
    write(cache.file(key), good + "x");
    EXPECT_EQ(cache.load(key), Bytes());
    // A sound file under the wrong name, as if two keys had one hash.
    const std::string other = "Device\ndriver\noptions\ntext";
    write(cache.file(other), good);
    EXPECT_EQ(cache.load(other), Bytes());
}

TEST_F(CacheTest, goes_on_without_a_folder_that_can_be_written)
{
    write(folder + "/deep", "a file where a folder should be");
    const Cache cache;
    cache.store(key, binary);
    EXPECT_EQ(cache.load(key), Bytes());
    EXPECT_EQ(cache.file(key), "");
}

// The XDG specification: relative paths are ignored.
TEST_F(CacheTest, ignores_a_relative_path)
{
    setenv("XDG_CACHE_HOME", "here", 1);
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
    setenv("HOME", folder.c_str(), 1);
    EXPECT_EQ(Cache().file(key).find(folder + "/.cache/g6gpu/"), 0u);
    setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace g6::opencl
