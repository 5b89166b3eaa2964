// SPDX-License-Identifier: MIT
#include "i_particles.h"

#include "../../libg6gpu/base/parallel.h"

namespace g6::cuda {

G6IRecord *IParticles::room(int n)
{
    records_.need(static_cast<size_t>(n));
    return records_.host();
}

G6IPoint *IParticles::room_for_points(int n)
{
    points_.need(static_cast<size_t>(n));
    return points_.host();
}

void IParticles::stage(const Block &b, const IParticles &leader)
{
    const bool points = b.i_staged == StagedI::kPoints;
    const IParticles &home = b.i_staged == StagedI::kNone ? *this : leader;
    G6IRecord *to = b.i_staged == StagedI::kNone ? room(b.ni) : nullptr;
    const int first = to ? 0 : b.first;
    host_records_ = home.records_.host() + first;
    staged_records_ = points ? nullptr : home.records_.device() + first;
    staged_points_ = points ? home.points_.device() + first : nullptr;
    if (!to) return;
    parallel_for(host_threads(b.ni, options_.threads, options_.pool_threads), b.ni,
                 [&](int k) { to[k] = b.i[k]; });
}

void IParticles::reserve(int n)
{
    const size_t ni = static_cast<size_t>(n);
    values_.need(8 * ni);
    index_.need(ni);
    aold_.need(ni);
    memory_ = {values_.get(), values_.get() + 6 * ni, values_.get() + 7 * ni,
               aold_.get(),   index_.get(),           n};
}

void IParticles::add_to(Arrivals &a, int ni) const
{
    a.ni = ni;
    a.i = staged_records_;
    a.i_points = staged_points_;
}

void IParticles::receive(const Request &r)
{
    reserve(r.ni);
    Arrivals a{};
    add_to(a, r.ni);
    launch_receive(stream_, a, JMemory{}, false, memory_, r.scale, r.arithmetic);
    stream_.mark_busy();
}

}  // namespace g6::cuda
