// SPDX-License-Identifier: MIT
// A temporary folder below TMPDIR, which the destructor removes; reading a file; the build folder.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace g6test {

class Folder {
public:
    Folder() : path_((std::filesystem::temp_directory_path() / "g6test-XXXXXX").string())
    {
        if (!mkdtemp(path_.data())) throw std::runtime_error("no folder " + path_);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::string &path() const { return path_; }
    std::string operator/(const std::string &name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

// All bytes of a file.
inline std::string bytes_of(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The build folder: this program lies in its folder bin.
inline std::string build_folder()
{
    return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().string();
}

// Where g6_fake.so is, which always computes, and backends that are refused.
inline std::string fake_folder()
{
    return build_folder() + "/test-backends/fakes";
}

}  // namespace g6test
