// SPDX-License-Identifier: MIT
// The memory of j-particles: which slots a write changes, and which of them act on a block.
#include "client.h"
#include "rule.h"

#include <climits>

namespace g6check {
namespace {

void any_order(const Library &library)
{
    Client c(library);
    const auto all = neutral(300);
    for (int k = 0; k < 300; k++) c.set(k * 7 % 300, all[k * 7 % 300]);
    c.run_and_judge(probes(4));
}

void grows(const Library &library)
{
    Client c(library);
    c.set_all(neutral(8));
    c.run_and_judge(probes(2));
    c.set_all(neutral(20000));
    c.run_and_judge(probes(2));
}

void last_wins(const Library &library)
{
    Client c(library);
    const auto all = neutral(8);
    c.set_all(all);
    for (int k = 0; k < 20; k++) c.set(3, body(3, 0.01 * (k + 1), {0.3, 0.1 * k, -0.2}));
    c.run_and_judge(probes(2));
    c.set(5, body(5, 0.7, {1, 1, 1}));
    c.run_and_judge(probes(2));
}

void nj_decides(const Library &library)
{
    Client c(library);
    c.set_all(neutral(20));
    const Block block = probes(2);
    for (int nj : {20, 7, 20, 1}) c.judge_acc(c.run(block, nj));
}

void holes_no_force(const Library &library)
{
    Client c(library);
    const auto all = neutral(30);
    for (int k = 3; k < 30; k += 3) c.set(k, all[k]);
    const Answer a = c.run(probes(3));
    c.judge_acc(a);
    c.judge_pot(a);
}

void holes_no_neighbour(const Library &library)
{
    library.need_hermite("neighbours");
    Client c(library);
    c.set(4, body(4, 1, {8, 0, 0}));
    Block block;
    block.add(kForeign, {0, 0, 0.125});  // an empty slot would be at the origin
    c.judge_nearest(c.run(block, Half::kLast2));
}

void nj_zero(const Library &library)
{
    Client c(library);
    c.set_all(neutral(4));
    const Answer a = c.run(probes(2), 0);
    for (int k = 0; k < 2; k++) {
        for (int d = 0; d < 3; d++)
            expect(a.acc[k][d] == 0 && a.jerk[k][d] == 0, "acc and jerk 0",
                   text(a.acc[k][d]) + ", " + text(a.jerk[k][d]));
        expect(a.pot[k] == 0, "pot 0", text(a.pot[k]));
    }
}

void ni_zero(const Library &library)
{
    Client c(library);
    c.set_all(neutral(4));
    const Answer a = c.run(Block{}, 4);
    expect_equal("lasthalf of no particle returns", 0, a.status);
    expect(a.acc[0][0] == Answer::kUnwritten && a.pot[0] == Answer::kUnwritten, "nothing written",
           text(a.acc[0][0]));
    c.run_and_judge(probes(2));
}

void ni_above_npipes(const Library &library)
{
    Client c(library);
    c.set_all(neutral(16));
    c.run_and_judge(probes(library.npipes() + 5));
}

void index_minus_one(const Library &library)
{
    Client c(library);
    c.set_all(neutral(4));
    c.set(2, body(-1, 0.5, {0.5, -1, 0}));
    c.run_and_judge(probes(2));
}

void index_any(const Library &library)
{
    Client c(library);
    const int odd[] = {INT_MAX, INT_MIN, 0, 123456789, -77};
    for (int k = 0; k < 5; k++) c.set(k, body(odd[k], 0.2, {1.0 * k, 0.5 * k * k, -0.25}));
    c.run_and_judge(probes(2));
}

void index_shared(const Library &library)
{
    Client c(library);
    auto all = neutral(10);
    for (auto &j : all) j.index = 1;
    c.set_all(all);
    c.run_and_judge(probes(2));
}

void dtj_ignored(const Library &library)
{
    Client c(library);
    const auto all = moving(8, false);
    const double dtj[] = {0, 1e10, -1, 1e-30};
    for (int k = 0; k < 8; k++) c.set(k, all[k], dtj[k % 4]);
    c.at_time(0.0625);
    c.run_and_judge(probes(2));
}

void scattered_updates(const Library &library)
{
    Client c(library);
    c.set_all(neutral(500));
    c.run_and_judge(probes(3));
    const auto other = neutral(600);
    for (int k = 0; k < 500; k += 17) {
        JParticle j = other[599 - k];
        j.index = k;
        c.set(k, j);
    }
    c.run_and_judge(probes(3));
}

}  // namespace

std::vector<Rule> memory_rules()
{
    return {
        {"address-any-order", "block-step codes write scattered addresses", any_order},
        {"memory-grows", "codes do not announce a number of j-particles", grows},
        {"write-last-wins", "one address may be written again before a force", last_wins},
        {"write-scattered", "codes send only the particles that have changed", scattered_updates},
        {"nj-decides", "slots from nj on are left out and kept", nj_decides},
        {"holes-no-force", "slots never written add nothing", holes_no_force},
        {"holes-no-neighbour", "slots never written are nobody's neighbour", holes_no_neighbour},
        {"nj-zero", "no j-particle: zeros are written", nj_zero},
        {"ni-zero", "no i-particle: nothing is done", ni_zero},
        {"ni-above-npipes", "a sapporo2 test passes 256 whatever npipes says", ni_above_npipes},
        {"index-minus-one", "-1 is an index like others", index_minus_one},
        {"index-any", "ph4 sends arbitrary 32-bit identities", index_any},
        {"index-shared", "an index need not be unique", index_shared},
        {"dtj-ignored", "many codes send 0 as the step", dtj_ignored, kShared},
    };
}

}  // namespace g6check
