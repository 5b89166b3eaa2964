// SPDX-License-Identifier: MIT
// The direct sum over all j-particles, in three launches behind that of receive.cu: predict the
// j-particles (predict.cu), sum over slices of them for tiles of i-particles (force.cu), add the
// slices (reduce.cu).  On tensor cores it takes four: tensor_factors.cu and tensor.cu in place of
// force.cu.
#pragma once

#include "step.h"

#include "../../libg6gpu/settings/debug.h"

namespace g6::cuda {

class DirectStep : public Step {
public:
    explicit DirectStep(const SharedParts &parts);

    void start(const Request &r) override;
    void finish() override;
    void list_neighbours() override;

    // Frees the memory of tensor cores, which the j-particles may need.  Tensor cores get what is
    // left.
    void release_tensor_memory() { tensor_batches_.release(); }

private:
    gpu::LaunchShape launch_shape(Request r, int number);
    void choose_launch(Request &r);
    bool pays_on_tensors(const Request &r);
    bool fits_tensor_memory(const Request &r);
    Partials partial_memory(const Request &r);
    TensorMemory tensor_memory(const Request &r);

    const SharedParts parts_;
    Request request_{};
    DeviceArray<double> partial_sums_;
    DeviceArray<float> partial_keys_;
    DeviceArray<int> partial_tiles_;
    DeviceArray<double> tensor_batches_;
    DeviceArray<unsigned> ticket_;
    // One more than the number of resident blocks, by [Arithmetic][jerk][near][guard][number in the
    // shape table] of the kernel.  0: the driver has not been asked.
    int known_resident_[3][2][2][2][kMaxShapes] = {};
    // Choices of G6_DEBUG in place of computed ones; shape_wanted_ -1, slices_wanted_ 0: none.
    const int shape_wanted_ = debug_number(parts_.options.debug, "cuda_shape", -1);
    bool uses_tensors_ = debug_number(parts_.options.debug, "cuda_tensor", 1) != 0;
    const int slices_wanted_ = debug_number(parts_.options.debug, "slices", 0);
};

}  // namespace g6::cuda
