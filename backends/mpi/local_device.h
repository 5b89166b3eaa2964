// SPDX-License-Identifier: MIT
// A device of this process among those of workers: hands every call on, and shows the others its
// staged j-particles.
//
// Invariant: what is shown stays until the next stage().  Few devices leave their staging memory
// alone for so long; the others get their j-particles from here when they start.
#pragma once

#include "device.h"
#include "link.h"

#include "../../libg6gpu/base/host_memory.h"

#include <memory>

namespace g6::mpi {

class LocalDevice : public MpiDevice {
public:
    // stays: the device leaves its staging memory alone until the next stage().
    LocalDevice(Device *inner, bool stays) : inner_(inner), stays_(stays) {}

    const char *error() const override { return no_memory_ ? "no memory" : inner_->error(); }
    DeviceStatus reserve(int nj) override { return inner_->reserve(nj); }
    G6JRecord *stage(int n) override;
    G6JPoint *stage_points(int n) override;
    void stage_from(Device &leader) override;
    G6IRecord *stage_i(int n) override { return inner_->stage_i(n); }
    G6IPoint *stage_i_points(int n) override { return inner_->stage_i_points(n); }
    void note_walk(double interactions, double tests, int ni) override
    {
        inner_->note_walk(interactions, tests, ni);
    }
    DeviceStatus start(const Block &block) override;
    DeviceStatus finish(G6Sums *sums) override
    {
        Link::send_blocks();
        return inner_->finish(sums);
    }
    SumsView own_sums() const override { return inner_->own_sums(); }
    DeviceStatus neighbours(NeighbourView *view) override { return inner_->neighbours(view); }
    DeviceStatus clear() override;
    DeviceCounters counters() const override { return inner_->counters(); }
    const Staged &staged() const override { return staged_; }

private:
    void new_stage();
    bool hand_over();

    std::unique_ptr<Device> inner_;
    const bool stays_;
    Staged staged_;
    bool started_ = false;  // what is staged has reached the device
    bool no_memory_ = false;
    HostBuffer<G6JRecord> records_;
    HostBuffer<G6JPoint> points_;
};

}  // namespace g6::mpi
