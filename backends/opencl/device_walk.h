// SPDX-License-Identifier: MIT
// Mode treewalk on one OpenCL device: its memory, kernels and launches.
//
// Invariants
//  * One buffer holds the i-particles and, behind them, the tree.  One transfer brings both, or the
//    i-particles alone while the tree is the same.  One transfer brings all results back.
//  * The caller of start() has waited for the queue, so that pinned memory may be rewritten.
#pragma once

#include "engine.h"
#include "shapes.h"
#include "host_walk.h"

namespace g6::opencl {

class DeviceWalk {
public:
    DeviceWalk(const KernelMaker &maker, Queue &queue, const DeviceOptions &options, bool fp64);

    void start(const Block &block);
    // Waits for the walk and writes sums [ni], in the order of the block.
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
    // Where the groups' work and the nearest neighbours begin in the results, in words of 8 bytes.
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
