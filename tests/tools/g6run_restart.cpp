// SPDX-License-Identifier: MIT
// A run that continues from a snapshot has the bits of a run that never stopped.
#include "g6run_systems.h"

#include "tools/g6run/block_leapfrog.h"
#include "tools/g6run/integrator.h"
#include "tools/g6run/leapfrog.h"

#include <g6lib.h>

namespace g6runtest {
namespace {

using namespace g6run;

struct Case {
    const char *method, *mode, *steps, *mac, *precision;
    double dt, middle, end;  // dt: the longest step, or all steps of a leapfrog
};

Settings settings(const Case &c)
{
    Settings s;
    s.method = c.method;
    s.steps = c.steps;
    s.eps = 1.0 / 32;
    s.eta = s.leaps() ? 0.125 : 0.005;
    s.eta_start = 0.003;
    s.dt_max = c.dt;
    s.dt_min = std::ldexp(c.dt, -30);
    return s;
}

// Goes on from the snapshot to `end`, in a library that has no tree yet.  A tree that serves
// several steps has cells of the particles' earlier places; where block steps walk it, it is built
// for each walk (docs/snapshots.md).
void go_on(const Case &c, Snapshot &snapshot, double end)
{
    const Settings s = settings(c);
    Gravity gravity("cpu", c.precision, c.mode, s.eps, "0.7", !s.leaps());
    gravity.use_criterion(c.mac);
    if (!s.uses_dt()) gravity.build_each_tree();
    std::unique_ptr<Scheme> run;
    const double t = snapshot.time;
    if (s.uses_dt())
        run = std::make_unique<Leapfrog>(std::make_unique<LibraryField>(gravity), snapshot.bodies,
                                         c.dt, t, t > 0);
    else if (s.leaps())
        run = std::make_unique<BlockLeapfrog>(gravity, snapshot.bodies, s, t, t > 0);
    else
        run = std::make_unique<Integrator>(gravity, snapshot.bodies, s, t, t > 0);
    while (run->time() < end) run->step();
    snapshot.time = run->time();
    snapshot.bodies = run->bodies();
}

// Between common times of the block steps, too.  0.1 has no exact double, and times are rounded
// multiples of it.  With the criterion "acceleration" a force depends on the accelerations of the
// step before, which a run that goes on does not know.
TEST(Restart, gives_the_same_bits)
{
    const Case cases[] = {
        {"hermite", "hermite", "block", "bh", "mixed", 0.125, 0.3, 0.5},
        {"hermite", "hermite", "block", "bh", "mixed", 0.1, 3 * 0.1, 0.5},
        {"hermite", "hermite", "block", "bh", "mixed", 0.1, 0.37, 0.5},
        {"hermite", "hermite", "shared", "bh", "mixed", 0.125, 0.3, 0.5},
        {"hermite", "treewalk", "block", "combined", "mixed", 0.125, 0.1, 0.25},
        {"treewalk", "treewalk", "block", "combined", "mixed", 0.125, 0.2, 0.375},
        {"treewalk", "treewalk", "shared", "combined", "mixed", 0x1p-6, 0x5p-6, 0xap-6},
        {"treewalk", "treewalk", "shared", "acceleration", "mixed", 0x1p-6, 0x5p-6, 0xap-6}};
    g6_set_option(0, "direct", "0");
    for (const Case &c : cases) {
        SCOPED_TRACE(testing::Message() << c.method << c.mode << c.steps << c.mac << c.middle);
        const Folder folder;
        Snapshot whole = model_snapshot("hernquist", 500, 4), parts = whole;
        go_on(c, parts, c.middle);
        parts.state = RunState();
        parts.state->settings = settings(c);
        write_snapshot(folder / "a.hdf5", Format::kHdf5, parts);
        parts = read_snapshot(folder / "a.hdf5");
        go_on(c, parts, c.end);
        go_on(c, whole, c.end);
        expect_same_bits(parts.bodies, whole.bodies);
    }
    g6_set_option(0, "mac", "combined");
    g6_set_option(0, "direct", "auto");
}

}  // namespace
}  // namespace g6runtest
