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

    // Pinned memory for n i-particles in one of two forms, which must be settled (Stream).
    G6IRecord *room(int n);
    G6IPoint *room_for_points(int n);
    // Copies the block's i-particles to that memory, unless they are there.
    void stage(const Block &block);
    // As records.
    const G6IRecord *staged() const { return records_.host(); }
    // Adds the staged i-particles to what a kernel receives.
    void add_to(Arrivals &a, int ni) const;

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
    MappedArray<G6IPoint> points_;
    bool as_points_ = false;  // the form of the staged i-particles
    DeviceArray<double> values_;
    DeviceArray<int> index_;
    DeviceArray<float> aold_;
    IMemory memory_{};
};

}  // namespace g6::cuda
