// SPDX-License-Identifier: MIT
// The Barnes-Hut sum for groups of i-particles that share one walk (Barnes 1990, J. Comput. Phys.
// 87, 161), with a warp-wide stack.
//
// A warp serves a group.  Its lanes test 32 cells at a time against the group's box.  Cells that
// act as a whole go into one batch in shared memory, bodies of opened leaves into another.  A batch
// that is full is added to all i-particles of the group.
//
// Invariants
//  * The stack cannot overflow.  An entry stands for all children of one cell.  A step of the walk
//    takes entries of at most 32 cells off the top and pushes at most 32 entries, each for children
//    of one of these cells.  Look at the steps whose entries are still on the stack, and at the
//    shallowest level among the entries that each of them pushed.  A step pushes deeper entries
//    than it takes off the top, so this level increases from step to step up the stack.  The tree
//    has kDepth levels, so that at most kDepth steps have entries on the stack, 32 of each.
//  * A cell that may hold a body of some i-particle's own index is opened.  So bodies are left out
//    of a sum by their index alone.
//  * Batches follow from the tree and the group alone: equal bits on every run.
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
//
// Precision of positions:
//   single  relative to the middle of the group, rounded to float
//   mixed   relative to the middle of the group, cut into two floats; of cells the first float is
//           enough, because a cell within 1/16 of the group's half size is opened
//   double  as they are
// Sums of a batch are in this precision and are then flushed to double.
#pragma once

#include "tree_access.cuh"
#include "tree_close_pairs.cuh"
#include "warp.cuh"

#include <climits>

namespace g6::cuda {

// ---- one warp's walk ----------------------------------------------------------------------------

template <class K, int kI> class Walker {
public:
    using Real = typename K::Real;
    using PairSumsT = typename PairSums<Real>::Type;

    __device__ Walker(const WalkArgs &a, WarpMemory<K> &memory) : a_(a), m_(memory) {}

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

    unsigned long long interactions = 0, tests = 0;

private:
    // Number in the group of the lane's i-particle.
    __device__ int member(int q) const { return kI == 2 ? q * 32 + lane_ : lane_ % members_; }

    __device__ void load()
    {
        const IMemory &im = a_.t.i;
        const size_t c = static_cast<size_t>(im.capacity);
        double x[kI][3], low[3], high[3];
        float least = __int_as_float(0x7f800000);
        bool known = false, unknown = false;
        extent_.own = make_int2(INT_MAX, -1);
#pragma unroll
        for (int q = 0; q < kI; q++) {
            // Lanes past the end repeat the last i-particle and write nothing.
            const int n = a_.t.order[first_ + min(member(q), count_ - 1)];
            i_[q].number = n;
            for (int d = 0; d < 3; d++) {
                x[q][d] = im.x[static_cast<size_t>(d) * c + n];
                low[d] = q ? fmin(low[d], x[q][d]) : x[q][d];
                high[d] = q ? fmax(high[d], x[q][d]) : x[q][d];
            }
            i_[q].vx = static_cast<Real>(im.x[3 * c + n]);
            i_[q].vy = static_cast<Real>(im.x[4 * c + n]);
            i_[q].vz = static_cast<Real>(im.x[5 * c + n]);
            i_[q].eps2 = static_cast<Real>(im.eps2[n]);
            i_[q].own = a_.t.own[n];
            extent_.own.x = min(extent_.own.x, i_[q].own.x);
            extent_.own.y = max(extent_.own.y, i_[q].own.y);
            const float aold = im.aold[n];
            const bool good = aold > 0 && aold < __int_as_float(0x7f800000);
            known = known || good;
            unknown = unknown || !good;
            if (good) least = fminf(least, aold);
            for (int k = 0; k < 7; k++) sum_[q][k] = 0;
        }
        extent_.own = make_int2(warp_min(extent_.own.x), warp_max(extent_.own.y));
        extent_.known = __any_sync(kAll, known);
        extent_.unknown = __any_sync(kAll, unknown);
        extent_.a = warp_min(least);
        for (int d = 0; d < 3; d++) {
            const double l = warp_min(low[d]), h = warp_max(high[d]);
            extent_.middle[d] = 0.5 * l + 0.5 * h;
            extent_.half[d] = __double2float_ru(
                fmax(__dsub_ru(h, extent_.middle[d]), __dsub_ru(extent_.middle[d], l)));
        }
        const float half = largest_of(extent_);
        extent_.apart = half * half / 256;
#pragma unroll
        for (int q = 0; q < kI; q++) {
            cut(from_origin(x[q][0], 0), i_[q].x, i_[q].lx);
            cut(from_origin(x[q][1], 1), i_[q].y, i_[q].ly);
            cut(from_origin(x[q][2], 2), i_[q].z, i_[q].lz);
        }
    }

    // A coordinate as the sums take it.  In double it stays what it is: one far i-particle in the
    // group would otherwise take the last digits of all others.
    __device__ __forceinline__ double from_origin(double x, int d) const
    {
        return sizeof(Real) == 8 ? x : x - extent_.middle[d];
    }

    static __device__ __forceinline__ void cut(double d, Real &high, Real &low)
    {
        high = static_cast<Real>(d);
        low = static_cast<Real>(d - static_cast<double>(high));
    }

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
            take_cells(far && c.mass != 0, k, c, rel);
            const bool open = k >= 0 && !far;
            push(open && c.below != kLeaf, c, size);
            take_leaves(open && c.below == kLeaf, c);
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
        const int entries = __popc(__ballot_sync(kAll, taken));
        size -= entries;
        return __shfl_sync(kAll, before + count, entries - 1);
    }

    __device__ void push(bool pushes, const Cell &c, int &size)
    {
        const unsigned all = __ballot_sync(kAll, pushes);
        if (pushes) m_.stack[size + __popc(all & ((1u << lane_) - 1))] = c.below;
        size += __popc(all);
    }

    // Whether the cell acts as a whole.  Each coordinate of its distance from the group's box is
    // rounded down, so that no cell is taken for farther than it is.  rel: from the group's middle.
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
        for (unsigned left = __ballot_sync(kAll, may); left; left &= left - 1) {
            const int from = __ffs(static_cast<int>(left)) - 1;
            const int first = __shfl_sync(kAll, c.first, from),
                      end = first + __shfl_sync(kAll, c.count, from);
            bool mine = false;
#pragma unroll
            for (int q = 0; q < kI; q++) mine = mine || (first <= i_[q].own.y && end > i_[q].own.x);
            mine = __any_sync(kAll, mine);
            if (lane_ == from) holds = mine;
        }
        return holds;
    }

    static __device__ __forceinline__ Vec4<Real> velocity_of(const float4 &v)
    {
        return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z), 0};
    }

    __device__ void take_cells(bool takes, int k, const Cell &c, const float (&rel)[3])
    {
        const unsigned all = __ballot_sync(kAll, takes);
        if (!all) return;
        if (takes) {
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

    // Bodies of the lanes' leaves, 32 at a time whatever the leaves' sizes.
    __device__ void take_leaves(bool takes, const Cell &c)
    {
        if (!__any_sync(kAll, takes)) return;
        int total;
        const int before = sum_before(takes ? c.count : 0, total);
        m_.leaf_first[lane_] = c.first - before;
        m_.leaf_end[lane_] = before + (takes ? c.count : 0);
        __syncwarp();
        for (int base = 0; base < total; base += 32) {
            const int k = base + lane_;
            if (k < total) {
                int leaf = 0;  // first leaf that ends behind k
                for (int step = 16; step; step /= 2)
                    if (m_.leaf_end[leaf + step - 1] <= k) leaf += step;
                take_body(bodies_ + lane_, m_.leaf_first[leaf] + k);
            }
            bodies_ += min(32, total - base);
            __syncwarp();
            if (bodies_ > kBatch - 32) add_bodies();
        }
    }

    __device__ __forceinline__ void take_body(int at, int p)
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

    // ---- sums -----------------------------------------------------------------------------------

    __device__ void add_cells()
    {
        PairSumsT s[kI] = {};
        const int step = kI == 2 ? 1 : 32 / members_, part = kI == 2 ? 0 : lane_ / members_;
        __syncwarp();
#pragma unroll 4
        for (int k = part; k < cells_; k += step) {
            const Vec4<Real> c = m_.cell[k];
            [[maybe_unused]] const Vec4<Real> v = K::kJ ? m_.cell_v[K::kJ ? k : 0] : Vec4<Real>{};
#pragma unroll
            for (int q = 0; q < kI; q++) {
                const Real dx = c.x - i_[q].x, dy = c.y - i_[q].y, dz = c.z - i_[q].z;
                const Real soft = g6_fma(dz, dz, g6_fma(dy, dy, g6_fma(dx, dx, i_[q].eps2)));
                const Real rinv = inverse_root(soft);
                if (K::kQ) {
                    g6_cell_quadrupole(
                        &s[q], dx, dy, dz, c.w, m_.quadrupole[0][k],
                        m_.quadrupole[K::kQ ? 1 : 0][k], m_.quadrupole[K::kQ ? 2 : 0][k],
                        m_.quadrupole[K::kQ ? 3 : 0][k], m_.quadrupole[K::kQ ? 4 : 0][k],
                        m_.quadrupole[K::kQ ? 5 : 0][k], rinv);
                    if (K::kJ)
                        g6_cell_jerk(&s[q], dx, dy, dz, v.x - i_[q].vx, v.y - i_[q].vy,
                                     v.z - i_[q].vz, c.w, rinv);
                } else if (K::kJ) {
                    g6_pair_hermite(&s[q], dx, dy, dz, v.x - i_[q].vx, v.y - i_[q].vy,
                                    v.z - i_[q].vz, c.w, rinv);
                } else {
                    g6_pair_force(&s[q], dx, dy, dz, c.w, rinv);
                }
            }
        }
        flush(s);
        if (lane_ == 0) interactions += static_cast<unsigned long long>(cells_) * count_;
        cells_ = 0;
        __syncwarp();
    }

    __device__ void add_bodies()
    {
        if (__any_sync(kAll, careful_))
            body_sums<true>();
        else
            body_sums<false>();
        if (lane_ == 0) interactions += static_cast<unsigned long long>(bodies_) * count_;
        bodies_ = 0;
        careful_ = false;
        __syncwarp();
    }

    template <bool kCareful> __device__ void body_sums()
    {
        PairSumsT s[kI] = {};
        const int step = kI == 2 ? 1 : 32 / members_, part = kI == 2 ? 0 : lane_ / members_;
        [[maybe_unused]] float close[kI];
        if constexpr (kCareful && sizeof(Real) == 4)
            for (int q = 0; q < kI; q++) close[q] = close_of(extent_, i_[q].eps2);
        __syncwarp();
#pragma unroll(kCareful ? 1 : 4)
        for (int k = part; k < bodies_; k += step) {
            const Vec4<Real> b = m_.body[k];
            const Vec4<Real> v = K::kJ ? m_.body_v[K::kJ ? k : 0] : Vec4<Real>{};
            const Vec4<Real> l = K::kSplit ? m_.low[K::kSplit ? k : 0] : Vec4<Real>{};
#pragma unroll
            for (int q = 0; q < kI; q++) {
                const ITarget<Real> &i = i_[q];
                Real dx = b.x - i.x, dy = b.y - i.y, dz = b.z - i.z;
                if (K::kSplit) {
                    dx += l.x - i.lx;
                    dy += l.y - i.ly;
                    dz += l.z - i.lz;
                }
                const Real soft = g6_fma(dz, dz, g6_fma(dy, dy, g6_fma(dx, dx, i.eps2)));
                bool adds = true;
                if (kCareful) {
                    // In float soft may be 0 by underflow: then the pair is a close one.
                    adds = !is_own(m_.place[k], i) && (sizeof(Real) == 4 || soft > G6_COINCIDENT);
                    if (sizeof(Real) == 4 && adds && g6_length2(dx, dy, dz) < close[q]) {
                        const PairSumsD one = close_pair<K::kJ>(a_, i.number, m_.place[k]);
                        const double more[7] = {one.ax, one.ay, one.az, one.jx,
                                                one.jy, one.jz, one.pot};
#pragma unroll
                        for (int n = 0; n < 7; n++) sum_[q][n] += more[n];
                        adds = false;
                    }
                }
                const Real rinv = adds ? inverse_root(soft) : Real(0);
                if (K::kJ)
                    g6_pair_hermite(&s[q], dx, dy, dz, v.x - i.vx, v.y - i.vy, v.z - i.vz, b.w,
                                    rinv);
                else
                    g6_pair_force(&s[q], dx, dy, dz, b.w, rinv);
            }
        }
        flush(s);
    }

    __device__ __forceinline__ bool is_own(int p, const ITarget<Real> &i) const
    {
        if (i.own.x == i.own.y) return p == i.own.x;
        return p >= i.own.x && p <= i.own.y &&
               a_.tree.index[slot_at(a_.tree.body, p)] == a_.t.i.index[i.number];
    }

    __device__ __forceinline__ void flush(const PairSumsT (&s)[kI])
    {
#pragma unroll
        for (int q = 0; q < kI; q++) flush_lane<K::kJ>(sum_[q], s[q]);
    }

    __device__ void write()
    {
#pragma unroll
        for (int q = 0; q < kI; q++) {
            for (int d = 16; kI == 1 && d >= members_; d /= 2)
                for (int k = 0; k < 7; k++) sum_[q][k] += __shfl_xor_sync(kAll, sum_[q][k], d);
            const bool mine = (kI == 2 || lane_ < members_) && member(q) < count_;
            if (!mine) continue;
            const int n = i_[q].number;
            if (a_.out.forces) {
                write_force(a_.out.forces[n], sum_[q], a_.scale);
                continue;
            }
            Found found = nobody();
            if (a_.w.near) found = {a_.nearest[n].r2, a_.nearest[n].slot};
            write_sums(a_.out.sums[n], sum_[q], found, a_.scale, a_.j);
        }
    }

    const WalkArgs &a_;
    WarpMemory<K> &m_;
    const int lane_ = static_cast<int>(threadIdx.x % 32);
    ITarget<Real> i_[kI];
    double sum_[kI][7];
    GroupExtent extent_;
    int first_ = 0, count_ = 0;  // the group, in the order of keys
    int members_ = 1;            // count_, rounded up to a power of two
    int cells_ = 0, bodies_ = 0;
    bool careful_ = false;
};

}  // namespace g6::cuda
