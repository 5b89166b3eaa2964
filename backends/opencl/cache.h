// SPDX-License-Identifier: MIT
// Built programs on disk, so that a device's compiler runs once: $XDG_CACHE_HOME/g6gpu, else
// ~/.cache/g6gpu.  Invariants: a file is used only when its whole key, its size and its checksum
// are right; it appears by rename, so that several processes may write at once; without a folder
// that can be written everything is built anew, and nobody is told.
#pragma once

#include <string>
#include <vector>

namespace g6::opencl {

class Cache {
public:
    Cache();
    // The binary stored for this key, empty when there is none that can be trusted.
    std::vector<unsigned char> load(const std::string &key) const;
    void store(const std::string &key, const std::vector<unsigned char> &binary) const;
    // Where the key's binary lies.
    std::string file(const std::string &key) const;

private:
    std::string folder_;  // "": no cache
};

}  // namespace g6::opencl
