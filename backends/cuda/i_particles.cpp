// SPDX-License-Identifier: MIT
// Stages the i-particles of a block, and finds out where this device reads its share of them: in
// pinned host memory, in its own copy, or in the copy of the leader over a link.
#include "i_particles.h"

#include "../../libg6gpu/base/parallel.h"

namespace g6::cuda {

double *DeviceIParticles::stage(int n, int words)
{
    words_ = words;
    staged_.need(words_of(n));
    staged_.restart();
    return staged_.host();
}

void DeviceIParticles::stage(const Block &b, DeviceIParticles &leader, bool linked)
{
    const bool stages = b.i_words == 0;
    auto *const to = stages ? reinterpret_cast<G6IRecord *>(stage(b.ni, kIWords)) : nullptr;
    if (stages)
        parallel_for(host_threads(b.ni, options_.threads), b.ni, [&](int k) { to[k] = b.i[k]; });
    words_ = stages ? kIWords : b.i_words;
    DeviceIParticles &home = stages ? *this : leader;
    const bool is_here = &home == this, is_sent = home.staged_.is_sending();
    if (is_sent && is_here) send(b.whole_ni);
    is_on_leader_ = is_sent && !is_here && linked;
    const size_t first = stages ? 0 : words_of(b.first);
    const Staging &there = home.staged_;
    host_ = there.host() + first;
    source_ =
        first + (is_here || is_on_leader_ ? there.device(words_of(b.whole_ni)) : there.mapped());
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

}  // namespace g6::cuda
