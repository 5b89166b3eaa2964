// SPDX-License-Identifier: MIT
// Keeps the i-particles of a group that share one walk in the registers of a warp, and adds two
// batches in shared memory to their sums: cells that act as a whole, and bodies of opened leaves.
// The walk (tree_walker.cuh) fills the batches.
//
// In a group of 33 to 64 i-particles each lane has two i-particles (kI = 2).  In a smaller group it
// has one (kI = 1).  In a group of 16 or fewer, several lanes have the same i-particle.  They take
// the entries of a batch in turns, and write() adds their sums.
//
// Invariants
//  * The index alone tells an i-particle's own body, which adds nothing.  A body at a softened
//    distance squared of at most G6_COINCIDENT adds nothing either.
//  * The order of a sum follows from the batches and the group alone.
//
// Precision of positions:
//   single  relative to the middle of the group, rounded to float
//   mixed   relative to the middle of the group, cut into two floats; of cells the first float is
//           enough, because a cell within 1/16 of the group's half size is opened
//   double  as they are
// Sums over a batch are computed in this precision and then flushed to double.
#pragma once

#include "tree_access.cuh"
#include "tree_walk_data.cuh"

#include <climits>

namespace g6::cuda {

template <class K, int kI> class GroupSums {
public:
    using Real = typename K::Real;
    using PairSumsT = typename PairSums<Real>::Type;

    __device__ GroupSums(const WalkArgs &a, WarpMemory<K> &memory) : a_(a), m_(memory) {}

    unsigned long long interactions = 0, tests = 0;  // sums, and tests of the walk

protected:
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
            i_[q].own = own_of(a_.t, n);
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
        extent_.known = __any_sync(kAllLanes, known);
        extent_.unknown = __any_sync(kAllLanes, unknown);
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

    // A coordinate for the sums, relative to the group's middle.  Not so in double, where a far
    // i-particle in the group would take the last digits of all others.
    __device__ __forceinline__ double from_origin(double x, int d) const
    {
        return sizeof(Real) == 8 ? x : x - extent_.middle[d];
    }

    static __device__ __forceinline__ void cut(double d, Real &high, Real &low)
    {
        high = static_cast<Real>(d);
        low = static_cast<Real>(d - static_cast<double>(high));
    }

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
        if (__any_sync(kAllLanes, careful_))
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
                        flush_lane<true>(sum_[q], close_pair<K::kJ>(a_, i.number, m_.place[k]));
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
               a_.tree.j.index[slot_at(a_.tree.body, p)] == a_.t.i.index[i.number];
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
                for (int k = 0; k < 7; k++) sum_[q][k] += __shfl_xor_sync(kAllLanes, sum_[q][k], d);
            const bool mine = (kI == 2 || lane_ < members_) && member(q) < count_;
            if (!mine) continue;
            const int n = i_[q].number;
            if (a_.out.forces) {
                write_force(a_.out.forces[n], sum_[q], a_.units);
                continue;
            }
            Found found = nobody();
            if (a_.nearest) found = {a_.nearest[n].r2, a_.nearest[n].slot};
            write_sums(a_.out.sums[n], sum_[q], found, a_.units, a_.tree.j);
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
