// SPDX-License-Identifier: MIT
// Generates the calls of blocks, of their lists, and of the low-level group (g6_set_nip ...).
#include "generator.h"

#include <algorithm>
#include <climits>
#include <limits>

namespace g6fuzz {

int Generator::nj(const Target &t)
{
    const Cluster *k = cluster(t);
    const int high = k && !k->particles().empty() ? k->particles().back().address + 1 : 0;
    switch (random_.weighted({80, 8, 2, 8, 1})) {
    case 0: return high;
    case 1: return random_.below(high + 1);
    case 2: return 0;
    case 3: return high + random_.from(1, 600);
    default: return INT_MAX;
    }
}

void Generator::first(Target &t)
{
    const bool each = random_.chance(0.15);
    address_to(t, each ? Op::firsthalf0 : Op::firsthalf);
    const Cluster *k = cluster(t);
    static const std::vector<JParticle> nobody;
    const auto &others = k ? k->particles() : nobody;
    const int ni = t.scene->targets();
    call_.i = {nj(t), ni, each ? random_.below(3) : 0, 0};
    Array<double> &x = call_.da[0], &v = call_.da[1], &eps2 = call_.da[5],
                  &h2 = call_.da[each ? 6 : 5];
    const bool radii = random_.chance(0.7);
    h2.null = random_.chance(0.1);
    call_.d[0] = t.scene->eps2();
    for (int n = 0; n < ni; n++) {
        const IParticle i = t.scene->target(others, k ? k->ti : 0, !k || k->settings.snap);
        call_.ia[0].v.push_back(i.index);
        x.v.insert(x.v.end(), i.x, i.x + 3), v.v.insert(v.v.end(), i.v, i.v + 3);
        if (!h2.null) h2.v.push_back(radii ? t.scene->h2() : 0);
        if (each) eps2.v.push_back(n && random_.chance(0.5) ? eps2.v[0] : t.scene->eps2());
        for (size_t old = 2; old < 5; old++)
            for (int d = 0; d < (old == 4 ? 1 : 3); d++)
                call_.da[old].v.push_back(t.scene->value(1));
    }
    if (each && ni == 0) eps2.v.push_back(0);
    for (size_t old = 2; old < 5; old++) call_.da[old].null = random_.chance(0.2);
    if (ni > 0 && random_.chance(0.02))
        v.v[static_cast<size_t>(random_.below(3 * ni))] = std::numeric_limits<double>::quiet_NaN();
    t.first = call_;
    t.has_first = true;
}

// The arrays of the last firsthalf, as clients do, or others.
void Generator::last(Target &t, bool again)
{
    const Op op = random_.pick({Op::lasthalf, Op::lasthalf2, Op::lasthalf2, Op::lasthalf0,
                                Op::lasthalfn, Op::lasthalf2n, Op::lasthalf2p, Op::lasthalf2np});
    if (!t.has_first) first(t);
    address_to(t, op);
    const Call &f = t.first;
    const bool each = op == Op::lasthalf0, was_each = f.op == Op::firsthalf0;
    call_.i[0] = f.i[0], call_.i[1] = f.i[1];
    call_.ia[0] = f.ia[0];
    call_.da[0] = f.da[0], call_.da[1] = f.da[1];
    const int ni = f.i[1];
    const size_t h2_at = was_each ? 6 : 5;
    call_.d[0] = was_each ? f.da[5].v.empty() ? 0 : f.da[5].v[0] : f.d[0];
    call_.da[each ? 3 : 2] = f.da[h2_at];
    if (each) {
        call_.i[2] = was_each ? f.i[2] : random_.below(2);
        if (was_each)
            call_.da[2] = f.da[5];
        else
            call_.da[2].v.assign(static_cast<size_t>(std::max(ni, 1)), f.d[0]);
    }
    int &out = call_.i[each ? 3 : 2];
    if (random_.chance(0.05)) out |= kAccIsJerk;
    if (random_.chance(0.1)) out |= kIntoOld;
    if (random_.chance(0.002)) out |= 1 << random_.below(5);
    const double other = again ? 0.3 : 0.02;
    if (ni > 0 && random_.chance(other)) {  // other values, of which a pending block knows nothing
        for (double &x : call_.da[0].v) x += random_.chance(0.3) ? t.scene->value(1) : 0;
        if (random_.chance(0.3)) call_.ia[0].v[0] ^= 1;
    }
    if (random_.chance(0.02)) call_.i[0] = nj(t);
    if (ni > 1 && random_.chance(0.01)) call_.i[1] = random_.below(ni);
    if (random_.chance(0.01)) call_.da[static_cast<size_t>(random_.below(2))].null = true;
}

void Generator::get_list(Target &t)
{
    address_to(t, Op::get_neighbour_list);
    const Cluster *k = cluster(t);
    const int ni = k ? static_cast<int>(k->task.i.size()) : 1;
    call_.i[0] = random_.chance(0.03) ? random_.pick({-1, ni, ni + 5, INT_MAX, INT_MIN})
                                      : random_.below(std::max(ni, 1));
    call_.i[1] = random_.chance(0.7) ? 5000 : random_.pick({0, 1, 2, 5, 20});
    if (random_.chance(0.01)) call_.i[2] = random_.from(1, 3);
}

void Generator::low_level(Target &t, Step step)
{
    if (step == Step::kNip) {
        address_to(t, Op::set_nip);
        call_.i[0] = may_be_huge(0.002) ? INT_MAX : t.pipes;
    } else if (step == Step::kNjp) {
        address_to(t, Op::set_njp);
        call_.i[0] = nj(t);
    } else if (step == Step::kForce) {
        address_to(t, random_.chance(0.5) ? Op::get_force : Op::get_force_etc);
        if (random_.chance(0.2)) call_.i[0] = kNullFlag;
        if (random_.chance(0.02)) call_.i[0] |= 1 << random_.below(4);
        if (random_.chance(0.05)) call_.i[0] |= kAccIsJerk;
    } else if (random_.chance(0.1)) {
        address_to(t, Op::set_i_particle_scales);
        call_.i[0] = t.pipe;
        const double hint[3] = {1, t.scene->value(1), 0};
        put(call_.da[0], hint), put(call_.da[1], hint);
    } else {
        address_to(t, Op::set_i_particle);
        const Cluster *k = cluster(t);
        static const std::vector<JParticle> nobody;
        const IParticle i = t.scene->target(k ? k->particles() : nobody, k ? k->ti : 0, true);
        call_.i = {t.pipe++ % std::max(1, t.pipes + 1), i.index, 0, 0};
        if (may_be_huge(0.001)) call_.i[0] = INT_MAX;
        call_.d = {t.scene->eps2(), t.scene->h2(), 0, 0};
        put(call_.da[0], i.x), put(call_.da[1], i.v);
    }
}

}  // namespace g6fuzz
