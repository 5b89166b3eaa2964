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

void IParticles::stage(const Block &b)
{
    as_points_ = b.i_staged == StagedI::kPoints;
    if (b.i_staged != StagedI::kNone) return;
    G6IRecord *to = room(b.ni);
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
    a.i = as_points_ ? nullptr : records_.device();
    a.i_points = as_points_ ? points_.device() : nullptr;
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
