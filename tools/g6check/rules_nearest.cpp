// SPDX-License-Identifier: MIT
// The nearest neighbour that lasthalf2 reports.
#include "client.h"
#include "rule.h"

namespace g6check {
namespace {

// j-particles at the given x with index = address, and an i-particle at the origin.
struct Line {
    Client c;
    Block block;
    Line(const Library &library, const std::vector<double> &places) : c(library)
    {
        library.need_hermite("neighbours");
        for (double x : places) c.set(c.nj(), body(c.nj(), 1, {x, 0, 0}));
        block.add(kForeign, {0, 0, 0});
    }
    void expect_nearest(int index)
    {
        const Answer a = c.run(block, Half::kLast2);
        expect_equal("nearest", index, a.nearest[0]);
    }
};

void system_of_many(const Library &library)
{
    library.need_hermite("neighbours");
    Client c(library);
    c.set_all(neutral(1000));
    c.judge_nearest(c.run(probes(48), Half::kLast2));
}

void is_index(const Library &library)
{
    Line line(library, {4, 3, 5});
    line.c.set(1, body(-77, 1, {3, 0, 0}));
    line.expect_nearest(-77);
    line.c.set(1, body(2147483647, 1, {3, 0, 0}));
    line.expect_nearest(2147483647);
}

void not_self(const Library &library)
{
    Line line(library, {0.5, 3, 5});
    line.block.index[0] = 0;
    line.expect_nearest(1);
    line.block.x[0] = {0.5, 0, 0};
    line.expect_nearest(1);
}

void self_by_index(const Library &library)
{
    Line line(library, {3, 0.5, 5});
    line.c.set(1, body(40, 1, {0.5, 0, 0}));
    line.block.index[0] = 40;
    line.expect_nearest(0);
}

void h2_and_mass(const Library &library)
{
    Line line(library, {4, 2, 6});
    line.block.h2[0] = 1e-6;
    line.expect_nearest(1);
    line.block.h2[0] = 1e6;
    line.expect_nearest(1);
    line.c.set(2, body(2, 1000, {6, 0, 0}));
    line.expect_nearest(1);
}

void massless(const Library &library)
{
    Line line(library, {4, 2, 6});
    line.c.set(1, body(1, 0, {2, 0, 0}));
    line.expect_nearest(1);
}

void unsoftened(const Library &library)
{
    Line line(library, {4.5, 4.25, 4});
    line.block.eps2 = 1e12;
    line.expect_nearest(2);
}

void tie(const Library &library)
{
    // Address 0 is far, so the answer is the lowest address of the nearest ones, and not the first.
    Line line(library, {9, 2, -2, 2});
    line.expect_nearest(1);
}

void far_away(const Library &library)
{
    Line line(library, {3e7, 2e7});
    line.expect_nearest(1);
}

void predicted(const Library &library)
{
    Line line(library, {1, 4});
    JParticle j = body(0, 1, {1, 0, 0});
    j.v[0] = 16;
    line.c.set(0, j);
    line.expect_nearest(0);
    line.c.at_time(0.5);  // x = 9
    line.expect_nearest(1);
}

void alone(const Library &library)
{
    Line line(library, {2});
    line.c.set(0, body(5, 1, {2, 0, 0}));
    line.block.index[0] = 5;
    line.expect_nearest(nobody(library));
}

void empty(const Library &library)
{
    Line line(library, {});
    line.expect_nearest(nobody(library));
}

}  // namespace

std::vector<Rule> nearest_rules()
{
    return {
        {"nearest", "the nearest of many", system_of_many},
        {"nearest-is-index", "the index is wanted, not the address", is_index},
        {"nearest-not-self", "never the own index", not_self},
        {"nearest-self-by-index", "own j-particles have the index, not the address", self_by_index},
        {"nearest-any-h2-mass", "by distance alone: h2 and mass do not matter", h2_and_mass},
        {"nearest-massless", "bodies without mass count", massless},
        {"nearest-unsoftened", "by distance without softening", unsoftened},
        {"nearest-tie", "of equally near bodies the one at the lowest address counts", tie},
        {"nearest-far", "no upper limit of distance", far_away},
        {"nearest-predicted", "by positions predicted to ti", predicted},
        {"nearest-alone", "without other j-particles the index is 0: kira aborts on -1", alone},
        {"nearest-empty", "without j-particles the index is 0", empty},
    };
}

}  // namespace g6check
