// SPDX-License-Identifier: MIT
// Predictor, force and list kernels over tiles; compiled once for each instruction set (G6_ISA).
//
// Floor, mixed Hermite with nearest neighbour: 52 vector operations for kLanes pairs (difference 9
// double and 6 conversions, velocity 3, distance 4, root 5, force 7, jerk 11, nearest 1, loads
// folded in); the tile's flush adds 28 for every kTile / kLanes of them.
#include "sums.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

#define G6_PREDICT_REAL D
#include "../../libg6gpu/formulas/predict.h"
#undef G6_PREDICT_REAL

// ---- prediction -------------------------------------------------------------------------------

G6_INLINE void store(double *p, D value)
{
    *reinterpret_cast<D *>(p) = value;
}
G6_INLINE void store(float *p, D value)
{
    *reinterpret_cast<HalfF *>(p) = __builtin_convertvector(value, HalfF);
}

template <class Real>
void predict_tile(const Tile &tile, double t, Motion motion, const Scale &scale, void *out)
{
    auto &p = *static_cast<Predicted<Real> *>(out);
    constexpr bool narrow = sizeof(Real) == 4;
    constexpr double farthest = narrow ? G6_FARTHEST : G6_FARTHEST_DOUBLE,
                     fastest = narrow ? G6_FASTEST : G6_FASTEST_DOUBLE;
    const bool moving = motion != Motion::kAtRest, quartic = motion == Motion::kQuartic;
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const D s = t - load<D>(tile.t + k);
        for (int c = 0; c < 3; c++) {
            D x = load<D>(tile.x[c] + k), v{};
            if (moving) {
                const D v0 = load<D>(tile.v[c] + k), a2 = load<D>(tile.a2[c] + k),
                        j6 = load<D>(tile.j6[c] + k);
                const D k18 = quartic ? load<D>(tile.k18[c] + k) : D{};
                x = g6_predict_x(x, v0, a2, j6, k18, s);
                v = g6_predict_v(v0, a2, j6, k18, s);
            }
            store(p.x[c] + k, clamp(x * scale.length, farthest));
            store(p.v[c] + k, clamp(v * scale.velocity, fastest));
        }
        store(p.mass + k, load<D>(tile.mass + k) * scale.mass);
    }
}

// Exact search for a nearer neighbour in a tile that may hold one; ties stay with the lowest slot.
template <class Stored>
__attribute__((noinline)) void nearest_in_tile(const Marks &tile, const Predicted<Stored> &p,
                                               int first_slot, const IParticle &i, Partial &best)
{
    alignas(64) double r2[kTile];
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const D d = g6_length2(load<D>(p.x[0] + k) - i.x[0], load<D>(p.x[1] + k) - i.x[1],
                               load<D>(p.x[2] + k) - i.x[2]);
        const D exact =
            Full<double>::mask(tile.alive + k, tile.index + k, i.index, d, D{} + kInfinity);
        store(r2 + k, exact);
        if (!any_le(exact, D{} + best.nn_r2)) continue;
        for (int lane = k; lane < k + kDoubleLanes; lane++) {
            const bool counts = tile.alive[lane] && tile.index[lane] != i.index;
            if (counts && (r2[lane] < best.nn_r2 || best.nn_slot < 0)) {
                best.nn_r2 = r2[lane];
                best.nn_slot = first_slot + lane;
            }
        }
    }
}

// A tile whose smallest float r2 exceeds this holds nobody nearer: float r2 is good to 1e-6, or to
// its underflow.
G6_INLINE float search_bound(const Partial &best)
{
    return best.nn_slot < 0 ? std::numeric_limits<float>::infinity()
                            : static_cast<float>(best.nn_r2 * (1 + 2e-6)) + 1e-30f;
}

// ---- many tiles -------------------------------------------------------------------------------

template <class P, bool jerk, bool near, class Stored>
G6_INLINE void one_tile(const Marks &tile, const Predicted<Stored> &p, int first_slot,
                        const IParticle &i, bool small_eps, Lanes &lanes, float &bound,
                        Partial &out)
{
    typename P::V nearest;
    if (needs_check(tile, i, small_eps)) {
        const TileResult<P> r = sum_tile<P, jerk, near, true>(tile, p, kTile, i, lanes);
        nearest = r.nearest;
        if (std::is_same<P, Mixed>::value && any_le(r.closest, typename P::V{} + kCloseFloat))
            sum_tile<Full<Stored>, jerk, false, true>(tile, p, kTile, i, lanes);
    } else {
        nearest = sum_tile<P, jerk, near, false>(tile, p, kTile, i, lanes).nearest;
    }
    // About ln(tiles) of all tiles are searched.
    if (near && any_le(nearest, typename P::V{} + bound)) {
        nearest_in_tile(tile, p, first_slot, i, out);
        bound = search_bound(out);
    }
}

template <class P, bool jerk, bool near>
void force(const Marks *const *tiles, const void *predicted, int first, int last, const IParticle *i,
           int n, Partial *out)
{
    using Stored = typename P::Real;
    const auto *p = static_cast<const Predicted<Stored> *>(predicted);
    Lanes lanes[kGroup];
    float bound[kGroup];
    for (int k = 0; k < n; k++) bound[k] = search_bound(out[k]);
    for (int t = first; t < last; t++)
        for (int k = 0; k < n; k++) {
            // A softening whose float reciprocal powers could overflow protects no pair.
            const bool small_eps = i[k].eps2 < static_cast<double>(kCloseFloat);
            one_tile<P, jerk, near>(*tiles[t], p[t], t * kTile, i[k], small_eps, lanes[k], bound[k],
                                    out[k]);
        }
    for (int k = 0; k < n; k++) {
        const Lanes &l = lanes[k];
        const D sums[7] = {l.ax, l.ay, l.az, l.jx, l.jy, l.jz, l.pot};
        for (int c = 0; c < 3; c++) {
            out[k].acc[c] = lane_sum(sums[c]);
            out[k].jerk[c] = lane_sum(sums[3 + c]);
        }
        out[k].pot = lane_sum(sums[6]);
    }
}

template <class Stored>
int list(const Marks &tile, const void *predicted, const IParticle &i, bool own, std::int32_t *slots)
{
    const auto &p = *static_cast<const Predicted<Stored> *>(predicted);
    int n = 0;
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const D r2 = g6_length2(load<D>(p.x[0] + k) - i.x[0], load<D>(p.x[1] + k) - i.x[1],
                                load<D>(p.x[2] + k) - i.x[2]);
        if (!any_le(r2, D{} + i.h2)) continue;
        for (int lane = 0; lane < kDoubleLanes; lane++)
            if (r2[lane] < i.h2 && tile.alive[k + lane] && (own || tile.index[k + lane] != i.index))
                slots[n++] = k + lane;
    }
    return n;
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE

namespace g6::cpu {

const Kernels &G6_JOIN(kernels, G6_ISA)()
{
    using namespace G6_ISA_NAMESPACE;
#define G6_QUOTE2(name) #name
#define G6_QUOTE(name) G6_QUOTE2(name)
    using Dbl = Full<double>;
    static const Kernels table = [] {
        Kernels k = {
            G6_QUOTE(G6_ISA),
            {predict_tile<float>, predict_tile<double>},
            {{{force<Mixed, false, false>, force<Mixed, false, true>},
              {force<Mixed, true, false>, force<Mixed, true, true>}},
             {{force<Dbl, false, false>, force<Dbl, false, true>},
              {force<Dbl, true, false>, force<Dbl, true, true>}}},
            {list<float>, list<double>},
            {},
            &G6_JOIN(point_kernels, G6_ISA)(),
        };
        G6_JOIN(add_list_entries, G6_ISA)(k.lists);
        G6_JOIN(add_list_kernels, G6_ISA)(k.lists);
        return k;
    }();
    return table;
}

}  // namespace g6::cpu
