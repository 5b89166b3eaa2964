// SPDX-License-Identifier: MIT
// Finds the names of all files of a snapshot from the name of one of them and the number of files
// in its header.
#include "snapshot_parts.h"

#include "error.h"

#include <cmath>
#include <filesystem>

namespace g6run {
namespace {

namespace fs = std::filesystem;

constexpr const char *kEndings[] = {".hdf5", ".h5"};
constexpr int kMostFiles = 4096;

}  // namespace

std::string first_part(const std::string &given)
{
    std::error_code error;
    if (fs::exists(given, error)) return given;
    for (const char *ending : kEndings)
        if (const std::string first = given + ".0" + ending; fs::exists(first, error)) return first;
    return given;
}

int files_of(const Group &header)
{
    const char *const name = "NumFilesPerSnapshot";
    const double files = header.has_attribute(name) ? header.number(name) : 1;
    if (files >= 1 && files <= kMostFiles && files == std::floor(files))
        return static_cast<int>(files);
    throw Error(header.path() + ": " + name + " " + text_of(files) + " cannot be");
}

std::vector<std::string> all_parts(const std::string &path, const Group &header)
{
    const int files = files_of(header);
    if (files == 1) return {path};
    // "ics" and ".hdf5" of "ics.3.hdf5".
    const fs::path whole = path;
    const std::string ending = whole.extension(),
                      stem = path.substr(0, path.size() - ending.size());
    const std::size_t dot = stem.rfind('.');
    if (dot == std::string::npos || dot + 1 == stem.size() ||
        stem.find_first_not_of("0123456789", dot + 1) != std::string::npos)
        throw Error(path + ": one of " + std::to_string(files) +
                    " files of a snapshot, which should be named NAME.0.hdf5 and so on");
    std::vector<std::string> paths;
    for (int k = 0; k < files; k++)
        paths.push_back(stem.substr(0, dot + 1) + std::to_string(k) + ending);
    return paths;
}

}  // namespace g6run
