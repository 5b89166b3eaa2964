// SPDX-License-Identifier: MIT
// One block of a CUDA device: plan, launches and results.
#include "device.h"

#include "../../libg6gpu/base/parallel.h"
#include "../gpu/close_pairs.h"

#include <algorithm>
#include <cmath>

namespace g6::cuda {
namespace {

// Up to this many results go straight to host memory; more are copied.
constexpr int kDirectResults = 512;

// Rates of the rows of the shape table relative to the best, measured with Hermite force and
// nearest neighbour (split, full) and acc and pot (single) on an H200.
constexpr double kRate[3][6] = {
    {0.90, 0.93, 1.00, 0.92, 0.6, 1.02},  // split
    {0.90, 0.92, 0.97, 1.00, 0.6, 0.95},  // single
    {0.92, 0.96, 1.00, 0.96, 0.8, 0.93},  // full
};

// At least two tiles to a slice, and one to each lane.
int most_slices(const Request &r, int row)
{
    const int tiles = (r.nj + kTile - 1) / kTile;
    return std::max(1, tiles / std::max(2, shape(row).lanes_j));
}

int i_tiles(const Request &r, int row)
{
    const int per_block = shape(row).lanes_i * shape(row).per_thread;
    return (r.ni - 1) / per_block + 1;
}

}  // namespace

// resident_blocks() asks the driver: once for each kernel.
int CudaDevice::resident(const Request &r) const
{
    int &known = resident_[static_cast<int>(r.arithmetic)][r.jerk][r.near][r.shape];
    if (known == 0) known = std::max(1, resident_blocks(r));
    return known;
}

// Blocks of the request's shape that run at once.
int CudaDevice::room(const Request &r) const
{
    return properties_.multiProcessorCount * resident(r);
}

// The row that takes least time for whole i-tiles on the part of the chip that it can fill.
int CudaDevice::best_shape(Request r) const
{
    int best = 0;
    double least = 0;
    for (r.shape = 0; r.shape < shapes(); r.shape++) {
        // Their many readers of the j-particles tell when there are thousands of i.
        const bool one_warp = shape(r.shape).lanes_i * shape(r.shape).lanes_j == 32;
        if (one_warp && r.ni >= 4096) continue;
        const int tiles = i_tiles(r, r.shape);
        const double filled =
            std::min(1.0, static_cast<double>(tiles) * most_slices(r, r.shape) / room(r));
        const double padded =
            static_cast<double>(tiles) * shape(r.shape).lanes_i * shape(r.shape).per_thread;
        const double time = padded / (kRate[static_cast<int>(r.arithmetic)][r.shape] * filled);
        if (r.shape == 0 || time < least) {
            least = time;
            best = r.shape;
        }
    }
    return best;
}

// Shape and slices: enough blocks to fill the chip once or a few times over, in whole waves.
void CudaDevice::choose_launch(Request &r) const
{
    r.shape = shape_wanted_ >= 0 ? std::min(shapes() - 1, shape_wanted_) : best_shape(r);
    constexpr int kRows = 65535;  // of a grid
    const int across = i_tiles(r, r.shape), fill = room(r),
              most = std::min(kRows, most_slices(r, r.shape));
    // More waves even out blocks of unequal length, but each slice costs its share of adding up.
    const int most_waves = r.ni >= 4096 ? 6 : 1;
    int best = 1;
    double best_use = 0;
    for (int waves = 1; waves <= most_waves; waves++) {
        const int slices = std::max(1, std::min(most, waves * fill / across));
        const double blocks = static_cast<double>(slices) * across;
        const double use = blocks / (std::ceil(blocks / fill) * fill) - 0.05 / waves;
        if (use > best_use) {
            best_use = use;
            best = slices;
        }
    }
    r.slices = slices_wanted_ > 0 ? std::max(1, std::min(most, slices_wanted_)) : best;
}

// Copies the i-particles to staging memory; whether close pairs are possible.
bool CudaDevice::take_i(const Block &b)
{
    i_records_.need(static_cast<size_t>(b.ni));
    G6IRecord *to = i_records_.host();
    std::atomic<bool> close{false};
    parallel_ranges(threads_to_copy(b.ni), b.ni, [&](int first, int last) {
        bool some = false;
        for (int k = first; k < last; k++) {
            to[k] = b.i[k];
            some = some || gpu::may_be_close(b.i[k], b.scale.length);
        }
        if (some) close = true;
    });
    return close;
}

Request CudaDevice::plan(const Block &b)
{
    Request r{};
    r.ni = b.ni;
    r.nj = b.nj;
    r.jerk = b.want & kWantJerk;
    r.scale = b.scale;
    r.guard = take_i(b);
    r.near = (b.want & kWantNearest) || r.guard;
    r.arithmetic =
        options_.precision == Precision::kDouble ? Arithmetic::kFull : Arithmetic::kSplit;
    if (options_.precision == Precision::kSingle && (b.walk || (!r.jerk && !r.near)))
        r.arithmetic = Arithmetic::kSingle;
    if (!b.walk && r.ni > few_limit_) choose_launch(r);
    return r;
}

void CudaDevice::predict(const Request &r)
{
    const bool current = holds_.valid && holds_.t == r.t && holds_.nj == r.nj &&
                         holds_.motion == r.motion && holds_.scale == r.scale &&
                         holds_.arithmetic == r.arithmetic && holds_.jerk == r.jerk;
    if (current) return;
    reserve_predicted();
    launch_predict(stream_, j_memory(), r.nj, r.t, r.motion, r.scale, r.arithmetic, r.jerk,
                   predicted_);
    counters_.predictions++;
    holds_ = {true, r.t, r.nj, r.motion, r.scale, r.arithmetic, r.jerk};
}

DeviceStatus CudaDevice::start(const Block &block)
{
    return attempt("start", [&] {
        settle();
        const bool sends = nrecords_ + npoints_ + block.ni > 0;
        if (sends) counters_.copies_up++;
        request_ = Request{};
        few_ = false;
        walked_ = block.walk != nullptr;
        own_in_lists_ = block.own_in_lists != 0;
        lists_ = block.want & kWantLists;
        const Motion motion =
            options_.use_snap ? block.motion : std::min(block.motion, Motion::kCubic);
        hold_motion(motion);
        if (block.ni == 0 || block.nj == 0) {
            request_.ni = block.ni;
            receive(nullptr);
            return;
        }
        request_ = plan(block);
        request_.t = block.t;
        request_.motion = motion;
        launch(request_, block);
    });
}

void CudaDevice::launch(const Request &r, const Block &block)
{
    sums_.need(static_cast<size_t>(r.ni));
    few_ = !walked_ && r.ni <= few_limit_;
    direct_ = !walked_ && r.ni <= kDirectResults;
    sequence_++;
    if (walked_)
        launch_walk(r, block);
    else
        few_ ? launch_few(r) : launch_many(r);
    send_results(r);
    counters_.copies_down++;
}

void CudaDevice::launch_few(const Request &r)
{
    if (npoints_ > 0 || nrecords_ > kFewMost) receive(nullptr);
    const int blocks = properties_.multiProcessorCount;
    partial_sums_.need(8 * few_partials(blocks));
    partial_tiles_.need(few_partials(blocks));
    if (lists_) {
        hits_.need(kMostHits);
        host_hits_.need(kMostHits);
    }
    const bool snap = options_.use_snap != 0;
    const FewRequest few{r.ni,   r.nj,          nrecords_, blocks,   r.jerk,  r.near,   snap,
                         lists_, own_in_lists_, r.t,       r.motion, r.scale, sequence_};
    const FewMemory memory{partial_sums_.get(), partial_tiles_.get(), ticket_.get(),
                           hits_.get(),         ticket_.get() + 1,    sums_.device(),
                           host_hits_.device(), flag_.device() + 1,   flag_.device()};
    cuda::launch_few(stream_, few, i_records_.host(), records_.host(), j_memory(), memory);
    if (nrecords_ > 0) holds_.valid = false;
    if (tree_.knows())
        tree_.note(records_.host(), nrecords_, nullptr, 0, threads_to_copy(nrecords_));
    nrecords_ = 0;
    counters_.predictions++;
}

// Dirty records to their slots, i-particles to the device.
void CudaDevice::receive_i(const Request &r)
{
    const size_t ni = static_cast<size_t>(r.ni);
    i_values_.need(8 * ni);
    i_index_.need(ni);
    i_aold_.need(ni);
    i_ = {i_values_.get(), i_values_.get() + 6 * ni, i_values_.get() + 7 * ni,
          i_aold_.get(),   i_index_.get(),           r.ni};
    receive(&r);
}

// That, and all j-particles at their time.
void CudaDevice::prepare(const Request &r)
{
    receive_i(r);
    predict(r);
}

// A Barnes-Hut sum.
void CudaDevice::launch_walk(const Request &r, const Block &block)
{
    device_sums_.need(static_cast<size_t>(r.ni));
    receive_i(r);
    if (!tree_.knows()) {
        const size_t n = static_cast<size_t>(capacity_);  // later blocks may have more of them
        std::vector<int> index(n);
        std::vector<double> time(n);
        check(cudaMemcpyAsync(index.data(), index_.get(), sizeof(int) * n, cudaMemcpyDeviceToHost,
                              stream_),
              "tree");
        check(cudaMemcpyAsync(time.data(), j_memory().field[kTimeField], sizeof(double) * n,
                              cudaMemcpyDeviceToHost, stream_),
              "tree");
        check(cudaStreamSynchronize(stream_), "tree");
        tree_.learn(index, time);
    }
    tree_request_ = {*block.walk, r.t, r.nj, r.motion, r.scale, r.arithmetic, r.jerk};
    searches_ = block.want & kWantNearest;
    walk_tree(r);
    counters_.predictions++;
}

void CudaDevice::walk_tree(const Request &r)
{
    tree_.update(stream_, tree_request_, j_memory());
    tree_.walk(stream_, tree_request_, j_memory(), i_, r.ni, searches_, r.guard,
               properties_.multiProcessorCount, device_sums_.get());
}

// Work of the walk; it walks again when the first tree was not whole.
void CudaDevice::finish_walk(const Request &r)
{
    TreeReport report = tree_.finish(r.ni);
    if (!report.is_whole()) {
        walk_tree(r);
        send_results(r);
        wait();
        report = tree_.finish(r.ni);
        if (!report.is_whole())
            throw CudaError{cudaErrorUnknown, "cuda: a tree lacks room or levels again"};
    }
    counters_.interactions += report.interactions;
    counters_.tests += report.tests;
}

void CudaDevice::send_results(const Request &r)
{
    if (!direct_)
        check(cudaMemcpyAsync(sums_.host(), device_sums_.get(),
                              static_cast<size_t>(r.ni) * sizeof(G6Sums), cudaMemcpyDeviceToHost,
                              stream_),
              "results");
    busy_ = true;
}

void CudaDevice::launch_many(const Request &r)
{
    const size_t ni = static_cast<size_t>(r.ni), parts = ni * static_cast<size_t>(r.slices);
    partial_sums_.need(7 * parts);
    partial_keys_.need(2 * parts);
    partial_tiles_.need(parts);
    const Partials partials{partial_sums_.get(), partial_keys_.get(), partial_keys_.get() + parts,
                            partial_tiles_.get()};
    if (!direct_) device_sums_.need(ni);
    prepare(r);
    launch_force(stream_, r, j_memory(), predicted_, i_, partials);
    launch_reduce(stream_, r, j_memory(), predicted_, i_, partials,
                  direct_ ? sums_.device() : device_sums_.get(), ticket_.get(),
                  direct_ ? flag_.device() : nullptr, sequence_);
}

// Watching a word of host memory costs less than a driver call; the driver is asked now and then
// whether all is well.
void CudaDevice::wait()
{
    counters_.waits++;
    if (!direct_) {
        check(cudaStreamSynchronize(stream_), "force");
        busy_ = false;
        return;
    }
    const volatile unsigned *flag = flag_.host();
    for (unsigned spins = 1; *flag != sequence_; spins++) {
        if (spins % 4096) continue;
        const cudaError_t state = cudaStreamQuery(stream_);
        if (state == cudaSuccess) {
            if (*flag == sequence_) break;
            throw CudaError{cudaErrorUnknown, "cuda: a block ended without results"};
        }
        if (state != cudaErrorNotReady) check(state, "force");
        cudaGetLastError();  // "not ready" is no error, but some runtimes keep it as the last
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    busy_ = false;
}

DeviceStatus CudaDevice::finish(G6Sums *sums)
{
    return attempt("finish", [&] {
        const size_t ni = static_cast<size_t>(request_.ni);
        if (request_.nj == 0 || ni == 0) {
            std::fill_n(sums, ni, G6Sums{{}, {}, 0, 0, -1, 0});
            return;
        }
        wait();
        if (walked_) finish_walk(request_);
        const G6Sums *from = sums_.host();
        const int n = request_.ni;
        parallel_for(threads_to_copy(n), n, [&](int k) { sums[k] = from[k]; });
    });
}

}  // namespace g6::cuda
