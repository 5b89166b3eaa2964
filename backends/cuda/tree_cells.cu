// SPDX-License-Identifier: MIT
// The structure of a tree, from the order of its keys: a round of cells after the other, at one
// binary search for each octant of each cell that is divided.  0.68 ms for 8388608 bodies on an
// H200.
#include "curve.cuh"
#include "launch.cuh"
#include "tree.h"

#include <algorithm>

namespace g6::cuda {
namespace {

constexpr int kThreads = 256, kTopThreads = 512;
constexpr unsigned kRoundBlocks = 1056;

unsigned blocks(long long threads)
{
    return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

// First of the keys first ... last-1 whose leading bits are not below those of key.
static __device__ int first_of(const unsigned long long *keys, int first, int last,
                               unsigned long long key, int shift)
{
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (keys[middle] >> shift < key >> shift)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// Two bodies that follow each other part at the cell that is the smallest to hold both.  When it
// has more than leaf bodies they are in different children of it: a child for each such pair, and
// one more.
__global__ void __launch_bounds__(kThreads)
    census_kernel(Tree tree, const unsigned long long *key, int leaf)
{
    wait_for_previous();
    let_next_start();
    const int p = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), n = tree.state->bodies;
    bool parts = false, first_two = false;
    if (p + 1 < n) {
        const int level = common_level(key[p], key[p + 1]), shift = 3 * (kLevels - level);
        const int low = first_of(key, max(0, p - leaf), p, key[p], shift);
        const int high =
            first_of(key, p + 1, min(n, p + 1 + leaf), key[p] + (1ull << shift), shift);
        parts = level < kLevels && high - low > leaf;
        if (parts) {
            const int first = first_of(key, 0, p, key[p], shift);
            first_two = key[first] >> (shift - 3) == key[p] >> (shift - 3);
        }
    }
    const int cells = __syncthreads_count(parts) + __syncthreads_count(first_two);
    if (threadIdx.x == 0 && cells > 0) atomicAdd(&tree.state->counted, cells);
}

static __device__ void set_cell(const Tree &tree, const unsigned long long *key, int k, int first,
                                int count, int next)
{
    Cell &c = tree.cells.cell[k];
    c.child = -1;
    c.children = 0;
    c.first = first;
    c.count = count;
    c.next = next;
    tree.cells.box[k].place = first_place(common_level(key[first], key[first + count - 1]));
}

// First body of first ... last-1 whose key has at least this digit at the level.
static __device__ int first_with(const unsigned long long *key, int first, int last, int level,
                                 unsigned digit)
{
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (key_digit(key[middle], level) < digit)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// Divides cells begin ... end-1, eight threads to each, one for each octant.  thread of threads.
static __device__ void divide(const Tree &tree, const unsigned long long *key, int leaf, int begin,
                              int end, int thread, int threads)
{
    TreeState &s = *tree.state;
    const int octant = thread % 8;
    const unsigned eight = 0xffu << (threadIdx.x % 32 / 8 * 8);
    for (int k = begin + thread / 8; k < end; k += threads / 8) {
        Cell &c = tree.cells.cell[k];
        const int level = place_level(tree.cells.box[k].place), first = c.first, count = c.count,
                  last = first + count;
        if (count <= leaf || level == kLevels) continue;
        const int from = first_with(key, first, last, level, octant);
        int to = __shfl_down_sync(eight, from, 1, 8);
        if (octant == 7) to = last;
        const unsigned full = __ballot_sync(eight, from < to) >> (threadIdx.x % 32 / 8 * 8) & 0xffu;
        const int children = __popc(full), rank = __popc(full & ((1u << octant) - 1));
        int base = 0;
        if (octant == 0) {
            base = atomicAdd(&s.cells, children);
            if (base + children > tree.cells.capacity) {
                atomicSub(&s.cells, children);
                atomicAdd(&s.wanted_cells, children);
                base = -1;
            }
        }
        base = __shfl_sync(eight, base, 0, 8);
        if (base < 0) continue;  // no room: it stays a leaf
        const int next = c.next;
        if (from < to)
            set_cell(tree, key, base + rank, from, to - from,
                     rank + 1 < children ? base + rank + 1 : next);
        if (octant == 0) {
            c.child = base;
            c.children = children;
        }
    }
}

// All that later rounds will find: by one thread, after the round.
static __device__ void end_round(TreeState &s, int round)
{
    const int cells = atomicAdd(&s.cells, 0);
    for (int r = round + 2; r < kRounds + 2; r++) s.start[r] = cells;
}

// The root and the first rounds, by one block: they have few cells.
__global__ void __launch_bounds__(kTopThreads)
    top_kernel(Tree tree, const unsigned long long *key, int leaf)
{
    wait_for_previous();
    let_next_start();
    TreeState &s = *tree.state;
    if (threadIdx.x == 0) {
        s.cells = s.bodies > 0 ? 1 : 0;
        s.wanted_cells = s.unfinished = 0;
        s.ticket = 0;
        s.start[0] = 0;
        for (int r = 1; r < kRounds + 2; r++) s.start[r] = s.cells;
        if (s.cells) set_cell(tree, key, 0, 0, s.bodies, -1);
    }
    for (int round = 0; round < kTopRounds; round++) {
        __syncthreads();
        divide(tree, key, leaf, s.start[round], s.start[round + 1], threadIdx.x, kTopThreads);
        __syncthreads();
        if (threadIdx.x == 0) end_round(s, round);
    }
}

__global__ void __launch_bounds__(kThreads)
    round_kernel(Tree tree, const unsigned long long *key, int round, int leaf)
{
    wait_for_previous();
    let_next_start();
    TreeState &s = *tree.state;
    const int begin = s.start[round], end = s.start[round + 1];
    // Blocks that have no cell do not take part, and an empty round leaves all as it is.
    constexpr int kCells = kThreads / 8;
    const int active = min(static_cast<int>(gridDim.x), (end - begin + kCells - 1) / kCells);
    if (static_cast<int>(blockIdx.x) >= active) return;
    divide(tree, key, leaf, begin, end, static_cast<int>(blockIdx.x * kThreads + threadIdx.x),
           active * kThreads);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&s.ticket, 1u) == static_cast<unsigned>(active) - 1) {
        s.ticket = 0;
        __threadfence();
        end_round(s, round);
    }
}

}  // namespace

void launch_tree_census(cudaStream_t s, const TreeRequest &r, const Tree &tree,
                        const TreeOrder &order)
{
    launch_next(census_kernel, blocks(r.nj), kThreads, s, tree, order.key, r.walk.leaf);
}

void launch_tree_cells(cudaStream_t s, const TreeRequest &r, const Tree &tree,
                       const TreeOrder &order, int rounds)
{
    launch_next(top_kernel, 1, kTopThreads, s, tree, order.key, r.walk.leaf);
    for (int round = kTopRounds; round < rounds; round++)
        launch_next(round_kernel,
                    std::min(blocks(8LL * most_cells(tree.cells, round)), kRoundBlocks), kThreads,
                    s, tree, order.key, round, r.walk.leaf);
}

}  // namespace g6::cuda
