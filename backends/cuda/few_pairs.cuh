// SPDX-License-Identifier: MIT
// The pairs of a thread block of few.cu: predicted j-particles in shared memory with the
// i-particle of a thread, in double or with floats.
//
// Invariants
//  * With floats, differences of positions are formed in double and rounded once, so that they have
//    24 correct bits however close a pair is.  A float sum has at most kFlush terms.
//  * Pairs that may be neighbours or too close for floats (G6_CLOSE) are noted, and computed in
//    double after all other pairs.  The nearest body by floats is taken where the second nearest is
//    clearly farther; elsewhere all bodies are compared in double.  So the nearest neighbour and
//    the lists are those of distances in double.
//  * All functions in the loops over pairs are inlined: a call would cost registers in each round.
//
// Instructions a pair with floats: 3 subtractions in double and 3 conversions, of which a
// multiprocessor does 64 and 16 a clock; distance 4, root 1, own index 2, nearest 6, limit 1,
// velocity 3, force 7, jerk 11, reads of shared memory 3, loop 2: 46 on sm_90.  In double 64.
#pragma once

#include "few.h"
#include "particles.cuh"

#include <climits>

namespace g6::cuda {
namespace few {

constexpr int kThreads = kFewThreads, kWarps = kThreads / 32;
constexpr int kFlush = 64;  // pairs
constexpr int kAtOnce = 4;  // bodies in a row that a thread computes at the same time

// A j-particle at the time of the block, in 16-byte words.  id.x: its index; id.y: 0 for an empty
// slot.
struct BodyD {
    double x[3], v[3], m;
    int2 id;
};
struct BodyF {
    double x[3];
    int2 id;
    float v[3], m;
};

// With floats, an empty slot, which has no mass, is placed farther away than any particle
// (G6_FARTHEST), so that it is not taken for the nearest one.
constexpr double kNowhere = 1e18;
template <class Body> static __device__ __forceinline__ Body body_of(const PredictedBody &p)
{
    Body b;
    for (int c = 0; c < 3; c++) {
        b.x[c] = sizeof b.m == 4 && !p.id.y ? kNowhere : p.x[c];
        b.v[c] = p.v[c];
    }
    b.m = p.m;
    b.id = p.id;
    return b;
}

template <class T> static __device__ __forceinline__ T read_words(const T &from)
{
    static_assert(sizeof(T) % sizeof(double2) == 0);
    T to;
    for (unsigned k = 0; k < sizeof(T) / sizeof(double2); k++)
        reinterpret_cast<double2 *>(&to)[k] = reinterpret_cast<const double2 *>(&from)[k];
    return to;
}

struct Target {                   // an i-particle in device units
    double x[3], v[3], eps2, h2;  // h2 < 0: no list
    int index;
};

static __device__ __forceinline__ Target target(const double *words, const FewRequest &r)
{
    Target i;
    for (int c = 0; c < 3; c++) {
        i.x[c] = words[c] * r.scale.length;
        i.v[c] = (words[kIVWord + c] - r.scale.common_velocity[c]) * r.scale.velocity;
    }
    i.eps2 = words[kIEps2Word] * r.scale.length * r.scale.length;
    i.h2 = r.lists ? words[kIH2Word] * r.scale.length * r.scale.length : -1;
    i.index = __double2loint(words[kIIdentityWord]);
    return i;
}

// What a thread has summed for its i-particle.
struct Sums {
    double value[7];
    Found found;
};

// Adds a pair in double.
static __device__ __forceinline__ void add_double(Sums &s, const double (&d)[3],
                                                  const double (&v)[3], double m, double rinv)
{
    PairSumsD sums = {s.value[0], s.value[1], s.value[2], s.value[3],
                      s.value[4], s.value[5], s.value[6]};
    g6_pair_hermite(&sums, d[0], d[1], d[2], v[0], v[1], v[2], m, rinv);
    s.value[0] = sums.ax;
    s.value[1] = sums.ay;
    s.value[2] = sums.az;
    s.value[3] = sums.jx;
    s.value[4] = sums.jy;
    s.value[5] = sums.jz;
    s.value[6] = sums.pot;
}

// ---- neighbour lists ----------------------------------------------------------------------------

// i: the i-particle to whose list this thread adds; -1: none.  own: lists hold bodies with the
// i-particle's own index, too.
struct Lister {
    const FewMemory &memory;
    int i;
    bool own;
};

// A count above kMostHits tells the host that entries are missing.  Above it hits are not counted,
// so that the count cannot overflow to 0.
static __device__ void add_hit(const FewMemory &memory, int i, int slot, int index)
{
    if (*static_cast<volatile unsigned *>(memory.hits) > kMostHits) return;
    const unsigned place = atomicAdd(memory.hits, 1u);
    if (place < kMostHits) memory.hit[place] = {i, slot, index};
}

// Enters the pair into the list if it belongs there.
static __device__ __forceinline__ void list_pair(const Lister &list, double r2, int2 id, int slot,
                                                 const Target &i)
{
    if (r2 < i.h2 && list.i >= 0 && id.y && (list.own || id.x != i.index))
        add_hit(list.memory, list.i, slot, id.x);
}

// The first and the last place of the pairs that a thread computes again after all others.
struct Noted {
    int first = INT_MAX, last = -1;
    __device__ __forceinline__ void add(int k)
    {
        first = min(first, k);
        last = k;
    }
};

// ---- pairs in double ----------------------------------------------------------------------------

// Enters those of the bodies noted.first, noted.first + step, ... noted.last that are neighbours
// into the list.
static __device__ __noinline__ void list_pairs(const BodyD *body, Noted noted, int step, int slot,
                                               const double *words, const FewRequest &r,
                                               const Lister &list)
{
    const Target i = target(words, r);
    for (int k = noted.first; k <= noted.last; k += step) {
        const BodyD &j = body[k];
        const double r2 = g6_length2(j.x[0] - i.x[0], j.x[1] - i.x[1], j.x[2] - i.x[2]);
        list_pair(list, r2, j.id, slot + k, i);
    }
}

// Adds the bodies first, first + step ... below n.  slot: that of body 0.  words: the i-particle as
// the host sent it.
static __device__ __forceinline__ void add_pairs(Sums &s, const BodyD *body, int first, int step,
                                                 int n, int slot, const double *words,
                                                 const FewRequest &r, const Lister &list)
{
    const Target i = target(words, r);
    Noted neighbours;
#pragma unroll 1
    for (int k = first; k < n; k += step) {
        const BodyD j = read_words(body[k]);
        const double d[3] = {j.x[0] - i.x[0], j.x[1] - i.x[1], j.x[2] - i.x[2]},
                     v[3] = {j.v[0] - i.v[0], j.v[1] - i.v[1], j.v[2] - i.v[2]};
        const double r2 = g6_length2(d[0], d[1], d[2]), soft = r2 + i.eps2;
        const bool counts = j.id.y && j.id.x != i.index;
        // Slots come in ascending order: the first of equals stays.
        const bool nearer = counts & ((r2 < s.found.r2) | (s.found.slot < 0));
        s.found.r2 = nearer ? r2 : s.found.r2;
        s.found.slot = nearer ? slot + k : s.found.slot;
        if (r2 < i.h2) neighbours.add(k);
        add_double(s, d, v, j.m, counts && soft > G6_COINCIDENT ? inverse_root(soft) : 0.0);
    }
    if (neighbours.last >= 0) list_pairs(body, neighbours, step, slot, words, r, list);
}

// ---- pairs with floats --------------------------------------------------------------------------

// A distance squared in float is off by less than 2^-21 of itself where it is a normal number.
constexpr float kAbove = 1 + 0x1p-20f;
static __device__ __forceinline__ float limit_above(double r2)
{
    return static_cast<float>(fmin(r2, 1e38)) * kAbove + 1e-36f;
}

// The nearest body by distances in float, and the distance of the second nearest.
struct Nearest {
    float r2, second;
    int k;
    __device__ __forceinline__ void add(float other, int number)
    {
        second = fminf(second, fmaxf(r2, other));
        k = other < r2 ? number : k;
        r2 = fminf(r2, other);
    }
};

static __device__ __forceinline__ float distance2(const BodyF &j, const Target &i, float (&d)[3])
{
    for (int c = 0; c < 3; c++) d[c] = static_cast<float>(j.x[c] - i.x[c]);
    return g6_length2(d[0], d[1], d[2]);
}

// Takes kAtOnce bodies from noted.first on, kAtOnce from noted.first + step on, and so on up to
// noted.last.  Adds the bodies within the limit in double, and enters neighbours into the list.
static __device__ __noinline__ void add_near_pairs(Sums *s, const BodyF *body, Noted noted,
                                                   int step, float limit, int slot,
                                                   const double *words, const FewRequest &r,
                                                   const Lister &list)
{
    const Target i = target(words, r);
    for (int k = noted.first; k <= noted.last; k += step)
        for (int q = k; q < k + kAtOnce; q++) {
            float ignored[3];
            const BodyF j = read_words(body[q]);
            if (!(distance2(j, i, ignored) <= limit)) continue;
            const double d[3] = {j.x[0] - i.x[0], j.x[1] - i.x[1], j.x[2] - i.x[2]},
                         v[3] = {j.v[0] - i.v[0], j.v[1] - i.v[1], j.v[2] - i.v[2]};
            const double r2 = g6_length2(d[0], d[1], d[2]), soft = r2 + i.eps2;
            list_pair(list, r2, j.id, slot + q, i);
            if (j.id.y && j.id.x != i.index && soft > G6_COINCIDENT)
                add_double(*s, d, v, j.m, inverse_root(soft));
        }
}

// Compares a body with the nearest one so far, by distances in double.
static __device__ __forceinline__ void compare(Found &found, const BodyF &j, int slot,
                                               const Target &i)
{
    if (!j.id.y || j.id.x == i.index) return;
    found.add(g6_length2(j.x[0] - i.x[0], j.x[1] - i.x[1], j.x[2] - i.x[2]), slot);
}

// Finds the nearest of the bodies first ... first + kAtOnce - 1, of the kAtOnce bodies from first +
// step on, and so on, up to body n - 1.
static __device__ __noinline__ Found nearest_of_all(const BodyF *body, int first, int step, int n,
                                                    int slot, const double *words,
                                                    const FewRequest &r)
{
    const Target i = target(words, r);
    Found found = nobody();
    for (int k = first; k < n; k += step)
        for (int q = k; q < min(k + kAtOnce, n); q++) compare(found, body[q], slot + q, i);
    return found;
}

// Adds some of n bodies in float: `groups` groups of threads take turns at kAtOnce bodies in a
// row, and this thread is in group number `group`.  The array is filled up with empty slots to a
// multiple of kAtOnce.  words: the i-particle as the host sent it.
static __device__ __forceinline__ void add_pairs(Sums &s, const BodyF *body, int group, int groups,
                                                 int n, int slot, const double *words,
                                                 const FewRequest &r, const Lister &list)
{
    const int first = group * kAtOnce, step = groups * kAtOnce;
    if (first >= n) return;
    const Target i = target(words, r);
    const float eps2 = static_cast<float>(i.eps2),
                v[3] = {static_cast<float>(i.v[0]), static_cast<float>(i.v[1]),
                        static_cast<float>(i.v[2])};
    const float limit = limit_above(fmax(i.h2, fmax(0.0, G6_CLOSE - i.eps2)));
    Nearest nearest{HUGE_VALF, HUGE_VALF, first};
    Noted noted;  // bodies within the limit
    for (int begin = first; begin < n; begin += groups * kFlush) {
        PairSumsF sums = {0, 0, 0, 0, 0, 0, 0};
        const int end = min(n, begin + groups * kFlush);
        for (int k = begin; k < end; k += step) {
            BodyF j[kAtOnce];
            float d[kAtOnce][3], r2[kAtOnce];
            float apart[kAtOnce];  // r2; infinite where the force of the pair is not added here
            bool any_near = false;
#pragma unroll
            for (int q = 0; q < kAtOnce; q++) {
                j[q] = read_words(body[k + q]);
                r2[q] = distance2(j[q], i, d[q]);
                apart[q] = j[q].id.x != i.index ? r2[q] : HUGE_VALF;
                nearest.add(apart[q], k + q);
                any_near = any_near || r2[q] <= limit;
            }
            if (any_near) {
#pragma unroll
                for (int q = 0; q < kAtOnce; q++)
                    if (r2[q] <= limit) apart[q] = HUGE_VALF;
                noted.add(k);
            }
#pragma unroll
            for (int q = 0; q < kAtOnce; q++)
                g6_pair_hermite(&sums, d[q][0], d[q][1], d[q][2], j[q].v[0] - v[0],
                                j[q].v[1] - v[1], j[q].v[2] - v[2], j[q].m,
                                inverse_root(apart[q] + eps2));
        }
        flush_lane<true>(s.value, sums);
    }
    if (noted.last >= 0) {
        Sums near{};
        add_near_pairs(&near, body, noted, step, limit, slot, words, r, list);
        for (int c = 0; c < 7; c++) s.value[c] += near.value[c];
    }
    if (!r.near) return;
    if (nearest.second > limit_above(nearest.r2) && body[nearest.k].id.y) {
        compare(s.found, body[nearest.k], slot + nearest.k, i);
    } else {
        const Found one = nearest_of_all(body, first, step, n, slot, words, r);
        s.found.add(one.r2, one.slot);
    }
}

}  // namespace few
}  // namespace g6::cuda
