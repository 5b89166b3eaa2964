// SPDX-License-Identifier: MIT
// Exact neighbours by a depth-first search of the tree: one thread for each i-particle, in the
// order of keys, so that the threads of a warp take nearly the same way.  There is no stack.
// From a cell that may hold a neighbour a search goes to the cell's first child.  From any other
// cell it goes to the cell's next sibling; where there is none, to the next sibling of the nearest
// ancestor that has one.  Boxes are rounded outward, and distances of bodies are in double, so that
// results are those of a direct sum.
#include "launch.cuh"
#include "particles.cuh"
#include "tree_access.cuh"

namespace g6::cuda {
namespace {

constexpr int kThreads = 128;

static __device__ __forceinline__ double box_distance2(const CellBox &m, const double x[3])
{
    double out[3];
    for (int d = 0; d < 3; d++)
        out[d] = g6_outside(x[d], static_cast<double>(m.low[d]), static_cast<double>(m.high[d]));
    return g6_length2(out[0], out[1], out[2]);
}

static __device__ __forceinline__ double body_distance2(const Bodies &b, int p, const double x[3])
{
    const Vec4<double> at = b.at[p];
    return g6_length2(at.x - x[0], at.y - x[1], at.z - x[2]);
}

// The cell to which a search goes when it skips or has ended cell k; -1: the search has ended.
static __device__ __forceinline__ int after(const Cells &cells, int k)
{
    for (;;) {
        const int above = cells.cell[k].above;
        if (above >= 0) return k + 1;
        if (above == kRoot) return -1;
        k = ~above;
    }
}

// Where a search begins; -1: there is nothing to search.
static __device__ __forceinline__ int top(const Tree &tree)
{
    return tree.state->bodies > 0 && is_whole(tree) ? 0 : -1;
}

struct Target {
    double x[3], h2;
    int number, index;
    int2 own;
};

static __device__ __forceinline__ Target target(const WalkTargets &t, int sorted)
{
    const int n = t.order[sorted];
    const size_t c = static_cast<size_t>(t.i.capacity);
    return {{t.i.x[n], t.i.x[c + n], t.i.x[2 * c + n]}, t.i.h2[n], n, t.i.index[n], own_of(t, n)};
}

// Whether the body at this place has the i-particle's own index.
static __device__ __forceinline__ bool is_own(const Tree &tree, const Target &i, int p)
{
    if (i.own.x == i.own.y) return p == i.own.x;
    return p >= i.own.x && p <= i.own.y && tree.j.index[slot_at(tree.body, p)] == i.index;
}

static __device__ __forceinline__ void look(const Tree &tree, const Target &i, int first, int last,
                                            Found &found)
{
    for (int p = first; p < last; p++) {
        const double r2 = body_distance2(tree.body, p, i.x);
        if (r2 <= found.r2 && !is_own(tree, i, p)) found.add(r2, slot_at(tree.body, p));
    }
}

// The bodies next to the i-particle's own body in the order of keys give a first upper bound.
__global__ void __launch_bounds__(kThreads)
    nearest_kernel(Tree tree, WalkTargets t, NearestBody *nearest)
{
    constexpr int kAround = 4;
    const int sorted = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (sorted < t.first || sorted >= t.last) return;
    const Target i = target(t, sorted);
    const TreeState &s = *tree.state;
    Found found = nobody();
    if (i.own.y >= 0)
        look(tree, i, max(0, i.own.x - kAround), min(s.bodies, i.own.x + kAround + 1), found);
    for (int k = top(tree); k >= 0;) {
        const Cell &c = tree.cells.cell[k];
        const bool near = box_distance2(tree.cells.box[k], i.x) <= found.r2;
        if (near && c.below != kLeaf) {
            k = static_cast<int>(c.below >> 3);
            continue;
        }
        if (near) look(tree, i, c.first, c.first + c.count, found);
        k = after(tree.cells, k);
    }
    nearest[i.number] = {found.r2, found.slot};
}

template <bool kFill>
__global__ void __launch_bounds__(kThreads)
    within_kernel(Tree tree, WalkTargets t, bool own, int *count, const long long *offset,
                  int *index, int *slot)
{
    const int sorted = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (sorted >= t.ni) return;
    const Target i = target(t, sorted);
    const bool mine = sorted >= t.first && sorted < t.last;
    long long at = kFill ? offset[i.number] : 0;
    for (int k = mine && i.h2 > 0 ? top(tree) : -1; k >= 0;) {
        const Cell &c = tree.cells.cell[k];
        if (box_distance2(tree.cells.box[k], i.x) < i.h2) {
            if (c.below != kLeaf) {
                k = static_cast<int>(c.below >> 3);
                continue;
            }
            for (int p = c.first; p < c.first + c.count; p++) {
                if (!(body_distance2(tree.body, p, i.x) < i.h2)) continue;
                if (!own && is_own(tree, i, p)) continue;
                if (kFill) {
                    slot[at] = slot_at(tree.body, p);
                    index[at] = tree.j.index[slot[at]];
                }
                at++;
            }
        }
        k = after(tree.cells, k);
    }
    if (!kFill) count[i.number] = static_cast<int>(at);
}

}  // namespace

void launch_nearest(cudaStream_t s, const Tree &tree, const WalkTargets &targets,
                    NearestBody *nearest)
{
    nearest_kernel<<<blocks(targets.ni, kThreads), kThreads, 0, s>>>(tree, targets, nearest);
    check_launch();
}

void launch_tree_lists(cudaStream_t s, const Tree &tree, const WalkTargets &targets, bool own,
                       const TreeLists &l)
{
    const auto kernel = l.count ? within_kernel<false> : within_kernel<true>;
    kernel<<<blocks(targets.ni, kThreads), kThreads, 0, s>>>(tree, targets, own, l.count, l.offset,
                                                             l.index, l.slot);
    check_launch();
}

}  // namespace g6::cuda
