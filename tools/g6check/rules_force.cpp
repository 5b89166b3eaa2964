// SPDX-License-Identifier: MIT
// Sums over pairs, without questions of identity: acc, jerk, pot against long double.
#include "client.h"
#include "rule.h"

#include <cmath>
#include <limits>

namespace g6check {
namespace {

// Both kinds of lasthalf, with and without softening.
template <class Judge> void plummer(const Library &library, const Judge &judge)
{
    Client c(library);
    auto all = moving(1000, false);
    c.set_all(all);
    Block block = probes(48);
    for (double eps2 : {1.0 / 65536, 0.0}) {
        block.eps2 = eps2;
        judge(c, c.run(block));
        if (library.lasthalf2) judge(c, c.run(block, Half::kLast2));
    }
}

void accuracy_acc(const Library &library)
{
    plummer(library, [](Client &c, const Answer &a) { c.judge_acc(a); });
}

void accuracy_jerk(const Library &library)
{
    library.need_hermite("jerk");
    plummer(library, [](Client &c, const Answer &a) { c.judge_jerk(a); });
}

void accuracy_pot(const Library &library)
{
    plummer(library, [](Client &c, const Answer &a) { c.judge_pot(a); });
}

// One body of mass 4 at (2,0,0), moving with (0,3,0), seen from the origin at rest: acc = (1,0,0),
// jerk = 4 (0,3,0) / 8, pot = -2.
Answer one_pair(const Library &library)
{
    Client c(library);
    JParticle j = body(0, 4, {2, 0, 0});
    j.v[1] = 3;
    c.set(0, j);
    Block block;
    block.eps2 = 0;
    block.add(kForeign, {0, 0, 0});
    return c.run(block);
}

void pot_negative(const Library &library)
{
    const double pot = one_pair(library).pot[0];
    expect(pot < 0, "pot -2", text(pot));
}

void jerk_sign(const Library &library)
{
    library.need_hermite("jerk");
    const double jerk = one_pair(library).jerk[0][1];
    expect(jerk > 0, "jerk 1.5", text(jerk));
}

void eps2_of_the_call(const Library &library)
{
    Client c(library);
    c.set_all(neutral(16));
    Block block = probes(2);
    for (double eps2 : {0.25, 0.0, 4.0}) block.eps2 = eps2, c.run_and_judge(block);
}

// Two bodies 1e-9 apart in a system of size 1; the sum over both places is dominated by that pair.
void close_pair(const Library &library)
{
    Client c(library);
    auto all = neutral(64);
    const Vec place = {0.6180339887498949, -0.4142135623730951, 0.7320508075688772};
    all[20] = body(20, 1e-3, place);
    c.set_all(all);
    Block block;
    block.eps2 = 0;
    block.add(kForeign, {place[0] + 6e-10, place[1] - 8e-10, place[2]});
    c.run_and_judge(block);
}

void large_places(const Library &library)
{
    Client c(library);
    auto all = neutral(16);
    for (auto &j : all)
        for (double &x : j.x) x *= 1e6;
    c.set_all(all);
    Block block = probes(3);
    for (Vec &x : block.x)
        for (double &component : x) component *= 1e6;
    c.run_and_judge(block);
}

void old_values(const Library &library)
{
    Client c(library);
    c.set_all(neutral(64));
    Block block = probes(2);
    int ni = 2, nj = 64;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (double value : {0.0, nan, 1e30, -1e-30}) {
        std::vector<Vec> old(2, Vec{value, value, value});
        std::vector<double> phi(2, value);
        c.prepare(block, nj);
        library.firsthalf(c.id(), &nj, &ni, block.index.data(), rows(block.x), rows(block.v),
                          rows(old), rows(old), phi.data(), &block.eps2, block.h2.data());
        c.judge_acc(c.last());
    }
}

void zero_mass(const Library &library)
{
    Client c(library);
    auto all = neutral(16);
    for (int k = 0; k < 16; k += 2) all[k].mass = 0;
    c.set_all(all);
    c.run_and_judge(probes(3));
}

}  // namespace

std::vector<Rule> force_rules()
{
    return {
        {"accuracy-acc", "sum of m r/(r^2+eps2)^(3/2), r from i to j", accuracy_acc},
        {"accuracy-jerk", "the derivative of acc with time", accuracy_jerk},
        {"accuracy-pot", "sum of m/sqrt(r^2+eps2), of either sign", accuracy_pot},
        {"pot-negative", "kira takes a positive potential for a fault", pot_negative},
        {"jerk-sign", "the jerk of j moving relative to i has the sign of the derivative of acc",
         jerk_sign},
        {"eps2-of-the-call", "softening comes with each call, as a square", eps2_of_the_call},
        {"close-pair", "kira's binaries: separation 1e-9 in a system of size 1", close_pair},
        {"places-any", "coordinates of 1e6 are allowed: there is no box", large_places},
        {"old-values-ignored", "aold, j6old, phiold are hints and may be zero, NaN or anything",
         old_values},
        {"mass-zero", "bodies without mass give no force", zero_mass},
    };
}

}  // namespace g6check
