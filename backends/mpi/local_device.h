// SPDX-License-Identifier: MIT
// A device of this process among those of workers: hands every call on, and remembers where its
// staged j-particles lie.
#pragma once

#include "device.h"
#include "link.h"

#include <algorithm>
#include <memory>

namespace g6::mpi {

class LocalDevice : public MpiDevice {
public:
    explicit LocalDevice(Device *inner) : inner_(inner) {}

    const char *error() const override { return inner_->error(); }
    DeviceStatus reserve(int nj) override { return inner_->reserve(nj); }
    G6JRecord *stage(int n) override
    {
        new_stage();
        G6JRecord *room = inner_->stage(n);
        staged_.record = room;
        staged_.records = room ? n : 0;
        return room;
    }
    G6JPoint *stage_points(int n) override
    {
        new_stage();
        G6JPoint *room = inner_->stage_points(n);
        staged_.point = room;
        staged_.points = room ? n : 0;
        return room;
    }
    // Devices of this machine get copies: the leader may be a worker's.
    void stage_from(Device &leader) override
    {
        const Staged &from = static_cast<MpiDevice &>(leader).staged();
        if (from.records)
            if (G6JRecord *room = stage(from.records)) std::copy_n(from.record, from.records, room);
        if (from.points)
            if (G6JPoint *room = stage_points(from.points))
                std::copy_n(from.point, from.points, room);
    }
    G6IRecord *stage_i(int n) override { return inner_->stage_i(n); }
    G6IPoint *stage_i_points(int n) override { return inner_->stage_i_points(n); }
    void note_walk(double interactions, double tests, int ni) override
    {
        inner_->note_walk(interactions, tests, ni);
    }
    DeviceStatus start(const Block &block) override
    {
        Block own = block;
        own.lead = inner_.get();
        if (started_) staged_ = Staged{};  // nothing was staged since the last block
        started_ = true;
        const DeviceStatus status = inner_->start(own);
        if (block.part >= block.parts - 1) Link::send_blocks();
        return status;
    }
    DeviceStatus finish(G6Sums *sums) override
    {
        Link::send_blocks();
        return inner_->finish(sums);
    }
    SumsView own_sums() const override { return inner_->own_sums(); }
    DeviceStatus neighbours(NeighbourView *view) override { return inner_->neighbours(view); }
    DeviceStatus clear() override
    {
        staged_ = Staged{};
        return inner_->clear();
    }
    DeviceCounters counters() const override { return inner_->counters(); }
    const Staged &staged() const override { return staged_; }

private:
    void new_stage()
    {
        if (started_) staged_ = Staged{};
        started_ = false;
    }

    std::unique_ptr<Device> inner_;
    Staged staged_;
    bool started_ = false;
};

}  // namespace g6::mpi
