// SPDX-License-Identifier: MIT
// Compares one i-particle's results with the truth.
#include "model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace g6fuzz {
namespace {

std::string number(Real x)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.10Lg", x);
    return text;
}

std::string far_off(const char *what, int i, Real expected, double got, Real off)
{
    return std::string(what) + " of i-particle " + std::to_string(i) + " is " + number(got) +
           ", expected " + number(expected) + " within " + number(off);
}

// known: the value is; else it may be any number, or infinite.
std::string judge_values(const char *what, int i, bool known, const Real *expected,
                         const double *got, int n, Real off)
{
    for (int k = 0; k < n; k++) {
        if (std::isnan(got[k])) return far_off(what, i, expected[k], got[k], off);
        if (known && !(std::fabs(expected[k] - got[k]) <= off))
            return far_off(what, i, expected[k], got[k], off);
    }
    return "";
}

}  // namespace

std::string judge_force(const BlockTruth &truth, int i, const Answer &a)
{
    const Force f = truth.force(i);
    std::string wrong = judge_values("acc", i, f.acc_known, f.acc, a.acc + 3 * i, 3, f.acc_off);
    if (wrong.empty() && a.jerk && !f.jerk_free)
        wrong = judge_values("jerk", i, f.jerk_known, f.jerk, a.jerk + 3 * i, 3, f.jerk_off);
    if (wrong.empty()) wrong = judge_values("pot", i, f.pot_known, &f.pot, a.pot + i, 1, f.pot_off);
    return wrong;
}

std::string judge_nearest(const BlockTruth &truth, const Task &task, int i, const Answer &a)
{
    if (!a.nearest) return "";
    const int none = task.settings.nn_none, got = a.nearest[i];
    const Nearest near = task.tree_only ? Nearest{} : truth.nearest(i);
    const auto &allowed = near.indices;
    const bool nobody = allowed.empty();
    bool right =
        nobody ? got == none : std::find(allowed.begin(), allowed.end(), got) != allowed.end();
    // Mass-and-position-only particles in mode auto: mode treeonly, which has no neighbours.
    const bool left_out = !right && task.points_only && got == none;
    // A fake device squares distances in double.
    const bool squared_away = task.plain_sums && !(near.high < 1e150L);
    if (!right && !left_out && !squared_away) {
        std::string text = "nearest of i-particle " + std::to_string(i) + " is " +
                           std::to_string(got) + ", expected";
        if (nobody) text += " nobody: " + std::to_string(none);
        for (size_t k = 0; k < allowed.size() && k < 5; k++)
            text += " " + std::to_string(allowed[k]);
        return text;
    }
    if (!a.distance || left_out || squared_away) return "";
    const float r = a.distance[i];
    if (nobody) return r == 0 ? "" : far_off("distance", i, 0, r, 0);
    const Real slack = 4 / Real(1 << 24), low = near.low, high = near.high;
    const Real most = std::numeric_limits<float>::max(), least = 1e-37L;
    if (std::isnan(r)) return far_off("distance", i, low, r, slack * high);
    if (high * (1 + slack) >= most && (std::isinf(r) || r >= low * (1 - slack))) return "";
    if (r >= low * (1 - slack) - least && r <= high * (1 + slack) + least) return "";
    // Clamped or squared away: only that somebody is there.
    if (!(high < 1e150L) || low == 0) return "";
    return far_off("distance", i, low, r, slack * high);
}

}  // namespace g6fuzz
