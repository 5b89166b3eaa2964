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

    // Pinned memory for n i-particles in one of two forms.  The stream must be synchronized.
    G6IRecord *stage_records(int n);
    G6IPoint *stage_points(int n);
    // The host has written the first n of the i-particles staged last.
    void send(int n);
    // Takes the block's i-particles from the leader's memory when they are staged there, and else
    // copies them to this one.  linked: kernels can read the leader's device memory.
    void stage(const Block &block, DeviceIParticles &leader, bool linked);
    // Whether the staged i-particles are in device memory of the leader, which is another device.
    bool is_on_leader() const { return is_on_leader_; }
    // The staged i-particles in pinned memory, as the host and as the device reads them, when they
    // are staged as records.
    const G6IRecord *in_host_memory() const { return host_records_; }
    const G6IRecord *for_kernels() const { return mapped_records_; }
    // Adds the staged i-particles to what a kernel receives.
    void add_to(Arrivals &a, int ni) const;

    // Memory for the particles in device units.
    void reserve(int ni);
    // Reserves that memory and launches the kernel that fills it from staged i-particles.  Staged
    // j-particles stay staged.
    void receive(const Request &r);
    const IMemory &memory() const { return memory_; }

private:
    Stream &stream_;
    const DeviceOptions &options_;
    Staging<G6IRecord> records_;
    Staging<G6IPoint> points_;
    bool has_points_ = false;  // the i-particles staged last
    bool is_on_leader_ = false;
    // Where the staged i-particles lie, as a device reads them; one of the two is null.
    const G6IRecord *staged_records_ = nullptr;
    const G6IPoint *staged_points_ = nullptr;
    const G6IRecord *host_records_ = nullptr, *mapped_records_ = nullptr;
    DeviceArray<double> values_;
    DeviceArray<int> index_;
    DeviceArray<float> aold_;
    IMemory memory_{};
};

}  // namespace g6::cuda
