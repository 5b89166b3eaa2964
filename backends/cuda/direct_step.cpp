// SPDX-License-Identifier: MIT
// Chooses the launch shape for a block and the number of slices of the j-particles
// (gpu/launch_plan.h), reserves memory for partial sums, and launches the kernels of the direct
// sum.
#include "direct_step.h"

#include <algorithm>

namespace g6::cuda {
namespace {

// Rates of the shapes of the table in force.cu, relative to the best of the first four.  They were
// measured on an H200: split and full with the Hermite force and the nearest neighbour, single with
// acceleration and potential.
constexpr double kRate[3][kMaxShapes] = {
    {0.90, 0.93, 1.00, 0.92, 0.6, 0.98, 1.17},  // split
    {0.90, 0.92, 0.97, 1.00, 0.6, 0.95, 0},     // single
    {0.92, 0.96, 1.00, 0.96, 0.8, 0.93, 0},     // full
};

}  // namespace

DirectStep::DirectStep(const SharedParts &parts) : parts_(parts)
{
    // The stream sets the zeros, so that the host need not wait before the first kernel.
    need_zeros(ticket_, 1, parts_.stream);
}

// Whether tensor cores are faster for the block and can compute it.  A shape that G6_DEBUG asks for
// counts as faster.
bool DirectStep::pays_on_tensors(const Request &r)
{
    const bool pays = gpu::pays_on_tensors(r.whole_ni, r.nj, r.clumped);
    return uses_tensors_ && r.nj <= gpu::kMostTensorSlots && (pays || shape_wanted_ >= 0) &&
           fits_tensor_memory(r);
}

// Where memory is short, this block and all later ones are summed without tensor cores, and their
// last bits differ.
bool DirectStep::fits_tensor_memory(const Request &r)
{
    const size_t doubles = tensor_doubles(r.jerk, r.nj);
    if (doubles <= tensor_batches_.capacity()) return true;
    uses_tensors_ = doubles * sizeof(double) < free_bytes() / 2;
    if (!uses_tensors_) release_tensor_memory();
    return uses_tensors_;
}

// ---- shape and slices -------------------------------------------------------------------------

// A shape of the table for the request's kernel.  resident_blocks() asks the driver, and so it is
// called once for each kernel.
gpu::LaunchShape DirectStep::launch_shape(Request r, int number)
{
    r.shape = number;
    const int arithmetic = static_cast<int>(r.arithmetic);
    int &known = known_resident_[arithmetic][r.jerk][r.near][r.guard][number];
    if (known == 0) known = resident_blocks(r) + 1;
    const int resident = known - 1;
    gpu::LaunchShape s = shape(number);
    s.resident = std::max(1, resident);
    if (!is_on_tensors(s) || (resident > 0 && pays_on_tensors(r)))
        s.rate = kRate[arithmetic][number];
    return s;
}

void DirectStep::choose_launch(Request &r)
{
    const auto shape_of = [&](size_t k) { return launch_shape(r, static_cast<int>(k)); };
    const gpu::LaunchWork work{r.whole_ni, gpu::tiles_of(r.nj), parts_.multiprocessors};
    const size_t count = static_cast<size_t>(shapes());
    const size_t wanted = std::min(count - 1, static_cast<size_t>(std::max(0, shape_wanted_)));
    const bool takes_wanted = shape_wanted_ >= 0 && shape_of(wanted).rate > 0;
    const size_t best = takes_wanted ? wanted : gpu::best_shape(count, shape_of, work);
    r.shape = static_cast<int>(best);
    r.slices = gpu::best_slices(shape_of(best), work, slices_wanted_);
}

// ---- memory -----------------------------------------------------------------------------------

Partials DirectStep::partial_memory(const Request &r)
{
    const size_t parts = static_cast<size_t>(r.ni) * static_cast<size_t>(r.slices);
    partial_sums_.need(7 * parts);
    partial_keys_.need(2 * parts);
    partial_tiles_.need(parts);
    return {partial_sums_.get(), partial_keys_.get(), partial_keys_.get() + parts,
            partial_tiles_.get()};
}

// Null pointers where the shape uses no tensor cores.
TensorMemory DirectStep::tensor_memory(const Request &r)
{
    if (!is_on_tensors(shape(r.shape))) return {};
    tensor_batches_.need(tensor_doubles(r.jerk, r.nj));
    return {tensor_batches_.get(), tensor_batches_.get() + kCentreDoubles};
}

// ---- the step ---------------------------------------------------------------------------------

void DirectStep::start(const Request &request)
{
    request_ = request;
    const Request &r = request_;
    Results &results = parts_.results;
    results.begin(r.ni, Results::may_be_watched(r.ni));
    if (r.gate) r.gate->open();  // the leader has prepared all that the other devices read
    JParticles &j = parts_.j;
    j.predict(r);
    choose_launch(request_);
    const ForceArgs args{r.ni,       r.nj,          r.slices,          gpu::tiles_of(r.nj), r.guard,
                         j.memory(), j.predicted(), parts_.i.memory(), partial_memory(r)};
    const TensorMemory tensor = tensor_memory(r);
    if (tensor.batches) launch_prepare(parts_.stream, r, args.j, args.p, tensor);
    launch_force(parts_.stream, r, args, tensor);
    launch_reduce(parts_.stream, r, args, results.out().sums, ticket_.get(), results.flag(),
                  results.sequence());
    results.send();
    if (r.want & kWantLists) parts_.lists.begin_search(r, j, args.i);
}

void DirectStep::finish()
{
    parts_.results.wait();
}

void DirectStep::list_neighbours()
{
    parts_.lists.search(request_, parts_.j, parts_.i.memory());
}

}  // namespace g6::cuda
