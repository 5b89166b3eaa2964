// SPDX-License-Identifier: MIT
// Which j-particles a sum leaves out: those with the index of the i-particle, and no others.
#include "client.h"
#include "rule.h"

namespace g6check {
namespace {

// Adds an i-particle with the index and the position of the j-particle at address k.
void add_own(Block &block, const JParticle &j, int index)
{
    block.add(index, {j.x[0], j.x[1], j.x[2]});
}

void own_acc(const Library &library)
{
    Client c(library);
    c.set_all(neutral(16));
    Block block = probes(3);
    block.index = {5, 5, 15};
    c.run_and_judge(block);
}

void own_pot(const Library &library)
{
    Client c(library);
    const auto all = neutral(16);
    c.set_all(all);
    Block block;
    for (int k = 0; k < 16; k += 5) add_own(block, all[k], k);
    c.judge_pot(c.run(block));
}

void by_index(const Library &library)
{
    Client c(library);
    auto all = neutral(16);
    for (auto &j : all) j.index += 100;
    c.set_all(all);
    Block block = probes(2);
    block.index = {3, 7};  // addresses, but nobody's index
    c.run_and_judge(block);
}

void all_of_it(const Library &library)
{
    Client c(library);
    auto all = neutral(16);
    all[3].index = all[11].index = 7;
    c.set_all(all);
    Block block = probes(1);
    block.index = {7};
    c.run_and_judge(block);
}

void not_in_memory(const Library &library)
{
    Client c(library);
    c.set_all(neutral(16));
    Block block = probes(3);
    block.index = {-1, 999, 16};  // phiGRAPE probes with -1
    c.run_and_judge(block);
}

void coincident_softened(const Library &library)
{
    Client c(library);
    const auto all = neutral(16);
    c.set_all(all);
    Block block;
    block.eps2 = 1.0 / 64;
    add_own(block, all[6], kForeign);
    c.judge_pot(c.run(block));
}

void coincident(const Library &library)
{
    Client c(library);
    const auto all = neutral(16);
    c.set_all(all);
    Block block;
    block.eps2 = 0;
    add_own(block, all[6], kForeign);
    const Answer a = c.run(block);
    c.judge_acc(a);
    c.judge_pot(a);
}

}  // namespace

std::vector<Rule> self_rules()
{
    return {
        {"self-elsewhere",
         "own is a body with the own index, at any distance (kira: one index, two places)",
         own_acc},
        {"self-not-in-pot", "pot has no term -m/eps of the particle itself", own_pot},
        {"self-by-index", "own is a body with the own index, wherever its address", by_index},
        {"self-all", "every j-particle with the own index is left out", all_of_it},
        {"self-not-in-memory", "MPI codes pass i-particles that are no local j, phiGRAPE passes -1",
         not_in_memory},
        {"coincident-softened", "another body at the same place counts", coincident_softened},
        {"coincident-unsoftened",
         "with eps 0 another body at the same place adds nothing, and no NaN", coincident},
    };
}

}  // namespace g6check
