// SPDX-License-Identifier: MIT
// The kernel that walks the tree: each warp takes one group of i-particles after the other.
// tree_walker.cuh has the walk of a group.
#include "launch.cuh"
#include "tree_walker.cuh"

#include <algorithm>

namespace g6::cuda {
namespace {

template <class K>
__global__ void __launch_bounds__(32 * K::kWarps, 16 / K::kWarps)
    walk_kernel(const __grid_constant__ WalkArgs a)
{
    __shared__ WarpMemory<K> memory[K::kWarps];
    TreeState &state = *a.tree.state;
    const int groups = is_whole(a.tree) ? state.groups : 0;
    unsigned long long interactions = 0, tests = 0;
    const auto run = [&](auto &&walker, int2 group) {
        walker.run(group);
        interactions += walker.interactions;
        tests += walker.tests;
    };
    for (;;) {
        int next = 0;
        if (threadIdx.x % 32 == 0) next = atomicAdd(&state.next_group, 1);
        next = __shfl_sync(kAllLanes, next, 0);
        if (next >= groups) break;
        const int2 group = a.t.group[next];
        if (group.y > 32)
            run(Walker<K, 2>(a, memory[threadIdx.x / 32]), group);
        else
            run(Walker<K, 1>(a, memory[threadIdx.x / 32]), group);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&state.interactions, interactions);
        atomicAdd(&state.tests, tests);
    }
}

template <class K> void launch(cudaStream_t s, int multiprocessors, const WalkArgs &a)
{
    const int most = multiprocessors * (16 / K::kWarps);
    const int targets = a.t.last - a.t.first;
    if (targets == 0) return;
    const unsigned blocks = static_cast<unsigned>(std::min(most, (targets - 1) / K::kWarps + 1));
    walk_kernel<K><<<blocks, 32 * K::kWarps, 0, s>>>(a);
    check_launch();
}

template <Arithmetic kA> void launch(cudaStream_t s, const Request &r, const WalkArgs &a)
{
    const int n = r.multiprocessors;
    const bool quadrupole = a.tree.cells.quadrupole != nullptr;
    if (r.jerk)
        quadrupole ? launch<WalkKind<kA, true, true>>(s, n, a)
                   : launch<WalkKind<kA, true, false>>(s, n, a);
    else
        quadrupole ? launch<WalkKind<kA, false, true>>(s, n, a)
                   : launch<WalkKind<kA, false, false>>(s, n, a);
}

}  // namespace

void launch_walk(cudaStream_t s, const Request &r, const Tree &tree, const WalkTargets &targets,
                 const NearestBody *nearest, const SumsMemory &out)
{
    const WalkArgs a{tree, targets, units_of(r.scale), r.walk.mac, nearest, out};
    switch (r.arithmetic) {
    case Arithmetic::kSplit: return launch<Arithmetic::kSplit>(s, r, a);
    case Arithmetic::kSingle: return launch<Arithmetic::kSingle>(s, r, a);
    case Arithmetic::kFull: return launch<Arithmetic::kFull>(s, r, a);
    }
}

}  // namespace g6::cuda
