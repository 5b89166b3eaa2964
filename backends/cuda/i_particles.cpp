// SPDX-License-Identifier: MIT
// Stages the i-particles of a block, and finds out where this device reads its share of them: in
// pinned host memory, in its own copy, or in the copy of the leader over a link.
#include "i_particles.h"

#include "../../libg6gpu/base/parallel.h"

namespace g6::cuda {

G6IRecord *DeviceIParticles::stage_records(int n)
{
    records_.need(static_cast<size_t>(n));
    records_.restart();
    has_points_ = false;
    return records_.host();
}

G6IPoint *DeviceIParticles::stage_points(int n)
{
    points_.need(static_cast<size_t>(n));
    points_.restart();
    has_points_ = true;
    return points_.host();
}

void DeviceIParticles::send(int n)
{
    if (has_points_)
        points_.send(stream_, static_cast<size_t>(n));
    else
        records_.send(stream_, static_cast<size_t>(n));
}

void DeviceIParticles::stage(const Block &b, DeviceIParticles &leader, bool linked)
{
    const bool points = b.i_staged == StagedI::kPoints;
    DeviceIParticles &home = b.i_staged == StagedI::kNone ? *this : leader;
    G6IRecord *to = b.i_staged == StagedI::kNone ? stage_records(b.ni) : nullptr;
    const int first = to ? 0 : b.first;
    const bool is_sent = points ? home.points_.is_sending() : home.records_.is_sending();
    if (is_sent && &home == this) send(b.whole_ni);
    is_on_leader_ = is_sent && &home != this && linked;
    const auto place = [&](const auto &staging) {
        const auto n = static_cast<size_t>(b.whole_ni);
        const bool on_device = is_on_leader_ || &home == this;
        return (on_device ? staging.device(n) : staging.mapped()) + first;
    };
    host_records_ = home.records_.host() + first;
    mapped_records_ = home.records_.mapped() + first;
    staged_records_ = points ? nullptr : place(home.records_);
    staged_points_ = points ? place(home.points_) : nullptr;
    if (!to) return;
    parallel_for(host_threads(b.ni, options_.threads), b.ni, [&](int k) { to[k] = b.i[k]; });
}

void DeviceIParticles::reserve(int n)
{
    const size_t ni = static_cast<size_t>(n);
    values_.need(8 * ni);
    index_.need(ni);
    aold_.need(ni);
    memory_ = {values_.get(), values_.get() + 6 * ni, values_.get() + 7 * ni,
               aold_.get(),   index_.get(),           n};
}

void DeviceIParticles::add_to(Arrivals &a, int ni) const
{
    a.ni = ni;
    a.i = staged_records_;
    a.i_points = staged_points_;
}

void DeviceIParticles::receive(const Request &r)
{
    reserve(r.ni);
    Arrivals a{};
    add_to(a, r.ni);
    launch_receive(stream_, a, JMemory{}, false, memory_, r);
    stream_.mark_busy();
}

}  // namespace g6::cuda
