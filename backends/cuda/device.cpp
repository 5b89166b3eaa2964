// SPDX-License-Identifier: MIT
#include "device.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace g6::cuda {
namespace {

// Staged records beyond this are sent before more are accepted, so that pinned memory stays bounded
// (600 MB).
constexpr int kMaxStaged = 1 << 22;
// Up to this many results go straight to host memory; more are copied.
constexpr int kDirectResults = 512;

int round_up(int n, int step)
{
    return (n + step - 1) / step * step;
}

// Whether the softening of an i-particle lets a pair come so close that it must be added in double.
bool may_be_close(const G6IRecord &i, double length)
{
    const double far = std::max({std::fabs(i.x[0]), std::fabs(i.x[1]), std::fabs(i.x[2])}) * length;
    return i.eps2 * length * length < close_limit(far);
}

bool same(const Scale &a, const Scale &b)
{
    return a.length == b.length && a.mass == b.mass && a.velocity == b.velocity;
}

}  // namespace

CudaDevice::CudaDevice(int number, const DeviceOptions &options)
    : number_((check(cudaSetDevice(number), "device"), number)), options_(options)
{
    check(cudaGetDeviceProperties(&properties_, number), "device");
    flag_.need(1);
    *flag_.host() = 0;
    ticket_.need(1);
    check(cudaMemset(ticket_.get(), 0, sizeof(unsigned)), "device memory");
    if (const char *fault = std::getenv("G6_CUDA_FAULT")) {
        fault_ = fault;
        const size_t colon = fault_.find(':');
        fault_countdown_ = colon == std::string::npos ? 1 : std::atoi(fault_.c_str() + colon + 1);
    }
}

CudaDevice::~CudaDevice()
{
    cudaSetDevice(number_);
    cudaStreamSynchronize(stream_);
}

bool CudaDevice::usable(const char **why) const
{
    Request r{};
    r.jerk = r.near = true;
    if (resident_blocks(r) > 0) return true;
    *why = "this build has no code for the device's architecture; build with NVARCH of that device";
    return false;
}

// Runs f on this device and makes a status of what went wrong.
template <class F> DeviceStatus CudaDevice::attempt(const char *phase, F &&f)
{
    try {
        check(cudaSetDevice(number_), "device");
        if (injected(phase))
            throw CudaError{cudaErrorMemoryAllocation, "cuda: injected shortage of memory"};
        f();
        return kDeviceOk;
    } catch (const CudaError &e) {
        error_ = e.text + " (" + properties_.name + ")";
        cudaGetLastError();  // an error that is not sticky is gone with this
        return e.code == cudaErrorMemoryAllocation ? kDeviceOutOfMemory : kDeviceLost;
    } catch (const std::exception &e) {
        error_ = std::string("cuda: ") + e.what();
        return kDeviceOutOfMemory;
    }
}

// G6_CUDA_FAULT=phase:count:kind makes the count-th call of a phase fail: "memory" as if it were
// short, "trap" by a kernel that really kills the context.
bool CudaDevice::injected(const char *phase)
{
    if (fault_.empty() || fault_.compare(0, std::strlen(phase), phase) != 0 ||
        --fault_countdown_ != 0)
        return false;
    if (fault_.find(":trap") == std::string::npos) return true;
    launch_trap(stream_);
    check(cudaStreamSynchronize(stream_), "injected trap");
    return false;
}

void CudaDevice::settle()
{
    if (!busy_) return;
    check(cudaStreamSynchronize(stream_), "waiting");
    busy_ = false;
}

// ---- j-particles ------------------------------------------------------------------------------

JMemory CudaDevice::j_memory() const
{
    JMemory j{};
    for (int f = 0; f < kFields; f++)
        j.field[f] = fields_.get() + static_cast<size_t>(f) * capacity_;
    j.id = id_.get();
    return j;
}

DeviceStatus CudaDevice::reserve(int nj)
{
    if (nj <= capacity_) return kDeviceOk;
    return attempt("reserve", [&] { grow(nj); });
}

// New arrays, old contents; twice the size unless that does not fit.
void CudaDevice::grow(int nj)
{
    settle();
    const int wanted = round_up(nj, 2 * kTile);
    size_t free_bytes = 0, total = 0;
    check(cudaMemGetInfo(&free_bytes, &total), "memory");
    constexpr size_t kBytes = kFields * 8 + sizeof(int2) + kMaxPlanes * 16 + 24;
    const long long doubled = std::max<long long>(wanted, 2LL * capacity_);
    const int larger = doubled * kBytes < free_bytes * 3 / 4 ? static_cast<int>(doubled) : wanted;
    if (static_cast<size_t>(larger) * kBytes > free_bytes)
        throw CudaError{cudaErrorMemoryAllocation,
                        "cuda: " + std::to_string(static_cast<size_t>(larger) * kBytes >> 20) +
                            " MiB needed for " + std::to_string(nj) + " particles, " +
                            std::to_string(free_bytes >> 20) +
                            " MiB free; use more devices (G6_DEVICES=0,1)"};
    DeviceArray<double> fields;
    DeviceArray<int2> id;
    const size_t n = static_cast<size_t>(larger);
    fields.need(n * kFields);
    id.need(n);
    check(cudaMemsetAsync(id.get(), 0, n * sizeof(int2), stream_), "clearing");
    if (capacity_) {
        for (int f = 0; f < kFields; f++)
            check(cudaMemcpyAsync(fields.get() + n * f,
                                  fields_.get() + static_cast<size_t>(capacity_) * f,
                                  sizeof(double) * capacity_, cudaMemcpyDeviceToDevice, stream_),
                  "growing");
        check(cudaMemcpyAsync(id.get(), id_.get(), sizeof(int2) * capacity_,
                              cudaMemcpyDeviceToDevice, stream_),
              "growing");
    }
    check(cudaStreamSynchronize(stream_), "growing");
    fields_.swap(fields);
    id_.swap(id);
    planes_.need(n * kMaxPlanes);
    exact_.need(n * 3);
    for (int c = 0; c < 3; c++) predicted_.x[c] = exact_.get() + n * static_cast<size_t>(c);
    range_.need(n / kTile + 2);
    capacity_ = larger;
    for (int p = 0; p < kMaxPlanes; p++)
        predicted_.plane[p] = reinterpret_cast<Word *>(planes_.get()) + n * static_cast<size_t>(p);
    predicted_.range = range_.get();
    holds_.valid = false;
}

G6JRecord *CudaDevice::stage(int n)
{
    G6JRecord *room = nullptr;
    attempt("stage", [&] {
        settle();
        if (nrecords_ + n > kMaxStaged && nrecords_ > 0) {
            receive(nullptr);
            settle();
        }
        records_.need(static_cast<size_t>(nrecords_ + n), static_cast<size_t>(nrecords_));
        room = records_.host() + nrecords_;
        nrecords_ += n;
    });
    return room;
}

G6JPoint *CudaDevice::stage_points(int n)
{
    G6JPoint *room = nullptr;
    attempt("stage", [&] {
        settle();
        if (npoints_ + n > kMaxStaged && npoints_ > 0) {
            receive(nullptr);
            settle();
        }
        points_.need(static_cast<size_t>(npoints_ + n), static_cast<size_t>(npoints_));
        room = points_.host() + npoints_;
        npoints_ += n;
    });
    return room;
}

// Launches what was staged, and the i-block of r, when there is one.
void CudaDevice::receive(const Request *r)
{
    if (nrecords_ + npoints_ > 0) holds_.valid = false;
    const Arrivals a{records_.device(), points_.device(), r ? i_records_.device() : nullptr,
                     nrecords_,         npoints_,         r ? r->ni : 0};
    launch_receive(stream_, a, j_memory(), options_.use_snap != 0, i_, r ? r->scale : Scale{},
                   r ? r->arithmetic : Arithmetic::kSplit);
    check(cudaGetLastError(), "sending");
    busy_ = true;
    nrecords_ = npoints_ = 0;
}

DeviceStatus CudaDevice::clear()
{
    return attempt("clear", [&] {
        settle();
        nrecords_ = npoints_ = 0;
        holds_.valid = false;
        if (capacity_)
            check(cudaMemsetAsync(id_.get(), 0, sizeof(int2) * capacity_, stream_), "clearing");
    });
}

// ---- one block --------------------------------------------------------------------------------

// The shape that takes least time for whole i-tiles: rates of the rows of the shape table relative
// to the best, measured with Hermite force and nearest neighbour (split, full) and acc and pot
// (single) on an H200.
int best_shape(int ni, Arithmetic arithmetic)
{
    static constexpr double kRate[3][5] = {
        {0.91, 0.94, 1.00, 0.95, 0.6},  // split
        {0.90, 0.92, 0.97, 1.00, 0.6},  // single
        {1.00, 1.00, 0.98, 0.90, 0.8},  // full
    };
    int best = 0;
    double least = 0;
    for (int row = 0; row < shapes(); row++) {
        const int per_block = shape(row).lanes_i * shape(row).per_thread;
        const double padded = (ni + per_block - 1) / per_block * static_cast<double>(per_block);
        const double time = padded / kRate[static_cast<int>(arithmetic)][row];
        if (row == 0 || time < least) {
            least = time;
            best = row;
        }
    }
    return best;
}

// resident_blocks() asks the driver: once for each kernel.
int CudaDevice::resident(const Request &r) const
{
    int &known = resident_[static_cast<int>(r.arithmetic)][r.jerk][r.near][r.shape];
    if (known == 0) known = std::max(1, resident_blocks(r));
    return known;
}

// Shape and slices: enough blocks to fill the chip once or a few times over, in whole waves.
void CudaDevice::choose_launch(Request &r) const
{
    const int tiles = (r.nj + kTile - 1) / kTile;
    r.shape = best_shape(r.ni, r.arithmetic);
    if (const char *row = std::getenv("G6_CUDA_SHAPE"))
        r.shape = std::max(0, std::min(shapes() - 1, std::atoi(row)));
    const Shape &s = shape(r.shape);
    const int per_block = s.lanes_i * s.per_thread;
    const int i_tiles = (r.ni + per_block - 1) / per_block;
    const int fill = properties_.multiProcessorCount * resident(r);
    const int most = std::max(1, tiles / std::max(2, s.lanes_j));
    // More waves even out blocks of unequal length, but each slice costs its share of adding up.
    const int most_waves = r.ni >= 4096 ? 6 : 2;
    int best = 1;
    double best_use = 0;
    for (int waves = 1; waves <= most_waves; waves++) {
        const int slices = std::max(1, std::min(most, waves * fill / i_tiles));
        const double blocks = static_cast<double>(slices) * i_tiles;
        const double use = blocks / (std::ceil(blocks / fill) * fill) - 0.05 / waves;
        if (use > best_use) {
            best_use = use;
            best = slices;
        }
    }
    if (const char *slices = std::getenv("G6_CUDA_SLICES"))
        best = std::max(1, std::min(most, std::atoi(slices)));
    r.slices = best;
}

Request CudaDevice::plan(const Block &b) const
{
    Request r{};
    r.ni = b.ni;
    r.nj = b.nj;
    r.jerk = b.want & kWantJerk;
    r.scale = b.scale;
    for (int k = 0; k < b.ni && !r.guard; k++) r.guard = may_be_close(b.i[k], b.scale.length);
    r.near = (b.want & kWantNearest) || r.guard;
    r.arithmetic =
        options_.precision == Precision::kDouble ? Arithmetic::kFull : Arithmetic::kSplit;
    if (options_.precision == Precision::kSingle && !r.jerk && !r.near)
        r.arithmetic = Arithmetic::kSingle;
    choose_launch(r);
    return r;
}

void CudaDevice::predict(const Request &r)
{
    const bool current = holds_.valid && holds_.t == r.t && holds_.nj == r.nj &&
                         holds_.motion == r.motion && same(holds_.scale, r.scale) &&
                         holds_.arithmetic == r.arithmetic && holds_.jerk == r.jerk;
    if (current) return;
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
        own_in_lists_ = block.own_in_lists != 0;
        if (block.ni == 0 || block.nj == 0) {
            request_.ni = block.ni;
            receive(nullptr);
            return;
        }
        request_ = plan(block);
        request_.t = block.t;
        request_.motion = block.motion;
        launch(request_, block);
    });
}

void CudaDevice::launch(const Request &r, const Block &block)
{
    const size_t ni = static_cast<size_t>(r.ni), parts = ni * static_cast<size_t>(r.slices);
    i_records_.need(ni);
    std::memcpy(static_cast<void *>(i_records_.host()), block.i, ni * sizeof(G6IRecord));
    i_values_.need(8 * ni);
    i_index_.need(ni);
    i_ = {i_values_.get(), i_values_.get() + 6 * ni, i_values_.get() + 7 * ni, i_index_.get(),
          r.ni};
    partial_sums_.need(7 * parts);
    partial_keys_.need(2 * parts);
    partial_tiles_.need(parts);
    const Partials partials{partial_sums_.get(), partial_keys_.get(), partial_keys_.get() + parts,
                            partial_tiles_.get()};
    direct_ = r.ni <= kDirectResults;
    sums_.need(ni);
    if (!direct_) device_sums_.need(ni);

    receive(&r);
    predict(r);
    launch_force(stream_, r, j_memory(), predicted_, i_, partials);
    launch_reduce(stream_, r, j_memory(), predicted_, i_, partials,
                  direct_ ? sums_.device() : device_sums_.get(), ticket_.get(),
                  direct_ ? flag_.device() : nullptr, ++sequence_);
    if (!direct_)
        check(cudaMemcpyAsync(sums_.host(), device_sums_.get(), ni * sizeof(G6Sums),
                              cudaMemcpyDeviceToHost, stream_),
              "results");
    check(cudaGetLastError(), "launch");
    busy_ = true;
    counters_.copies_down++;
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
        std::copy_n(sums_.host(), ni, sums);
    });
}

// ---- neighbour lists --------------------------------------------------------------------------

DeviceStatus CudaDevice::neighbours(NeighbourView *view)
{
    return attempt("neighbours", [&] {
        const Request &r = request_;
        host_offset_.assign(static_cast<size_t>(r.ni) + 1, 0);
        if (r.nj > 0 && r.ni > 0) list_neighbours(r);
        *view = {host_offset_.data(), host_index_.host(), host_slot_.host()};
    });
}

void CudaDevice::list_neighbours(const Request &r)
{
    const size_t slices = static_cast<size_t>(list_slices(r.nj)),
                 n = static_cast<size_t>(r.ni) * slices;
    list_count_.need(n + 1);
    list_offset_.need(n + 1);
    launch_count(stream_, j_memory(), predicted_, r.nj, i_, r.ni, own_in_lists_, list_count_.get());
    scan_space_.need(scan_bytes(static_cast<int>(n + 1)));
    launch_scan(stream_, scan_space_.get(), scan_space_.capacity(), list_count_.get(),
                list_offset_.get(), static_cast<int>(n + 1));
    // Offset of each list, and of the end.
    check(cudaMemcpy2DAsync(host_offset_.data(), 8, list_offset_.get(), 8 * slices, 8,
                            host_offset_.size(), cudaMemcpyDeviceToHost, stream_),
          "list lengths");
    check(cudaStreamSynchronize(stream_), "list lengths");
    const size_t total = static_cast<size_t>(host_offset_.back());
    list_index_.need(std::max<size_t>(total, 1));
    list_slot_.need(std::max<size_t>(total, 1));
    host_index_.need(std::max<size_t>(total, 1));
    host_slot_.need(std::max<size_t>(total, 1));
    launch_fill(stream_, j_memory(), predicted_, r.nj, i_, r.ni, own_in_lists_, list_offset_.get(),
                list_index_.get(), list_slot_.get());
    check(cudaMemcpyAsync(host_index_.host(), list_index_.get(), 4 * total, cudaMemcpyDeviceToHost,
                          stream_),
          "lists");
    check(cudaMemcpyAsync(host_slot_.host(), list_slot_.get(), 4 * total, cudaMemcpyDeviceToHost,
                          stream_),
          "lists");
    check(cudaStreamSynchronize(stream_), "lists");
    counters_.copies_down += 2;
    counters_.waits += 2;
}

}  // namespace g6::cuda
