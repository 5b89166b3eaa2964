// SPDX-License-Identifier: MIT
// The moments of a cell, as sums over its parts: a leaf's bodies, or a cell's children.  One lane
// sums a leaf, eight lanes share the children of a cell.
#pragma once

#include "particles.cuh"
#include "tree_access.cuh"

#include <limits>

namespace g6::cuda {

// The lanes that sum one cell.  A leaf has one lane: with eight, shuffles would cost more than they
// save for its few bodies.  A cell with children has eight, one for each child, and the whole warp
// calls, because shuffles of parts of a warp would run one after the other.
template <int kLanes> struct CellLanes {
    int mine = threadIdx.x % kLanes;

    template <class T, class Op> __device__ __forceinline__ void join(T &x, Op &&op) const
    {
        for (int d = kLanes / 2; d; d /= 2) x = op(x, __shfl_xor_sync(kAllLanes, x, d));
    }
    __device__ __forceinline__ bool any(bool x) const
    {
        if (kLanes == 1) return x;
        return __ballot_sync(kAllLanes, x) >> (threadIdx.x % 32 / kLanes * kLanes) &
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

// Sums over the parts of a cell; size: sum of |m|; x and v: sums of |m| x and |m| v.  Edge: type of
// the box's edges: double for a leaf, whose box is made from bodies, else float.
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

// Sums about the centre of mass: largest distance of a body, sum of |m| d^2, sum of m d d^T.
struct SecondMoments {
    double reach = 0, size2 = 0, s[6] = {0, 0, 0, 0, 0, 0};

    template <class L> __device__ __forceinline__ void join(const L &lanes, bool quadrupole)
    {
        lanes.most(reach);
        lanes.add(size2);
        for (int n = 0; quadrupole && n < 6; n++) lanes.add(s[n]);
    }
};

// All bodies of a leaf, for its one lane.
struct LeafPart {
    using Edge = double;
    const Bodies &b;
    const Vec4<double> *at;  // at[k]: the body at place shift + k, or a copy of it
    int shift, first, end;

    __device__ LeafPart(const Bodies &bodies, const Structure &c, const Vec4<double> *some,
                        int from)
        : b(bodies), at(some), shift(from), first(c.first), end(c.first + c.count)
    {
    }
    __device__ void add_to(Moments<double> &m) const
    {
        for (int p = first; p < end; p++) {
            const Vec4<double> body = at[p - shift];
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
            const Vec4<double> body = at[p - shift];
            const double d[3] = {body.x - x[0], body.y - x[1], body.z - x[2]},
                         d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            far2 = fmax(far2, d2);
            s.size2 += fabs(body.w) * d2;
            g6_add_second(s.s, body.w, d);
        }
        s.reach = sqrt(far2);
    }
};

// One child of a cell, or none, for each of eight lanes.
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
        g6_add_second(s.s, c.mass, d);
    }
};

}  // namespace g6::cuda
