// SPDX-License-Identifier: MIT
// firsthalf and lasthalf: which of them reads the arguments, and which arrays may take results.
#include "client.h"
#include "rule.h"

#include <chrono>
#include <thread>

namespace g6check {
namespace {

void status(const Library &library)
{
    Client c(library);
    c.set_all(neutral(8));
    expect_equal("lasthalf returns", 0, c.run(probes(2)).status);
    if (library.lasthalf2)
        expect_equal("lasthalf2 returns", 0, c.run(probes(2), Half::kLast2).status);
}

void inputs_copied(const Library &library)
{
    Client c(library);
    c.set_all(neutral(32));
    Block block = probes(3);
    int nj = 32, ni = 3;
    c.prepare(block, nj);
    {
        Block copy = block;  // its arrays are freed between the halves
        std::vector<Vec> old(3, Vec{1, 1, 1});
        std::vector<double> phi(3, -1);
        library.firsthalf(c.id(), &nj, &ni, copy.index.data(), rows(copy.x), rows(copy.v),
                          rows(old), rows(old), phi.data(), &copy.eps2, copy.h2.data());
        for (int k = 0; k < 3; k++) copy.index[k] = k, copy.x[k] = {9, 9, 9}, copy.v[k] = {9, 9, 9};
        copy.eps2 = 9;
    }
    c.judge_acc(c.last());
}

void uncollected(const Library &library)
{
    Client c(library);
    c.set_all(neutral(32));
    const Block all = probes(6);
    Block dropped, kept;
    for (int k = 0; k < 3; k++)
        dropped.add(all.index[k], all.x[k]), kept.add(all.index[k], all.x[k + 3]);
    for (int k = 0; k < 50; k++) c.first(dropped, 32);
    c.first(kept, 32);
    c.judge_acc(c.last());
}

void uncollected_then_write(const Library &library)
{
    Client c(library);
    c.set_all(neutral(32));
    c.first(probes(3), 32);
    c.set(4, body(4, 0.5, {0.25, 0.5, 0}));
    c.run_and_judge(probes(3));
}

void work_between(const Library &library)
{
    Client c(library);
    c.set_all(neutral(512));
    c.first(probes(8), 512);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    c.judge_acc(c.last());
}

// phiGRAPE lets lasthalf write its results over the arrays of the old values.
void over_old_values(const Library &library)
{
    Client c(library);
    c.set_all(moving(32, false));
    Block block = probes(3);
    int nj = 32, ni = 3;
    Answer a(3);
    c.prepare(block, nj);
    library.firsthalf(c.id(), &nj, &ni, block.index.data(), rows(block.x), rows(block.v),
                      rows(a.acc), rows(a.jerk), a.pot.data(), &block.eps2, block.h2.data());
    a.status =
        library.lasthalf(c.id(), &nj, &ni, block.index.data(), rows(block.x), rows(block.v),
                         &block.eps2, block.h2.data(), rows(a.acc), rows(a.jerk), a.pot.data());
    c.judge_acc(a);
    c.judge_pot(a);
}

void one_buffer(const Library &library)
{
    Client c(library);
    c.set_all(neutral(32));
    Block block = probes(3);
    int nj = 32, ni = 3;
    Answer a(3);
    c.first(block, nj);
    a.status =
        library.lasthalf(c.id(), &nj, &ni, block.index.data(), rows(block.x), rows(block.v),
                         &block.eps2, block.h2.data(), rows(a.acc), rows(a.acc), a.pot.data());
    c.judge_pot(a);
}

void last_is_last2(const Library &library)
{
    Client c(library);
    c.set_all(neutral(64));
    Block block = probes(5);
    for (Half half : {Half::kLast, Half::kLast2, Half::kLast}) c.judge_acc(c.run(block, half));
}

}  // namespace

std::vector<Rule> halves_rules()
{
    return {
        {"lasthalf-zero", "on a status other than 0 NBODY4 repeats up to 50 times and stops",
         status},
        {"inputs-copied", "the caller reuses its arrays between the halves", inputs_copied},
        {"firsthalf-uncollected", "ph4 drops a firsthalf: the next must not wait, and counts",
         uncollected},
        {"firsthalf-then-write", "j-particles may be sent after a firsthalf that was dropped",
         uncollected_then_write},
        {"work-between", "codes work between the halves", work_between},
        {"outputs-over-old", "results may overwrite the arrays of old values", over_old_values},
        {"outputs-one-buffer", "a code that wants no jerk gives acc twice", one_buffer},
        {"lasthalf-and-2", "both forms give the same acc, in any order", last_is_last2},
    };
}

}  // namespace g6check
