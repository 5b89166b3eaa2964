// SPDX-License-Identifier: MIT
// The Barnes-Hut sum: brings the device's tree to the time of the block, searches it for nearest
// neighbours where the block wants them, and walks it.  A walk of a tree that lacks memory for its
// cells gives no sums; finish() then builds the tree and walks once more.
// The sums of a walk that several devices share leave the device by CudaDevice::deliver().
#pragma once

#include "device_tree.h"
#include "step.h"

namespace g6::cuda {

class WalkStep : public Step {
public:
    WalkStep(const SharedParts &parts, DeviceTree &tree) : parts_(parts), tree_(tree) {}

    void start(const Request &r, const Block &block) override;
    void finish() override;
    void list_neighbours() override;
    // The i-particles that the device has walked for.
    const WalkTargets &targets() const { return tree_.targets(); }

private:
    void walk();
    // Whether this device alone computes.  A device that only brings its tree up to date has
    // part >= parts.
    bool has_all() const { return request_.part == 0 && request_.parts == 1; }

    const SharedParts parts_;
    DeviceTree &tree_;
    Request request_{};
    bool own_in_lists_ = false;
};

}  // namespace g6::cuda
