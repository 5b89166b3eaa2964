// SPDX-License-Identifier: MIT
// One block on one device: chooses the kernels and their launch sizes, and queues them.
#include "device.h"

#include <algorithm>
#include <cstring>

namespace g6::opencl {
namespace {

constexpr int kReduceGroup = 4;   // i-particles of a work-group that adds slices
constexpr int kReduceLanes = 32;  // items that add the slices of one i-particle
// Kernels number the components of i-particles, ten of each at most, by int.
constexpr int kMostTargets = 1 << 27;
cl_int number(Arithmetic a)
{
    return static_cast<cl_int>(a);
}

}  // namespace

// ---- kernels ----------------------------------------------------------------------------------

Kernel &OpenClDevice::support(Kernel &kernel, const char *name)
{
    if (!kernel)
        kernel = maker_.make(kSupportText, name,
                             " -DG6_REDUCE_LANES=" + std::to_string(kReduceLanes) +
                                 " -DG6_REDUCE_GROUP=" + std::to_string(kReduceGroup));
    return kernel;
}

std::string OpenClDevice::layout_options(const Request &r)
{
    return " -DG6_ARITHMETIC=" + std::to_string(number(r.arithmetic)) +
           " -DG6_JERK=" + std::to_string(r.jerk);
}

Kernel &OpenClDevice::forcer(const Request &r)
{
    Kernel &kernel = force_[number(r.arithmetic)][r.jerk][r.tracks()][r.shape];
    if (!kernel)
        kernel = maker_.make(kForceText, "force",
                             layout_options(r) + " -DG6_NEAR=" + std::to_string(r.tracks()) +
                                 shapes_[r.shape].options());
    return kernel;
}

// ---- one block --------------------------------------------------------------------------------

Request OpenClDevice::plan(const Block &b) const
{
    Request r{};
    gpu::fill(r, b, options_.precision);
    const auto shape = [&](size_t row) { return shapes_[row].launch(r.arithmetic); };
    const gpu::LaunchWork work{r.whole_ni, r.tiles(), hardware_.compute_units};
    r.shape = gpu::best_shape(shapes_.size(), shape, work);
    r.slices = gpu::best_slices(shape(r.shape), work, slices_wanted_);
    return r;
}

DeviceStatus OpenClDevice::start(const Block &block)
{
    return attempt("start", [&] {
        synchronize();
        if (lists_) lists_->drop();
        static_cast<Block &>(request_) = block;
        is_empty_ = true;
        if (block.ni > kMostTargets)
            throw ClError{CL_MEM_OBJECT_ALLOCATION_FAILURE,
                          "opencl: " + std::to_string(block.ni) +
                              " i-particles are more than one device takes, " +
                              std::to_string(kMostTargets)};
        // A walk uses all bodies of the core's tree.  block.nj counts the slots of this device, of
        // which it may have only a part.
        int nj = block.is_walk ? block.tree->bodies : block.nj;
        if (!fp64_ && !block.is_walk) {
            receive(nullptr);
            nj = host_.set_block(block, options_);
        }
        if (nj == 0) return receive(nullptr);
        if (block.is_walk) return start_walk(block);
        request_ = plan(block);
        is_empty_ = false;
        launch(request_);
    });
}

void OpenClDevice::start_walk(const Block &block)
{
    receive(nullptr);
    synchronize();
    if (!walk_) walk_ = std::make_unique<DeviceWalk>(maker_, queue_, options_, fp64_);
    is_empty_ = false;
    busy_ = true;
    walk_->start(block);
}

// few: has `records` j-particles and `ni` i-particles, which the kernel writes to device memory.
void OpenClDevice::predict(const Request &r, const G6FewParticles &few, int records, int ni)
{
    predicted_for_.reset();
    if (fp64_) {
        Kernel &k = predict_[number(r.arithmetic)][r.jerk];
        if (!k) k = maker_.make(kPredictText, "predict", layout_options(r));
        set_args(k.get(), r.nj, r.t, static_cast<cl_int>(r.motion), r.scale, capacity_,
                 fields_.get(), ids_.get(), planes_.get(), exact_.get(), range_.get(), records, ni,
                 i_values_.get(), i_index_.get(), few);
        queue_.run(k, static_cast<size_t>(r.tiles()), gpu::kTile);
    }
    predicted_for_ = r.prediction();
}

// Whether predict() can take the block's particles: it is due, and has an item for each row's slot.
bool OpenClDevice::fits_into_arguments(const Request &r) const
{
    if (!fp64_ || r.ni > G6_FEW || staged_ > G6_FEW) return false;
    if (staged_ == 0) return !is_predicted(r);
    bool all_act = true;
    for (int k = 0; k < staged_; k++) all_act = all_act && staged_row(k).slot < r.nj;
    return all_act;
}

void OpenClDevice::predict_few(const Request &r)
{
    G6FewParticles few{};
    static_assert(sizeof few.record[0] == sizeof(G6JRecord) && sizeof few.i[0] == sizeof *r.i,
                  "words of records");
    const int records = staged_;
    for (int k = 0; k < records; k++) {
        const G6JRecord full = record_from(staged_row(k), row_words_);
        std::memcpy(few.record[k], &full, sizeof full);
    }
    std::memcpy(few.i, r.i, static_cast<size_t>(r.ni) * sizeof(G6IRecord));
    predict(r, few, records, r.ni);
    forget_staged();
}

void OpenClDevice::need_memory(const Request &r)
{
    const size_t ni = static_cast<size_t>(r.ni), parts = ni * static_cast<size_t>(r.slices);
    const size_t per_i = fp64_ ? 64 : kIFloats * 4;
    need_predicted();
    i_values_.need(queue_, ni * per_i);
    i_index_.need(queue_, ni * 4);
    partial_sums_.need(queue_, parts * 7 * 8);
    partial_keys_.need(queue_, parts * 2 * 4);
    partial_tiles_.need(queue_, parts * 4);
    sums_.need(queue_, ni * sizeof(G6Sums));
    results_.need(queue_, ni * sizeof(G6Sums));
}

void OpenClDevice::launch(const Request &r)
{
    need_memory(r);
    if (fits_into_arguments(r)) {
        predict_few(r);
    } else {
        if (fp64_)
            receive(&r);
        else
            send_from_host(r);
        if (!is_predicted(r)) predict(r, {}, 0, 0);
    }
    force(r);
    reduce(r);
    const size_t bytes = static_cast<size_t>(r.ni) * (fp64_ ? sizeof(G6Sums) : kSumBytes);
    busy_ = true;
    summed_ = queue_.read(results_.host(), sums_, bytes);
    queue_.flush();
    if (fp64_ && r.want & kWantLists) lists().begin(list_search(r));
}

void OpenClDevice::force(const Request &r)
{
    const Shape &s = shapes_[r.shape];
    const Kernel &k = forcer(r);
    set_args(k.get(), r.ni, r.nj, r.slices, r.tiles(), cl_int{r.guard}, capacity_, planes_.get(),
             ids_.get(), range_.get(), positions(), i_values_.get(), i_index_.get(),
             partial_sums_.get(), partial_keys_.get(), partial_tiles_.get());
    queue_.run(k, static_cast<size_t>((r.ni + s.i_particles() - 1) / s.i_particles()),
               static_cast<size_t>(s.lanes()), static_cast<size_t>(r.slices));
}

void OpenClDevice::reduce(const Request &r)
{
    const Kernel &k = support(reduce_, "reduce");
    const cl_int jerk = r.jerk, high_word = r.arithmetic == Arithmetic::kFull;
    if (!fp64_) {
        set_args(k.get(), r.ni, r.slices, jerk, partial_sums_.get(), sums_.get());
        queue_.run(k, (static_cast<size_t>(r.ni) * 7 + gpu::kTile - 1) / gpu::kTile, gpu::kTile);
        return;
    }
    set_args(k.get(), r.ni, r.nj, r.slices, r.tiles(), jerk, cl_int{r.near}, high_word, capacity_,
             ids_.get(), positions(), i_values_.get(), i_index_.get(), partial_sums_.get(),
             partial_keys_.get(), partial_tiles_.get(), units_of(r.scale), sums_.get());
    queue_.run(k, static_cast<size_t>((r.ni + kReduceGroup - 1) / kReduceGroup),
               static_cast<size_t>(kReduceGroup * kReduceLanes));
}

DeviceStatus OpenClDevice::finish(G6Sums *sums)
{
    return attempt("finish", [&] {
        if (is_empty_) {
            std::fill_n(sums, request_.ni, kNoSums);
            return;
        }
        if (request_.is_walk) {
            walk_->finish(sums);
        } else {
            if (!fp64_ && request_.near) host_.search().find_nearest();  // while the device sums
            queue_.wait(summed_);
            if (!fp64_) collect_from_host(sums);
        }
        busy_ = false;
    });
}

// On a device with doubles the kernels of a direct sum write results in the caller's units, and the
// caller reads them where the transfer has put them.  Other results are made by finish().
SumsMemory OpenClDevice::sums_memory()
{
    if (!fp64_ || is_empty_ || request_.is_walk) return {};
    return {reinterpret_cast<G6Sums *>(results_.host()), nullptr};
}

}  // namespace g6::opencl
