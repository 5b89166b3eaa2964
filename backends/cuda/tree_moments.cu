// SPDX-License-Identifier: MIT
// What a refresh renews: every cell's box, moments and opening radius, by one kernel from the
// leaves up; the formulas are those of libg6gpu/tree/moments.cpp. A thread makes a leaf's moments,
// and whoever made the last child of a cell goes on with that cell, as Karras (2012, High
// Performance Graphics) climbs for boxes, here with eight threads to a cell. Sums run over bodies
// or children in their order: equal bits on every run. Where radii need the root's moments they
// come after, by a kernel of their own; until then a cell's weight holds its sum of |m| d^2.
#include "launch.cuh"
#include "tree_radius.cuh"
#include "warp.cuh"

#include <algorithm>
#include <limits>

namespace g6::cuda {
namespace {

constexpr int kThreads = 128;
// Bodies of so large a cell of leaves are read once, side by side.
constexpr int kStage = 64;
// Lanes that serve a cell: each takes every kLanes-th of its parts, bodies or children.  A leaf has
// one lane: for its few bodies eight took longer, with their shuffles.  Where there are more, the
// whole warp calls: shuffles of less than a warp would be done one after the other.
template <int kLanes> struct Lanes {
    int mine = threadIdx.x % kLanes;

    template <class T, class Op> __device__ __forceinline__ void join(T &x, Op &&op) const
    {
        for (int d = kLanes / 2; d; d /= 2) x = op(x, __shfl_xor_sync(kAll, x, d));
    }
    __device__ __forceinline__ bool any(bool x) const
    {
        if (kLanes == 1) return x;
        return __ballot_sync(kAll, x) >> (threadIdx.x % 32 / kLanes * kLanes) &
               ((1u << kLanes) - 1);
    }
    __device__ __forceinline__ void add(double &x) const
    {
        join(x, [](double a, double b) { return a + b; });
    }
    template <class T> __device__ __forceinline__ void least(T &x) const
    {
        join(x, [](T a, T b) { return min(a, b); });
    }
    template <class T> __device__ __forceinline__ void most(T &x) const
    {
        join(x, [](T a, T b) { return max(a, b); });
    }
};

// Edge: of boxes, double where they are those of bodies.
template <class Edge> struct Moments {
    static constexpr Edge infinite = std::numeric_limits<Edge>::infinity();
    bool mixed = false;  // masses of both signs
    double mass = 0, size = 0, x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    Edge low[3] = {infinite, infinite, infinite}, high[3] = {-infinite, -infinite, -infinite};

    __device__ __forceinline__ void add(const double at[3], const double vel[3], double m, double s)
    {
        mass += m;
        size += s;
        for (int d = 0; d < 3; d++) {
            x[d] += s * at[d];
            v[d] += s * vel[d];
        }
    }
    __device__ __forceinline__ void widen(int d, Edge l, Edge h)
    {
        low[d] = min(low[d], l);
        high[d] = max(high[d], h);
    }
    template <class L> __device__ __forceinline__ void join(const L &lanes, bool moving)
    {
        mixed = lanes.any(mixed);
        lanes.add(mass);
        lanes.add(size);
        for (int d = 0; d < 3; d++) {
            lanes.add(x[d]);
            if (moving) lanes.add(v[d]);
            lanes.least(low[d]);
            lanes.most(high[d]);
        }
    }
};

struct SecondMoments {
    double reach = 0, size2 = 0, s[6] = {0, 0, 0, 0, 0, 0};

    __device__ __forceinline__ void add(const double d[3], double m)
    {
        s[0] += m * d[0] * d[0];
        s[1] += m * d[0] * d[1];
        s[2] += m * d[0] * d[2];
        s[3] += m * d[1] * d[1];
        s[4] += m * d[1] * d[2];
        s[5] += m * d[2] * d[2];
    }
    template <class L> __device__ __forceinline__ void join(const L &lanes, bool quadrupole)
    {
        lanes.most(reach);
        lanes.add(size2);
        for (int n = 0; quadrupole && n < 6; n++) lanes.add(s[n]);
    }
};

// The last 16 bytes of a cell.
struct alignas(16) Structure {
    unsigned below;
    int first, count, above;
};
static __device__ __forceinline__ const Structure &structure(const Cells &cells, int k)
{
    static_assert(sizeof(Cell) == 64 && sizeof(Structure) == 16, "in one load");
    return reinterpret_cast<const Structure *>(cells.cell + k)[3];
}

static __device__ __forceinline__ void load_velocity(const Bodies &b, int p, double (&v)[3])
{
    v[0] = v[1] = v[2] = 0;
    if (b.v) {
        const Four<float> f = b.v[p];
        v[0] = f.x, v[1] = f.y, v[2] = f.z;
    } else if (b.v_full) {
        const Four<double> f = b.v_full[p];
        v[0] = f.x, v[1] = f.y, v[2] = f.z;
    }
}

// The part of a cell that is its lane's: a leaf's one lane has all bodies.
struct LeafPart {
    using Edge = double;
    const Bodies &b;
    const Four<double> *at;  // of the body `shift`: b.at, or a copy of some
    int shift, first, end;

    __device__ LeafPart(const Bodies &bodies, const Structure &c, const Four<double> *some,
                        int from)
        : b(bodies), at(some), shift(from), first(c.first), end(c.first + c.count)
    {
    }
    __device__ void add_to(Moments<double> &m) const
    {
        for (int p = first; p < end; p++) {
            const Four<double> body = at[p - shift];
            const double x[3] = {body.x, body.y, body.z};
            double v[3];
            load_velocity(b, p, v);
            m.add(x, v, body.w, fabs(body.w));
            for (int d = 0; d < 3; d++) m.widen(d, x[d], x[d]);
        }
    }
    __device__ void add_to(SecondMoments &s, const double x[3]) const
    {
        double far2 = 0;
        for (int p = first; p < end; p++) {
            const Four<double> body = at[p - shift];
            const double d[3] = {body.x - x[0], body.y - x[1], body.z - x[2]},
                         d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            far2 = fmax(far2, d2);
            s.size2 += fabs(body.w) * d2;
            s.add(d, body.w);
        }
        s.reach = sqrt(far2);
    }
};

// One child for each of eight lanes, or none.
struct ChildPart {
    using Edge = float;
    const bool is;
    const bool moving, quadrupole;
    Cell c;
    CellBox box;
    float4 v;
    float2 q[3];

    __device__ ChildPart(const Cells &cells, bool has, const Structure &parent, int lane)
        : is(has && lane <= static_cast<int>(parent.below & 7u)), moving(cells.velocity),
          quadrupole(cells.quadrupole)
    {
        const int k = static_cast<int>(parent.below >> 3) + lane;
        if (!is) return;
        c = cells.cell[k];
        box = cells.box[k];
        if (moving) v = cells.velocity[k];
        for (int n = 0; quadrupole && n < 3; n++)
            q[n] = cells.quadrupole[static_cast<size_t>(n) * cells.capacity + k];
    }
    __device__ void add_to(Moments<float> &m) const
    {
        if (!is) return;
        const double vel[3] = {moving ? v.x : 0.0, moving ? v.y : 0.0, moving ? v.z : 0.0};
        m.mixed = is_mixed(c);
        m.add(c.x, vel, c.mass, fabs(c.mass));
        for (int d = 0; d < 3; d++) m.widen(d, box.low[d], box.high[d]);
    }
    __device__ void add_to(SecondMoments &s, const double x[3]) const
    {
        if (!is) return;
        const double d[3] = {c.x[0] - x[0], c.x[1] - x[1], c.x[2] - x[2]},
                     d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        s.reach = sqrt(d2) + reach_of(c);
        s.size2 = c.weight + fabs(c.mass) * d2;
        if (!quadrupole) return;
        for (int n = 0; n < 3; n++) {
            s.s[2 * n] = q[n].x;
            s.s[2 * n + 1] = q[n].y;
        }
        s.add(d, c.mass);
    }
};

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

// `arrived` of a divided cell: 1 when the first kernel made it.  Else, after that kernel, -kWaits
// for each divided child that it did not make, and 1 more for each of these that the second one
// made.
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
    const bool mixed = m.mixed || fabs(m.mass) < m.size * (1 - 1e-9);
    if (k == 0) tree.state->typical = s.size2 > 0 ? m.size * m.size / s.size2 : 0;
    auto *two = reinterpret_cast<double2 *>(cells.cell + k);
    two[0] = make_double2(x[0], x[1]);
    two[1] = make_double2(x[2], mixed ? m.size : m.mass);
    reinterpret_cast<float2 *>(two)[5] = make_float2(
        static_cast<float>(s.size2), copysignf(__double2float_ru(s.reach), mixed ? -1.0f : 1.0f));
    float low[3], high[3];
    for (int d = 0; d < 3; d++) {
        low[d] = __double2float_rd(m.low[d]);  // as it is when it is a float
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

// Moments of cell k, whose parts are there, if it has any: by one thread for a leaf, else by
// eight; then the whole warp calls.
template <int kLanes, class Part>
static __device__ __forceinline__ void make_cell(const Tree &tree, bool has, int k,
                                                 const Part &part)
{
    const Lanes<kLanes> lanes;
    Moments<typename Part::Edge> m;
    SecondMoments s;
    part.add_to(m);
    m.join(lanes, tree.cells.velocity);
    double x[3], v[3];
    const double each = m.size > 0 ? 1 / m.size : 0.0;
    for (int d = 0; d < 3; d++) {
        const double low = m.low[d], high = m.high[d],
                     centre = m.size > 0 ? m.x[d] * each : 0.5 * low + 0.5 * high;
        x[d] = fmax(low, fmin(high, centre));
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
static __device__ __forceinline__ void copy_bodies(Four<double> *to, const Four<double> *from,
                                                   int n, int lane)
{
    for (int k = lane; k < 2 * n; k += 8)
        reinterpret_cast<double2 *>(to)[k] = reinterpret_cast<const double2 *>(from)[k];
}

// Leaves, and cells of leaves alone.
__global__ void __launch_bounds__(kThreads) families_kernel(const __grid_constant__ Refresh r)
{
    wait_for_previous();
    let_next_start();
    const Cells &cells = r.tree.cells;
    const TreeState &state = *r.tree.state;
    if (!is_whole(r.tree) || state.bodies == 0) return;
    const int divided = state.divided, lane = threadIdx.x % 8, group = threadIdx.x % 32 / 8 * 8,
              warp = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) / 32,
              warps = static_cast<int>(gridDim.x) * kThreads / 32;
    __shared__ Four<double> stage[kThreads / 8][kStage];
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
        const unsigned waiting = __ballot_sync(kAll, waits) >> group & 0xffu;
        const bool staged = has && !waiting && parts.count <= kStage;
        Four<double> *copy = stage[threadIdx.x / 8];
        if (staged) copy_bodies(copy, body.at + parts.first, parts.count, lane);
        __syncwarp();
        if (is && !waits)
            make_cell<1>(r.tree, true, child,
                         LeafPart(body, its, staged ? copy : body.at, staged ? parts.first : 0));
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

// Eight threads to each cell that a lane has ready.  The whole warp calls.
static __device__ __forceinline__ void make_ready(const Tree &tree, bool ready, int k,
                                                  const Structure &parts)
{
    const int group = threadIdx.x % 32 / 8;
    for (unsigned left = __ballot_sync(kAll, ready); left;) {
        const int from = lane_of(left, group), cell = __shfl_sync(kAll, k, from);
        const Structure its{__shfl_sync(kAll, parts.below, from), 0, 0, 0};
        make_parent(tree, group < __popc(left), cell, its);
        for (int n = 0; n < 4; n++) left &= left - 1;
    }
    __syncwarp();
}

// The other cells, each once its children are made.
__global__ void __launch_bounds__(kThreads) climb_kernel(const __grid_constant__ Refresh r)
{
    wait_for_previous();
    let_next_start();
    const Cells &cells = r.tree.cells;
    const int divided = is_whole(r.tree) ? r.tree.state->divided : 0, lane = threadIdx.x % 32;
    for (int first = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) - lane; first < divided;
         first += static_cast<int>(gridDim.x) * kThreads) {
        int k = first + lane < divided ? cells.divided[first + lane] : -1;
        bool ready = k >= 0 && __ldcg(&cells.arrived[k]) == 0;
        Structure parts{};
        if (ready) parts = structure(cells, k);
        while (__any_sync(kAll, ready)) {
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
            if (__any_sync(kAll, ready)) __threadfence();
        }
    }
}

__global__ void __launch_bounds__(kThreads) radii_kernel(const __grid_constant__ Refresh r)
{
    wait_for_previous();
    let_next_start();
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
    wait_for_previous();
    let_next_start();
    TreeState &s = *tree.state;
    *out = {s.bodies,  cells_of(s),    s.deepest, lacks_room(tree),
            s.crowded, s.interactions, s.tests,   global_timer() - s.started};
    s.interactions = s.tests = 0;
}

unsigned blocks(long long threads)
{
    constexpr long long kMost = 2112;
    return static_cast<unsigned>(std::min(kMost, (threads + kThreads - 1) / kThreads));
}

}  // namespace

void launch_tree_moments(cudaStream_t s, const TreeRequest &r, const Tree &tree, bool built)
{
    const unsigned all = blocks(tree.cells.capacity);
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
