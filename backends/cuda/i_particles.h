// SPDX-License-Identifier: MIT
// The i-particles of the block that was started last, in two forms:
//   staged    in the caller's units, in memory that the host writes (staging.h)
//   memory()  in device units, in device memory
#pragma once

#include "kernels.h"
#include "staging.h"

namespace g6::cuda {

class DeviceIParticles {
public:
    DeviceIParticles(Stream &stream, const DeviceOptions &options)
        : stream_(stream), options_(options)
    {
    }

    // Pinned memory for n rows of so many words.  The stream must be synchronized.
    double *stage(int n, int words);
    // The host has written the first n of the i-particles staged last.
    void send(int n) { staged_.send(stream_, words_of(n)); }
    // Takes the block's i-particles from the leader's memory when they are staged there, and else
    // copies them to this device's pinned memory.  linked: kernels can read the leader's device
    // memory.
    void stage(const Block &block, DeviceIParticles &leader, bool linked);
    // Whether the staged i-particles are in device memory of the leader, which is another device.
    bool is_on_leader() const { return is_on_leader_; }
    // The staged i-particles, as the host reads them and as kernels read them.
    const double *in_host_memory() const { return host_; }
    const double *for_kernels() const { return source_; }
    // The first ni staged i-particles, for a kernel that receives them.
    Arrivals arrivals(int ni) const { return {nullptr, source_, 0, ni, 0, words_}; }

    // Memory for the particles in device units.
    void reserve(int ni);
    const IMemory &memory() const { return memory_; }

private:
    size_t words_of(int n) const { return static_cast<size_t>(n) * static_cast<size_t>(words_); }

    Stream &stream_;
    const DeviceOptions &options_;
    Staging staged_;
    int words_ = kIWords;  // of an i-particle staged last
    bool is_on_leader_ = false;
    // Where the first staged i-particle of the block lies, as the device and as the host reads it.
    const double *source_ = nullptr, *host_ = nullptr;
    DeviceArray<double> values_;
    DeviceArray<int> index_;
    DeviceArray<float> aold_;
    IMemory memory_{};
};

}  // namespace g6::cuda
