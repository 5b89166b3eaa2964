// SPDX-License-Identifier: MIT
// One block by a walk: launches the update of the tree and the walk, waits for the report of both,
// and repeats them where the tree lacked cells.
#include "walk_step.h"

namespace g6::cuda {

void WalkStep::start(const Request &r, const Block &block)
{
    request_ = r;
    request_.revision = parts_.j.revision();
    own_in_lists_ = block.own_in_lists != 0;
    parts_.results.begin(r.ni, false, !r.jerk && !r.near);
    walk();
    if (has_all()) parts_.results.send();
}

void WalkStep::walk()
{
    tree_.update(parts_.stream, request_, parts_.j.memory());
    tree_.walk(parts_.stream, request_, parts_.i.memory(), parts_.results.out());
}

// The second walk() builds a tree that is whole.  All devices that share the walk come to it, each
// at its own time, so that they deliver its sums to the host.
void WalkStep::finish()
{
    parts_.results.wait();
    TreeReport report = tree_.finish();
    if (!report.is_whole) {
        parts_.results.synchronize_home();
        walk();
        const WalkTargets &t = targets();
        if (has_all())
            parts_.results.send();
        else
            parts_.results.deliver_to_host(t.order + t.first, t.last - t.first);
        parts_.results.wait();
        report = tree_.finish();
        if (!report.is_whole) throw CudaError{cudaErrorUnknown, "cuda: a tree lacks cells again"};
    }
    parts_.counters.interactions += report.interactions;
    parts_.counters.tests += report.tests;
}

// The search finds entries in the order of the tree's bodies; lists are in the order of slots.
void WalkStep::list_neighbours()
{
    parts_.lists.make(request_.ni, [&](int *count, const long long *offset, int *index, int *slot) {
        tree_.list(parts_.stream, own_in_lists_, {count, offset, index, slot});
    });
    parts_.lists.sort();
}

}  // namespace g6::cuda
