// SPDX-License-Identifier: MIT
// Layout of a cached file: a header with sizes and a checksum, the key, the binary.  Folder and
// files are opened without following symbolic links, and owner and rights are checked on the open
// descriptor, so that nobody can exchange a file between check and use.
#include "cache.h"

#include "../../libg6gpu/settings/files.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>

namespace g6::opencl {
namespace {

constexpr char kMagic[8] = {'g', '6', 'c', 'l', 'b', 'i', 'n', '1'};
constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;  // of a binary that anybody would write

struct Header {
    char magic[8];
    std::uint64_t key_bytes, binary_bytes, checksum;
};

// FNV-1a (Fowler, Noll, Vo), started at a number of one's own.
std::uint64_t hash(const void *data, size_t bytes, std::uint64_t h)
{
    const auto *p = static_cast<const unsigned char *>(data);
    for (size_t k = 0; k < bytes; k++) h = (h ^ p[k]) * 0x100000001b3ULL;
    return h;
}
constexpr std::uint64_t kBasis = 0xcbf29ce484222325ULL;

std::uint64_t checksum(const std::string &key, const std::vector<unsigned char> &binary)
{
    return hash(binary.data(), binary.size(), hash(key.data(), key.size(), kBasis));
}

std::string name_of(const std::string &key)
{
    char name[64];
    std::snprintf(name, sizeof name, "%016llx%016llx.clbin",
                  static_cast<unsigned long long>(hash(key.data(), key.size(), kBasis)),
                  static_cast<unsigned long long>(hash(key.data(), key.size(), ~kBasis)));
    return name;
}

void make_folders(const std::string &path)
{
    for (size_t slash = path.find('/', 1); slash != std::string::npos;
         slash = path.find('/', slash + 1))
        mkdir(path.substr(0, slash).c_str(), 0700);
    mkdir(path.c_str(), 0700);
}

// "" when nobody but the user of this process can have written it.
std::string not_ours(const struct stat &file)
{
    if (file.st_uid != geteuid()) return "it belongs to another user";
    return file.st_mode & (S_IWGRP | S_IWOTH) ? "others may write to it" : "";
}

bool is_link(const std::string &path)
{
    struct stat state;
    const int error = errno;
    const bool link = lstat(path.c_str(), &state) == 0 && S_ISLNK(state.st_mode);
    errno = error;
    return link;
}

// The folder, open, when it can be trusted; else none, and why.
Descriptor open_folder(const std::string &path, std::string *why = nullptr)
{
    Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat state;
    std::string trouble;
    if (folder && fstat(folder.number(), &state) == 0)
        trouble = not_ours(state);
    else
        trouble = is_link(path) ? "it is a symbolic link" : std::strerror(errno);
    if (why) *why = trouble;
    return trouble.empty() ? std::move(folder) : Descriptor(-1);
}

// A regular file of the folder that nobody else can have written; else none.
Descriptor open_file(const Descriptor &folder, const std::string &name)
{
    // O_NONBLOCK: or open() on a FIFO would wait for a writer.
    Descriptor file(openat(folder.number(), name.c_str(),
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat state;
    const bool good = file && fstat(file.number(), &state) == 0 && not_regular(state).empty() &&
                      not_ours(state).empty();
    return good ? std::move(file) : Descriptor(-1);
}

// A write beyond the limit of the process would end it (SIGXFSZ).
bool may_write(std::uint64_t bytes)
{
    rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

// A name for an unfinished file that no other writer uses, on this machine or on another one that
// has the same folder.
std::string draft_name(const std::string &name)
{
    static std::atomic<unsigned> number{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return name + "." + std::to_string(getpid()) + "." + std::to_string(now) + "." +
           std::to_string(number++) + ".new";
}

}  // namespace

Cache::Cache()
{
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    std::string path;
    // The XDG specification: a path that is not absolute is ignored.
    if (cache && *cache == '/')
        path = std::string(cache) + "/g6gpu";
    else if (home && *home == '/')
        path = std::string(home) + "/.cache/g6gpu";
    else {
        refusal_ = "neither XDG_CACHE_HOME nor HOME names a folder";
        return;
    }
    make_folders(path);
    std::string why;
    if (open_folder(path, &why))
        folder_ = path;
    else
        refusal_ = path + ": " + why;
}

std::string Cache::file(const std::string &key) const
{
    return folder_.empty() ? "" : folder_ + "/" + name_of(key);
}

std::vector<unsigned char> Cache::load(const std::string &key) const
{
    const Descriptor folder = open_folder(folder_);
    if (!folder) return {};
    const Descriptor in = open_file(folder, name_of(key));
    const auto read_whole = [&](void *to, size_t bytes) {
        return read_all(in.number(), to, bytes) == static_cast<ssize_t>(bytes);
    };
    Header h{};
    if (!in || !read_whole(&h, sizeof h) || std::memcmp(h.magic, kMagic, sizeof kMagic) != 0 ||
        h.key_bytes != key.size() || h.binary_bytes == 0 || h.binary_bytes > kLargest)
        return {};
    struct stat state;
    if (fstat(in.number(), &state) != 0 ||
        static_cast<std::uint64_t>(state.st_size) != sizeof h + h.key_bytes + h.binary_bytes)
        return {};
    std::string stored(key.size(), '\0');
    std::vector<unsigned char> binary(h.binary_bytes);
    if (!read_whole(&stored[0], stored.size()) || stored != key ||
        !read_whole(binary.data(), binary.size()) || checksum(key, binary) != h.checksum)
        return {};
    return binary;
}

void Cache::store(const std::string &key, const std::vector<unsigned char> &binary) const
{
    Header h{};
    std::memcpy(h.magic, kMagic, sizeof kMagic);
    h.key_bytes = key.size();
    h.binary_bytes = binary.size();
    h.checksum = checksum(key, binary);
    const Descriptor folder = open_folder(folder_);
    if (!folder || binary.empty() || !may_write(sizeof h + key.size() + binary.size())) return;
    const std::string name = name_of(key), draft = draft_name(name);
    Descriptor out(openat(folder.number(), draft.c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!out) return;
    const bool written = write_all(out.number(), &h, sizeof h) &&
                         write_all(out.number(), key.data(), key.size()) &&
                         write_all(out.number(), binary.data(), binary.size());
    if (!out.close() || !written ||
        renameat(folder.number(), draft.c_str(), folder.number(), name.c_str()) != 0)
        unlinkat(folder.number(), draft.c_str(), 0);
}

}  // namespace g6::opencl
