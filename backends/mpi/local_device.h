// SPDX-License-Identifier: MIT
// A device of this process among those of workers.  It hands every call on to the device behind it,
// and shows the other devices its staged particles.
//
// Invariants
//  * The staged particles that it shows stay until the next stage().  A device that shares memory
//    with others of its process (Backend::shares_memory) keeps its staging memory for so long.  For
//    any other device this object keeps the staged j-particles itself, and hands them over when the
//    device starts.
//  * Devices that share memory with the leader of a block write their sums there.  finish() of any
//    other device copies its sums to the leader's memory.
#pragma once

#include "device.h"

#include <memory>

namespace g6::mpi {

class LocalDevice : public MpiDevice {
public:
    // shares: Backend::shares_memory of the device's backend.  Such a device leaves its staging
    // memory alone until the next stage().
    LocalDevice(Device *inner, bool shares, const DeviceOptions &options)
        : inner_(inner), shares_(shares), threads_(options.threads)
    {
    }

    const char *error() const override { return no_memory_ ? "no memory" : inner_->error(); }
    DeviceStatus reserve(int nj) override { return inner_->reserve(nj); }
    double *stage(int n, int words) override;
    double *stage_i(int n, int words) override;
    void send_i(int n) override { inner_->send_i(n); }
    bool can_copy_from(Device &leader) override;
    DeviceStatus copy_from(Device &leader, const int *slots, int n) override;
    void note_walk(double interactions, double tests, int ni) override
    {
        inner_->note_walk(interactions, tests, ni);
    }
    DeviceStatus start(const Block &block) override;
    SumsMemory sums_memory() override;
    DeviceStatus neighbours(NeighbourView *view) override { return inner_->neighbours(view); }
    DeviceStatus clear() override;
    DeviceCounters counters() const override { return inner_->counters(); }
    const double *staged_targets() const override { return targets_; }
    Device *shared_inner() override { return shares_ ? inner_.get() : nullptr; }
    Home home() override;

private:
    DeviceStatus finish_whole(G6Sums *sums) override { return inner_->finish(sums); }
    DeviceStatus finish_part() override;
    bool hand_over();
    DeviceStatus bring_home();

    std::unique_ptr<Device> inner_;
    const bool shares_;
    const int threads_;
    bool no_memory_ = false;
    double *targets_ = nullptr;  // i-particles that are staged
    // Of the last block: the device behind the leader, if inner_ shares its memory; else null.
    Device *home_ = nullptr;
};

}  // namespace g6::mpi
