// SPDX-License-Identifier: MIT
// Folders of backends that also have files which are no backends, or which must not be opened.
#include "process.h"

#include <filesystem>
#include <sys/stat.h>

namespace g6test {
namespace {

class BackendFolder : public Process {
protected:
    std::string here() const { return "G6_BACKEND_DIR=" + folder + " "; }
    std::string listed() const { return probe(here(), "backends").out; }
    void expect_listed(const std::string &entry) const
    {
        const std::string all = listed();
        EXPECT_NE(all.find(entry), std::string::npos) << entry << " in " << all;
    }
    void expect_on(const std::string &backend, const std::string &variables) const
    {
        const Result r = probe(here() + variables);
        EXPECT_TRUE(r.says(kRight)) << r.out << r.err;
        EXPECT_TRUE(r.says(" backend=" + backend + " ")) << r.out << r.err;
    }
    void link(const std::string &target, const std::string &name) const
    {
        ASSERT_EQ(symlink(target.c_str(), (folder + "/" + name).c_str()), 0);
    }
};

// The file's name is that of the built-in backend, which computes all the same.
TEST_F(BackendFolder, no_file_takes_the_place_of_the_built_in_cpu)
{
    write("g6_cpu.so", "not a shared object");
    expect_listed("[cpu 0 the library uses the name cpu itself");
    expect_listed("[cpu 1 ]");
    for (const char *asked : {"auto", "cpu", "cuda"})
        expect_on("cpu", std::string("G6_BACKEND=") + asked);
    // Not even one that could compute.
    ASSERT_EQ(unlink((folder + "/g6_cpu.so").c_str()), 0);
    link(fake_folder() + "/g6_fake.so", "g6_cpu.so");
    link(fake_folder() + "/g6_fake.so", "g6_auto.so");
    expect_listed("[cpu 0 the library uses the name cpu itself");
    expect_listed("[auto 0 the library uses the name auto itself");
    for (const char *asked : {"auto", "cpu"}) expect_on("cpu", std::string("G6_BACKEND=") + asked);
}

TEST_F(BackendFolder, is_beside_the_library)
{
    const std::string library = "libg6gpu.so." + std::to_string(G6_VERSION_MAJOR);
    std::filesystem::copy_file(build_folder() + "/lib/" + library, folder + "/" + library);
    ASSERT_EQ(mkdir((folder + "/g6gpu").c_str(), 0700), 0);
    link(fake_folder() + "/g6_fake.so", "g6gpu/g6_fake.so");
    const Result r = probe("LD_LIBRARY_PATH=" + folder, "backends");
    EXPECT_TRUE(r.says("[fake 4 ]")) << r.out;
}

// open() on a FIFO waits for a writer.
TEST_F(BackendFolder, only_regular_files_are_opened)
{
    ASSERT_EQ(mkfifo((folder + "/g6_fifo.so").c_str(), 0600), 0);
    ASSERT_EQ(mkdir((folder + "/g6_folder.so").c_str(), 0700), 0);
    link("/dev/zero", "g6_zero.so");
    link("g6_fifo.so", "g6_link.so");
    link("nowhere", "g6_nowhere.so");
    expect_listed("[fifo 0 cannot be loaded: it is no regular file]");
    expect_listed("[folder 0 cannot be loaded: it is a folder]");
    expect_listed("[zero 0 cannot be loaded: it is no regular file]");
    expect_listed("[link 0 cannot be loaded: it is no regular file]");
    expect_listed("[nowhere 0 cannot be loaded: No such file or directory]");
    for (const char *name : {"fifo", "folder", "zero", "link", "nowhere"})
        expect_on("cpu", std::string("G6_BACKEND=") + name);
}

// The system would end a program that loads such a file.  The backend "auto" opens g6_cuda.so
// without a trial, so that this file has that name.
TEST_F(BackendFolder, a_file_that_is_cut_off_is_not_opened)
{
    const std::string file = folder + "/g6_cuda.so";
    std::filesystem::copy_file(fake_folder() + "/g6_fake.so", file);
    const auto whole = std::filesystem::file_size(file);
    for (const auto bytes : {whole - 1, whole / 2, whole / 10, std::uintmax_t{64}}) {
        std::filesystem::resize_file(file, bytes);
        expect_listed("[cuda 0 cannot be loaded: the file is cut off]");
        for (const char *asked : {"auto", "cuda"})
            expect_on("cpu", std::string("G6_BACKEND=") + asked);
    }
    std::filesystem::resize_file(file, 63);
    expect_listed("[cuda 0 cannot be loaded: ");
}

TEST_F(BackendFolder, a_link_to_a_regular_file_is_as_good_as_the_file)
{
    link(fake_folder() + "/g6_fake.so", "g6_fake.so");
    expect_listed("[fake 4 ]");
    expect_on("fake", "G6_BACKEND=fake");
}

TEST_F(BackendFolder, a_folder_that_cannot_be_read_is_reported_with_the_reason)
{
    const Result r = probe("G6_LOG=warn G6_BACKEND=cuda G6_BACKEND_DIR=/dev/null");
    EXPECT_TRUE(r.says(kRight)) << r.out;
    EXPECT_TRUE(r.tells("no file g6_cuda.so in /dev/null (Not a directory)")) << r.err;
}

// As beside a copy of the library alone.
TEST_F(BackendFolder, that_is_not_there_is_named)
{
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "AddressSanitizer must be loaded before any LD_PRELOAD";
#endif
    link(build_folder() + "/lib/libg6gpu.so", "libg6gpu.so");
    const Result r = probe("G6_BACKEND=cuda G6_BACKEND_DIR= LD_PRELOAD=" + folder + "/libg6gpu.so");
    EXPECT_TRUE(r.says(kRight)) << r.out;
    EXPECT_TRUE(r.tells("no file g6_cuda.so in " + folder + "/g6gpu (No such file or directory)"))
        << r.err;
}

}  // namespace
}  // namespace g6test
