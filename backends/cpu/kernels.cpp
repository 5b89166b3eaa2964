// SPDX-License-Identifier: MIT
// Predictor, force and list kernels over tiles; compiled once for each instruction set (G6_ISA).
//
// Floor, mixed Hermite with nearest neighbour: 39 vector operations for kLanes pairs with AVX-512
// (differences of positions 9 and velocities 3, softened distance 3, root 5, force 7, jerk 11,
// smallest distance 1, loads folded in); the tile's sums add 28 for every kTile / kLanes of them.
#include "nearest.h"
#include "predict_tile.h"
#include "split_sums.h"

#include <cstring>
#include <new>

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// ---- many tiles -------------------------------------------------------------------------------

// A pass of one i-particle over many tiles.
template <bool jerk> struct Pass {
    const IParticle &i;
    Partial &out;
    Lanes lanes;
    TileSums<jerk> sums;
    D total[8 / kDoubleLanes]{};  // ax, ay, az, jx, jy, jz, pot, 0
    const float close_eps2;       // softening squared, with the slack of Split::close2
    NearestSearch nearest;

    Pass(const IParticle &particle, Partial &best)
        : i(particle), out(best), close_eps2(static_cast<float>(particle.eps2 * kSlack)),
          nearest(particle, best)
    {
        begin_sum();
    }
    G6_MEMBER void begin_sum()
    {
        lanes.clear();
        sums.clear();
    }
    // Adds the sums of the last tiles to the total.  in_float: of pairs in float.
    template <bool in_float> G6_MEMBER void end_sum()
    {
        if (in_float) sums.flush(lanes);
        const D all[8] = {lanes.ax, lanes.ay, lanes.az,  lanes.jx,
                          lanes.jy, lanes.jz, lanes.pot, {}};
        for (int k = 0; k < 8; k += kDoubleLanes) total[k / kDoubleLanes] += lane_sums(all + k);
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

// number: of the tile among those of this pass.
template <bool jerk, bool near>
G6_INLINE void one_tile(const Tiles<double> &tiles, int number, const Marks &tile,
                        const Predicted<double> &p, Pass<jerk> &pass, Fetch &fetch)
{
    using P = Full<double>;
    const IParticle &i = pass.i;
    for (int part = 0; part < kParts; part++) fetch.step();
    // A softening whose float reciprocal powers could overflow protects no pair.
    const bool check = i.eps2 < G6_CLOSE || may_exclude(tile, i);
    const D nearest =
        check ? sum_tile<P, jerk, near, true>(tile, p, 0, kTile, i, pass.lanes).nearest
              : sum_tile<P, jerk, near, false>(tile, p, 0, kTile, i, pass.lanes).nearest;
    if (near && any_le(nearest, D{} + pass.nearest.limit()))
        pass.nearest.add(tiles, number, smallest(nearest));
}

// Parts by differences of doubles.
template <bool jerk, bool near>
__attribute__((noinline)) void add_exactly(const Tiles<float> &tiles, int number, unsigned parts,
                                           Pass<jerk> &pass)
{
    const Marks &tile = tiles.acts(number);
    const Predicted<float> &p = tiles.at(number);
    F nearest = F{} + std::numeric_limits<float>::infinity();
    for (int part = 0; part < kParts; part++) {
        if (!(parts >> part & 1)) continue;
        const int first = part * kPart, last = first + kPart;
        const auto r = sum_tile<Mixed, jerk, near, true>(tile, p, first, last, pass.i, pass.lanes);
        if (near) nearest = min(nearest, r.nearest);
        if (any_le(r.closest, F{} + kCloseFloat))
            sum_tile<Full<float>, jerk, false, true>(tile, p, first, last, pass.i, pass.lanes);
    }
    if (near && any_le(nearest, splat(pass.nearest.limit())))
        pass.nearest.add(tiles, number, static_cast<double>(smallest(nearest)));
}

template <class Difference, bool jerk, bool near>
G6_INLINE void one_tile(const Tiles<float> &tiles, int number, const Marks &tile,
                        const Predicted<float> &p, Pass<jerk> &pass, Fetch &fetch)
{
    FloatSum<Difference, jerk> sum(pass.i, p);
    const unsigned exact =
        Difference::is_wide(p, pass.i) ? kAllParts : parts_to_check(tile, pass.i);
    // The compiler is told which way most tiles go: else GCC 12 makes this loop 3 % slower.
    if (__builtin_expect(!exact, true)) {
        sum.add(p, 0, kTile, fetch);
    } else {
        for (int part = 0; part < kParts; part++)
            if (!(exact >> part & 1)) sum.add(p, part * kPart, (part + 1) * kPart, fetch);
    }
    const F close = splat(Difference::close(p, pass.close_eps2));
    if (__builtin_expect(any_le(sum.closest, close), false))
        return add_exactly<jerk, near>(tiles, number, kAllParts, pass);
    pass.sums.add(sum.sums);
    if (near && any_le(sum.closest, splat(pass.nearest.softened_limit())))
        pass.nearest.add(tiles, number, sum.closest);
    if (exact) add_exactly<jerk, near>(tiles, number, exact, pass);
}

// Difference: for pairs in float, SplitDifference or ExactDifference.
template <class Stored, class Difference, bool jerk, bool near>
void force(const Marks *const *tiles, const Prediction *prediction, void *predicted, int first,
           int last, const IParticle *i, int n, Partial *out)
{
    constexpr bool kFloat = sizeof(Stored) == sizeof(float);
    const Tiles<Stored> all{tiles + first, static_cast<Predicted<Stored> *>(predicted), first,
                            prediction && prediction->in_one_place};
    using P = Pass<jerk>;
    alignas(P) char room[kGroup * sizeof(P)];
    P *const pass = reinterpret_cast<P *>(room);
    for (int k = 0; k < n; k++) new (pass + k) P(i[k], out[k]);
    for (int t = 0; t < last - first; t++) {
        const Marks &marks = all.acts(t);
        Predicted<Stored> &tile = all.at(t);
        if (prediction) predict_tile<Stored>(*prediction, first + t, marks, &tile);
        Fetch fetch = prediction ? Fetch(*prediction, first + t + 1, n * kParts) : Fetch();
        for (int k = 0; k < n; k++) {
            if constexpr (kFloat)
                one_tile<Difference, jerk, near>(all, t, marks, tile, pass[k], fetch);
            else
                one_tile<jerk, near>(all, t, marks, tile, pass[k], fetch);
        }
        if ((t + 1) % kSumTiles == 0 || t + 1 == last - first)
            for (int k = 0; k < n; k++) {
                pass[k].template end_sum<kFloat>();
                pass[k].begin_sum();
            }
    }
    for (int k = 0; k < n; k++) {
        if (near) pass[k].nearest.settle(all);
        pass[k].write_total();
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

Kernels G6_JOIN(make_kernels, G6_ISA)()
{
    using namespace G6_ISA_NAMESPACE;
#define G6_QUOTE2(name) #name
#define G6_QUOTE(name) G6_QUOTE2(name)
    Kernels k = {
        G6_QUOTE(G6_ISA),
        {predict_tile<float>, predict_tile<double>},
        split,
        {{{force<float, SplitDifference, false, false>, force<float, SplitDifference, false, true>},
          {force<float, SplitDifference, true, false>, force<float, SplitDifference, true, true>}},
         {{force<double, void, false, false>, force<double, void, false, true>},
          {force<double, void, true, false>, force<double, void, true, true>}}},
        {{force<float, ExactDifference, false, false>, force<float, ExactDifference, false, true>},
         {force<float, ExactDifference, true, false>, force<float, ExactDifference, true, true>}},
        {list<float>, list<double>},
        {},
        &G6_JOIN(point_kernels, G6_ISA)(),
    };
    G6_JOIN(add_list_entries, G6_ISA)(k.lists);
    G6_JOIN(add_list_kernels, G6_ISA)(k.lists);
    return k;
}

}  // namespace g6::cpu
