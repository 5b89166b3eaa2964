// SPDX-License-Identifier: MIT
// The tree's structure: box, keys, order of the bodies, cells; and what comes from the host: the
// i-particles' order and own bodies.
//
// Floor at N = 8388608: box and keys read 144 bytes a particle each, the sort moves 24 bytes a
// particle in each of its passes; about 3 ms at 4.8 TB/s.
#include "curve.cuh"
#include "particles.cuh"
#include "tree.h"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <climits>

namespace g6::cuda {
namespace {

constexpr int kThreads = 256, kBoxValues = 7;
constexpr unsigned long long kNoKey = ~0ull;  // empty slots: behind all bodies

unsigned blocks(long long threads)
{
    return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

static __device__ __forceinline__ Mover body_at(const TreeRequest &r, const JMemory &j, int slot)
{
    return predicted(j, slot, r.nj, r.t, r.motion, r.scale, r.arithmetic != Arithmetic::kFull);
}

// ---- box and keys -------------------------------------------------------------------------------

static __device__ __forceinline__ double combine(int c, double a, double b)
{
    return c == 6 ? a + b : c < 3 ? fmin(a, b) : fmax(a, b);
}

// Values of all threads of the block in thread 0: lowest, highest coordinates, number of bodies.
static __device__ void block_box(double (&value)[kBoxValues])
{
    __shared__ double meet[kThreads / 32][kBoxValues];
    for (int c = 0; c < kBoxValues; c++)
        for (int d = 16; d; d /= 2)
            value[c] = combine(c, value[c], __shfl_xor_sync(kAll, value[c], d));
    if (threadIdx.x % 32 == 0)
        for (int c = 0; c < kBoxValues; c++) meet[threadIdx.x / 32][c] = value[c];
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < kThreads / 32; w++)
        for (int c = 0; c < kBoxValues; c++) value[c] = combine(c, value[c], meet[w][c]);
}

__global__ void __launch_bounds__(kThreads)
    box_kernel(TreeRequest r, JMemory j, TreeState *state, double *partial)
{
    constexpr double kHuge = 1.7e308;
    double value[kBoxValues] = {kHuge, kHuge, kHuge, -kHuge, -kHuge, -kHuge, 0};
    for (int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); k < r.nj;
         k += static_cast<int>(gridDim.x) * kThreads) {
        const Mover b = body_at(r, j, k);
        if (!b.id.y) continue;
        for (int c = 0; c < 3; c++) {
            value[c] = fmin(value[c], b.x[c]);
            value[3 + c] = fmax(value[3 + c], b.x[c]);
        }
        value[6] += 1;
    }
    block_box(value);
    __shared__ bool last;
    if (threadIdx.x == 0) {
        for (int c = 0; c < kBoxValues; c++) partial[blockIdx.x * kBoxValues + c] = value[c];
        __threadfence();
        last = atomicAdd(&state->ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    for (int c = 0; c < kBoxValues; c++) value[c] = c == 6 ? 0 : c < 3 ? kHuge : -kHuge;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads)
        for (int c = 0; c < kBoxValues; c++)
            value[c] = combine(c, value[c], __ldcg(&partial[b * kBoxValues + c]));
    __syncthreads();
    block_box(value);
    if (threadIdx.x != 0) return;
    double size = 0;
    for (int c = 0; c < 3; c++) size = fmax(size, value[3 + c] - value[c]);
    state->bodies = static_cast<int>(value[6]);
    state->size = size > 0 ? size * (1 + 1e-9) : 1.0;
    for (int c = 0; c < 3; c++) state->corner[c] = value[6] > 0 ? value[c] : 0.0;
    state->ticket = 0;
}

__global__ void keys_kernel(TreeRequest r, JMemory j, const TreeState *state,
                            unsigned long long *key, int *slot)
{
    const int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (k >= r.nj) return;
    const Mover b = body_at(r, j, k);
    key[k] = b.id.y ? tree_key(r.walk.curve, state->corner, state->size, b.x) : kNoKey;
    slot[k] = k;
}

// ---- bodies -------------------------------------------------------------------------------------

__global__ void bodies_kernel(TreeRequest r, JMemory j, const TreeState *state, Bodies body)
{
    const int p = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (p >= state->bodies) return;
    const Mover b = body_at(r, j, body.slot[p]);
    for (int c = 0; c < 3; c++) body.x[c][p] = b.x[c];
    body.vm[p] = make_float4(static_cast<float>(b.v[0]), static_cast<float>(b.v[1]),
                             static_cast<float>(b.v[2]), static_cast<float>(b.m));
    if (body.m) {
        for (int c = 0; c < 3; c++) body.v[c][p] = b.v[c];
        body.m[p] = b.m;
    }
    body.index[p] = b.id.x;
}

__global__ void numbers_kernel(int *value, int n)
{
    const int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (k < n) value[k] = k;
}

// Slots behind the bodies must not come between: they sort as the highest index, at their places.
__global__ void pad_index_kernel(int nj, const TreeState *state, int *index)
{
    const int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (k >= state->bodies && k < nj) index[k] = INT_MAX;
}

// ---- cells --------------------------------------------------------------------------------------

static __device__ void set_cell(const Tree &tree, int k, int first, int count, int next)
{
    Cell &c = tree.cells.cell[k];
    c.child = -1;
    c.children = 0;
    c.first = first;
    c.count = count;
    c.next = next;
    tree.cells.moments[k].level =
        common_level(tree.body.key[first], tree.body.key[first + count - 1]);
}

__global__ void root_kernel(Tree tree)
{
    TreeState &s = *tree.state;
    s.cells = s.bodies > 0 ? 1 : 0;
    s.wanted_cells = 0;
    s.ticket = 0;
    s.start[0] = 0;
    for (int r = 1; r < kRounds + 2; r++) s.start[r] = s.cells;
    if (s.cells) set_cell(tree, 0, 0, s.bodies, -1);
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

// Eight threads a cell of the round, one for each octant.
__global__ void __launch_bounds__(kThreads) round_kernel(Tree tree, int round, int leaf)
{
    TreeState &s = *tree.state;
    const int end = s.start[round + 1], octant = threadIdx.x % 8;
    const unsigned eight = 0xffu << (threadIdx.x % 32 / 8 * 8);
    for (int k = s.start[round] + static_cast<int>((blockIdx.x * kThreads + threadIdx.x) / 8);
         k < end; k += static_cast<int>(gridDim.x) * kThreads / 8) {
        Cell &c = tree.cells.cell[k];
        const int level = tree.cells.moments[k].level, first = c.first, count = c.count,
                  last = first + count;
        if (count <= leaf || level == kLevels) continue;
        const int from = first_with(tree.body.key, first, last, level, octant);
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
            set_cell(tree, base + rank, from, to - from,
                     rank + 1 < children ? base + rank + 1 : next);
        if (octant == 0) {
            c.child = base;
            c.children = children;
        }
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&s.ticket, 1u) == gridDim.x - 1) {
        s.ticket = 0;
        __threadfence();
        const int cells = atomicAdd(&s.cells, 0);
        for (int r = round + 2; r < kRounds + 2; r++) s.start[r] = cells;
    }
}

// ---- i-particles --------------------------------------------------------------------------------

// First entry of the table of indices that is not below index.
static __device__ int first_index(const Tree &tree, int first, int last, int index)
{
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (tree.body.sorted_index[middle] < index)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// Lowest and highest place of the bodies with this index; {INT_MAX, -1} when there is none.
static __device__ int2 find_own(const Tree &tree, int index)
{
    const int n = tree.state->bodies, first = first_index(tree, 0, n, index);
    if (first >= n || tree.body.sorted_index[first] != index) return make_int2(INT_MAX, -1);
    const bool one = first + 1 >= n || tree.body.sorted_index[first + 1] != index;
    const int last = one                ? first
                     : index == INT_MAX ? n - 1
                                        : first_index(tree, first, n, index + 1) - 1;
    return make_int2(tree.body.by_index[first], tree.body.by_index[last]);
}

__global__ void targets_kernel(TreeRequest r, Tree tree, Targets t, unsigned long long *key,
                               int *number)
{
    const int n = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (n >= t.ni) return;
    const size_t c = static_cast<size_t>(t.i.capacity);
    const double x[3] = {t.i.x[n], t.i.x[c + n], t.i.x[2 * c + n]};
    key[n] = tree_key(r.walk.curve, tree.state->corner, tree.state->size, x);
    number[n] = n;
    t.own[n] = find_own(tree, t.i.index[n]);
}

static __device__ int first_key(const Tree &tree, unsigned long long key)
{
    int first = 0, last = tree.state->bodies;
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (tree.body.key[middle] < key)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// Bodies in the smallest cell that holds both keys.
static __device__ int bodies_around(const Tree &tree, unsigned long long a, unsigned long long b)
{
    const int shift = 3 * (kLevels - common_level(a, b));
    const unsigned long long low = a >> shift << shift;
    return first_key(tree, low + (1ull << shift)) - first_key(tree, low);
}

// A warp cuts up to 64 i-particles that follow each other in the order of keys into groups, between
// two whose smallest common cell holds too many bodies: a group that spans more would open cells
// that are far from each of its members, to the last body in the worst case.
__global__ void __launch_bounds__(kThreads)
    groups_kernel(Tree tree, Targets t, const unsigned long long *key, int members)
{
    constexpr long long kTogether = 2048;  // bodies, when all of them are i-particles
    const int lane = threadIdx.x % 32,
              first = static_cast<int>((blockIdx.x * kThreads + threadIdx.x) / 32) * members;
    if (first >= t.ni) return;
    const int count = min(members, t.ni - first);
    const long long most = kTogether * max(1, min(8, tree.state->bodies / max(t.ni, 1)));
    unsigned breaks[2] = {0, 0};
    for (int half = 0; half < 2; half++) {
        const int k = first + half * 32 + lane;
        bool breaks_here = false;
        if (half * 32 + lane > 0 && half * 32 + lane < count) {
            breaks_here = bodies_around(tree, key[k - 1], key[k]) > most;
        }
        breaks[half] = __ballot_sync(kAll, breaks_here);
    }
    if (lane != 0) return;
    const int groups = 1 + __popc(breaks[0]) + __popc(breaks[1]);
    int at = atomicAdd(&tree.state->groups, groups), begin = 0;
    for (int k = 1; k <= count; k++) {
        if (k < count && !(breaks[k / 32] >> (k % 32) & 1)) continue;
        t.group[at++] = make_int2(first + begin, k - begin);
        begin = k;
    }
}

template <class Key>
void sort_pairs(cudaStream_t s, void *space, size_t bytes, const Key *in, Key *out,
                const int *value_in, int *value_out, int n)
{
    cub::DeviceRadixSort::SortPairs(space, bytes, in, out, value_in, value_out, n, 0,
                                    8 * static_cast<int>(sizeof(Key)), s);
}

}  // namespace

size_t sort_bytes(int n)
{
    size_t wide = 0, narrow = 0;
    const unsigned long long *key = nullptr;
    const int *index = nullptr;
    int *value = nullptr;
    cub::DeviceRadixSort::SortPairs(nullptr, wide, key, static_cast<unsigned long long *>(nullptr),
                                    index, value, n);
    cub::DeviceRadixSort::SortPairs(nullptr, narrow, index, value, index, value, n);
    return std::max(wide, narrow);
}

void launch_tree_order(cudaStream_t s, const TreeRequest &r, const JMemory &j, const Tree &tree,
                       const SortSpace &space, double *partial)
{
    box_kernel<<<std::min(blocks(r.nj), static_cast<unsigned>(kBoxBlocks)), kThreads, 0, s>>>(
        r, j, tree.state, partial);
    keys_kernel<<<blocks(r.nj), kThreads, 0, s>>>(r, j, tree.state, space.key, space.value);
    sort_pairs(s, space.space, space.bytes, space.key, tree.body.key, space.value, tree.body.slot,
               r.nj);
}

void launch_tree_bodies(cudaStream_t s, const TreeRequest &r, const JMemory &j, const Tree &tree)
{
    bodies_kernel<<<blocks(r.nj), kThreads, 0, s>>>(r, j, tree.state, tree.body);
}

void launch_tree_cells(cudaStream_t s, const TreeRequest &r, const Tree &tree)
{
    root_kernel<<<1, 1, 0, s>>>(tree);
    for (int round = 0; round < kRounds; round++)
        round_kernel<<<kBoxBlocks, kThreads, 0, s>>>(tree, round, r.walk.leaf);
}

void launch_tree_index(cudaStream_t s, const TreeRequest &r, const Tree &tree,
                       const SortSpace &space)
{
    pad_index_kernel<<<blocks(r.nj), kThreads, 0, s>>>(r.nj, tree.state, tree.body.index);
    numbers_kernel<<<blocks(r.nj), kThreads, 0, s>>>(space.value, r.nj);
    sort_pairs(s, space.space, space.bytes, tree.body.index, tree.body.sorted_index, space.value,
               tree.body.by_index, r.nj);
}

void launch_targets(cudaStream_t s, const TreeRequest &r, const Tree &tree, const Targets &targets,
                    const SortSpace &space, unsigned long long *key, int members)
{
    targets_kernel<<<blocks(targets.ni), kThreads, 0, s>>>(r, tree, targets, key, space.value);
    sort_pairs(s, space.space, space.bytes, key, space.key, space.value, targets.order, targets.ni);
    cudaMemsetAsync(&tree.state->groups, 0, 2 * sizeof(int), s);
    const long long chunks = (targets.ni + members - 1) / members;
    groups_kernel<<<blocks(32 * chunks), kThreads, 0, s>>>(tree, targets, space.key, members);
}

}  // namespace g6::cuda
