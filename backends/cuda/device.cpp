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

int round_up(int n, int step)
{
    return (n + step - 1) / step * step;
}

}  // namespace

CudaDevice::CudaDevice(int number, const DeviceOptions &options)
    : number_((check(cudaSetDevice(number), "device"), number)), options_(options)
{
    check(cudaGetDeviceProperties(&properties_, number), "device");
    flag_.need(2);
    std::fill_n(flag_.host(), 2, 0u);
    ticket_.need(2);
    check(cudaMemset(ticket_.get(), 0, 2 * sizeof(unsigned)), "device memory");
    int ratio = 1;
    check(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, number),
          "device");
    few_limit_ = few_limit(ratio);
    if (const char *few = std::getenv("G6_CUDA_FEW"))
        few_limit_ = std::max(0, std::min(kFewMost, std::atoi(few)));
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
    if (tree_.knows()) tree_.note(records_.host(), nrecords_, points_.host(), npoints_);
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
        tree_.forget();
        if (capacity_)
            check(cudaMemsetAsync(id_.get(), 0, sizeof(int2) * capacity_, stream_), "clearing");
    });
}

}  // namespace g6::cuda
