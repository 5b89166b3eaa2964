// SPDX-License-Identifier: MIT
// One CUDA device behind the contract of backend.h.  It owns the particles, the results and the
// neighbour lists, and it chooses for each block the way to compute it (step.h).
//
// Invariants
//  * One stream, in order: receive staged rows and i-particles -> predict -> [factors for tensor
//    cores] -> force -> reduce -> results -> [lists].
//  * Staged rows and small results lie in pinned host memory, where kernels read and write them.
//    Large arrays of rows are copied to device memory (staging.h).  A kernel for blocks of up to
//    256 i-particles stays on the device (few.h).
//  * So a small block needs no copy by the driver, and the host waits for its results by watching a
//    word of pinned memory (results.h).
//  * Devices that share a direct sum may start at the same time.  The others wait at the StartGate
//    until the leader has launched its own receive.  Then they read three things of the leader: its
//    staged particles; its slots, once JParticles::mark_received()'s event has come; and where its
//    sums lie.  The leader changes none of them until all devices have started.
//  * Pinned staging memory is rewritten only when no kernel may still read it (synchronize()).
//  * A buffer grows, and stays until the object ends.  (Only that of tensor cores may be freed
//    before.)  So a block allocates nothing when an earlier block was as large.
//  * Every function of the contract gives the calling thread back its CUDA context (context.h).
#pragma once

#include "context.h"
#include "direct_step.h"
#include "few_step.h"
#include "kernels.h"
#include "memory.h"
#include "walk_step.h"

#include "../../libg6gpu/settings/debug.h"

#include <cstdio>
#include <vector>

namespace g6::cuda {

class CudaDevice : public Device {
public:
    // Throws CudaError, also where this build has no code for the device.
    CudaDevice(int number, const DeviceOptions &options);
    ~CudaDevice() override;

    const char *error() const override { return error_; }
    DeviceStatus reserve(int nj) override;
    double *stage(int n, int words) override;
    void send_staged(int n) override;
    double *stage_i(int n, int words) override;
    void send_i(int n) override;
    void stage_from(Device &other) override;
    bool can_copy_from(Device &leader) override;
    DeviceStatus copy_from(Device &leader, const int *slots, int n) override;
    void note_walk(double interactions, double tests, int ni) override
    {
        walk_.note_work(interactions, tests, ni);
    }
    DeviceStatus start(const Block &block) override;
    DeviceStatus finish(G6Sums *) override;
    SumsMemory sums_memory() override { return results_.sums(); }
    DeviceStatus neighbours(NeighbourView *view) override;
    DeviceStatus clear() override;
    DeviceCounters counters() const override { return counters_; }

private:
    template <class F> DeviceStatus attempt(const char *phase, F &&f);
    void fail_on_purpose(FaultKind kind);
    Request plan(const Block &block, const CudaDevice &lead);
    Step &step_for(const Request &r);
    bool is_linked_to(const CudaDevice &other);
    void deliver(const std::vector<CudaDevice *> &devices);

    Context context_;  // the first member, so that all others release what they own inside it
    const int number_;
    const DeviceOptions options_;
    const bool uses_links_ = debug_number(options_.debug, "cuda_link", 1) != 0;
    const cudaDeviceProp properties_;
    char error_[512] = "";
    DeviceCounters counters_;
    Stream stream_;

    JParticles j_;
    DeviceIParticles i_;
    Results results_;
    DeviceLists lists_;

    const SharedParts parts_;
    FewStep few_;
    DirectStep direct_;
    WalkStep walk_;
    Step *started_ = &direct_;  // computes the last block

    // Of the leader: the devices that have started their parts of a walk.
    std::vector<CudaDevice *> walkers_;

    Fault fault_;  // the failure that a test asks for (fault.h)
};

// Runs f in the device's context.  Returns an exception as a status, with its text in error_, and
// allocates no memory for this.  phase: the name by which G6_DEBUG=fault asks for a failure here.
template <class F> DeviceStatus CudaDevice::attempt(const char *phase, F &&f)
{
    try {
        const Inside inside(context_);
        fail_on_purpose(fault_.due(phase));
        f();
        return kDeviceOk;
    } catch (const CudaError &e) {
        std::snprintf(error_, sizeof error_, "%s (%s)", e.text.c_str(), properties_.name);
        cudaGetLastError();  // clears an error that did not end the context
        return e.code == cudaErrorMemoryAllocation ? kDeviceOutOfMemory : kDeviceLost;
    } catch (const std::exception &e) {
        std::snprintf(error_, sizeof error_, "cuda: %s", e.what());
        return kDeviceOutOfMemory;
    }
}

}  // namespace g6::cuda
