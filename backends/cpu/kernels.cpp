// SPDX-License-Identifier: MIT
// Predictor, force and list kernels over tiles; compiled once for each instruction set (G6_ISA).
//
// Floor, mixed Hermite with nearest neighbour: 39 vector operations for kLanes pairs with AVX-512
// (differences of positions 9 and velocities 3, softened distance 3, root 5, force 7, jerk 11,
// nearest 1, loads folded in); the tile's sums add 28 for every kTile / kLanes of them.
#include "split_sums.h"

#include <new>

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
void predict_tile(const Tile &tile, double t, Motion motion, const Scale &scale, const Marks *acts,
                  void *out)
{
    auto &p = *static_cast<Predicted<Real> *>(out);
    constexpr bool narrow = sizeof(Real) == 4;
    constexpr double farthest = narrow ? G6_FARTHEST : G6_FARTHEST_DOUBLE,
                     fastest = narrow ? G6_FASTEST : G6_FASTEST_DOUBLE;
    const bool moving = motion != Motion::kAtRest, quartic = motion == Motion::kQuartic;
    const bool all_act = acts && acts->live == kTile;
    Box box;
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
            const D at = clamp(x * scale.length, farthest);
            store(p.x[c] + k, at);
            if (narrow && all_act) box.take(c, at);
            store(p.v[c] + k, clamp(v * scale.velocity, fastest));
        }
        store(p.mass + k, load<D>(tile.mass + k) * scale.mass);
    }
    if constexpr (narrow) {
        if (acts && !all_act) box = box_of(*acts, p);
        if (acts) split_in(box, p);
    }
}

// Exact search for a nearer neighbour in a tile that may hold one; ties stay with the lowest slot.
G6_INLINE void compare_neighbour(const Marks &tile, int k, double r2, int slot, const IParticle &i,
                                 Partial &best)
{
    const bool nearer =
        best.nn_slot < 0 || r2 < best.nn_r2 || (r2 == best.nn_r2 && slot < best.nn_slot);
    if (!nearer || !tile.alive[k] || tile.index[k] == i.index) return;
    best.nn_r2 = r2;
    best.nn_slot = slot;
}

template <class Stored>
__attribute__((noinline)) void nearest_in_tile(const Marks &tile, const Predicted<Stored> &p,
                                               int first_slot, const IParticle &i, Partial &best)
{
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const D d = g6_length2(load<D>(p.x[0] + k) - i.x[0], load<D>(p.x[1] + k) - i.x[1],
                               load<D>(p.x[2] + k) - i.x[2]);
        if (!any_le(d, D{} + best.nn_r2)) continue;
        for (int lane = 0; lane < kDoubleLanes; lane++)
            compare_neighbour(tile, k + lane, d[lane], first_slot + k + lane, i, best);
    }
}

// The same in some lanes of a float loop: bit l stands for entries l, l + kLanes ... of the tile.
__attribute__((noinline)) void nearest_in_lanes(const Marks &tile, const Predicted<float> &p,
                                                int first_slot, unsigned lanes, const IParticle &i,
                                                Partial &best)
{
    for (; lanes; lanes &= lanes - 1)
        for (int k = __builtin_ctz(lanes); k < kTile; k += kLanes) {
            const double d[3] = {p.x[0][k] - i.x[0], p.x[1][k] - i.x[1], p.x[2][k] - i.x[2]};
            const double r2 = fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0]));
            compare_neighbour(tile, k, r2, first_slot + k, i, best);
        }
}

// A tile whose smallest float r2 exceeds this holds nobody nearer: float r2 is good to 1e-6, or to
// its underflow.
struct SearchBound {
    float r2, softened;
    explicit SearchBound(const Partial &best, double eps2)
    {
        const auto above = [&](double x) {
            return best.nn_slot < 0 ? std::numeric_limits<float>::infinity()
                                    : static_cast<float>(x * (1 + 2e-6)) + 1e-30f;
        };
        r2 = above(best.nn_r2);
        softened = above(best.nn_r2 + eps2);
    }
};

// ---- many tiles -------------------------------------------------------------------------------

// A pass of one i-particle over many tiles.
template <bool jerk> struct Pass {
    const IParticle &i;
    Partial &out;
    Lanes lanes;
    TileSums<jerk> sums;
    SearchBound bound;

    Pass(const IParticle &particle, Partial &best)
        : i(particle), out(best), bound(best, particle.eps2)
    {
    }
    // About ln(tiles) of all tiles are searched, most of them in one lane.
    template <class Stored>
    G6_MEMBER void search(const Marks &tile, const Predicted<Stored> &p, int first_slot)
    {
        nearest_in_tile(tile, p, first_slot, i, out);
        bound = SearchBound(out, i.eps2);
    }
    G6_MEMBER void search_lanes(const Marks &tile, const Predicted<float> &p, int first_slot,
                                unsigned lanes)
    {
        constexpr int kFewLanes = 4;
        if (__builtin_popcount(lanes) > kFewLanes) return search(tile, p, first_slot);
        nearest_in_lanes(tile, p, first_slot, lanes, i, out);
        bound = SearchBound(out, i.eps2);
    }
};

template <bool jerk, bool near>
G6_INLINE void one_tile(const Marks &tile, const Predicted<double> &p, int first_slot,
                        Pass<jerk> &pass)
{
    using P = Full<double>;
    const IParticle &i = pass.i;
    // A softening whose float reciprocal powers could overflow protects no pair.
    const bool check = i.eps2 < G6_CLOSE || may_exclude(tile, i);
    const D nearest =
        check ? sum_tile<P, jerk, near, true>(tile, p, 0, kTile, i, pass.lanes).nearest
              : sum_tile<P, jerk, near, false>(tile, p, 0, kTile, i, pass.lanes).nearest;
    if (near && any_le(nearest, D{} + pass.bound.r2)) pass.search(tile, p, first_slot);
}

// Parts by differences of doubles; whether one may hold a nearer neighbour.
template <bool jerk, bool near>
__attribute__((noinline)) bool add_exactly(const Marks &tile, const Predicted<float> &p,
                                           unsigned parts, Pass<jerk> &pass)
{
    bool may_be_nearer = false;
    for (int part = 0; part < kParts; part++) {
        if (!(parts >> part & 1)) continue;
        const int first = part * kPart, last = first + kPart;
        const auto r = sum_tile<Mixed, jerk, near, true>(tile, p, first, last, pass.i, pass.lanes);
        may_be_nearer = may_be_nearer || (near && any_le(r.nearest, F{} + pass.bound.r2));
        if (any_le(r.closest, F{} + kCloseFloat))
            sum_tile<Full<float>, jerk, false, true>(tile, p, first, last, pass.i, pass.lanes);
    }
    return may_be_nearer;
}

// A whole tile by differences of doubles.
template <bool jerk, bool near>
G6_INLINE void one_tile_exactly(const Marks &tile, const Predicted<float> &p, int first_slot,
                                Pass<jerk> &pass)
{
    const IParticle &i = pass.i;
    bool may_be_nearer;
    if (i.eps2 < G6_CLOSE || may_exclude(tile, i)) {
        may_be_nearer = add_exactly<jerk, near>(tile, p, kAllParts, pass);
    } else {
        const auto r = sum_tile<Mixed, jerk, near, false>(tile, p, 0, kTile, i, pass.lanes);
        may_be_nearer = near && any_le(r.nearest, F{} + pass.bound.r2);
    }
    if (may_be_nearer) pass.search(tile, p, first_slot);
}

template <bool jerk, bool near, bool check>
G6_INLINE void one_tile(const Marks &tile, const Predicted<float> &p, int first_slot,
                        Pass<jerk> &pass)
{
    SplitSum<jerk, near || check> sum(pass.i, p.split);
    unsigned exact = exact_parts(tile, p.split, pass.i);
    if (!exact) {
        sum.add(p, 0, kTile);
    } else {
        for (int part = 0; part < kParts; part++)
            if (!(exact >> part & 1)) sum.add(p, part * kPart, (part + 1) * kPart);
    }
    const unsigned nearer = near ? bits_le(sum.closest, splat(pass.bound.softened)) : 0;
    if (check && any_le(sum.closest, splat(static_cast<float>(p.split.close2 * (1 + 1e-6)))))
        exact = kAllParts;
    else
        pass.sums.add(sum.sums);
    if (exact && add_exactly<jerk, near>(tile, p, exact, pass))
        pass.search(tile, p, first_slot);
    else if (nearer)
        pass.search_lanes(tile, p, first_slot, nearer);
}

template <bool jerk, bool near>
G6_INLINE void one_tile(const Marks &tile, const Predicted<float> &p, int first_slot,
                        Pass<jerk> &pass)
{
    // Softening keeps pairs apart, or the smallest distance is compared.
    if (pass.i.eps2 < p.split.close2 * (1 + 1e-6))
        one_tile<jerk, near, true>(tile, p, first_slot, pass);
    else
        one_tile<jerk, near, false>(tile, p, first_slot, pass);
}

template <class Stored, bool jerk, bool near, bool splits = true>
void force(const Marks *const *tiles, const void *predicted, int first, int last,
           const IParticle *i, int n, Partial *out)
{
    const auto *p = static_cast<const Predicted<Stored> *>(predicted);
    using P = Pass<jerk>;
    alignas(P) char room[kGroup * sizeof(P)];
    P *const pass = reinterpret_cast<P *>(room);
    for (int k = 0; k < n; k++) new (pass + k) P(i[k], out[k]);
    for (int t = first; t < last; t++)
        for (int k = 0; k < n; k++) {
            if constexpr (splits)
                one_tile<jerk, near>(*tiles[t], p[t], t * kTile, pass[k]);
            else
                one_tile_exactly<jerk, near>(*tiles[t], p[t], t * kTile, pass[k]);
        }
    for (int k = 0; k < n; k++) {
        Lanes &l = pass[k].lanes;
        if (sizeof(Stored) == 4) pass[k].sums.flush(l);
        const D sums[7] = {l.ax, l.ay, l.az, l.jx, l.jy, l.jz, l.pot};
        for (int c = 0; c < 3; c++) {
            out[k].acc[c] = lane_sum(sums[c]);
            out[k].jerk[c] = lane_sum(sums[3 + c]);
        }
        out[k].pot = lane_sum(sums[6]);
    }
}

template <class Stored>
int list(const Marks &tile, const void *predicted, const IParticle &i, bool own,
         std::int32_t *slots)
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
    static const Kernels table = [] {
        Kernels k = {
            G6_QUOTE(G6_ISA),
            {predict_tile<float>, predict_tile<double>},
            split,
            {{{force<float, false, false>, force<float, false, true>},
              {force<float, true, false>, force<float, true, true>}},
             {{force<double, false, false>, force<double, false, true>},
              {force<double, true, false>, force<double, true, true>}}},
            {{force<float, false, false, false>, force<float, false, true, false>},
             {force<float, true, false, false>, force<float, true, true, false>}},
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
