// SPDX-License-Identifier: MIT
// Mode treewalk on one OpenCL device: its memory, kernels and launches.
//
// Invariants
//  * One buffer holds the tree and, in front of it, what belongs to the i-particles: one transfer
//    brings both, or only the i-particles while the tree is the same.  Results come back in one.
//  * Pinned memory is rewritten only when the caller has waited for the queue.
#pragma once

#include "engine.h"
#include "shapes.h"
#include "host_walk.h"

namespace g6::opencl {

class DeviceWalk {
public:
    DeviceWalk(const KernelMaker &maker, Queue &queue, const DeviceOptions &options, bool fp64);

    void start(const Block &block);
    // Waits.  sums [ni], in the order of the block.
    void finish(G6Sums *sums);
    // Searches for the neighbours of the last block.
    HostWalk &host() { return host_; }

private:
    struct Counts {
        unsigned sums, tests;
    };
    const Kernel &kernel(bool jerk, bool quadrupole);
    bool wants_nearest() const { return block_.want & kWantNearest; }
    void send();
    void launch(const Kernel &kernel);
    void search();
    // Where the results have the work of the groups, and nearest neighbours, in words of 8 bytes.
    std::size_t work_at() const { return 7 * static_cast<std::size_t>(block_.ni); }
    std::size_t nearest_at() const { return work_at() + static_cast<std::size_t>(host_.groups()); }
    void collect(G6Sums *sums) const;

    const KernelMaker &maker_;
    Queue &queue_;
    const DeviceOptions options_;
    const bool fp64_;
    HostWalk host_;
    WalkPlan plan_{};
    Kernel kernel_[2][2], nearest_;  // of walks: jerk, quadrupole

    PinnedBuffer arena_, results_;
    DeviceBuffer memory_, sums_;
    Event arrived_;         // the results
    std::size_t base_ = 0;  // words in front of the tree
    G6WalkLayout layout_{};
    struct {
        bool valid = false;
        std::uint64_t revision = 0;
        bool jerk = false, exact = false, search = false;
    } holds_;
    Block block_{};
};

}  // namespace g6::opencl
