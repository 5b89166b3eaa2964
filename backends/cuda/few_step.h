// SPDX-License-Identifier: MIT
// The step of few i-particles: one launch does it all (few.cu), from dirty records to sums in
// pinned memory, and to neighbour lists where the block wants them.
#pragma once

#include "step.h"

namespace g6::cuda {

class FewStep : public Step {
public:
    FewStep(const SharedParts &parts, int device);
    bool serves(int ni) const { return ni <= limit_; }

    void start(const Request &r, const Block &block) override;
    void finish() override;
    const G6Sums *own_sums() const override { return parts_.results.sums(); }
    void list_neighbours() override;

private:
    const SharedParts parts_;
    int limit_;  // i-particles
    Request request_{};
    bool own_in_lists_ = false;
    bool sends_hits_ = false;  // entries of the lists come with the sums
    DeviceArray<double> partial_sums_;
    DeviceArray<int> partial_nearest_;
    DeviceArray<unsigned> ticket_;  // and the number of hits
    DeviceArray<Hit> hits_;
    MappedArray<Hit> host_hits_;
    MappedArray<unsigned> host_hit_count_;
};

}  // namespace g6::cuda
