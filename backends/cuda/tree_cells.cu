// SPDX-License-Identifier: MIT
// The cells of a tree from its sorted keys, all at once (after Karras 2012, High Performance
// Graphics, who does this for binary trees; here a cell has up to eight children).
//
// There is one thread for each body.  The thread of the last body of a cell's first child finds the
// cell: it is the smallest one that holds this body and the next.  Then eight threads find the
// cell's children and number them.
//
// A second kernel links cells and parents.  Until then a cell has a name, which its own threads and
// those of its parent know: its first body, unless it is a first child; then its last body.  The
// name is unique: every smaller cell that starts at the same first body is a first child, and every
// smaller cell that ends at the same last body is not.
//
// Time on an H200 in ms:
//    bodies  cells_kernel    link_kernel
//   8388608          0.29   0.31 to 0.37
//    131072         0.015          0.007
#include "curve.cuh"
#include "launch.cuh"
#include "particles.cuh"
#include "tree_access.cuh"

#include <cub/block/block_scan.cuh>

namespace g6::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kTeams = kThreads / 8;  // of eight threads, which divide one cell at a time

// The bodies' keys, sorted by their leading `levels` levels.  p and q are positions in this order.
struct Keys {
    const unsigned long long *key;
    int n, levels;

    // Whether one cell of this level holds the bodies at places p and q.
    __device__ __forceinline__ bool together(int p, int q, int level) const
    {
        const int shift = 3 * (kLevels - level);
        return key[p] >> shift == key[q] >> shift;
    }
    // Level of the smallest cell that holds the bodies p and q, at most `levels`; -1: there is no
    // such body.
    __device__ __forceinline__ int level(int p, int q) const
    {
        return p < 0 || q >= n ? -1 : min(common_level(key[p], key[q]), levels);
    }
    // Level of the smallest cell that holds the bodies first ... end-1, in any order.
    __device__ int least_level(int first, int end) const
    {
        int level = kLevels;
        for (int p = first + 1; p < end; p++) level = min(level, common_level(key[first], key[p]));
        return level;
    }
    // How many of the `most` bodies behind body p (sign 1) or before it (sign -1) are in the cell
    // of this level that holds p.  A galloping search, then bisection.
    __device__ __forceinline__ int beside(int p, int level, int sign, int most) const
    {
        int in = 0, out = most + 1;
        for (int step = 8; step <= most - in; step *= 8) {
            if (!together(p + sign * (in + step), p, level)) {
                out = in + step;
                break;
            }
            in += step;
        }
        while (out - in > 1) {
            const int middle = in + (out - in) / 2;
            (together(p + sign * middle, p, level) ? in : out) = middle;
        }
        return in;
    }
    // First body, and end of the bodies, of the cell of this level that holds body p.
    __device__ int first(int p, int level) const { return p - beside(p, level, -1, p); }
    __device__ int end(int p, int level) const { return p + 1 + beside(p, level, 1, n - 1 - p); }
    // Whether the cell of this level that holds p and p + 1 has more than `leaf` bodies.
    __device__ bool many(int p, int level, int leaf) const
    {
        const int low =
            first_where(max(0, p - leaf), p, [&](int q) { return together(q, p, level); });
        return low + leaf < n && together(low + leaf, p, level);
    }
    // The first of bodies first ... last-1, of a cell of this level, whose octant is not below
    // `octant`; last: there is none.
    __device__ int of_octant(int first, int last, int level, unsigned octant) const
    {
        return first_where(first, last, [&](int p) { return key_digit(key[p], level) >= octant; });
    }
};

// A cell that is divided.  place: last body of its first child; first: first body.
struct DividedCell {
    int place, level, first;
};

// The cell whose first child ends with body p; level -1: there is none.
static __device__ DividedCell divided_cell_at(const Keys &keys, int p, int leaf)
{
    const DividedCell none{p, -1, 0};
    if (p + 1 >= keys.n) return none;
    const int level = keys.level(p, p + 1);
    if (level >= keys.levels || !keys.many(p, level, leaf)) return none;
    const int first = keys.first(p, level + 1);
    if (first > 0 && keys.together(first - 1, p, level)) return none;
    return {p, level, first};
}

// Whether a cell is the first child of its parent, which decides the name of the cell (see above).
// A divided cell has this number in Cell::below until link() writes the link to its children there.
// The root is no first child.
enum Link : unsigned { kFirstChild = 0, kOtherChild = 1 };

static __device__ void set_cell(const Tree &tree, const Keys &keys, int k, int first, int end,
                                int leaf, Link link)
{
    const int count = end - first;
    int level = keys.level(first, end - 1);
    const bool many = count > leaf, sorted = level < keys.levels;
    if (many && !sorted && level < kLevels) tree.state->crowded = 1;
    if (!many && !sorted) level = keys.least_level(first, end);
    Cell &c = tree.cells.cell[k];
    c.first = first;
    c.count = count;
    c.below = many && sorted ? static_cast<unsigned>(link) : kLeaf;
    tree.cells.box[k].place = first_place(level);
}

// Takes `mine` numbers for each thread, from the counter on and in the order of the threads.
// Returns the thread's first number.  end: behind the block's last number.  The whole block calls.
static __device__ int take_numbers(int *counter, int mine, int &end)
{
    using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage space;
    __shared__ int base;
    int before, total;
    Scan(space).ExclusiveSum(mine, before, total);
    if (threadIdx.x == 0) base = atomicAdd(counter, total);
    __syncthreads();
    end = base + total;
    return base + before;
}

// Eight threads divide a cell, one for each octant; level -1: there is no cell.  The whole block
// calls.
static __device__ void divide(const Tree &tree, const Keys &keys, const DividedCell &d,
                              const TreeOrder &order, int leaf)
{
    const bool has = d.level >= 0;
    const int octant = threadIdx.x % 8, group = threadIdx.x % 32 / 8 * 8;
    const int last = has ? keys.end(d.place + 1, d.level) : 0;
    const int from = has ? keys.of_octant(d.first, last, d.level, octant) : 0;
    int to = __shfl_down_sync(kAllLanes, from, 1, 8);
    if (octant == 7) to = last;
    const unsigned full = __ballot_sync(kAllLanes, from < to) >> group & 0xffu;
    const int children = __popc(full), rank = __popc(full & ((1u << octant) - 1));
    // The first thread takes the numbers of all children, from 1 on: the root has number 0.
    const int mine = octant == 0 ? children : 0;
    int end;
    const int base = 1 + take_numbers(&tree.state->below_root, mine, end) - (children - mine);
    if (!has || end >= tree.cells.capacity) return;
    if (from < to)
        set_cell(tree, keys, base + rank, from, to, leaf, rank == 0 ? kFirstChild : kOtherChild);
    if (octant != 0) return;
    const bool is_first = keys.level(d.first - 1, d.first) < keys.level(last - 1, last);
    (is_first ? order.by_last[last - 1] : order.by_first[d.first]) = base << 3 | (children - 1);
}

__global__ void __launch_bounds__(kThreads) cells_kernel(Tree tree, TreeOrder order, int leaf)
{
    take_turn();
    __shared__ DividedCell found[kThreads];
    __shared__ int divided_cells, deepest;
    if (threadIdx.x == 0) divided_cells = deepest = 0;
    __syncthreads();
    TreeState &s = *tree.state;
    const Keys keys{order.key, s.bodies, tree.levels};
    const int p = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    const DividedCell mine = divided_cell_at(keys, p, leaf);
    if (mine.level >= 0) {
        found[atomicAdd(&divided_cells, 1)] = mine;
        atomicMax(&deepest, mine.level);
    }
    __syncthreads();
    if (threadIdx.x == 0 && deepest > s.deepest) atomicMax(&s.deepest, deepest);
    if (p == 0 && keys.n > 0) {
        set_cell(tree, keys, 0, 0, keys.n, leaf, kOtherChild);
        tree.cells.cell[0].above = kRoot;
    }
    for (int first = 0; first < divided_cells; first += kTeams) {
        const int k = first + static_cast<int>(threadIdx.x) / 8;
        divide(tree, keys, k < divided_cells ? found[k] : DividedCell{0, -1, 0}, order, leaf);
    }
}

// Links cell k and its children, both ways.  Returns whether it has any.
static __device__ bool link(const Tree &tree, const TreeOrder &order, int k)
{
    Cell &c = tree.cells.cell[k];
    if (c.below == kLeaf) return false;
    const unsigned below = static_cast<unsigned>(
        c.below == kFirstChild ? order.by_last[c.first + c.count - 1] : order.by_first[c.first]);
    c.below = below;
    const int child = static_cast<int>(below >> 3), last = child + static_cast<int>(below & 7u);
    for (int other = child; other <= last; other++)
        tree.cells.cell[other].above = other == last ? ~k : k;
    return true;
}

// The keys are sorted by their leading levels only.  Returns the place that the body at position p
// has when keys are sorted by all levels.  Only bodies whose leading levels agree with its own can
// change places with it.  They lie beside it, and are no more than a leaf may have.
static __device__ int place_of(const Keys &keys, int p)
{
    const unsigned long long mine = keys.key[p];
    int place = p;
    for (int q = p - 1; q >= 0 && keys.together(p, q, keys.levels); q--)
        place -= keys.key[q] > mine;
    for (int q = p + 1; q < keys.n && keys.together(p, q, keys.levels); q++)
        place += keys.key[q] < mine;
    return place;
}

// Links the cells, and writes the places of the slots.
__global__ void __launch_bounds__(kThreads) link_kernel(int nj, Tree tree, TreeOrder order)
{
    take_turn();
    const bool whole = is_whole(tree);
    const int begin = static_cast<int>(blockIdx.x) * kThreads, mine = static_cast<int>(threadIdx.x),
              p = begin + mine, bodies = tree.state->bodies,
              cells = whole ? cells_of(*tree.state) : 0;
    const int slot = p < nj ? order.slot[p] : 0;
    const bool resort = whole && p < bodies && tree.levels < kLevels;
    const int place = resort ? place_of({order.key, bodies, tree.levels}, p) : p;
    for (int first = begin; first < cells; first += static_cast<int>(gridDim.x) * kThreads) {
        const int k = first + mine;
        const bool is_divided = k < cells && link(tree, order, k);
        int end;
        const int at = take_numbers(&tree.state->divided, is_divided, end);
        if (is_divided) tree.cells.divided[at] = k;
    }
    if (p >= nj) return;
    tree.body.place[slot] = p < bodies ? place : -1;
    if (tree.body.slot_step == 1) tree.body.slot[place] = slot;
    if (place % kKeyStep == 0) tree.body.sample[place / kKeyStep] = order.key[p];
}

}  // namespace

void launch_tree_cells(cudaStream_t s, const Request &r, const Tree &tree, const TreeOrder &order)
{
    launch_next(cells_kernel, blocks(r.nj, kThreads), kThreads, s, tree, order, r.walk.leaf);
    launch_next(link_kernel, blocks(r.nj, kThreads), kThreads, s, r.nj, tree, order);
}

}  // namespace g6::cuda
