// SPDX-License-Identifier: MIT
// Opening of the device and its j-particles: memory that grows, staging, and the launch that writes
// staged rows to their slots.  Blocks are in device_block.cpp and device_lists.cpp.
#include "device.h"

#include "../../libg6gpu/base/host_threads.h"
#include "../../libg6gpu/base/parallel.h"

#include <algorithm>
#include <vector>

namespace g6::opencl {
namespace {

using gpu::kFields;
using gpu::kMaxPlanes;
using gpu::kWordBytes;
// Before the staged rows exceed so many bytes, those that are there are sent to the device.
constexpr size_t kMaxStaged = size_t{600} << 20;

// Kernels number the words of up to four planes by int.
constexpr long long kMostSlots = 1 << 29;

}  // namespace

OpenClDevice::OpenClDevice(int number, const DeviceOptions &options)
    : number_(number), options_(options),
      fp64_(all_hardware().at(static_cast<size_t>(number)).fp64 &&
            debug_number(options.debug, "opencl_fp64", 1) != 0),
      maker_{Engine::of(number), ""}, hardware_(maker_.engine->hardware()),
      queue_(maker_.engine->context(), hardware_.id, hardware_.takes_turns)
{
    fault_ = fault_for(debug_value(options.debug, "fault"), number);
    fail_on_purpose(fault_.due("open"));
    const std::string common =
        maker_.engine->base_options(fp64_, debug_value(options.debug, kLastDebugKey));
    if (!fp64_ && options.precision == Precision::kDouble)
        throw ClError{CL_INVALID_OPERATION,
                      "opencl: " + hardware_.name +
                          " has no doubles (cl_khr_fp64); G6_PRECISION=mixed needs none"};
    const bool newton = maker_.engine->require_exactness(fp64_, common);
    maker_.options = common + (newton ? " -DG6_NEWTON=1" : " -DG6_NEWTON=0");
    shapes_ = shapes_for(hardware_, options.debug);
    for (auto &arithmetic : force_)
        for (auto &jerk : arithmetic)
            for (auto &near : jerk) near.resize(shapes_.size());
}

OpenClDevice::~OpenClDevice()
{
    clFinish(queue_.get());
}

DeviceStatus OpenClDevice::failed(const ClError &e)
{
    std::snprintf(error_, sizeof error_, "%s (%s)", e.text.c_str(), hardware_.name.c_str());
    if (is_of_memory(e.code)) return kDeviceOutOfMemory;
    Engine::forget(number_);
    return kDeviceLost;
}

// Causes the failure that G6_DEBUG=fault asks for.
void OpenClDevice::fail_on_purpose(FaultKind kind)
{
    if (kind == FaultKind::kMemory)
        throw ClError{CL_MEM_OBJECT_ALLOCATION_FAILURE, "opencl: injected shortage of memory"};
    if (kind == FaultKind::kLost)
        throw ClError{CL_DEVICE_NOT_AVAILABLE, "opencl: injected loss of the device"};
    if (kind == FaultKind::kBuild)
        maker_.engine->kernel({"broken", "#error injected by G6_DEBUG=fault\n"}, "", "broken");
}

void OpenClDevice::synchronize()
{
    if (!busy_) return;
    queue_.finish();
    busy_ = false;
}

// ---- j-particles ------------------------------------------------------------------------------

DeviceStatus OpenClDevice::reserve(int nj)
{
    if (nj <= capacity_) return kDeviceOk;
    return attempt("reserve", [&] { grow(slots_for(nj)); });
}

// The new capacity where slots 0 ... nj-1 are needed, nj > capacity_: at least twice the present
// capacity if the device has memory for it, else just enough for nj.
int OpenClDevice::slots_for(int nj) const
{
    constexpr long long kBytes = kFields * 8 + 8 + kMaxPlanes * kWordBytes + 24;
    const long long wanted = gpu::whole_slots(nj), doubled = std::max(wanted, 2LL * capacity_);
    const auto fits = [&](long long n) {
        return n <= kMostSlots &&
               static_cast<unsigned long long>(n * kBytes) < hardware_.memory_bytes / 4 * 3 &&
               static_cast<unsigned long long>(n) * kFields * 8 <= hardware_.largest_allocation;
    };
    if (fits(doubled)) return static_cast<int>(doubled);
    if (fits(wanted)) return static_cast<int>(wanted);
    throw ClError{CL_MEM_OBJECT_ALLOCATION_FAILURE,
                  "opencl: " + std::to_string(wanted * kBytes >> 20) + " MiB needed for " +
                      std::to_string(nj) + " particles, the device has " +
                      std::to_string(hardware_.memory_bytes >> 20) + " MiB; " +
                      gpu::kFewerParticles};
}

// Makes larger arrays and copies the slots into them.  Where memory for one of the new arrays is
// missing, all old arrays stay.
void OpenClDevice::grow(int slots)
{
    synchronize();
    if (lists_) lists_->drop();
    if (fp64_) {
        const size_t n = static_cast<size_t>(slots), old = static_cast<size_t>(capacity_);
        DeviceBuffer fields, ids;
        fields.need(queue_, n * kFields * 8);
        ids.need(queue_, n * 8);
        queue_.zero(ids, n * 8);
        std::vector<Event> copies;
        for (size_t f = 0; old && f < kFields; f++)
            copies.push_back(queue_.copy(fields, n * 8 * f, fields_, old * 8 * f, old * 8));
        if (old) copies.push_back(queue_.copy(ids, 0, ids_, 0, old * 8));
        queue_.finish();
        for (const Event &copy : copies) queue_.wait(copy);
        fields_ = std::move(fields);
        ids_ = std::move(ids);
    }
    capacity_ = slots;
    predicted_for_.reset();
}

// Reserves memory for the predicted j-particles of all slots, which direct sums read.
void OpenClDevice::need_predicted()
{
    const size_t n = static_cast<size_t>(capacity_);
    fp64_ ? exact_.need(queue_, n * 24) : ids_.need(queue_, n * 8);
    planes_.need(queue_, n * kMaxPlanes * kWordBytes);
    range_.need(queue_, n / gpu::kTile * 8);
}

// Reserves so many bytes at the end of the arena, and returns where they begin.
char *OpenClDevice::append(size_t bytes)
{
    synchronize();
    arena_.need(queue_, arena_bytes_ + bytes, arena_bytes_);
    char *begin = arena_.host() + arena_bytes_;
    arena_bytes_ += bytes;
    return begin;
}

double *OpenClDevice::stage(int n, int words)
{
    double *staged = nullptr;
    attempt("stage", [&] {
        const size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(words) * sizeof(double);
        if (arena_bytes_ > 0 && arena_bytes_ + bytes > kMaxStaged) receive(nullptr);
        staged = reinterpret_cast<double *>(append(bytes));
        staged_ += n;
        row_words_ = words;
    });
    return staged;
}

// Writes the staged rows to their slots, and the i-particles of block r to their arrays.  r null:
// writes the staged rows only.
void OpenClDevice::receive(const Request *r)
{
    if (staged_ > 0) predicted_for_.reset();
    if (!fp64_) return receive_on_host();
    if (r) {
        auto *const to =
            reinterpret_cast<G6IRecord *>(append(static_cast<size_t>(r->ni) * sizeof(G6IRecord)));
        const int threads = host_threads(r->ni, options_.threads);
        parallel_ranges(threads, r->ni, [&](int first, int last) {
            std::copy(r->i + first, r->i + last, to + first);
        });
    }
    if (arena_bytes_ == 0) return;
    staging_.need(queue_, arena_bytes_);
    queue_.write(staging_, arena_.host(), arena_bytes_);
    busy_ = true;
    static_assert(sizeof(Scale) == 6 * sizeof(double), "as in arrivals.cl");
    const int ni = r ? r->ni : 0;
    const Kernel &k = support(receive_, "receive");
    set_args(k.get(), staging_.get(), staged_, row_words_, ni, r ? r->scale : Scale{}, capacity_,
             fields_.get(), ids_.get(), i_values_.get(), i_index_.get());
    const size_t items = static_cast<size_t>(staged_) + static_cast<size_t>(ni);
    queue_.run(k, (items + gpu::kTile - 1) / gpu::kTile, gpu::kTile);
    forget_staged();
}

void OpenClDevice::receive_on_host()
{
    for (int k = 0; k < staged_; k++) host_.put(staged_row(k), row_words_);
    forget_staged();
}

void OpenClDevice::forget_staged()
{
    arena_bytes_ = 0;
    staged_ = 0;
}

DeviceStatus OpenClDevice::clear()
{
    return attempt("clear", [&] {
        synchronize();
        forget_staged();
        predicted_for_.reset();
        host_.clear();
        if (capacity_ && fp64_) queue_.zero(ids_, static_cast<size_t>(capacity_) * 8);
    });
}

}  // namespace g6::opencl
