// SPDX-License-Identifier: MIT
#include "i_particles.h"

#include "../../libg6gpu/base/parallel.h"

namespace g6::cuda {

G6IRecord *IParticles::room(int n)
{
    records_.need(static_cast<size_t>(n));
    return records_.host();
}

void IParticles::stage(const Block &b)
{
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

void IParticles::receive(const Request &r)
{
    reserve(r.ni);
    launch_receive(stream_, {nullptr, nullptr, records_.device(), 0, 0, r.ni}, JMemory{}, false,
                   memory_, r.scale, r.arithmetic);
    stream_.mark_busy();
}

}  // namespace g6::cuda
