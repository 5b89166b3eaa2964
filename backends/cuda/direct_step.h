// SPDX-License-Identifier: MIT
// The direct sum over all j-particles: they are predicted, slices of them act on tiles of
// i-particles (force.cu), and the slices' sums are added (reduce.cu).
#pragma once

#include "step.h"

#include "../../libg6gpu/settings/debug.h"

namespace g6::cuda {

class DirectStep : public Step {
public:
    explicit DirectStep(const SharedParts &parts);

    void start(const Request &r, const Block &block) override;
    void finish(G6Sums *sums) override;
    void list_neighbours() override;

private:
    int resident(const Request &r) const;
    int room(const Request &r) const;
    int best_shape(Request r) const;
    void choose_launch(Request &r) const;

    const SharedParts parts_;
    Request request_{};
    bool own_in_lists_ = false;
    DeviceArray<double> partial_sums_;
    DeviceArray<float> partial_keys_;
    DeviceArray<int> partial_tiles_;
    DeviceArray<unsigned> ticket_;
    mutable int resident_[3][2][2][kMaxShapes] = {};
    // What a developer wants in place of the launch table's choice; -1 and 0: nothing.
    const int shape_wanted_ = debug_number(parts_.options.debug, "cuda_shape", -1);
    const int slices_wanted_ = debug_number(parts_.options.debug, "slices", 0);
};

}  // namespace g6::cuda
