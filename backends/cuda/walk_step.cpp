// SPDX-License-Identifier: MIT
// One block by a walk: launches the update of the tree and the walk, waits for the report of both,
// and repeats them where the tree lacked cells or levels.
#include "walk_step.h"

namespace g6::cuda {

void WalkStep::start(const Request &r, const Block &block)
{
    request_ = {*block.walk, r.t,      r.nj,    block.live,   parts_.j.revision(),
                r.whole_ni,  r.motion, r.scale, r.arithmetic, r.jerk};
    ni_ = r.ni;
    near_ = block.want & kWantNearest;
    own_in_lists_ = block.own_in_lists != 0;
    part_ = {r.part, r.parts, r.leaders_multiprocessors};
    parts_.results.begin(ni_, false, !r.jerk && !near_);
    walk();
    if (has_all()) parts_.results.send();
}

void WalkStep::walk()
{
    const JMemory j = parts_.j.memory();
    tree_.update(parts_.stream, request_, j);
    tree_.walk(parts_.stream, request_, j, parts_.i.memory(), ni_, part_, near_,
               parts_.multiprocessors, {parts_.results.out(), parts_.results.forces_out()});
}

// The second walk() builds a tree that is whole.  All devices that share the walk come to it, each
// at its own time, so that they deliver its sums to the host.
void WalkStep::finish()
{
    parts_.results.wait();
    TreeReport report = tree_.finish();
    if (!report.is_whole()) {
        parts_.results.synchronize_home();
        walk();
        const WalkTargets &t = targets();
        if (has_all())
            parts_.results.send();
        else
            parts_.results.deliver_to_host(t.order + t.first, t.last - t.first);
        parts_.results.wait();
        report = tree_.finish();
        if (!report.is_whole())
            throw CudaError{cudaErrorUnknown, "cuda: a tree lacks cells or levels again"};
    }
    parts_.counters.interactions += report.interactions;
    parts_.counters.tests += report.tests;
}

// The search finds entries in the order of the tree's bodies; lists are in the order of slots.
void WalkStep::list_neighbours()
{
    parts_.lists.make(ni_, [&](int *count, const long long *offset, int *index, int *slot) {
        tree_.list(parts_.stream, own_in_lists_, {count, offset, index, slot});
    });
    parts_.lists.sort();
}

}  // namespace g6::cuda
