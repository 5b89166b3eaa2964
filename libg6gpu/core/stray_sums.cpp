// SPDX-License-Identifier: MIT
// Predicts some j-particles at a time, and adds them to the sums of all strays.  Threads share the
// strays.
#include "stray_sums.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/status.h"
#include "../base/vec3.h"
#include "../particles/predictor.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <climits>
#include <cmath>
#include <limits>

namespace g6 {
namespace {

using Real = long double;
static_assert(std::numeric_limits<Real>::max_exponent > 8 * 1024, "r^-5 must be in range");

// While such an object lives, its thread has the default rounding and precision of long double, and
// no floating-point exception stops the program.  QuietFloat (quiet_float.h) does not set the x87
// unit, which computes in long double.
class DefaultFloat {
public:
    DefaultFloat()
    {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloat() { std::fesetenv(&saved_); }
    DefaultFloat(const DefaultFloat &) = delete;
    DefaultFloat &operator=(const DefaultFloat &) = delete;

private:
    std::fenv_t saved_;
};

// The number of j-particles that are predicted before each stray sums over them.
constexpr int kPredictedAtOnce = 256;

struct Moving {
    double x[3], v[3], mass;
    int address, index;
};

// A particle at rest stays where it is, also when the time since its data is not finite.
bool moves(const G6JRecord &r)
{
    return any(r.v) || any(r.a2) || any(r.j6) || any(r.k18);
}

// Predicts the j-particles of addresses first ... last-1 that were written; returns their number.
// lost: gets the address of a particle whose prediction exceeds the range of a double.
int predict_some(const StrayMasses &masses, int first, int last, Moving *predicted,
                 std::atomic<int> &lost)
{
    int n = 0;
    for (int a = first; a < last; a++) {
        if (!masses.store.written(a)) continue;
        const G6JRecord r = masses.store.record(a);
        Moving &j = predicted[n++];
        copy3(j.x, r.x);
        copy3(j.v, r.v);
        if (moves(r)) predict(r, masses.t, masses.use_snap, j.x, j.v);
        if (lost < 0 && (!finite3(j.x) || !finite3(j.v))) lost = a;
        j.mass = r.mass;
        j.address = a;
        j.index = r.index;
    }
    return n;
}

// The sum of one stray as it grows.
class Sum {
public:
    Sum(const Stray &stray, bool own_in_lists) : i_(stray.i), own_in_lists_(own_in_lists)
    {
        result_.number = stray.number;
    }
    void add(const Moving &j);
    StraySum result(bool jerk);

private:
    void add_force(const Moving &j, const Real d[3], Real r2);

    const G6IRecord &i_;
    const bool own_in_lists_;
    Real acc_[3] = {}, jerk_[3] = {}, pot_ = 0, nearest_r2_ = 0;
    int nearest_ = -1, nearest_index_ = 0;
    StraySum result_;
};

void Sum::add(const Moving &j)
{
    Real d[3];
    for (int c = 0; c < 3; c++) d[c] = Real(j.x[c]) - Real(i_.x[c]);
    const Real r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const bool own = j.index == i_.index;
    if (r2 < i_.h2 && (own_in_lists_ || !own)) result_.neighbours.push_back({j.address, j.index});
    if (own) return;
    if (nearest_ < 0 || r2 < nearest_r2_) {
        nearest_ = j.address;
        nearest_index_ = j.index;
        nearest_r2_ = r2;
    }
    if (j.mass != 0) add_force(j, d, r2 + i_.eps2);
}

// r2: softened.  libg6gpu/formulas/pair.h has the formulas.
void Sum::add_force(const Moving &j, const Real d[3], Real r2)
{
    if (r2 == 0) return;
    const Real mr = j.mass / std::sqrt(r2), mr3 = mr / r2;
    Real v[3], rv = 0;
    for (int c = 0; c < 3; c++) {
        v[c] = Real(j.v[c]) - Real(i_.v[c]);
        rv += d[c] * v[c];
    }
    const Real alpha = -3 * rv / r2;
    for (int c = 0; c < 3; c++) {
        acc_[c] += mr3 * d[c];
        jerk_[c] += mr3 * (v[c] + alpha * d[c]);
    }
    pot_ -= mr;
}

StraySum Sum::result(bool jerk)
{
    G6Sums &s = result_.sums;
    for (int c = 0; c < 3; c++) {
        s.acc[c] = static_cast<double>(acc_[c]);
        s.jerk[c] = jerk ? static_cast<double>(jerk_[c]) : 0;
    }
    s.pot = static_cast<double>(pot_);
    s.nn_r2 = static_cast<double>(nearest_r2_);
    s.nn_slot = nearest_;
    s.nn_index = nearest_index_;
    return std::move(result_);
}

}  // namespace

Error lost_particle(int address, double t)
{
    return Error(G6_ERR_ARGUMENT,
                 "the j-particle at address %d, predicted to time %g, exceeds the range of a "
                 "double; look at its derivatives and its time",
                 address, t);
}

std::vector<StraySum> sum_strays(const std::vector<Stray> &strays, const StrayMasses &masses,
                                 const StrayWants &want, int threads)
{
    std::vector<StraySum> results(strays.size());
    const size_t pairs = strays.size() * static_cast<size_t>(masses.nj);
    const int n = static_cast<int>(strays.size());
    constexpr size_t kLeastPairs = 4096;            // take about as long as waking the threads
    std::atomic<int> lost{-1}, too_large{INT_MAX};  // lost j-particle; first i-particle too large
    parallel_ranges(threads_for(pairs, kLeastPairs, threads), n, [&](int first, int last) {
        if (first == last) return;
        const DefaultFloat environment;
        std::vector<Sum> sums;
        for (int k = first; k < last; k++) sums.emplace_back(strays[k], want.own_in_lists);
        Moving predicted[kPredictedAtOnce];
        for (int j = 0; j < masses.nj; j += kPredictedAtOnce) {
            const int last_j = std::min(j + kPredictedAtOnce, masses.nj),
                      count = predict_some(masses, j, last_j, predicted, lost);
            if (lost >= 0) return;  // the call will throw, and arithmetic with NaN is slow
            for (Sum &sum : sums)
                for (int k = 0; k < count; k++) sum.add(predicted[k]);
        }
        for (int k = first; k < last; k++) {
            results[k] = sums[k - first].result(want.jerk);
            const G6Sums &s = results[k].sums;
            // In a softening class nn_r2 must be finite: the classes' nearest are compared by it.
            const bool compared = masses.address && !finite(s.nn_r2);
            if (!compared && are_finite(s, strays[k].i)) continue;
            int lowest = too_large;
            while (strays[k].number < lowest &&
                   !too_large.compare_exchange_weak(lowest, strays[k].number)) {
            }
        }
    });
    if (lost >= 0)
        throw lost_particle(
            masses.address ? (*masses.address)[static_cast<size_t>(lost)] : lost.load(), masses.t);
    if (too_large < INT_MAX)
        throw Error(G6_ERR_ARGUMENT,
                    "the force on i-particle %d, or the square of its distance from a neighbour, "
                    "exceeds the range of a double; choose units in which it is smaller",
                    too_large.load());
    return results;
}

}  // namespace g6
