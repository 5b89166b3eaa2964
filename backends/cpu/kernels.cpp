// SPDX-License-Identifier: MIT
// Predictor, force and list kernels over tiles; compiled once for each instruction set (G6_ISA).
//
// Floor, mixed Hermite with nearest neighbour: 39 vector operations for kLanes pairs with AVX-512
// (differences of positions 9 and velocities 3, softened distance 3, root 5, force 7, jerk 11,
// smallest distance 1, loads folded in).  For each tile and i-particle the sums add 28 operations,
// and the search for the nearest neighbour 5.
#include "nearest.h"
#include "predict_tile.h"
#include "split_sums.h"

#include <cstring>
#include <new>

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// ---- many tiles -------------------------------------------------------------------------------

// The sums of one i-particle while it passes over many tiles.  Real: the type in which the loops
// compute pairs.
template <class Real, bool jerk> struct Pass {
    const IParticle &i;
    const InFloat in_float;
    Partial &out;
    Lanes lanes;
    D total[8 / kDoubleLanes]{};  // ax, ay, az, jx, jy, jz, pot, 0
    const float close_eps2;       // softening squared, with the slack of Split::close2
    NearestSearch<Real> nearest;

    Pass(const IParticle &particle, Partial &best)
        : i(particle), in_float(particle), out(best),
          close_eps2(static_cast<float>(particle.eps2 * kSlack)), nearest(particle, best)
    {
        lanes.clear();
    }
    // Adds the sums of the last tiles to the total, and begins new ones.
    G6_MEMBER void end_sum()
    {
        const D all[8] = {lanes.ax, lanes.ay, lanes.az,  lanes.jx,
                          lanes.jy, lanes.jz, lanes.pot, {}};
        for (int k = 0; k < 8; k += kDoubleLanes) total[k / kDoubleLanes] += lane_sums(all + k);
        lanes.clear();
    }
    void write_total() const
    {
        double sum[8];
        std::memcpy(sum, total, sizeof sum);
        for (int c = 0; c < 3; c++) {
            out.acc[c] = sum[c];
            out.jerk[c] = sum[3 + c];
        }
        out.pot = sum[6];
    }
};

// Adds the sums over one tile to a pass, in double.  number: the place of the tile among the tiles
// of the pass.
template <bool jerk, bool near>
G6_INLINE void one_tile(const Tiles<double> &tiles, int number, Pass<double, jerk> &pass,
                        Fetch &fetch)
{
    using P = Full<double>;
    const IParticle &i = pass.i;
    const Marks &tile = tiles.acts(number);
    const Predicted<double> &p = tiles.at(number);
    for (int part = 0; part < kParts; part++) fetch.step();
    // A softening whose float reciprocal powers could overflow protects no pair.
    const bool check = i.eps2 < G6_CLOSE || may_exclude(tile, i);
    const D nearest =
        check ? sum_tile<P, jerk, near, true>(tile, p, 0, kTile, i, pass.lanes).nearest
              : sum_tile<P, jerk, near, false>(tile, p, 0, kTile, i, pass.lanes).nearest;
    if (near) pass.nearest.note(tiles, number, nearest);
}

// Adds the sums over one tile, with differences of positions taken in double.  Returns the smallest
// softened distance squared of each lane.
template <bool jerk, bool near>
__attribute__((noinline)) F add_exactly(const Tiles<float> &tiles, int number,
                                        Pass<float, jerk> &pass)
{
    const Marks &tile = tiles.acts(number);
    const Predicted<float> &p = tiles.at(number);
    F nearest = F{} + std::numeric_limits<float>::infinity();
    for (int part = 0; part < kParts; part++) {
        const int first = part * kEntriesAtOnce, last = first + kEntriesAtOnce;
        const auto r = sum_tile<Mixed, jerk, near, true>(tile, p, first, last, pass.i, pass.lanes);
        if (near) nearest = min(nearest, r.nearest);
        if (any_le(r.closest, F{} + kCloseFloat))
            sum_tile<Full<float>, jerk, false, true>(tile, p, first, last, pass.i, pass.lanes);
    }
    return nearest + static_cast<float>(pass.i.eps2);
}

// The float loops over one tile.
template <class Difference, bool jerk>
G6_INLINE void sum_in_float(const Marks &tile, const Predicted<float> &p,
                            const Difference &difference, const Pass<float, jerk> &pass,
                            Fetch &fetch, FloatResult<jerk> &out)
{
    FloatSum<Difference, jerk> sum(difference, pass.in_float);
    // The compiler is told which way most tiles go: else GCC 12 makes this loop 3 % slower.
    if (__builtin_expect(!may_exclude(tile, pass.i), true))
        sum.add(p, fetch);
    else
        sum.add(tile, pass.i.index, p, fetch);
    out.set(sum.sums, sum.closest);
}

// Adds what the float loops gave for a tile, or sums the tile exactly where floats are not good
// enough.
template <class Difference, bool jerk, bool near>
G6_INLINE void add_result(const Tiles<float> &tiles, int number, const FloatResult<jerk> &result,
                          Pass<float, jerk> &pass)
{
    const float close = Difference::close(tiles.at(number), pass.close_eps2);
    F closest;
    if (__builtin_expect(any_le(load<F>(result.closest), splat(close)), false)) {
        closest = add_exactly<jerk, near>(tiles, number, pass);
    } else {
        result.add_to(pass.lanes);
        closest = load<F>(result.closest);
    }
    if (near) pass.nearest.note(tiles, number, closest);
}

// Adds the sums over one tile to n i-particles.  The float loops serve all i-particles before any
// result is used, so that the processor computes pairs while it waits for results, and while it
// recovers from a wrongly predicted branch.
template <class Difference, bool jerk, bool near>
G6_INLINE void one_tile(const Tiles<float> &tiles, int number, const Bundle &bundle,
                        const IParticle *i, int n, Pass<float, jerk> *pass, Fetch &fetch)
{
    const Predicted<float> &p = tiles.at(number);
    typename Difference::OfBundle of_bundle;
    of_bundle.set(bundle, n, p);
    FloatResult<jerk> result[kBundle];
    for (int k = 0; k < n; k++)
        sum_in_float(tiles.acts(number), p, Difference(i[k], of_bundle, k), pass[k], fetch,
                     result[k]);
    for (int k = 0; k < n; k++)
        add_result<Difference, jerk, near>(tiles, number, result[k], pass[k]);
}

// Difference: for pairs in float, SplitDifference or ExactDifference; in double it is not used.
template <class Stored, class Difference, bool jerk, bool near>
void force(const Marks *const *tiles, const Prediction *prediction, void *predicted, int first,
           int last, const IParticle *i, int n, Partial *out)
{
    constexpr bool kFloat = sizeof(Stored) == sizeof(float);
    const Tiles<Stored> all{tiles + first, static_cast<Predicted<Stored> *>(predicted), first,
                            prediction && prediction->reuses_tile};
    using P = Pass<Stored, jerk>;
    alignas(P) char memory[kBundle * sizeof(P)];
    P *const pass = reinterpret_cast<P *>(memory);
    for (int k = 0; k < n; k++) new (pass + k) P(i[k], out[k]);
    alignas(64) Bundle bundle{};
    for (int k = 0; k < n; k++)
        for (int c = 0; c < 3; c++) bundle.x[c][k] = i[k].x[c];
    for (int t = 0; t < last - first; t++) {
        if (prediction) predict_tile<Stored>(*prediction, first + t, all.acts(t), &all.at(t));
        Fetch fetch = prediction ? Fetch(*prediction, first + t + 1, n * kParts) : Fetch();
        if constexpr (kFloat)
            one_tile<Difference, jerk, near>(all, t, bundle, i, n, pass, fetch);
        else
            for (int k = 0; k < n; k++) one_tile<jerk, near>(all, t, pass[k], fetch);
        if ((t + 1) % kSumTiles == 0 || t + 1 == last - first)
            for (int k = 0; k < n; k++) pass[k].end_sum();
    }
    for (int k = 0; k < n; k++) {
        if (near) pass[k].nearest.finish(all, last - first);
        pass[k].write_total();
    }
}

template <class Stored>
int list(const Marks &tile, const void *predicted, const IParticle &i, bool own,
         std::int32_t *entries)
{
    const auto &p = *static_cast<const Predicted<Stored> *>(predicted);
    int n = 0;
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const D r2 = g6_length2(load<D>(p.x[0] + k) - i.x[0], load<D>(p.x[1] + k) - i.x[1],
                                load<D>(p.x[2] + k) - i.x[2]);
        if (!any_le(r2, D{} + i.h2)) continue;
        for (int lane = 0; lane < kDoubleLanes; lane++)
            if (r2[lane] < i.h2 && tile.alive[k + lane] && (own || tile.index[k + lane] != i.index))
                entries[n++] = k + lane;
    }
    return n;
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE

namespace g6::cpu {

Kernels G6_JOIN(make_kernels, G6_ISA)()
{
    using namespace G6_ISA_NAMESPACE;
    using Exact = ExactDifference;
#define G6_QUOTE2(name) #name
#define G6_QUOTE(name) G6_QUOTE2(name)
    Kernels k = {
        G6_QUOTE(G6_ISA),
        {predict_tile<float>, predict_tile<double>},
        split,
        {{{force<float, SplitDifference, false, false>, force<float, SplitDifference, false, true>},
          {force<float, SplitDifference, true, false>, force<float, SplitDifference, true, true>}},
         {{force<double, Exact, false, false>, force<double, Exact, false, true>},
          {force<double, Exact, true, false>, force<double, Exact, true, true>}},
         {{force<float, Exact, false, false>, force<float, Exact, false, true>},
          {force<float, Exact, true, false>, force<float, Exact, true, true>}}},
        {list<float>, list<double>},
        {},
        &G6_JOIN(point_kernels, G6_ISA)(),
    };
    G6_JOIN(add_list_entries, G6_ISA)(k.lists);
    G6_JOIN(add_list_kernels, G6_ISA)(k.lists);
    return k;
}

}  // namespace g6::cpu
