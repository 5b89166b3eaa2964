// SPDX-License-Identifier: MIT
// Chooses the units of a block, and sets aside the i-particles that do not fit them.
#include "i_particles.h"

#include "../base/vec3.h"
#include "../particles/common_velocity.h"

#include "../formulas/range.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace g6 {

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
    // A velocity that is no number gives such a jerk, on a device as on the host.
    if (extremes_.farthest >= farthest || extremes_.speed + largest(common) >= fastest)
        set_aside([&](const G6IRecord &i) {
            return largest(i.x) >= farthest ||
                   (finite3(i.v) && largest_difference(i.v, common) >= fastest);
        });
    return scale;
}

// Makes strays of the i-particles that is_stray() is true of.
template <class F> void IParticles::set_aside(const F &is_stray)
{
    for (int k = 0; k < size(); k++)
        if (is_stray(records()[k])) strays_.push_back({k, records()[k]});
    if (strays_.empty()) return;
    HostBuffer<G6IRecord> &kept = changeable_records();
    for (const Stray &s : strays_) kept[s.number] = {{}, s.i.eps2, s.i.index, s.i.aold, {}, 0};
    extremes_ = Extremes{};
    for (const G6IRecord &i : kept) extremes_.add(i.x, i.v, i.eps2);
}

}  // namespace g6
