// SPDX-License-Identifier: MIT
// The Barnes-Hut sum for groups of i-particles that share one walk (Barnes 1990, J. Comput. Phys.
// 87, 161), with a warp-wide stack.
//
// A warp serves a group.  Its lanes test 32 cells at a time against the group's box.  Cells that
// act as a whole go into one batch in shared memory, bodies of opened leaves into another.  A batch
// that is full is added to all i-particles of the group (tree_group_sums.cuh).
//
// Invariants
//  * The stack cannot overflow.  An entry stands for all children of one cell.  A step of the walk
//    takes entries of at most 32 cells off the top and pushes at most 32 entries, each for children
//    of one of these cells.  Consider the steps whose entries are still on the stack, and for each
//    step the shallowest level among the entries that it pushed.  A step pushes deeper entries than
//    it takes off the top, so this level increases from step to step up the stack.  The tree has
//    kDepth levels.  So at most kDepth steps have entries on the stack, each up to 32.
//  * A cell that may hold a body of some i-particle's own index is opened.  So bodies are left out
//    of a sum by their index alone.
//  * Batches follow from the tree and the group alone, so that every run gives the same bits.
//
// Floor.  A sum is the action of one body or one cell on one i-particle.  Counted in the formulas,
// without jerk, it takes 21 instructions for a body in split floats, and about 47 for a cell with
// its quadrupole.  A multiprocessor issues 128 instructions a clock.  So an H200 could compute
// 980e9 sums a second when half of them are of bodies and half of cells.
// A uniform cube of 1048576 bodies with theta 0.6 and quadrupoles reaches 574e9.  It needs 2004
// sums for each i-particle, and 42 instructions for each sum with its share of the walk.  31 of 32
// lanes are in use.  Instructions are issued in 76 % of the cycles, because the ports of the
// register file limit the rate as in force.cu.
// Memory does not limit the rate.  The walk reads 64 bytes of a cell that it tests and 32 bytes of
// a body that it takes, once for up to 64 i-particles.  Nearly all of these bytes come from the
// second-level cache; DRAM is busy 4 % of the time.
#pragma once

#include "tree_group_sums.cuh"

namespace g6::cuda {

template <class K, int kI> class Walker : public GroupSums<K, kI> {
    using Sums = GroupSums<K, kI>;

public:
    using typename Sums::Real;

    using Sums::Sums;

    __device__ void run(int2 group)
    {
        first_ = group.x;
        count_ = group.y;
        members_ = 1;
        while (members_ < count_) members_ *= 2;
        load();
        if (a_.tree.state->bodies > 0) walk();
        write();
    }

    using Sums::tests;

private:
    // Names of a base class template must be declared here to be found.
    using Sums::a_, Sums::m_, Sums::lane_, Sums::i_, Sums::extent_, Sums::first_, Sums::count_,
        Sums::members_, Sums::cells_, Sums::bodies_, Sums::careful_;
    using Sums::add_bodies, Sums::add_cells, Sums::cut, Sums::from_origin, Sums::load, Sums::write;

    __device__ void walk()
    {
        int size = 1;
        cells_ = bodies_ = 0;
        careful_ = false;
        if (lane_ == 0) m_.stack[0] = 0;  // the root
        __syncwarp();
        while (size > 0) {
            const int n = pop(size);
            __syncwarp();
            const int k = lane_ < n ? m_.now[lane_] : -1;
            if (lane_ == 0) tests += static_cast<unsigned>(n);
            Cell c{};
            bool far = false;
            float rel[3];
            if (k >= 0) {
                c = a_.tree.cells.cell[k];
                far = is_far(c, rel);
            }
            const bool own = holds_own(far, c);  // by the whole warp
            far = far && !own;
            collect_cells(far && c.mass != 0, k, c, rel);
            const bool open = k >= 0 && !far;
            push(open && c.below != kLeaf, c, size);
            collect_bodies(open && c.below == kLeaf, c);
            __syncwarp();
        }
        add_cells();
        add_bodies();
    }

    // Takes the topmost entries, of at most 32 cells, off the stack; returns the number of cells.
    __device__ int pop(int &size)
    {
        const unsigned entry = lane_ < size ? m_.stack[size - 1 - lane_] : 0u;
        const int count = lane_ < size ? static_cast<int>(entry & 7u) + 1 : 0;
        int total;
        const int before = sum_before(count, total);
        const bool taken = count > 0 && before + count <= 32;
        for (int c = 0; taken && c < count; c++)
            m_.now[before + c] = static_cast<int>(entry >> 3) + c;
        const int entries = __popc(__ballot_sync(kAllLanes, taken));
        size -= entries;
        return __shfl_sync(kAllLanes, before + count, entries - 1);
    }

    __device__ void push(bool pushes, const Cell &c, int &size)
    {
        const unsigned all = __ballot_sync(kAllLanes, pushes);
        if (pushes) m_.stack[size + __popc(all & ((1u << lane_) - 1))] = c.below;
        size += __popc(all);
    }

    // Whether the cell acts as a whole.  Each coordinate of its distance from the group's box is
    // rounded down, so that no cell is accepted too early.  rel: position from the group's middle.
    __device__ __forceinline__ bool is_far(const Cell &c, float (&rel)[3]) const
    {
        float r2 = 0;
        for (int d = 0; d < 3; d++) {
            rel[d] = static_cast<float>(c.x[d] - extent_.middle[d]);
            const float out = fmaxf(__fmaf_rd(fabsf(rel[d]), kRoundDown, -extent_.half[d]), 0.0f);
            r2 = g6_fma(out, out, r2);
        }
        // Beyond this distance a float tells a cell's relative position to 2^-20 of the distance.
        if (sizeof(Real) == 4 && r2 <= extent_.apart) return false;
        if (a_.mac != Mac::kAcceleration) return r2 > c.radius2;
        return (!extent_.known || (r2 > c.near2 && r2 * r2 * extent_.a > c.weight)) &&
               (!extent_.unknown || r2 > c.radius2);
    }

    // Whether some i-particle's own body may be in the lane's cell.  The whole warp calls.
    __device__ bool holds_own(bool asks, const Cell &c) const
    {
        const bool may = asks && c.first <= extent_.own.y && c.first + c.count > extent_.own.x;
        bool holds = false;
        for (unsigned left = __ballot_sync(kAllLanes, may); left; left &= left - 1) {
            const int from = __ffs(static_cast<int>(left)) - 1;
            const int first = __shfl_sync(kAllLanes, c.first, from),
                      end = first + __shfl_sync(kAllLanes, c.count, from);
            bool mine = false;
#pragma unroll
            for (int q = 0; q < kI; q++) mine = mine || (first <= i_[q].own.y && end > i_[q].own.x);
            mine = __any_sync(kAllLanes, mine);
            if (lane_ == from) holds = mine;
        }
        return holds;
    }

    static __device__ __forceinline__ Vec4<Real> velocity_of(const float4 &v)
    {
        return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z), 0};
    }

    __device__ void collect_cells(bool collects, int k, const Cell &c, const float (&rel)[3])
    {
        const unsigned all = __ballot_sync(kAllLanes, collects);
        if (!all) return;
        if (collects) {
            const int at = cells_ + __popc(all & ((1u << lane_) - 1));
            if (sizeof(Real) == 8)
                m_.cell[at] = {static_cast<Real>(c.x[0]), static_cast<Real>(c.x[1]),
                               static_cast<Real>(c.x[2]), static_cast<Real>(c.mass)};
            else
                m_.cell[at] = {static_cast<Real>(rel[0]), static_cast<Real>(rel[1]),
                               static_cast<Real>(rel[2]), static_cast<Real>(c.mass)};
            if constexpr (K::kJ) {
                m_.cell_v[at] = velocity_of(a_.tree.cells.velocity[k]);
            }
            if (K::kQ)
                for (int s = 0; s < 3; s++) {
                    const float2 two =
                        a_.tree.cells
                            .quadrupole[static_cast<size_t>(s) * a_.tree.cells.capacity + k];
                    m_.quadrupole[2 * s][at] = two.x;
                    m_.quadrupole[2 * s + 1][at] = two.y;
                }
        }
        cells_ += __popc(all);
        __syncwarp();
        if (cells_ > kBatch - 32) add_cells();
    }

    // Collects the bodies of the lanes' leaves, 32 at a time whatever the leaves' sizes.
    __device__ void collect_bodies(bool collects, const Cell &c)
    {
        if (!__any_sync(kAllLanes, collects)) return;
        int total;
        const int before = sum_before(collects ? c.count : 0, total);
        m_.leaf_first[lane_] = c.first - before;
        m_.leaf_end[lane_] = before + (collects ? c.count : 0);
        __syncwarp();
        for (int base = 0; base < total; base += 32) {
            const int k = base + lane_;
            if (k < total) {
                int leaf = 0;  // first leaf that ends behind k
                for (int step = 16; step; step /= 2)
                    if (m_.leaf_end[leaf + step - 1] <= k) leaf += step;
                collect_body(bodies_ + lane_, m_.leaf_first[leaf] + k);
            }
            bodies_ += min(32, total - base);
            __syncwarp();
            if (bodies_ > kBatch - 32) add_bodies();
        }
    }

    __device__ __forceinline__ void collect_body(int at, int p)
    {
        const Vec4<double> b = a_.tree.body.at[p];
        Real x, y, z, lx, ly, lz;
        cut(from_origin(b.x, 0), x, lx);
        cut(from_origin(b.y, 1), y, ly);
        cut(from_origin(b.z, 2), z, lz);
        m_.body[at] = {x, y, z, static_cast<Real>(b.w)};
        if constexpr (K::kJ) {
            if constexpr (sizeof(Real) == 8)
                m_.body_v[at] = a_.tree.body.v_full[p];
            else
                m_.body_v[at] = a_.tree.body.v[p];
        }
        if (K::kSplit) m_.low[at] = {lx, ly, lz, 0};
        m_.place[at] = p;
        careful_ =
            careful_ || (p >= extent_.own.x && p <= extent_.own.y) || is_near_box(extent_, b);
    }
};

}  // namespace g6::cuda
