// SPDX-License-Identifier: MIT
// Prediction of one tile, for the files that are compiled once for each instruction set (G6_ISA).
#pragma once

#include "split_sums.h"

#include <limits>

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

#define G6_PREDICT_REAL D
#include "../../libg6gpu/formulas/predict.h"
#undef G6_PREDICT_REAL

constexpr double kLost = std::numeric_limits<double>::quiet_NaN();

// Entries `at` ... of run `run`, coordinate c; s: time since that of the particles.
template <Motion motion>
G6_INLINE void predict(const Tile &tile, int c, int run, int at, D s, D &x, D &v)
{
    x = load<D>(tile.position[run].x[c] + at);
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

// plain: mass alone has a factor, and no particle is beyond a limit of range.h (which says what
// becomes of one that is).  boxed: box grows to hold the positions.
template <class Real, Motion motion, bool plain, bool boxed>
G6_INLINE void predict_all(const Tile &tile, double t, const Scale scale, Predicted<Real> &p,
                           Box &box)
{
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const int run = k / kRun, at = k % kRun;
        const D s = motion == Motion::kAtRest ? D{} : t - load<D>(tile.course[run].t + at);
        IntD within = ~IntD{};
        const auto limit = [&](D u, double most) {
            const D limited = clamp(u, most);
            within &= limited == u;
            return limited;
        };
        for (int c = 0; c < 3; c++) {
            D x, v;
            predict<motion>(tile, c, run, at, s, x, v);
            if (!plain) x = limit(x * scale.length, G6_FARTHEST);
            if (!plain && motion != Motion::kAtRest)
                v = limit((v - scale.common_velocity[c]) * scale.velocity, G6_FASTEST);
            store(p.x[c] + k, x);
            if (boxed) box.cover(c, x);
            store(p.v[c] + k, v);
        }
        const D mass = load<D>(tile.position[run].mass + at) * scale.mass;
        store(p.mass + k, plain ? mass : within ? mass : D{} + kLost);
    }
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
