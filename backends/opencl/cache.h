// SPDX-License-Identifier: MIT
// Built programs on disk, so that a device's compiler runs once: $XDG_CACHE_HOME/g6gpu, else
// ~/.cache/g6gpu.  Drivers trust a binary: a forged one ends the process, or computes something
// else.
//
// Invariants
//  * Folder and file belong to the user of this process, and nobody else may write to them; else
//    they are not used.
//  * A file is used only when it is a regular one and its whole key, its size and its checksum are
//    right.
//  * A file appears by rename, so that several processes may write at once.
//  * Without a cache everything is built anew; refusal() tells why there is none.
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
    // Where the key's binary lies; "" without a cache.
    std::string file(const std::string &key) const;
    // Why there is no cache; "" when there is one.
    const std::string &refusal() const { return refusal_; }

private:
    std::string folder_, refusal_;
};

}  // namespace g6::opencl
