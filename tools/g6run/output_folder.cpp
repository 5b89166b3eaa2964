// SPDX-License-Identifier: MIT
// Names the files of a run, finds the snapshots of earlier runs, and checks what may be replaced.
#include "output_folder.h"

#include "error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace g6run {
namespace {

namespace fs = std::filesystem;

constexpr const char *kTable = "table.txt";
constexpr const char *kInterrupted = "interrupted.hdf5";
constexpr const char *kLastGood = "last_good.hdf5";
constexpr const char *kSnapshot = "snapshot_";

// Number of a snapshot's file name, -1 for any other name.
int snapshot_number(const fs::path &file)
{
    const std::string stem = file.stem(), end = file.extension(), prefix = kSnapshot;
    if (end != ending(Format::kHdf5) && end != ending(Format::kText)) return -1;
    if (stem.rfind(prefix, 0) != 0) return -1;
    const std::string digits = stem.substr(prefix.size());
    if (digits.size() < 4 || digits.find_first_not_of("0123456789") != std::string::npos) return -1;
    return std::atoi(digits.c_str());
}

// A run that continues in its folder keeps the snapshots below `first`; any other run keeps none.
bool is_replaced(const fs::path &file, int first, bool continues)
{
    if (snapshot_number(file) >= (continues ? first : 0)) return true;
    const std::string name = file.filename();
    return !continues && (name == kInterrupted || name == kLastGood);
}

// The table, or the unfinished one.
bool is_table(const fs::path &file)
{
    return file.filename() == kTable || file.filename() == std::string(kTable) + ".tmp";
}

// Whether a run may continue this table: g6run has written it, or there is none, or it is empty.
bool may_go_on(const std::string &table)
{
    std::ifstream file(table);
    std::string line;
    if (!std::getline(file, line)) return true;
    while (line.rfind("# g6run ", 0) != 0)
        if (line[0] != '#' || !std::getline(file, line)) return false;
    return true;
}

void check_writable(const std::string &folder)
{
    if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK))
        throw Error(folder + ": cannot be written to");
}

}  // namespace

void OutputFolder::check(int first, bool continues, bool overwrite,
                         const std::vector<std::string> &replaceable,
                         const std::string &source) const
{
    std::error_code error;
    const fs::file_status status = fs::status(path_, error);
    if (!fs::exists(status)) {
        // The folder does not exist yet: its nearest ancestor that exists must be writable.
        fs::path above = fs::absolute(path_).parent_path();
        while (!fs::exists(above, error) && above.has_relative_path()) above = above.parent_path();
        check_writable(above);
        return;
    }
    if (!fs::is_directory(status)) throw Error(path_ + ": exists and is not a folder");
    check_writable(path_);
    // The source may be a link to a file of this folder.
    for (const std::string &file : {source, fs::weakly_canonical(source, error).string()})
        if (holds(file) && (is_table(file) || is_replaced(file, first, continues)))
            throw Error(source + ": lies in the output folder, and --overwrite would remove it; "
                                 "choose another --output");
    if (continues && !may_go_on(table()))
        throw Error(table() +
                    ": is no table of g6run, with which the run could go on; choose another "
                    "--output");
    if (overwrite) return;
    for (const auto &entry : fs::directory_iterator(path_)) {
        if (!continues)
            throw Error(path_ + ": not empty; choose another --output or give --overwrite");
        const std::string file = entry.path();
        const bool stays = !std::count(replaceable.begin(), replaceable.end(), file);
        if (snapshot_number(file) >= first && stays)
            throw Error(entry.path().string() +
                        ": exists already; choose another --output or give --overwrite");
    }
}

FolderLock OutputFolder::create() const
{
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) throw Error(path_ + ": cannot be created: " + error.message());
    return FolderLock(path_);
}

// The system releases the lock when the process ends, even by a crash.
FolderLock::FolderLock(const std::string &folder)
    : file_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    close(file_);
    throw Error(folder + ": another g6run is writing there; wait for its end, or choose another "
                         "--output");
}

FolderLock::~FolderLock()
{
    if (file_ >= 0) close(file_);
}

void OutputFolder::remove_earlier(int first, bool continues, const std::string &written) const
{
    for (const auto &entry : fs::directory_iterator(path_))
        if (entry.path() != written && is_replaced(entry.path(), first, continues))
            fs::remove(entry.path());
}

std::string OutputFolder::snapshot(int number, Format format) const
{
    char name[32];
    std::snprintf(name, sizeof name, "%s%04d%s", kSnapshot, number, ending(format));
    return fs::path(path_) / name;
}

std::string OutputFolder::interrupted() const
{
    return fs::path(path_) / kInterrupted;
}

std::string OutputFolder::last_good() const
{
    return fs::path(path_) / kLastGood;
}

std::string OutputFolder::table() const
{
    return fs::path(path_) / kTable;
}

std::string folder_of(const std::string &file)
{
    const std::string folder = fs::path(file).parent_path();
    return folder.empty() ? "." : folder;
}

std::vector<std::string> newest_snapshots(const std::string &folder)
{
    std::error_code error;
    std::vector<std::tuple<int, bool, std::string>> found;  // number, with a state, path
    for (const auto &entry : fs::directory_iterator(folder, error)) {
        const fs::path &file = entry.path();
        const int number = snapshot_number(file);
        if (number >= 0 || is_interrupted(file))
            found.emplace_back(number, file.extension() == ending(Format::kHdf5), file);
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<std::string> paths;
    for (const auto &[number, state, path] : found) paths.push_back(path);
    return paths;
}

bool is_interrupted(const std::string &path)
{
    return fs::path(path).filename() == kInterrupted;
}

void check_readable(const std::string &path)
{
    if (access(path.c_str(), F_OK))
        throw Error(path + (errno == ENOENT
                                ? ": no such file"
                                : std::string(": cannot be read: ") + std::strerror(errno)));
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const std::vector<std::string> newest = newest_snapshots(path);
        throw Error(path + ": is a folder" +
                    (newest.empty() ? "" : "; its newest snapshot is " + newest.front()));
    }
    if (access(path.c_str(), R_OK)) throw Error(path + ": cannot be read: " + std::strerror(errno));
}

bool OutputFolder::holds(const std::string &file) const
{
    std::error_code error;
    const auto place = [&](const std::string &folder) {
        return fs::weakly_canonical(fs::absolute(folder, error), error);
    };
    return !place(path_).empty() && place(folder_of(file)) == place(path_);
}

bool OutputFolder::writes(const std::string &file) const
{
    return holds(file) && (is_table(file) || is_replaced(file, 0, false));
}

}  // namespace g6run
