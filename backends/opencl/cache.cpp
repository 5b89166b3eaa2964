// SPDX-License-Identifier: MIT
#include "cache.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

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

bool make_folder(const std::string &path)
{
    for (size_t slash = path.find('/', 1); slash != std::string::npos;
         slash = path.find('/', slash + 1))
        mkdir(path.substr(0, slash).c_str(), 0700);
    return mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

}  // namespace

Cache::Cache()
{
    const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
    // The XDG specification: a path that is not absolute is ignored.
    if (cache && *cache == '/')
        folder_ = std::string(cache) + "/g6gpu";
    else if (home && *home == '/')
        folder_ = std::string(home) + "/.cache/g6gpu";
    if (!folder_.empty() && !make_folder(folder_)) folder_.clear();
}

std::string Cache::file(const std::string &key) const
{
    if (folder_.empty()) return "";
    char name[64];
    std::snprintf(name, sizeof name, "/%016llx%016llx.clbin",
                  static_cast<unsigned long long>(hash(key.data(), key.size(), kBasis)),
                  static_cast<unsigned long long>(hash(key.data(), key.size(), ~kBasis)));
    return folder_ + name;
}

std::vector<unsigned char> Cache::load(const std::string &key) const
{
    std::ifstream in(file(key), std::ios::binary);
    Header h{};
    if (!in.read(reinterpret_cast<char *>(&h), sizeof h) ||
        std::memcmp(h.magic, kMagic, sizeof kMagic) != 0 || h.key_bytes != key.size() ||
        h.binary_bytes == 0 || h.binary_bytes > kLargest)
        return {};
    std::string stored(key.size(), '\0');
    std::vector<unsigned char> binary(h.binary_bytes);
    if (!in.read(&stored[0], static_cast<std::streamsize>(stored.size())) || stored != key ||
        !in.read(reinterpret_cast<char *>(binary.data()),
                 static_cast<std::streamsize>(binary.size())) ||
        in.get() != std::ifstream::traits_type::eof() || checksum(key, binary) != h.checksum)
        return {};
    return binary;
}

void Cache::store(const std::string &key, const std::vector<unsigned char> &binary) const
{
    const std::string path = file(key);
    if (path.empty() || binary.empty()) return;
    static std::atomic<unsigned> number{0};
    const std::string draft =
        path + "." + std::to_string(getpid()) + "." + std::to_string(number++) + ".new";
    Header h{};
    std::memcpy(h.magic, kMagic, sizeof kMagic);
    h.key_bytes = key.size();
    h.binary_bytes = binary.size();
    h.checksum = checksum(key, binary);
    {
        std::ofstream out(draft, std::ios::binary);
        out.write(reinterpret_cast<const char *>(&h), sizeof h);
        out.write(key.data(), static_cast<std::streamsize>(key.size()));
        out.write(reinterpret_cast<const char *>(binary.data()),
                  static_cast<std::streamsize>(binary.size()));
        out.close();
        if (!out) {
            std::remove(draft.c_str());
            return;
        }
    }
    if (std::rename(draft.c_str(), path.c_str()) != 0) std::remove(draft.c_str());
}

}  // namespace g6::opencl
