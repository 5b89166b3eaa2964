// SPDX-License-Identifier: MIT
// A block of few i-particles: one launch (few.cu) takes in the dirty records, predicts, and writes
// the sums to pinned memory.  It also writes the entries of the neighbour lists, where the block
// wants them.
#pragma once

#include "step.h"

namespace g6::cuda {

class FewStep : public Step {
public:
    FewStep(const SharedParts &parts, int device);
    bool serves(int ni) const { return ni <= limit_; }

    void start(const Request &r, const Block &block) override;
    void finish() override;
    SumsView own_sums() const override { return parts_.results.sums(); }
    void list_neighbours() override;

private:
    const SharedParts parts_;
    int limit_;  // most i-particles that this class serves
    Request request_{};
    bool own_in_lists_ = false;
    bool sends_hits_ = false;  // entries of the lists come with the sums
    DeviceArray<double> partial_sums_;
    DeviceArray<int> partial_nearest_;
    DeviceArray<unsigned> ticket_;  // [2] FewMemory::ticket, FewMemory::hits
    DeviceArray<Hit> hits_;
    MappedArray<Hit> host_hits_;
    MappedArray<unsigned> host_hit_count_;
};

}  // namespace g6::cuda
