// SPDX-License-Identifier: MIT
// Prediction of one tile, for the files that are compiled once for each instruction set (G6_ISA).
#pragma once

#include "split_sums.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

#define G6_PREDICT_REAL D
#include "../../libg6gpu/formulas/predict.h"
#undef G6_PREDICT_REAL

// Entries `at` ... of run `run`, coordinate c; s: time since that of the particles.
template <Motion motion>
G6_INLINE void predict(const Tile &tile, int c, int run, int at, D s, D &x, D &v)
{
    x = load<D>(tile.place[run].x[c] + at);
    v = D{};
    if (motion == Motion::kAtRest) return;
    const Course &course = tile.course[run];
    const D v0 = load<D>(course.v[c] + at), a2 = load<D>(course.a2[c] + at),
            j6 = load<D>(course.j6[c] + at);
    if (motion == Motion::kCubic) {
        x = g6_predict_x_cubic(x, v0, a2, j6, s);
        v = g6_predict_v_cubic(v0, a2, j6, s);
    } else {
        const D k18 = load<D>(tile.snap[run].k18[c] + at);
        x = g6_predict_x(x, v0, a2, j6, k18, s);
        v = g6_predict_v(v0, a2, j6, k18, s);
    }
}

// Whether a coordinate in the box is at the limit of mixed.
G6_INLINE bool reaches_limit(const Box &box)
{
    constexpr unsigned kAll = (1u << kDoubleLanes) - 1;
    const D x = max(box.high[0], -box.low[0]), y = max(box.high[1], -box.low[1]),
            z = max(box.high[2], -box.low[2]);
    return bits_gt(D{} + G6_FARTHEST, max(x, max(y, z))) != kAll;
}

// Replaces the particles of a predicted tile that have a coordinate beyond the limit of mixed, as
// range.h says.  The others are right already.
template <Motion motion>
__attribute__((noinline)) void bring_near(const Tile &tile, double t, const Scale &scale,
                                          Predicted<float> &p)
{
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const int run = k / kRun, at = k % kRun;
        const D s = motion == Motion::kAtRest ? D{} : t - load<D>(tile.course[run].t + at);
        D x[3], v;
        for (int c = 0; c < 3; c++) {
            predict<motion>(tile, c, run, at, s, x[c], v);
            x[c] *= scale.length;
        }
        const D largest = max(max(x[0], -x[0]), max(max(x[1], -x[1]), max(x[2], -x[2])));
        for (int lane = 0; lane < kDoubleLanes; lane++) {
            if (!(largest[lane] > G6_FARTHEST)) continue;
            const double nearer = G6_NEARER(largest[lane], G6_FARTHEST);
            for (int c = 0; c < 3; c++) p.x[c][k + lane] = clamp(x[c] * nearer, G6_FARTHEST)[lane];
            const D mass = D{} + tile.place[run].mass[at + lane] * scale.mass * nearer;
            p.mass[k + lane] = static_cast<float>(clamp(mass, kHeaviestFloat)[lane]);
        }
    }
}

// plain: with no factor but that of mass, and inside all limits.  boxed: box grows to hold the
// positions.
template <class Real, Motion motion, bool plain, bool boxed>
G6_INLINE void predict_all(const Tile &tile, double t, const Scale scale, Predicted<Real> &p,
                           Box &box)
{
    constexpr bool narrow = sizeof(Real) == 4;
    constexpr double farthest = narrow ? G6_FARTHEST : G6_FARTHEST_DOUBLE,
                     fastest = narrow ? G6_FASTEST : G6_FASTEST_DOUBLE,
                     heaviest = narrow ? kHeaviestFloat : kHeaviestDouble;
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const int run = k / kRun, at = k % kRun;
        const D s = motion == Motion::kAtRest ? D{} : t - load<D>(tile.course[run].t + at);
        for (int c = 0; c < 3; c++) {
            D x, v;
            predict<motion>(tile, c, run, at, s, x, v);
            if (!plain) x = clamp(x * scale.length, farthest);
            if (!plain && motion != Motion::kAtRest)
                v = clamp((v - scale.common_velocity[c]) * scale.velocity, fastest);
            store(p.x[c] + k, x);
            if (boxed) box.take(c, x);
            store(p.v[c] + k, v);
        }
        const D mass = load<D>(tile.place[run].mass + at) * scale.mass;
        store(p.mass + k, plain ? mass : clamp(mass, heaviest));
    }
    if constexpr (boxed && !plain)
        if (reaches_limit(box)) bring_near<motion>(tile, t, scale, p);
}

template <class Real, Motion motion>
G6_INLINE void predict_all(const Prediction &how, const Tile &tile, Predicted<Real> &p, Box &box)
{
    constexpr bool narrow = sizeof(Real) == 4;
    if (!how.plain)
        predict_all<Real, motion, false, narrow>(tile, how.t, how.scale, p, box);
    else if (narrow && how.split)
        predict_all<Real, motion, true, narrow>(tile, how.t, how.scale, p, box);
    else
        predict_all<Real, motion, true, false>(tile, how.t, how.scale, p, box);
}

template <class Real> void predict_tile(const Prediction &how, int t, const Marks &acts, void *out)
{
    auto &p = *static_cast<Predicted<Real> *>(out);
    const Tile &tile = *how.tiles[t];
    Box box;
    if (how.motion == Motion::kAtRest)
        predict_all<Real, Motion::kAtRest>(how, tile, p, box);
    else if (how.motion == Motion::kCubic)
        predict_all<Real, Motion::kCubic>(how, tile, p, box);
    else
        predict_all<Real, Motion::kQuartic>(how, tile, p, box);
    if constexpr (sizeof(Real) == 4)
        if (how.split) split_in(acts.live == kTile ? box : box_of(acts, p), p);
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
