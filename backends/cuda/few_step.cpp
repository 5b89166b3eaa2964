// SPDX-License-Identifier: MIT
#include "few_step.h"

#include "../../libg6gpu/settings/debug.h"

#include <algorithm>

namespace g6::cuda {

FewStep::FewStep(const SharedParts &parts, int device) : parts_(parts)
{
    // The stream itself sets the zeros, so that its first kernel finds them without a wait.
    need_zeros(ticket_, 2, parts_.stream);
    host_hit_count_.need(1);
    int ratio = 1;
    check(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device),
          "device");
    limit_ = std::min(kFewMost, debug_number(parts_.options.debug, "cuda_few", few_limit(ratio)));
}

void FewStep::start(const Request &r, const Block &block)
{
    request_ = r;
    own_in_lists_ = block.own_in_lists != 0;
    sends_hits_ = block.want & kWantLists;
    Results &results = parts_.results;
    results.begin(r.ni, true);
    const JParticles::FewRecords records = parts_.j.take_few();
    const int blocks = parts_.multiprocessors;
    partial_sums_.need(8 * few_partials(blocks));
    partial_nearest_.need(few_partials(blocks));
    if (sends_hits_) {
        hits_.need(kMostHits);
        host_hits_.need(kMostHits);
    }
    FewRequest few{};
    few.ni = r.ni;
    few.nj = r.nj;
    few.nrecords = records.n;
    few.whole_ni = r.whole_ni;
    few.blocks = blocks;
    few.jerk = r.jerk;
    few.near = r.near;
    few.use_snap = parts_.options.use_snap != 0;
    few.lists = sends_hits_;
    few.own_in_lists = own_in_lists_;
    few.t = r.t;
    few.motion = r.motion;
    few.scale = r.scale;
    few.sequence = results.sequence();
    FewMemory memory{};
    memory.partial = partial_sums_.get();
    memory.nearest = partial_nearest_.get();
    memory.ticket = ticket_.get();
    memory.hit = hits_.get();
    memory.hits = ticket_.get() + 1;
    memory.out = results.out();
    memory.hit_out = host_hits_.device();
    memory.hits_out = host_hit_count_.device();
    memory.flag = results.flag();
    launch_few(parts_.stream, few, parts_.i.staged(), records.records, parts_.j.memory(), memory);
    parts_.counters.predictions++;
    results.send();
}

void FewStep::finish()
{
    parts_.results.wait();
}

// The hits that came with the sums make the lists.  When the block asked for none, or when there
// are more than fit, a search through all j-particles makes them.  The search reads i-particles and
// predicted j-particles in device memory, where start() does not write them.
void FewStep::list_neighbours()
{
    const Request &r = request_;
    if (sends_hits_ && *host_hit_count_.host() <= kMostHits)
        return parts_.lists.take(host_hits_.host(), *host_hit_count_.host(), r.ni);
    parts_.i.receive(r);
    parts_.j.predict(r);
    parts_.lists.search(
        {r, own_in_lists_, parts_.j.memory(), parts_.j.predicted(), parts_.i.memory()});
}

}  // namespace g6::cuda
