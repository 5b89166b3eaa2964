// SPDX-License-Identifier: MIT
// For the bodies of a tree: the root's cube, the sort by keys, and the bodies in this order.  For
// the i-particles of a walk: the sort by keys, their own bodies, and their groups.
//
// Time in ms for 8388608 particles: the floor at 4.8 TB/s, and an H200's, for particles at rest
// (records of 44 bytes) and for particles with motion and a2by18 (140 bytes).
//                       floor          H200
//                  rest  moving   rest  moving   bytes a particle
//   box            0.08    0.25   0.12    0.22   reads the records
//   keys           0.08    0.25   0.25    0.29   reads the records
//   a sort pass   0.042   0.042  0.087   0.087   moves 24; up to 8 passes
//   bodies         0.18    0.35   0.45    1.27   reads the records, writes 32 and 16 in any order
// Integer arithmetic of the curve limits the keys, scattered writes limit the bodies.
#include "curve.cuh"
#include "launch.cuh"
#include "particles.cuh"
#include "tree_access.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <climits>

namespace g6::cuda {
namespace {

constexpr int kThreads = 256, kBoxValues = 7;
constexpr unsigned long long kNoKey = ~0ull;  // empty slots: behind all bodies

static __device__ __forceinline__ PredictedBody body_at(const Request &r, const JMemory &j,
                                                        int slot)
{
    return predicted(j, slot, r.nj, r.t, r.motion, r.scale);
}

// ---- box and keys -------------------------------------------------------------------------------

static __device__ __forceinline__ double combine(int c, double a, double b)
{
    return c == 6 ? a + b : c < 3 ? fmin(a, b) : fmax(a, b);
}

// Combines the values of all threads of the block in thread 0: lowest coordinates, highest ones,
// number of bodies.
static __device__ void block_box(double (&value)[kBoxValues])
{
    __shared__ double meet[kThreads / 32][kBoxValues];
    for (int c = 0; c < kBoxValues; c++)
        for (int d = 16; d; d /= 2)
            value[c] = combine(c, value[c], __shfl_xor_sync(kAllLanes, value[c], d));
    if (threadIdx.x % 32 == 0)
        for (int c = 0; c < kBoxValues; c++) meet[threadIdx.x / 32][c] = value[c];
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < kThreads / 32; w++)
        for (int c = 0; c < kBoxValues; c++) value[c] = combine(c, value[c], meet[w][c]);
}

// Makes the root's cube (cube.h).  ends, of thread 0: lowest and highest coordinates of all bodies.
// Each thread has one body of the sample and finds its rank by counting the bodies below it.  The
// whole block calls.
static __device__ void make_cube(const Request &r, const JMemory &j, TreeState &state,
                                 const double (&ends)[kBoxValues])
{
    static_assert(G6_CUBE_SAMPLES <= kThreads, "a thread each");
    __shared__ double x[3][kThreads], quantile[3][3];  // quantile: low, middle, high
    const int mine = static_cast<int>(threadIdx.x);
    PredictedBody b{};
    if (mine < g6_cube_ranges(r.nj)) {
        const int first = g6_cube_range(mine, r.nj), next = g6_cube_range(mine + 1, r.nj),
                  end = min(next, first + G6_CUBE_LOOK);
        for (int slot = first; slot < end && !b.id.y; slot++) b = body_at(r, j, slot);
    }
    const bool is = b.id.y;
    for (int c = 0; c < 3; c++) x[c][mine] = is ? b.x[c] : infinity();
    if (mine < 9) quantile[mine / 3][mine % 3] = 0;
    const int n = __syncthreads_count(is);
    int place[3] = {0, 0, 0};
    for (int other = 0; other < kThreads; other++)
        for (int c = 0; c < 3; c++)
            place[c] += x[c][other] < b.x[c] || (x[c][other] == b.x[c] && other < mine);
    for (int c = 0; is && c < 3; c++) {
        if (place[c] == G6_CUBE_LOW(n)) quantile[0][c] = b.x[c];
        if (place[c] == G6_CUBE_MIDDLE(n)) quantile[1][c] = b.x[c];
        if (place[c] == G6_CUBE_HIGH(n)) quantile[2][c] = b.x[c];
    }
    __syncthreads();
    if (mine != 0) return;
    double core = 0;
    for (int c = 0; c < 3; c++) core = fmax(core, quantile[2][c] - quantile[0][c]);
    g6_root_cube(ends, ends + 3, quantile[1], core, state.corner, &state.size);
}

__global__ void __launch_bounds__(kThreads)
    box_kernel(Request r, JMemory j, TreeState *state, double *partial)
{
    take_turn();
    constexpr double kHuge = 1.7e308;
    double value[kBoxValues] = {kHuge, kHuge, kHuge, -kHuge, -kHuge, -kHuge, 0};
    for (int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); k < r.nj;
         k += static_cast<int>(gridDim.x) * kThreads) {
        const PredictedBody b = body_at(r, j, k);
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
    make_cube(r, j, *state, value);
    if (threadIdx.x != 0) return;
    state->bodies = static_cast<int>(value[6]);
    state->ticket = 0;
    state->below_root = state->divided = state->deepest = state->crowded = 0;
}

__global__ void keys_kernel(Request r, Tree tree, TreeOrder order)
{
    take_turn();
    const int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (k >= r.nj) return;
    const PredictedBody b = body_at(r, tree.j, k);
    const TreeState &s = *tree.state;
    order.key[k] = b.id.y ? tree_key(s.corner, s.size, b.x) : kNoKey;
    order.slot[k] = k;
}

// ---- bodies -------------------------------------------------------------------------------------

// Reads in the order of slots, and writes whole sectors in the order of places.  Also clears
// `arrived` of all cells for the refresh that follows.
__global__ void __launch_bounds__(kThreads) bodies_kernel(Request r, Tree tree)
{
    take_turn();
    const Bodies &body = tree.body;
    const int slot = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    for (int k = slot; k < tree.cells.capacity; k += static_cast<int>(gridDim.x) * kThreads)
        tree.cells.arrived[k] = 0;
    if (slot >= r.nj) return;
    const int p = body.place[slot];
    const PredictedBody b = body_at(r, tree.j, slot);
    if (p < 0) return;
    body.at[p] = {b.x[0], b.x[1], b.x[2], b.m};
    if (body.v)
        body.v[p] = {static_cast<float>(b.v[0]), static_cast<float>(b.v[1]),
                     static_cast<float>(b.v[2]), __int_as_float(slot)};
    if (body.v_full) body.v_full[p] = {b.v[0], b.v[1], b.v[2], __hiloint2double(0, slot)};
}

// ---- i-particles --------------------------------------------------------------------------------

// Where a search for an index begins: the last step of MurmurHash3 (Appleby 2011) spreads any
// progression of indices evenly.
static __device__ __forceinline__ unsigned first_entry(const IndexTable &table, int index)
{
    unsigned h = static_cast<unsigned>(index);
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return __umulhi(h ^ h >> 16, table.size);
}

// The i-particle in the table that has this index; -1: none has it.  look(p) returns entry *p, and
// may fill it if it is free.
template <class Look>
static __device__ __forceinline__ int find_alike(const IndexTable &table, int index, Look &&look)
{
    for (unsigned k = first_entry(table, index);; k = k + 1 < table.size ? k + 1 : 0) {
        const unsigned long long entry = look(table.entry + k);
        if (entry == 0 || static_cast<int>(entry) == index)
            return static_cast<int>(entry >> 32) - 1;
    }
}

__global__ void targets_kernel(Tree tree, WalkTargets t, IndexTable table, unsigned long long *key)
{
    take_turn();
    const int n = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (n >= t.ni) return;
    const size_t c = static_cast<size_t>(t.i.capacity);
    const double x[3] = {t.i.x[n], t.i.x[c + n], t.i.x[2 * c + n]};
    key[n] = tree_key(tree.state->corner, tree.state->size, x);
    t.order[n] = n;
    if (n == 0) tree.state->groups = tree.state->next_group = 0;
    t.own[n] = make_int2(INT_MAX, -1);
    const int index = t.i.index[n];
    const unsigned long long mine =
        (static_cast<unsigned long long>(n) + 1) << 32 | static_cast<unsigned>(index);
    // Where many i-particles have one index, most of them find its entry by the load alone.
    const int other = find_alike(table, index, [mine](unsigned long long *entry) {
        const unsigned long long old = __ldcg(entry);
        return old ? old : atomicCAS(entry, 0ull, mine);
    });
    t.alike[n] = other < 0 ? n : other;
}

// Finds the own bodies of the i-particles; a thread for each slot.
__global__ void own_bodies_kernel(int nj, Tree tree, WalkTargets t, IndexTable table)
{
    take_turn();
    const int slot = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    const int place = slot < nj ? tree.body.place[slot] : -1;
    if (place < 0) return;
    const int n = find_alike(table, tree.j.index[slot],
                             [](const unsigned long long *entry) { return *entry; });
    if (n < 0) return;
    atomicMin(&t.own[n].x, place);
    atomicMax(&t.own[n].y, place);
}

// Place of the first body with at least this key, rounded up to a multiple of kKeyStep.
static __device__ int first_key(const Tree &tree, unsigned long long key)
{
    const int samples = (tree.state->bodies + kKeyStep - 1) / kKeyStep;
    return kKeyStep * first_where(0, samples, [&](int k) { return tree.body.sample[k] >= key; });
}

// Bodies in the smallest cell that holds both keys, to within kKeyStep.
static __device__ int bodies_around(const Tree &tree, unsigned long long a, unsigned long long b)
{
    const int shift = 3 * (kLevels - common_level(a, b));
    const unsigned long long low = a >> shift << shift;
    return first_key(tree, low + (1ull << shift)) - first_key(tree, low);
}

// A warp divides up to 64 i-particles that follow each other in the order of keys into groups.  A
// group ends where the smallest cell that holds two neighbours in this order has too many bodies: a
// group that spans such a cell would open cells that no member needs to be opened.
__global__ void __launch_bounds__(kThreads)
    groups_kernel(Tree tree, WalkTargets t, const unsigned long long *key, int members)
{
    take_turn();
    constexpr long long kMostAround = 2048;  // bodies, when all of them are i-particles
    const int lane = threadIdx.x % 32,
              warp = static_cast<int>(blockIdx.x * (kThreads / 32) + threadIdx.x / 32);
    if (warp > (t.last - t.first - 1) / members) return;
    const int first = t.first + warp * members;
    const int count = min(members, t.last - first);
    const long long most = kMostAround * max(1, min(8, tree.state->bodies / max(t.ni, 1)));
    unsigned breaks[2] = {0, 0};
    for (int half = 0; half < 2; half++) {
        const int k = first + half * 32 + lane;
        bool breaks_here = false;
        if (half * 32 + lane > 0 && half * 32 + lane < count) {
            breaks_here = bodies_around(tree, key[k - 1], key[k]) > most;
        }
        breaks[half] = __ballot_sync(kAllLanes, breaks_here);
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

// Sorts by the key's bits from low_bit on.  The pointers to sorted and spare arrays are exchanged
// when the result lies in the spare ones.
void sort_pairs(cudaStream_t s, const DeviceArray<char> &space, unsigned long long *&key,
                unsigned long long *&spare_key, int *&value, int *&spare_value, int n, int low_bit)
{
    cub::DoubleBuffer<unsigned long long> keys(key, spare_key);
    cub::DoubleBuffer<int> values(value, spare_value);
    size_t bytes = space.capacity();
    check(cub::DeviceRadixSort::SortPairs(space.get(), bytes, keys, values, n, low_bit, 64, s),
          "sort");
    key = keys.Current();
    spare_key = keys.Alternate();
    value = values.Current();
    spare_value = values.Alternate();
}

}  // namespace

size_t sort_bytes(int n)
{
    cub::DoubleBuffer<unsigned long long> keys;
    cub::DoubleBuffer<int> values;
    size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n), "sort");
    return bytes;
}

void launch_tree_order(cudaStream_t s, const Request &r, const Tree &tree, TreeOrder &order,
                       const DeviceArray<char> &space, double *partial)
{
    launch_next(box_kernel, std::min(blocks(r.nj, kThreads), static_cast<unsigned>(kBoxBlocks)),
                kThreads, s, r, tree.j, tree.state, partial);
    launch_next(keys_kernel, blocks(r.nj, kThreads), kThreads, s, r, tree, order);
    // All bits from the last level to sort by up to the highest bit, which only empty slots have.
    sort_pairs(s, space, order.key, order.spare_key, order.slot, order.spare_slot, r.nj,
               3 * (kLevels - tree.levels));
}

void launch_tree_bodies(cudaStream_t s, const Request &r, const Tree &tree)
{
    launch_next(bodies_kernel, blocks(r.nj, kThreads), kThreads, s, r, tree);
}

void launch_targets(cudaStream_t s, const Request &r, const Tree &tree, WalkTargets &targets,
                    TargetSpace space, const DeviceArray<char> &sort_space, int members)
{
    launch_next(targets_kernel, blocks(targets.ni, kThreads), kThreads, s, tree, targets,
                space.table, space.key);
    launch_next(own_bodies_kernel, blocks(r.nj, kThreads), kThreads, s, r.nj, tree, targets,
                space.table);
    sort_pairs(s, sort_space, space.key, space.spare_key, targets.order, space.spare_order,
               targets.ni, 0);
    if (targets.first == targets.last) return;
    const long long chunks = (targets.last - targets.first - 1) / members + 1;
    launch_next(groups_kernel, blocks(32 * chunks, kThreads), kThreads, s, tree, targets, space.key,
                members);
}

}  // namespace g6::cuda
