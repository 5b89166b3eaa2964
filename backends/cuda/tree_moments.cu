// SPDX-License-Identifier: MIT
// Makes every cell's box, moments and opening radius, from the leaves up; the formulas are those of
// libg6gpu/tree/moments.cpp.  Three kernels follow each other:
//   families_kernel  the leaves, one thread each; and cells whose children are all leaves, eight
//                    threads each
//   climb_kernel     all other cells: the threads that make the last child of a cell then make the
//                    cell itself (as Karras 2012, High Performance Graphics, does for boxes)
//   radii_kernel     the cube of each cell and its opening radius, one thread a cell; until then a
//                    cell's weight holds its sum of |m| d^2
//
// The climb needs a memory fence for each cell.  If it began at the leaves, a refresh of 8388608
// bodies would take 1.2 ms on an H200; with families_kernel it takes 0.45 ms.  At the end of the
// climb few warps are at work, which wait some ten clocks for each instruction.  So the climb
// computes only what parents need: 7400 clocks a level, and 1700 for fences and atomics.
//
// Sums run over bodies or children in their order, so that every run gives the same bits.
#include "curve.cuh"
#include "launch.cuh"
#include "tree_moments.cuh"

#include <algorithm>

namespace g6::cuda {
namespace {

constexpr int kThreads = 128;
// If a cell whose children are leaves has at most so many bodies, eight threads copy them to shared
// memory.
constexpr int kMostCopied = 64;

// Distance of the farthest corner of the box.
static __device__ __forceinline__ double corner_distance(const Moments<float> &m, const double x[3])
{
    double corner2 = 0;
    for (int d = 0; d < 3; d++) {
        const double far = fmax(x[d] - m.low[d], m.high[d] - x[d]);
        corner2 += far * far;
    }
    return sqrt(corner2);
}

// Cells::arrived of a divided cell is one of these:
//     1                  families_kernel has made the cell
//     made - kWaits * n  climb_kernel has still to make it
// n: number of children that families_kernel has left to climb_kernel.
// made: how many of these n climb_kernel has made.
// Two counts in one int can be changed and read by one atomic operation.  Both are at most 8, less
// than kWaits, so that each of them follows from the int.  The cell can be made once made = n.
constexpr int kWaits = 16;

struct Refresh {
    Tree tree;
    Walk walk;
    double tolerance;
    bool built;
};

// Writes the moments of cell k.
template <class Edge>
static __device__ __forceinline__ void write(const Tree &tree, int k, const Moments<Edge> &m,
                                             const SecondMoments &s, const double x[3],
                                             const double v[3])
{
    const Cells &cells = tree.cells;
    const bool mixed = m.mixed || g6_mixes_signs(fabs(m.mass), m.size);
    if (k == 0) tree.state->typical = s.size2 > 0 ? m.size * m.size / s.size2 : 0;
    auto *two = reinterpret_cast<double2 *>(cells.cell + k);
    two[0] = make_double2(x[0], x[1]);
    two[1] = make_double2(x[2], mixed ? m.size : m.mass);
    reinterpret_cast<float2 *>(two)[5] = make_float2(
        static_cast<float>(s.size2), copysignf(__double2float_ru(s.reach), mixed ? -1.0f : 1.0f));
    float low[3], high[3];
    for (int d = 0; d < 3; d++) {
        low[d] = __double2float_rd(m.low[d]);  // exact when Edge is float
        high[d] = __double2float_ru(m.high[d]);
    }
    auto *box = reinterpret_cast<float2 *>(cells.box + k);
    box[1] = make_float2(low[0], low[1]);
    box[2] = make_float2(low[2], high[0]);
    box[3] = make_float2(high[1], high[2]);
    if (cells.velocity)
        cells.velocity[k] = make_float4(static_cast<float>(v[0]), static_cast<float>(v[1]),
                                        static_cast<float>(v[2]), 0.0f);
    for (int n = 0; cells.quadrupole && n < 3; n++)
        cells.quadrupole[static_cast<size_t>(n) * cells.capacity + k] =
            make_float2(static_cast<float>(s.s[2 * n]), static_cast<float>(s.s[2 * n + 1]));
}

// Makes the moments of cell k from its parts: bodies of a leaf by one thread, children by eight.
// With eight the whole warp calls, and `has` tells whether the thread has a cell.
template <int kLanes, class Part>
static __device__ __forceinline__ void make_cell(const Tree &tree, bool has, int k,
                                                 const Part &part)
{
    const CellLanes<kLanes> lanes;
    Moments<typename Part::Edge> m;
    SecondMoments s;
    part.add_to(m);
    m.join(lanes, tree.cells.velocity);
    double x[3], v[3];
    const double each = g6_each_size(m.size);
    for (int d = 0; d < 3; d++) {
        x[d] = g6_mean_position(m.x[d], m.size, each, m.low[d], m.high[d]);
        v[d] = m.v[d] * each;
    }
    part.add_to(s, x);
    s.join(lanes, tree.cells.quadrupole);
    if constexpr (kLanes > 1) s.reach = fmin(s.reach, corner_distance(m, x));
    if (has && lanes.mine == 0) write(tree, k, m, s, x, v);
}

// Each eight lanes have a cell or none.  The whole warp calls.
static __device__ __forceinline__ void make_parent(const Tree &tree, bool has, int k,
                                                   const Structure &parts)
{
    make_cell<8>(tree, has, k, ChildPart(tree.cells, has, parts, threadIdx.x % 8));
}

// The lane of the n-th bit of a mask, counted from 0; any lane when there is none.
static __device__ __forceinline__ int lane_of(unsigned mask, int n)
{
    for (; n > 0; n--) mask &= mask - 1;
    return max(0, __ffs(static_cast<int>(mask)) - 1);
}

// Eight lanes copy; they read it after the next __syncwarp().
static __device__ __forceinline__ void copy_bodies(Vec4<double> *to, const Vec4<double> *from,
                                                   int n, int lane)
{
    for (int k = lane; k < 2 * n; k += 8)
        reinterpret_cast<double2 *>(to)[k] = reinterpret_cast<const double2 *>(from)[k];
}

// Makes leaves, and cells whose children are all leaves.
__global__ void __launch_bounds__(kThreads) families_kernel(const __grid_constant__ Refresh r)
{
    take_turn();
    const Cells &cells = r.tree.cells;
    const TreeState &state = *r.tree.state;
    if (!is_whole(r.tree) || state.bodies == 0) return;
    const int divided = state.divided, lane = threadIdx.x % 8, group = threadIdx.x % 32 / 8 * 8,
              warp = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) / 32,
              warps = static_cast<int>(gridDim.x) * kThreads / 32;
    __shared__ Vec4<double> copies[kThreads / 8][kMostCopied];
    const Bodies &body = r.tree.body;
    if (divided == 0 && warp == 0 && threadIdx.x == 0) {
        const Structure parts = structure(cells, 0);
        make_cell<1>(r.tree, true, 0, LeafPart(body, parts, body.at, 0));
    }
    for (int first = 4 * warp; first < divided; first += 4 * warps) {
        const int n = first + group / 8;
        const bool has = n < divided;
        const int k = has ? cells.divided[n] : 0;
        const Structure parts = structure(cells, k);
        const int child = static_cast<int>(parts.below >> 3) + lane;
        const bool is = has && lane <= static_cast<int>(parts.below & 7u);
        Structure its{};
        if (is) its = structure(cells, child);
        const bool waits = is && its.below != kLeaf;
        const unsigned waiting = __ballot_sync(kAllLanes, waits) >> group & 0xffu;
        const bool copied = has && !waiting && parts.count <= kMostCopied;
        Vec4<double> *copy = copies[threadIdx.x / 8];
        if (copied) copy_bodies(copy, body.at + parts.first, parts.count, lane);
        __syncwarp();
        if (is && !waits)
            make_cell<1>(r.tree, true, child,
                         LeafPart(body, its, copied ? copy : body.at, copied ? parts.first : 0));
        __syncwarp();
        make_parent(r.tree, has && !waiting, k, parts);
        if (!has || lane != 0) continue;
        if (waiting) {
            atomicAdd(&cells.arrived[k], -kWaits * __popc(waiting));
        } else {
            cells.arrived[k] = 1;
            if (parts.above != kRoot) atomicAdd(&cells.arrived[parent_of(parts.above)], kWaits);
        }
    }
}

// Makes each cell k for which a lane has `ready`, by eight threads.  The whole warp calls.
static __device__ __forceinline__ void make_ready(const Tree &tree, bool ready, int k,
                                                  const Structure &parts)
{
    const int group = threadIdx.x % 32 / 8;
    for (unsigned left = __ballot_sync(kAllLanes, ready); left;) {
        const int from = lane_of(left, group), cell = __shfl_sync(kAllLanes, k, from);
        const Structure its{__shfl_sync(kAllLanes, parts.below, from), 0, 0, 0};
        make_parent(tree, group < __popc(left), cell, its);
        for (int n = 0; n < 4; n++) left &= left - 1;
    }
    __syncwarp();
}

// Makes all other cells, each when its children are made.
__global__ void __launch_bounds__(kThreads) climb_kernel(const __grid_constant__ Refresh r)
{
    take_turn();
    const Cells &cells = r.tree.cells;
    constexpr int kLook = 16;  // cells that a warp looks at: few are ready; it makes four at once
    const int divided = is_whole(r.tree) ? r.tree.state->divided : 0, lane = threadIdx.x % 32,
              warp = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) / 32,
              warps = static_cast<int>(gridDim.x) * kThreads / 32;
    for (int first = kLook * warp; first < divided; first += kLook * warps) {
        int k = lane < kLook && first + lane < divided ? cells.divided[first + lane] : -1;
        bool ready = k >= 0 && __ldcg(&cells.arrived[k]) == 0;
        Structure parts{};
        if (ready) parts = structure(cells, k);
        while (__any_sync(kAllLanes, ready)) {
            make_ready(r.tree, ready, k, parts);
            const int above = ready ? parts.above : kRoot;
            ready = false;
            if (above != kRoot) {
                k = parent_of(above);
                parts = structure(cells, k);
                __threadfence();
                const int now = atomicAdd(&cells.arrived[k], 1) + 1,
                          awaited = (kWaits - 1 - now) / kWaits;
                ready = now == awaited * (1 - kWaits);
            }
            if (__any_sync(kAllLanes, ready)) __threadfence();
        }
    }
}

// Writes the thresholds of a cell (opening.h), whose weight holds the sum of |m| d^2 until then.
static __device__ void set_radius(const TreeState &s, const Walk &walk, double tolerance, Cell &c,
                                  const CellBox &m)
{
    const int level = place_level(m.place);
    const double edge = scalbn(s.size, -level);
    double cube[3], low[3], high[3];
    for (int d = 0; d < 3; d++) {
        const unsigned long long place = m.place >> (level * (2 - d)) & ((1ull << level) - 1);
        cube[d] = s.corner[d] + (static_cast<double>(place) + 0.5) * edge;
        low[d] = m.low[d];
        high[d] = m.high[d];
    }
    const G6Criterion criterion{static_cast<int>(walk.mac), walk.multipole, walk.theta,
                                tolerance * s.typical, tolerance};
    G6CellExtent extent{0, 0, reach_of(c), c.weight, fabs(c.mass), is_mixed(c)};
    g6_measure_cell(&extent, c.x, cube, edge, low, high);
    const G6Thresholds t = g6_thresholds(&extent, &criterion);
    c.radius2 = t.radius2;
    c.near2 = t.near2;
    c.weight = t.weight;
}

__global__ void __launch_bounds__(kThreads) radii_kernel(const __grid_constant__ Refresh r)
{
    take_turn();
    const TreeState &state = *r.tree.state;
    const int cells = is_whole(r.tree) ? cells_of(state) : 0;
    for (int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); k < cells;
         k += static_cast<int>(gridDim.x) * kThreads) {
        Cell &c = r.tree.cells.cell[k];
        CellBox &box = r.tree.cells.box[k];
        if (r.built) box.place = cube_of(state, r.tree.body.at[c.first], place_level(box.place));
        set_radius(state, r.walk, r.tolerance, c, box);
    }
}

__global__ void report_kernel(Tree tree, TreeReport *out)
{
    take_turn();
    TreeState &s = *tree.state;
    *out = {cells_of(s), s.deepest, s.crowded != 0, s.interactions, s.tests};
    s.interactions = s.tests = 0;
}

}  // namespace

void launch_tree_moments(cudaStream_t s, const Request &r, const Tree &tree, bool built)
{
    const unsigned all = std::min(2112u, blocks(2LL * tree.cells.capacity, kThreads));
    const Refresh refresh{tree, r.walk, r.walk.tolerance(), built};
    launch_next(families_kernel, all, kThreads, s, refresh);
    launch_next(climb_kernel, all, kThreads, s, refresh);
    launch_next(radii_kernel, all, kThreads, s, refresh);
}

void launch_report(cudaStream_t s, const Tree &tree, TreeReport *mapped)
{
    launch_next(report_kernel, 1, 1, s, tree, mapped);
}

}  // namespace g6::cuda
