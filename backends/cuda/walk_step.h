// SPDX-License-Identifier: MIT
// The Barnes-Hut sum: the device's tree is brought to the time of the block, searched for nearest
// neighbours where they are wanted, and walked.
#pragma once

#include "device_tree.h"
#include "step.h"

namespace g6::cuda {

class WalkStep : public Step {
public:
    WalkStep(const SharedParts &parts, DeviceTree &tree) : parts_(parts), tree_(tree) {}

    void start(const Request &r, const Block &block) override;
    void finish() override;
    const G6Sums *own_sums() const override { return parts_.results.sums(); }
    void list_neighbours() override;

private:
    void walk();

    const SharedParts parts_;
    DeviceTree &tree_;
    TreeRequest request_{};
    int ni_ = 0;
    bool near_ = false, guard_ = false;  // as in WalkRequest
    bool own_in_lists_ = false;
};

}  // namespace g6::cuda
