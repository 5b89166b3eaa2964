// SPDX-License-Identifier: MIT
// What a refresh renews: every cell's box, moments and opening radius, first of all leaves at once,
// then bottom-up round by round; the formulas are those of libg6gpu/tree/moments.cpp.
// Sums run over bodies or children in their order: equal bits on every run.
// From its moments to its radius a cell's near2 and weight hold its reach, negative when it has
// masses of both signs, and its sum of |m| d^2.
#include "curve.cuh"
#include "launch.cuh"
#include "prelude.cuh"
#include "tree.h"

#include <algorithm>

namespace g6::cuda {
namespace {

constexpr int kThreads = 128, kTopThreads = 512;
// A cell that acts as a whole lies at least this far off, in device units: its float reciprocal
// powers do not overflow.
constexpr double kNearest2 = 1e-12;

static __device__ __forceinline__ double infinity()
{
    return __longlong_as_double(0x7ff0000000000000LL);
}

// Not less than x, with room for the rounding of a test in float.
static __device__ __forceinline__ float up(double x)
{
    return __double2float_ru(x * (1 + 2e-6));
}

// Largest distance of a body from the centre, rounded up.
static __device__ __forceinline__ void keep_reach(Cell &c, double reach, bool mixed)
{
    c.near2 = copysignf(__double2float_ru(reach), mixed ? -1.0f : 1.0f);
}
static __device__ __forceinline__ double reach_of(const Cell &c)
{
    return fabsf(c.near2);
}
static __device__ __forceinline__ bool is_mixed(const Cell &c)
{
    return signbit(c.near2);
}

// Lanes that serve a cell: each takes every kLanes-th of its parts, bodies or children.  A leaf has
// one lane: for its few bodies eight took longer, with their shuffles.
template <int kLanes> struct Lanes {
    unsigned all = 0xffu << (threadIdx.x % 32 / 8 * 8);
    int mine = threadIdx.x % kLanes;

    template <class Op> __device__ __forceinline__ void join(double &x, Op &&op) const
    {
        for (int d = kLanes / 2; d; d /= 2) x = op(x, __shfl_xor_sync(all, x, d));
    }
    __device__ __forceinline__ bool any(bool x) const
    {
        return kLanes > 1 ? __any_sync(all, x) : x;
    }
    __device__ __forceinline__ void add(double &x) const
    {
        join(x, [](double a, double b) { return a + b; });
    }
    __device__ __forceinline__ void least(double &x) const
    {
        join(x, [](double a, double b) { return fmin(a, b); });
    }
    __device__ __forceinline__ void most(double &x) const
    {
        join(x, [](double a, double b) { return fmax(a, b); });
    }
};

struct Moments {
    bool mixed = false;  // masses of both signs
    double mass = 0, size = 0, x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    double low[3] = {infinity(), infinity(), infinity()},
           high[3] = {-infinity(), -infinity(), -infinity()};

    __device__ __forceinline__ void add(const double at[3], const double vel[3], double m, double s)
    {
        mass += m;
        size += s;
        for (int d = 0; d < 3; d++) {
            x[d] += s * at[d];
            v[d] += s * vel[d];
        }
    }
    __device__ __forceinline__ void widen(int d, double l, double h)
    {
        low[d] = fmin(low[d], l);
        high[d] = fmax(high[d], h);
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

static __device__ void first_of_bodies(const Bodies &b, const Cell &c, Moments &m)
{
    for (int p = c.first; p < c.first + c.count; p++) {
        const Four<double> body = b.at[p];
        const double at[3] = {body.x, body.y, body.z};
        double v[3];
        load_velocity(b, p, v);
        m.add(at, v, body.w, fabs(body.w));
        for (int d = 0; d < 3; d++) m.widen(d, at[d], at[d]);
    }
}

static __device__ void first_of_children(const Cells &cells, const Cell &c, int mine, Moments &m)
{
    if (mine < c.children) {
        const int k = c.child + mine;
        const float4 v = cells.velocity ? cells.velocity[k] : make_float4(0, 0, 0, 0);
        const double vel[3] = {v.x, v.y, v.z};
        const Cell &other = cells.cell[k];
        m.mixed = is_mixed(other);
        m.add(other.x, vel, other.mass, fabs(other.mass));
        for (int d = 0; d < 3; d++) m.widen(d, cells.box[k].low[d], cells.box[k].high[d]);
    }
}

static __device__ void second_of_bodies(const Bodies &b, const Cell &c, const double x[3],
                                        SecondMoments &s)
{
    double far2 = 0;
    for (int p = c.first; p < c.first + c.count; p++) {
        const Four<double> body = b.at[p];
        const double d[3] = {body.x - x[0], body.y - x[1], body.z - x[2]},
                     d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        far2 = fmax(far2, d2);
        s.size2 += fabs(body.w) * d2;
        s.add(d, body.w);
    }
    s.reach = sqrt(far2);
}

static __device__ __forceinline__ void load_quadrupole(const Cells &cells, int k, double q[6])
{
    for (int n = 0; n < 3; n++) {
        const float2 two = cells.quadrupole[static_cast<size_t>(n) * cells.capacity + k];
        q[2 * n] = two.x;
        q[2 * n + 1] = two.y;
    }
}

static __device__ void second_of_children(const Cells &cells, const Cell &c, int mine,
                                          const double x[3], SecondMoments &s)
{
    if (mine < c.children) {
        const int k = c.child + mine;
        const Cell &other = cells.cell[k];
        const double d[3] = {other.x[0] - x[0], other.x[1] - x[1], other.x[2] - x[2]},
                     d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        s.reach = fmax(s.reach, sqrt(d2) + reach_of(other));
        s.size2 += other.weight + fabs(other.mass) * d2;
        if (!cells.quadrupole) return;
        double q[6];
        load_quadrupole(cells, k, q);
        for (int n = 0; n < 6; n++) s.s[n] += q[n];
        s.add(d, other.mass);
    }
}

// Distance of the farthest corner of the box.
static __device__ __forceinline__ double corner_distance(const Moments &m, const double x[3])
{
    double corner2 = 0;
    for (int d = 0; d < 3; d++) {
        const double far = fmax(x[d] - m.low[d], m.high[d] - x[d]);
        corner2 += far * far;
    }
    return sqrt(corner2);
}

template <bool kLeaf>
static __device__ __forceinline__ void
make_moments(const Tree &tree, const Lanes<kLeaf ? 1 : 8> &lanes, int k, const Cell &structure)
{
    Moments m;
    SecondMoments s;
    if (kLeaf)
        first_of_bodies(tree.body, structure, m);
    else
        first_of_children(tree.cells, structure, lanes.mine, m);
    m.join(lanes, tree.cells.velocity);
    double x[3], v[3];
    for (int d = 0; d < 3; d++) {
        const double centre = m.size > 0 ? m.x[d] / m.size : 0.5 * m.low[d] + 0.5 * m.high[d];
        x[d] = fmax(m.low[d], fmin(m.high[d], centre));
        v[d] = m.size > 0 ? m.v[d] / m.size : 0.0;
    }
    if (kLeaf)
        second_of_bodies(tree.body, structure, x, s);
    else
        second_of_children(tree.cells, structure, lanes.mine, x, s);
    s.join(lanes, tree.cells.quadrupole);
    if (!kLeaf) s.reach = fmin(s.reach, corner_distance(m, x));
    if (lanes.mine != 0) return;
    Cell &c = tree.cells.cell[k];
    CellBox &box = tree.cells.box[k];
    for (int d = 0; d < 3; d++) {
        c.x[d] = x[d];
        box.low[d] = __double2float_rd(m.low[d]);
        box.high[d] = __double2float_ru(m.high[d]);
    }
    const bool mixed = m.mixed || fabs(m.mass) < m.size * (1 - 1e-9);
    c.mass = mixed ? m.size : m.mass;
    keep_reach(c, s.reach, mixed);
    c.weight = static_cast<float>(s.size2);
    if (k == 0) tree.state->typical = s.size2 > 0 ? m.size * m.size / s.size2 : 0;
    if (tree.cells.velocity)
        tree.cells.velocity[k] = make_float4(static_cast<float>(v[0]), static_cast<float>(v[1]),
                                             static_cast<float>(v[2]), 0.0f);
    if (!tree.cells.quadrupole) return;
    for (int n = 0; n < 3; n++)
        tree.cells.quadrupole[static_cast<size_t>(n) * tree.cells.capacity + k] =
            make_float2(static_cast<float>(s.s[2 * n]), static_cast<float>(s.s[2 * n + 1]));
}

// Cells first ... end-1: those that are leaves, or those that are not.
template <bool kLeaf, int kThreads>
static __device__ void make_all(const Tree &tree, int first, int end)
{
    constexpr int kLanes = kLeaf ? 1 : 8;
    const Lanes<kLanes> lanes;
    for (int k = first + static_cast<int>(blockIdx.x * kThreads + threadIdx.x) / kLanes; k < end;
         k += static_cast<int>(gridDim.x) * kThreads / kLanes) {
        const Cell c = tree.cells.cell[k];
        if ((c.children == 0) == kLeaf) make_moments<kLeaf>(tree, lanes, k, c);
    }
}

// Place of a cell's cube, by any of its bodies while they are where they were at the build.
static __device__ void make_cube(const Tree &tree, int k, int leaf)
{
    TreeState &s = *tree.state;
    const Cell &c = tree.cells.cell[k];
    unsigned long long &place = tree.cells.box[k].place;
    const int level = place_level(place);
    const Four<double> b = tree.body.at[c.first];
    const double x[3] = {b.x, b.y, b.z};
    unsigned long long at = 1;
    for (int d = 0; d < 3; d++)
        at = at << level | grid_place(x[d], s.corner[d], s.size) >> (kLevels - level);
    place = at;
    if (c.children == 0 && c.count > leaf && level < kLevels) atomicAdd(&s.unfinished, 1);
}

template <bool kBuilt>
__global__ void __launch_bounds__(kThreads) leaves_kernel(Tree tree, int leaf)
{
    wait_for_previous();
    let_next_start();
    const int cells = tree.state->cells;
    for (int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); kBuilt && k < cells;
         k += static_cast<int>(gridDim.x) * kThreads)
        make_cube(tree, k, leaf);
    make_all<true, kThreads>(tree, 0, cells);
}

__global__ void __launch_bounds__(kThreads) moments_kernel(Tree tree, int round)
{
    wait_for_previous();
    let_next_start();
    make_all<false, kThreads>(tree, tree.state->start[round], tree.state->start[round + 1]);
}

// The first rounds, by one block.
__global__ void __launch_bounds__(kTopThreads) top_moments_kernel(Tree tree)
{
    wait_for_previous();
    let_next_start();
    for (int round = kTopRounds - 1; round >= 0; round--) {
        make_all<false, kTopThreads>(tree, tree.state->start[round], tree.state->start[round + 1]);
        __syncthreads();
    }
}

// Cube and centre count as long as the bodies are in the cube; then a cube around them does.
static __device__ void make_radius(const Tree &tree, const Walk &walk, int k, double tolerance)
{
    Cell &c = tree.cells.cell[k];
    const CellBox &m = tree.cells.box[k];
    const TreeState &state = *tree.state;
    const int level = place_level(m.place);
    const double error = tolerance * state.typical, edge = scalbn(state.size, -level);
    double l = edge, s2 = 0, middle[3];
    bool inside = true;
    for (int d = 0; d < 3; d++) {
        const unsigned long long place = m.place >> (level * (2 - d)) & ((1ull << level) - 1);
        middle[d] = state.corner[d] + (static_cast<double>(place) + 0.5) * edge;
        inside = inside && m.low[d] >= middle[d] - edge / 2 && m.high[d] <= middle[d] + edge / 2;
        l = fmax(l, static_cast<double>(m.high[d]) - m.low[d]);
    }
    for (int d = 0; d < 3; d++) {
        const double off = c.x[d] - (inside ? middle[d] : 0.5 * m.low[d] + 0.5 * m.high[d]);
        s2 += off * off;
    }
    const double reach = reach_of(c), size2 = c.weight;
    double radius = infinity(), weight = infinity();
    if (!is_mixed(c) && walk.theta > 0) {
        if (walk.mac == Mac::kBh || walk.mac == Mac::kAcceleration)
            radius = g6_radius_bh(l, sqrt(s2), walk.theta);
        else if (walk.mac == Mac::kBmax)
            radius = g6_radius_bmax(reach, walk.theta);
        else if (!(error > 0))
            radius = reach;
        else if (walk.multipole)
            radius = g6_radius_quadrupole(reach, size2, error,
                                          reach + pow(4 * reach * size2 / error, 0.2));
        else
            radius = g6_radius_multipole(reach, size2, error);
        radius = fmax(radius, reach);
        weight = g6_weight(fabs(c.mass), l, tolerance);
    }
    c.radius2 = up(fmax(radius * radius, kNearest2));
    c.near2 = radius == infinity() ? c.radius2 : up(fmax(reach * reach, kNearest2));
    c.weight = up(weight);
}

// The criteria "multipole" and "acceleration" allow an error in units of a typical acceleration:
// that of all mass at its root mean square distance.
__global__ void __launch_bounds__(kThreads) radii_kernel(Tree tree, Walk walk, double tolerance)
{
    wait_for_previous();
    let_next_start();
    const TreeState &s = *tree.state;
    for (int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); k < s.cells;
         k += static_cast<int>(gridDim.x) * kThreads)
        make_radius(tree, walk, k, tolerance);
}

__global__ void report_kernel(Tree tree, TreeReport *out)
{
    wait_for_previous();
    let_next_start();
    TreeState &s = *tree.state;
    int rounds = 0;
    while (rounds < kRounds && s.start[rounds] < s.start[rounds + 1]) rounds++;
    *out = {s.bodies,     s.cells,        s.wanted_cells, rounds,
            s.unfinished, s.interactions, s.tests,        global_timer() - s.started};
    s.interactions = s.tests = 0;
}

unsigned blocks(long long threads)
{
    constexpr long long kMost = 2112;
    return static_cast<unsigned>(std::min(kMost, (threads + kThreads - 1) / kThreads));
}

}  // namespace

void launch_tree_moments(cudaStream_t s, const TreeRequest &r, const Tree &tree, int rounds,
                         bool built)
{
    const unsigned all = blocks(tree.cells.capacity);
    launch_next(built ? leaves_kernel<true> : leaves_kernel<false>, all, kThreads, s, tree,
                r.walk.leaf);
    for (int round = rounds - 1; round >= kTopRounds; round--)
        launch_next(moments_kernel, std::min(all, blocks(8 * most_cells(tree.cells, round))),
                    kThreads, s, tree, round);
    launch_next(top_moments_kernel, 1, kTopThreads, s, tree);
    launch_next(radii_kernel, all, kThreads, s, tree, r.walk, r.walk.tolerance());
}

void launch_report(cudaStream_t s, const Tree &tree, TreeReport *mapped)
{
    launch_next(report_kernel, 1, 1, s, tree, mapped);
}

}  // namespace g6::cuda
