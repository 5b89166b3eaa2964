// SPDX-License-Identifier: MIT
// Each call of the contract: it enters the device's context, hands the work to the particles, the
// results or the Step of the block, and makes a status of a CUDA error (attempt()).
#include "device.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace g6::cuda {
namespace {

cudaDeviceProp properties_of(int device)
{
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, device), "device");
    return p;
}

// Makes the memory of device `other` readable by kernels of device `own`, whose context is current.
// Returns false, and changes nothing, where there is no link of their own, such as NVLink: over
// the host's bus, reading another device's memory is not faster than reading host memory, and takes
// up the other device's connection to the host.  Atomic operations on another device's memory work
// over NVLink and not over PCI Express.
bool make_link(int own, int other)
{
    int has_access = 0, has_atomics = 0;
    if (cudaDeviceCanAccessPeer(&has_access, own, other) != cudaSuccess ||
        cudaDeviceGetP2PAttribute(&has_atomics, cudaDevP2PAttrNativeAtomicSupported, own, other) !=
            cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    if (!has_access || !has_atomics) return false;
    const cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
    if (code == cudaSuccess) return true;
    cudaGetLastError();
    return code == cudaErrorPeerAccessAlreadyEnabled;  // by the client
}

}  // namespace

CudaDevice::CudaDevice(int number, const DeviceOptions &options)
    : context_(number), number_(number), options_(options), properties_(properties_of(number)),
      j_(stream_), i_(stream_, options_), results_(stream_, counters_),
      lists_(stream_, counters_), parts_{stream_,  counters_,
                                         j_,       i_,
                                         results_, lists_,
                                         options_, properties_.multiProcessorCount},
      few_(parts_, number), direct_(parts_), walk_(parts_)
{
    fault_ = fault_for(debug_value(options.debug, "fault"), number);
    Request r{};
    r.jerk = r.near = true;
    if (resident_blocks(r) == 0)
        throw CudaError{cudaErrorNoKernelImageForDevice,
                        "this build has no code for the device's architecture; build with NVARCH "
                        "of that device"};
    context_.leave();
}

CudaDevice::~CudaDevice()
{
    try {
        context_.enter();
        stream_.synchronize();  // other devices may still use this one's pinned memory
        stream_.is_working();
    } catch (const CudaError &) {  // the context is gone, and all its memory with it
        stream_.set_resident(nullptr);
    }
    cudaStreamSynchronize(stream_);
}

// A trap is a kernel that really kills the context: it reads address 0.
void CudaDevice::fail_on_purpose(FaultKind kind)
{
    if (kind == FaultKind::kMemory)
        throw CudaError{cudaErrorMemoryAllocation, "cuda: injected shortage of memory"};
    if (kind != FaultKind::kTrap) return;
    launch_copy_slots(stream_, JMemory{}, JMemory{}, nullptr, 1);
    check(cudaStreamSynchronize(stream_), "injected trap");
}

// ---- j-particles ------------------------------------------------------------------------------

DeviceStatus CudaDevice::reserve(int nj)
{
    if (nj <= j_.capacity()) return kDeviceOk;
    return attempt("reserve", [&] {
        direct_.release_tensor_memory();
        j_.grow(j_.slots_for(nj));
    });
}

double *CudaDevice::stage(int n, int words)
{
    double *memory = nullptr;
    attempt("stage", [&] { memory = j_.stage(n, words); });
    return memory;
}

// Returns no status: start() reports a lost context, and rows for whose copy there is no memory are
// read in pinned memory.
void CudaDevice::send_staged(int n)
{
    attempt("send_staged", [&] { j_.send_staged(n); });
}

// Blocks of few i-particles (few.h) take them in full rows only.
double *CudaDevice::stage_i(int n, int words)
{
    if (words < kIWords && few_.may_support(n)) return nullptr;
    double *memory = nullptr;
    attempt("stage_i", [&] {
        stream_.synchronize();
        memory = i_.stage(n, words);
    });
    return memory;
}

void CudaDevice::send_i(int n)
{
    attempt("send_i", [&] { i_.send(n); });
}

void CudaDevice::stage_from(Device &other)
{
    j_.stage_from(static_cast<CudaDevice &>(other).j_);
}

// Makes the link at the first call.  This device's context must be current.  A link is never
// removed, since all clusters share the devices' contexts.
bool CudaDevice::is_linked_to(const CudaDevice &other)
{
    static std::mutex mutex;
    static std::map<std::pair<int, int>, bool> links;
    if (!uses_links_) return false;
    const std::lock_guard<std::mutex> lock(mutex);
    const std::pair<int, int> pair{number_, other.number_};
    const auto known = links.find(pair);
    if (known != links.end()) return known->second;
    return links[pair] = make_link(number_, other.number_);
}

bool CudaDevice::can_copy_from(Device &leader)
{
    bool linked = false;
    attempt("link", [&] { linked = is_linked_to(static_cast<CudaDevice &>(leader)); });
    return linked;
}

DeviceStatus CudaDevice::copy_from(Device &leader, const int *slots, int n)
{
    return attempt("stage", [&] { j_.copy_from(static_cast<CudaDevice &>(leader).j_, slots, n); });
}

DeviceStatus CudaDevice::clear()
{
    return attempt("clear", [&] {
        j_.clear();
        walk_.forget();
    });
}

// ---- one block --------------------------------------------------------------------------------

// The block as the kernels need it.
Request CudaDevice::plan(const Block &b, const CudaDevice &lead)
{
    Request r{};
    gpu::fill(r, b, options_.precision);
    r.multiprocessors = parts_.multiprocessors;
    r.leaders_multiprocessors = lead.parts_.multiprocessors;
    r.linked = &lead != this && is_linked_to(lead);
    return r;
}

Step &CudaDevice::step_for(const Request &r)
{
    if (r.is_walk) return walk_;
    // Another kind of device, which leads, may have staged short rows.
    const bool short_rows = r.i_words == kIRestWords;
    if (!short_rows && few_.supports(r.whole_ni, r.nj)) return few_;
    return direct_;
}

DeviceStatus CudaDevice::start(const Block &block)
{
    return attempt("start", [&] {
        stream_.synchronize();
        counters_.copies_up++;
        CudaDevice &lead = static_cast<CudaDevice &>(*block.lead);
        if (&lead != this && !block.leader_is_there()) return;
        if (&lead != this) lead.stream_.share_memory(stream_);
        lists_.drop_search();
        results_.go_to(lead.results_, block.first, block.whole_ni);
        const Request r = plan(block, lead);
        i_.stage(block, lead.i_, r.linked);
        if (r.linked && (i_.is_on_leader() || j_.is_on_leader())) lead.j_.make_wait(stream_);
        j_.need_fields_for(r.motion);
        started_ = &step_for(r);
        if (&lead == this) walkers_.clear();
        // FewStep writes to slots by its own kernel, so that the event is recorded after its start.
        const bool receives = started_ != &few_, marks = &lead == this && r.shared;
        if (receives) j_.receive(i_, r);
        if (receives && marks) j_.mark_received();
        started_->start(r);
        if (!receives && marks) j_.mark_received();
        if (started_ == &walk_ && r.parts > 1 && r.part < r.parts) lead.walkers_.push_back(this);
        const bool is_last = lead.walkers_.size() == static_cast<size_t>(r.parts);
        if (started_ == &walk_ && is_last && r.part < r.parts) deliver(lead.walkers_);
    });
}

// Queues the delivery of the sums of all devices that share a walk.  The last of them to start
// calls it.  Where each device has a link to each other one, device k collects the sums of range k
// of the block and copies them to the host.
void CudaDevice::deliver(const std::vector<CudaDevice *> &devices)
{
    const auto each = [&](auto &&f) {
        for (size_t d = 0; d < devices.size(); d++) {
            std::optional<Inside> inside;
            if (devices[d] != this) inside.emplace(devices[d]->context_);
            const WalkTargets &t = devices[d]->walk_.targets();
            f(d, devices[d]->results_, t.order + t.first, t.last - t.first);
        }
    };
    bool linked = devices.size() > 1 && devices.size() <= kMostRanges;
    Destinations to{};
    each([&](size_t d, Results &results, const int *, int) {
        for (const CudaDevice *other : devices)
            linked = linked && (other == devices[d] || devices[d]->is_linked_to(*other));
        if (!linked) return;
        const auto ni = static_cast<size_t>(devices[d]->walk_.targets().ni);
        to.end[d] = static_cast<int>(ni * (d + 1) / devices.size());
        to.sums[d] = results.words();
    });
    each([&](size_t, Results &results, const int *order, int n) {
        if (linked)
            results.deliver(order, n, to);
        else
            results.deliver_to_host(order, n);
    });
    if (!linked) return;
    each([&](size_t d, Results &results, const int *, int) {
        for (const CudaDevice *other : devices)
            other->results_.delivered().make_wait(devices[d]->stream_);
        results.send(d > 0 ? to.end[d - 1] : 0, to.end[d]);
    });
}

DeviceStatus CudaDevice::finish(G6Sums *)
{
    return attempt("finish", [&] { started_->finish(); });
}

DeviceStatus CudaDevice::neighbours(NeighbourView *view)
{
    return attempt("neighbours", [&] {
        started_->list_neighbours();
        *view = lists_.view();
    });
}

}  // namespace g6::cuda
