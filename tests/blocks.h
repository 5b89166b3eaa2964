// SPDX-License-Identifier: MIT
// Makes the calls of one block and tells whether their results are right.  Clients of any kind may
// use it, since it leaves to them what a wrong result means.
#pragma once

#include "systems.h"
#include "tolerance.h"

#include "g6lib.h"

#include <algorithm>
#include <cstring>

namespace g6test {

using Rows = double (*)[3];
inline Rows rows(std::vector<Vec3> &v)
{
    return reinterpret_cast<Rows>(v.data());
}
inline double *data(const Vec3 &v)
{
    return const_cast<double *>(v.data());
}

inline int send(int id, int address, const Body &b, double dtj = 0)
{
    return g6_set_j_particle(id, address, b.index, b.t, dtj, b.mass, data(b.k18), data(b.j6),
                             data(b.a2), data(b.v), data(b.x));
}
inline int send_point(int id, int address, const Body &b)
{
    return g6_set_j_particle_mxonly(id, address, b.index, b.mass, data(b.x));
}

enum class Half { kLast, kLast2 };

// Outputs of one block, filled beforehand with a value that no force has.
struct Output {
    static constexpr double kUnwritten = -12345.678;
    static constexpr int kNoIndex = -987654;
    int status = 0;
    Half half = Half::kLast2;
    std::vector<Vec3> acc, jerk;
    std::vector<double> pot;
    std::vector<int> nearest;

    explicit Output(int n)
        : acc(n, Vec3{kUnwritten, kUnwritten, kUnwritten}), jerk(acc), pot(n, kUnwritten),
          nearest(n, kNoIndex)
    {
    }
};

inline bool same_bits(const Output &a, const Output &b)
{
    const auto same = [](const auto &p, const auto &q) {
        return p.size() == q.size() && std::memcmp(p.data(), q.data(), p.size() * sizeof p[0]) == 0;
    };
    return same(a.acc, b.acc) && same(a.jerk, b.jerk) && same(a.pot, b.pot) &&
           same(a.nearest, b.nearest);
}

inline void first_half(int id, int nj, IBlock block)
{
    const int n = block.size();
    std::vector<Vec3> aold(n), j6old(n);
    std::vector<double> phiold(n);
    g6calc_firsthalf(id, nj, n, block.index.data(), rows(block.x), rows(block.v), rows(aold),
                     rows(j6old), phiold.data(), block.eps2, block.h2.data());
    // The library must have copied all of it: this block and the old values die here.
}

inline Output last_half(int id, int nj, IBlock block, Half half = Half::kLast2)
{
    const int n = block.size();
    Output out(n);
    out.half = half;
    int *index = block.index.data();
    if (half == Half::kLast)
        out.status =
            g6calc_lasthalf(id, nj, n, index, rows(block.x), rows(block.v), block.eps2,
                            block.h2.data(), rows(out.acc), rows(out.jerk), out.pot.data());
    else
        out.status = g6calc_lasthalf2(id, nj, n, index, rows(block.x), rows(block.v), block.eps2,
                                      block.h2.data(), rows(out.acc), rows(out.jerk),
                                      out.pot.data(), out.nearest.data());
    return out;
}

inline bool is_zero(const Output &out)
{
    const auto all = [](const auto &values, const auto &zero) {
        return std::all_of(values.begin(), values.end(), [&](const auto &v) { return v == zero; });
    };
    return all(out.acc, Vec3{}) && all(out.jerk, Vec3{}) && all(out.pot, 0.0);
}

inline bool far_off(const Real expected[3], const Vec3 &got, Real allowed)
{
    for (int c = 0; c < 3; ++c)
        if (!(std::fabs(expected[c] - got[c]) <= allowed)) return true;  // also of NaN
    return false;
}

// What is compared: all, or acceleration and potential alone, or these with no jerk and no
// neighbour, as in mode treeonly.
enum class Parts { kAll, kPull, kPoints };

// What is wrong with results k in precision mixed, "" if nothing is.  error: of the sum of |terms|,
// for trees.
inline std::string wrong_part(const Expected &e, const Output &out, int k,
                              Parts parts = Parts::kAll, double error = 0)
{
    const Allowed allowed(e, tolerance("mixed"));
    const Real none[3] = {};
    const size_t i = static_cast<size_t>(k);
    if (far_off(e.acc, out.acc[i], allowed.acc + error * e.acc_size)) return "acceleration";
    if (!(std::fabs(e.pot - out.pot[i]) <= allowed.pot + error * e.pot_size)) return "potential";
    if (parts == Parts::kPull) return "";
    const bool points = parts == Parts::kPoints;
    const Real jerk = points ? 0 : allowed.jerk + 4 * error * (e.jerk_size + e.jerk_by_v);
    if (far_off(points ? none : e.jerk, out.jerk[i], jerk)) return "jerk";
    if (out.half == Half::kLast) return "";
    const int nearest = points || e.nearest_address < 0 ? 0 : e.nearest_index;
    return out.nearest[i] == nearest ? "" : "nearest neighbour";
}

}  // namespace g6test
