// SPDX-License-Identifier: MIT
// The i-particles of the block that was started last, in two forms:
//   staged    in the caller's units, in pinned memory
//   memory()  in device units, in device memory
#pragma once

#include "kernels.h"
#include "memory.h"

namespace g6::cuda {

class IParticles {
public:
    IParticles(Stream &stream, const DeviceOptions &options) : stream_(stream), options_(options) {}

    // Pinned memory for n i-particles, which must be settled (Stream).
    G6IRecord *room(int n);
    // Copies the block's i-particles to that memory.
    void stage(const Block &block);
    const G6IRecord *staged() const { return records_.host(); }
    const G6IRecord *staged_on_device() const { return records_.device(); }

    // Room for the particles in device units.
    void reserve(int ni);
    // Makes that room and launches the kernel that fills it from the staged i-particles.  Staged
    // j-particles stay staged.
    void receive(const Request &r);
    const IMemory &memory() const { return memory_; }

private:
    Stream &stream_;
    const DeviceOptions &options_;
    MappedArray<G6IRecord> records_;
    DeviceArray<double> values_;
    DeviceArray<int> index_;
    DeviceArray<float> aold_;
    IMemory memory_{};
};

}  // namespace g6::cuda
