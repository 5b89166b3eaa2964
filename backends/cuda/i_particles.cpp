// SPDX-License-Identifier: MIT
#include "i_particles.h"

#include "../../libg6gpu/base/parallel.h"
#include "../gpu/close_pairs.h"

#include <atomic>

namespace g6::cuda {

bool IParticles::stage(const Block &b)
{
    records_.need(static_cast<size_t>(b.ni));
    G6IRecord *to = records_.host();
    std::atomic<bool> close{false};
    parallel_ranges(host_threads(b.ni, options_.threads, options_.pool_threads), b.ni,
                    [&](int first, int last) {
                        bool some = false;
                        for (int k = first; k < last; k++) {
                            to[k] = b.i[k];
                            some = some || gpu::may_be_close(b.i[k], b.scale.length);
                        }
                        if (some) close = true;
                    });
    return close;
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
