// SPDX-License-Identifier: MIT
// The cache of compiled kernels on disk: what comes back, and what is never trusted.
#include "backends/opencl/cache.h"
#include "tests/folder.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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
    // Permissions of a file, a folder, or a link itself.
    static mode_t mode(const std::string &path)
    {
        struct stat state = {};
        EXPECT_EQ(lstat(path.c_str(), &state), 0) << path;
        return state.st_mode & 07777;
    }
    void expect_refused(const char *why) const
    {
        const Cache cache;
        EXPECT_EQ(cache.load(key), Bytes());
        cache.store(key, {9});
        EXPECT_EQ(cache.load(key), Bytes());
        EXPECT_EQ(cache.file(key), "");
        EXPECT_NE(cache.refusal().find(why), std::string::npos) << cache.refusal();
    }
    // A file that load() refuses gives way to the next one that is stored.
    void expect_replaced(const Cache &cache) const
    {
        EXPECT_EQ(cache.load(key), Bytes());
        cache.store(key, binary);
        EXPECT_EQ(cache.load(key), binary);
    }

    const g6test::Folder own;
    const std::string &folder = own.path();
    const std::string place = folder + "/deep/down/g6gpu";
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
    EXPECT_NE(cache.refusal().find("Not a directory"), std::string::npos) << cache.refusal();
}

// ---- others

TEST_F(CacheTest, is_written_for_the_user_alone_whatever_the_umask)
{
    const mode_t mask = umask(0);
    const Cache cache;
    cache.store(key, binary);
    umask(mask);
    EXPECT_EQ(mode(folder + "/deep"), 0700u);
    EXPECT_EQ(mode(place), 0700u);
    EXPECT_EQ(mode(cache.file(key)), 0600u);
    EXPECT_EQ(cache.refusal(), "");
}

TEST_F(CacheTest, is_not_used_in_a_folder_that_others_may_write_to)
{
    const Cache earlier;
    earlier.store(key, binary);
    for (const mode_t bad : {0777, 0770, 0702, 01777}) {
        ASSERT_EQ(chmod(place.c_str(), bad), 0);
        expect_refused("others may write to it");
        EXPECT_EQ(earlier.load(key), Bytes());
    }
    ASSERT_EQ(chmod(place.c_str(), 0755), 0);
    EXPECT_EQ(Cache().load(key), binary);
}

TEST_F(CacheTest, is_not_used_in_a_folder_of_another_user)
{
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder to another user";
    Cache().store(key, binary);
    ASSERT_EQ(chown(place.c_str(), 65534, 65534), 0);
    expect_refused("it belongs to another user");
}

TEST_F(CacheTest, is_not_used_behind_a_link)
{
    Cache().store(key, binary);
    ASSERT_EQ(rename(place.c_str(), (folder + "/g6gpu").c_str()), 0);
    ASSERT_EQ(symlink((folder + "/g6gpu").c_str(), place.c_str()), 0);
    expect_refused("it is a symbolic link");
}

TEST_F(CacheTest, trusts_no_file_that_others_may_have_written)
{
    const Cache cache;
    cache.store(key, binary);
    for (const mode_t bad : {0666, 0620, 0602}) {
        ASSERT_EQ(chmod(cache.file(key).c_str(), bad), 0);
        expect_replaced(cache);
        EXPECT_EQ(mode(cache.file(key)), 0600u);
    }
    if (geteuid() == 0) {
        ASSERT_EQ(chown(cache.file(key).c_str(), 65534, 65534), 0);
        expect_replaced(cache);
    }
}

// open() on a FIFO waits for a writer.
TEST_F(CacheTest, reads_regular_files_only)
{
    const Cache cache;
    const std::string file = cache.file(key), sound = folder + "/sound";
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    expect_replaced(cache);
    ASSERT_EQ(rename(file.c_str(), sound.c_str()), 0);
    ASSERT_EQ(symlink(sound.c_str(), file.c_str()), 0);
    expect_replaced(cache);
    EXPECT_EQ(mode(file), 0600u);  // the link itself has gone
    ASSERT_EQ(unlink(file.c_str()), 0);
    ASSERT_EQ(mkdir(file.c_str(), 0700), 0);
    EXPECT_EQ(cache.load(key), Bytes());
    cache.store(key, binary);
    EXPECT_EQ(cache.load(key), Bytes());
}

// ---- limits of the process

TEST_F(CacheTest, keeps_no_descriptor_and_no_draft)
{
    const auto entries = [](const std::string &path) {
        const std::filesystem::directory_iterator all(path);
        return std::distance(begin(all), end(all));
    };
    const auto before = entries("/proc/self/fd");
    const Cache cache;
    for (int k = 0; k < 3; k++) cache.store(key, binary), cache.load(key), cache.load("other");
    ASSERT_EQ(unlink(cache.file(key).c_str()), 0);
    ASSERT_EQ(mkdir(cache.file(key).c_str(), 0700), 0);
    cache.store(key, binary);  // which cannot get its name
    EXPECT_EQ(entries("/proc/self/fd"), before);
    EXPECT_EQ(entries(place), 1);
}

// A write beyond it would end the process with SIGXFSZ.
TEST_F(CacheTest, leaves_out_a_file_beyond_the_size_limit_of_the_process)
{
    const Cache cache;
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit{200, 200};
        signal(SIGXFSZ, SIG_DFL);  // a parent may have had it ignored
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
        cache.store(key, Bytes(300, 1));
        cache.store("small", binary);
        _exit(cache.load(key).empty() && cache.load("small") == binary ? 0 : 2);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
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
