// SPDX-License-Identifier: MIT
#include "device.h"

#include <algorithm>
#include <cmath>

namespace g6::cuda {
namespace {

// Staged records beyond this are sent before more are accepted, so that pinned memory stays bounded
// (600 MB).
constexpr int kMaxStaged = 1 << 22;

constexpr const char *kMoreDevices = "use more devices (G6_DEVICES=0,1)";

// Slots are numbered by int, and kernels round their number up.
constexpr int kMostSlots = 0x7fffff00;

// Pairs of tiles: a block of the predictor has two.
size_t whole_slots(int n)
{
    constexpr size_t kStep = 2 * kTile;
    return (static_cast<size_t>(n) + kStep - 1) / kStep * kStep;
}

}  // namespace

CudaDevice::CudaDevice(int number, const DeviceOptions &options)
    : context_(number), options_(options)
{
    check(cudaGetDeviceProperties(&properties_, number), "device");
    flag_.need(2);
    std::fill_n(flag_.host(), 2, 0u);
    ticket_.need(2);
    // In the stream: no other one is waited for before its first kernel.
    check(cudaMemsetAsync(ticket_.get(), 0, 2 * sizeof(unsigned), stream_), "device memory");
    int ratio = 1;
    check(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, number),
          "device");
    few_limit_ = std::min(kFewMost, debug_number(options.debug, "cuda_few", few_limit(ratio)));
    parse_fault(debug_value(options.debug, "fault"), fault_);
    context_.leave();
}

CudaDevice::~CudaDevice()
{
    try {
        context_.enter();
    } catch (const CudaError &) {  // it is gone, and all memory with it
    }
    cudaStreamSynchronize(stream_);
}

bool CudaDevice::usable(const char **why)
{
    const Inside inside(context_);
    Request r{};
    r.jerk = r.near = true;
    if (resident_blocks(r) > 0) return true;
    *why = "this build has no code for the device's architecture; build with NVARCH of that device";
    return false;
}

// A trap is a kernel that really kills the context.
void CudaDevice::fail_on_purpose(FaultKind kind)
{
    if (kind == FaultKind::kMemory)
        throw CudaError{cudaErrorMemoryAllocation, "cuda: injected shortage of memory"};
    if (kind != FaultKind::kTrap) return;
    launch_trap(stream_);
    check(cudaStreamSynchronize(stream_), "injected trap");
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
    const size_t n = static_cast<size_t>(capacity_);
    for (size_t c = 0; c < 3; c++) {
        j.field[c] = rest_.get() + n * c;
        if (held_ == Motion::kQuartic) j.field[kSnapField + c] = snap_.get() + n * c;
    }
    for (size_t f = 0; held_ != Motion::kAtRest && f < kMotionFields; f++)
        j.field[kMotionField + f] = motion_.get() + n * f;
    j.field[kMassField] = rest_.get() + n * 3;
    j.field[kTimeField] = rest_.get() + n * 4;
    j.index = index_.get();
    return j;
}

// Room for that much of the predictor's polynomial: zero until written.
void CudaDevice::hold_motion(Motion motion)
{
    const auto add = [&](DeviceArray<double> &a, size_t fields) {
        const size_t n = static_cast<size_t>(capacity_) * fields;
        if (n == 0) return;
        a.need(n);
        check(cudaMemsetAsync(a.get(), 0, n * sizeof(double), stream_), "clearing");
    };
    if (motion > Motion::kAtRest && held_ == Motion::kAtRest) {
        add(motion_, kMotionFields);
        held_ = Motion::kCubic;
    }
    if (motion == Motion::kQuartic && held_ == Motion::kCubic) {
        add(snap_, 3);
        held_ = Motion::kQuartic;
    }
}

void CudaDevice::hold_motion_of_staged()
{
    const auto any = [](const double(&x)[3]) { return x[0] != 0 || x[1] != 0 || x[2] != 0; };
    for (int k = 0; k < nrecords_ && held_ != Motion::kQuartic; k++) {
        const G6JRecord &r = records_.host()[k];
        if (options_.use_snap && any(r.k18))
            hold_motion(Motion::kQuartic);
        else if (held_ == Motion::kAtRest && (any(r.v) || any(r.a2) || any(r.j6)))
            hold_motion(Motion::kCubic);
    }
}

DeviceStatus CudaDevice::reserve(int nj)
{
    if (nj <= capacity_) return kDeviceOk;
    return attempt("reserve", [&] { grow(nj); });
}

// New arrays, old contents, and zero in slots that were never written; twice the size unless that
// does not fit.
void CudaDevice::grow(int nj)
{
    settle();
    if (nj > kMostSlots)
        throw CudaError{cudaErrorMemoryAllocation,
                        "cuda: " + std::to_string(nj) +
                            " particles are more than one device takes, " +
                            std::to_string(kMostSlots) + "; " + kMoreDevices};
    const size_t n_wanted = whole_slots(nj);
    const size_t fields = kRestFields + (held_ != Motion::kAtRest ? kMotionFields : 0) +
                          (held_ == Motion::kQuartic ? 3 : 0),
                 bytes = fields * sizeof(double) + sizeof(int);
    const size_t doubled = std::min<size_t>(
        std::max<size_t>(n_wanted, 2 * static_cast<size_t>(capacity_)), kMostSlots);
    const size_t n = doubled * bytes < free_bytes() / 2 ? doubled : n_wanted;
    ask_room(n * bytes, std::to_string(nj) + " particles", kMoreDevices);
    const size_t kept = static_cast<size_t>(capacity_);
    const auto move = [&](auto &from, size_t count, bool has_time) {
        std::decay_t<decltype(from)> to;
        to.need(n * count);
        const size_t size = sizeof *to.get();
        for (size_t f = 0; f < count; f++) {
            const int byte = has_time && f == count - 1 ? kEmptyByte : 0;
            check(cudaMemsetAsync(to.get() + n * f + kept, byte, (n - kept) * size, stream_),
                  "clearing");
            if (kept)
                check(cudaMemcpyAsync(to.get() + n * f, from.get() + kept * f, kept * size,
                                      cudaMemcpyDeviceToDevice, stream_),
                      "growing");
        }
        check(cudaStreamSynchronize(stream_), "growing");
        from.swap(to);
    };
    static_assert(kRestFields == 5, "the last is the time");
    move(rest_, kRestFields, true);
    if (held_ != Motion::kAtRest) move(motion_, kMotionFields, false);
    if (held_ == Motion::kQuartic) move(snap_, 3, false);
    move(index_, 1, false);
    capacity_ = static_cast<int>(n);
    holds_.valid = false;
}

// What direct sums read, once there is one.
void CudaDevice::reserve_predicted()
{
    const size_t n = static_cast<size_t>(capacity_);
    if (predicted_room_ == n) return;
    Room room;
    room.add(planes_, n * kMaxPlanes);
    room.add(exact_, n * 3);
    room.ask("direct sums over " + std::to_string(n) + " particles", kMoreDevices);
    planes_.need(n * kMaxPlanes);
    exact_.need(n * 3);
    range_.need(n / kTile + 2);
    for (size_t c = 0; c < 3; c++) predicted_.x[c] = exact_.get() + n * c;
    for (size_t p = 0; p < kMaxPlanes; p++)
        predicted_.plane[p] = reinterpret_cast<Word *>(planes_.get()) + n * p;
    predicted_.range = range_.get();
    predicted_room_ = n;
    holds_.valid = false;
}

// When n more would be too many.  Nobody said yet how these records move.
void CudaDevice::send_early(int staged, int n)
{
    if (staged == 0 || staged <= kMaxStaged - n) return;
    hold_motion_of_staged();
    receive(nullptr);
    settle();
}

G6JRecord *CudaDevice::stage(int n)
{
    G6JRecord *room = nullptr;
    attempt("stage", [&] {
        settle();
        send_early(nrecords_, n);
        records_.need(static_cast<size_t>(nrecords_) + static_cast<size_t>(n),
                      static_cast<size_t>(nrecords_));
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
        send_early(npoints_, n);
        points_.need(static_cast<size_t>(npoints_) + static_cast<size_t>(n),
                     static_cast<size_t>(npoints_));
        room = points_.host() + npoints_;
        npoints_ += n;
    });
    return room;
}

// Launches what was staged, for which there must be room, and the i-block of r, when there is one.
void CudaDevice::receive(const Request *r)
{
    if (nrecords_ + npoints_ > 0) holds_.valid = false;
    if (tree_.knows())
        tree_.note(records_.host(), nrecords_, points_.host(), npoints_,
                   threads_to_copy(nrecords_ + npoints_));
    const Arrivals a{records_.device(), points_.device(), r ? i_records_.device() : nullptr,
                     nrecords_,         npoints_,         r ? r->ni : 0};
    launch_receive(stream_, a, j_memory(), options_.use_snap != 0, i_, r ? r->scale : Scale{},
                   r ? r->arithmetic : Arithmetic::kSplit);
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
            check(cudaMemsetAsync(j_memory().field[kTimeField], kEmptyByte,
                                  sizeof(double) * static_cast<size_t>(capacity_), stream_),
                  "clearing");
    });
}

}  // namespace g6::cuda
