// SPDX-License-Identifier: MIT
// Copies the client's i-particles into the records of a block, refuses bad values, tells whether a
// later call has the same particles, and sets aside those that do not fit the units of the block.
#include "i_particles.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/status.h"
#include "../base/vec3.h"
#include "../formulas/range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace g6 {
namespace {

// |u| as a float; 0, which means unknown, where |u| is not below the largest float.
float known_size(const double *u)
{
    const double size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    return size < std::numeric_limits<float>::max() ? static_cast<float>(size) : 0;
}

// Whether a force can be computed from the values.
bool good(const double *x, double eps2)
{
    return finite3(x) && eps2 >= 0 && finite(eps2);
}

}  // namespace

// The h2 for which r^2 < h2 defines the list of i; the client's h2 may include the softening.  NaN,
// which a caller without lists may pass, counts as 0 and gives an empty list.
double IParticles::list_radius2(const BlockArgs &a, int i) const
{
    if (!a.h2) return 0;
    const double h2 = softened_lists_ ? a.h2[i] - a.eps2[i * a.eps2_stride] : a.h2[i];
    return h2 > 0 ? h2 : 0;
}

void IParticles::pack(const BlockArgs &a, const Config &settings, const DeviceMemory &memory)
{
    softened_lists_ = settings.softened_lists();
    threads_ = settings.threads;
    memory_ = memory;
    records_.renew(static_cast<size_t>(a.ni));
    is_kept_ = !memory.rows;
    const auto eps2 = [&](int i) { return a.eps2[i * a.eps2_stride]; };
    const auto aold = [&](int i) { return a.aold ? known_size(a.aold[i]) : 0; };
    // Writes each number to its final place.  A copy of a record that was built elsewhere would be
    // slower: its vector loads would wait for the single stores that built the record.
    const auto fill = [&](G6IRecord &r, int words, int i) {
        copy3(r.x, a.x[i]);
        r.eps2 = eps2(i);
        r.index = a.index[i];
        r.aold = aold(i);
        if (words == kIRestWords) return;
        copy3(r.v, a.v[i]);
        r.h2 = list_radius2(a, i);
    };
    extremes_ = Extremes{};
    strays_.clear();
    moves_ = has_radius_ = false;
    bool all_good = true;
    std::mutex mutex;  // for extremes_, moves_, has_radius_ and all_good
    const int words = memory.rows ? memory.words : kIWords;
    double *const rows = memory.rows ? memory.rows : reinterpret_cast<double *>(records_.data());
    const auto write = [&](int first, int last) {
        bool moving = false, radius = false, range_good = true;
        Extremes extremes;
        for (int i = first; i < last; i++) {
            fill(row_at<G6IRecord>(rows, words, static_cast<size_t>(i)), words, i);
            const double h2 = list_radius2(a, i);
            range_good = range_good && good(a.x[i], eps2(i));
            moving = moving || any(a.v[i]);
            radius = radius || h2 > 0;
            extremes.add(a.x[i], a.v[i], eps2(i));
        }
        const std::lock_guard<std::mutex> lock(mutex);
        extremes_.add(extremes);
        moves_ = moves_ || moving;
        has_radius_ = has_radius_ || radius;
        all_good = all_good && range_good;
    };
    for (int begin = 0; begin < a.ni; begin += kSentAtOnce) {
        const int piece = std::min(kSentAtOnce, a.ni - begin);
        parallel_ranges(host_threads(piece, threads_), piece,
                        [&](int first, int last) { write(begin + first, begin + last); });
        if (begin + piece < a.ni && !is_kept_) memory.device->send_i(begin + piece);
    }
    staged_words_ = memory.rows && (words == kIWords || fit_rest()) ? words : 0;
    if (!is_kept_ && staged_words_ == 0) {  // the rows on the device are too short
        is_kept_ = true;
        parallel_for(host_threads(a.ni, threads_), a.ni,
                     [&](int i) { fill(records_[i], kIWords, i); });
    }
    if (!all_good) refuse_bad();
}

void IParticles::keep()
{
    if (is_kept_) return;
    is_kept_ = true;
    parallel_for(host_threads(size(), threads_), size(), [&](int i) {
        records_[i] = record_from(
            row_at<G6IRecord>(memory_.rows, memory_.words, static_cast<size_t>(i)), memory_.words);
    });
}

void IParticles::refuse_bad()
{
    for (int i = 0; i < size(); i++) {
        const G6IRecord &r = records()[i];
        if (!finite3(r.x))
            throw Error(G6_ERR_ARGUMENT, "the position of i-particle %d is NaN or infinite", i);
        if (!good(r.x, r.eps2))
            throw Error(
                G6_ERR_ARGUMENT,
                "eps2 = %g of i-particle %d is no length squared: it must be finite and 0 or more",
                r.eps2, i);
    }
}

bool IParticles::same(const BlockArgs &a)
{
    auto stray = strays_.begin();
    for (int i = 0; i < size(); i++) {
        const bool is_stray = stray != strays_.end() && stray->number == i;
        const G6IRecord &r = is_stray ? (stray++)->i : records()[i];
        const bool same_v = std::equal(r.v, r.v + 3, a.v[i]) || (!finite3(r.v) && !finite3(a.v[i]));
        if (r.index != a.index[i] || !std::equal(r.x, r.x + 3, a.x[i]) || !same_v ||
            r.eps2 != a.eps2[i * a.eps2_stride] || (a.h2 && r.h2 != list_radius2(a, i)))
            return false;
    }
    return true;
}

Scale IParticles::scale(JStore &store, int nj, bool narrow, bool jerk)
{
    const Scale scale =
        store.scale(nj, narrow, {extremes_.farthest, extremes_.speed, std::sqrt(extremes_.eps2)});
    if (!store.units().fit()) {
        set_aside([](const G6IRecord &) { return true; });
        return scale;
    }
    const double farthest = G6_FARTHEST / scale.length,
                 fastest = jerk ? G6_FASTEST / scale.velocity : HUGE_VAL;
    const double *common = scale.common_velocity;
    // A velocity that is not finite makes no stray: the jerk is not finite on the host, either.
    if (extremes_.farthest >= farthest || extremes_.speed + largest(common) >= fastest)
        set_aside([&](const G6IRecord &i) {
            return largest(i.x) >= farthest ||
                   (finite3(i.v) && largest_difference(i.v, common) >= fastest);
        });
    return scale;
}

// Makes strays of the i-particles for which is_stray() is true.  If there are any, the rows in the
// device's memory are not those of the block.
template <class F> void IParticles::set_aside(const F &is_stray)
{
    for (int k = 0; k < size(); k++)
        if (is_stray(records()[k])) strays_.push_back({k, records()[k]});
    if (strays_.empty()) return;
    staged_words_ = 0;
    for (const Stray &s : strays_) records_[s.number] = {{}, s.i.eps2, s.i.index, s.i.aold, {}, 0};
    extremes_ = Extremes{};
    for (const G6IRecord &i : records_) extremes_.add(i.x, i.v, i.eps2);
}

}  // namespace g6
