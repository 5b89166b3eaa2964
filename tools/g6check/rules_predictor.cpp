// SPDX-License-Identifier: MIT
// x_p = x + v s + a2 s^2 + j6 s^3 + 3/4 k18 s^4, and v_p is the derivative of x_p.  acc shows
// whether positions are right, jerk whether velocities are.
#include "client.h"
#include "rule.h"

namespace g6check {
namespace {

constexpr double kTimes[] = {0.0009765625, 0.03125, 0.125};

void need_snap(const Library &library)
{
    if (library.setting("snap") == "0") throw NotOffered{"G6_SNAP=0 leaves a2by18 out"};
}

void position(const Library &library)
{
    Client c(library);
    c.set_all(moving(24, false));
    for (double t : kTimes) c.at_time(t), c.run_and_judge(probes(4));
}

void position_snap(const Library &library)
{
    need_snap(library);
    Client c(library);
    c.set_all(moving(24, true));
    for (double t : kTimes) c.at_time(t), c.run_and_judge(probes(4));
}

void velocity(const Library &library)
{
    library.need_hermite("jerk");
    Client c(library);
    c.set_all(moving(24, false));
    for (double t : kTimes) c.at_time(t), c.judge_jerk(c.run(probes(4)));
}

void velocity_snap(const Library &library)
{
    library.need_hermite("jerk");
    need_snap(library);
    // 3/4 k18 s^4 is far smaller than 3 k18 s^3 here, so k18 shows in the velocity alone.
    Client c(library);
    auto all = neutral(24);
    for (auto &j : all) j.k18[0] = 1e-3, j.k18[1] = 2e-3;
    c.set_all(all);
    Block block = probes(4);
    for (Vec &v : block.v) v = {};
    for (double t : kTimes) c.at_time(8 * t), c.judge_jerk(c.run(block));
}

void own_times(const Library &library)
{
    Client c(library);
    auto all = moving(24, false);
    for (auto &j : all) j.t = 0.0078125 * (j.index % 9 - 4);  // before, at and after ti
    c.set_all(all);
    c.at_time(0.0078125);
    c.run_and_judge(probes(4));
}

void backwards(const Library &library)
{
    Client c(library);
    c.set_all(moving(24, false));
    for (double t : {0.125, 0.03125, -0.0625}) c.at_time(t), c.run_and_judge(probes(4));
}

void after_ti(const Library &library)
{
    Client c(library);
    c.set_all(moving(24, false));
    c.run_and_judge(probes(4));
    c.at_time(0.0625);
    c.run_and_judge(probes(4));
}

void after_write(const Library &library)
{
    Client c(library);
    const auto all = moving(24, false);
    c.set_all(all);
    c.at_time(0.0625);
    c.run_and_judge(probes(4));
    // NBODY4 sets ti and then sends j-particles.
    for (int k = 0; k < 24; k += 2) {
        JParticle j = all[k];
        j.t = 0.03125, j.x[0] += 0.25;
        c.set(k, j);
    }
    c.first(probes(4), 24, false);
    c.judge_acc(c.last());
}

void ti_at_start(const Library &library)
{
    Client c(library);
    auto all = moving(24, false);
    for (auto &j : all) j.t = -0.0625;
    c.set_all(all);
    c.first(probes(4), 24, false);
    c.judge_acc(c.last());
}

}  // namespace

std::vector<Rule> predictor_rules()
{
    return {
        {"predict-position", "v, a/2, (da/dt)/6 move the j-particles", position},
        {"predict-position-snap", "kira and NBODY4 send a2by18: 3/4 a2by18 s^4", position_snap},
        {"predict-velocity", "v + 2 (a/2) s + 3 (da/dt)/6 s^2", velocity},
        {"predict-velocity-snap", "the velocity has the term 3 a2by18 s^3", velocity_snap},
        {"predict-own-times", "each j-particle has its own time, before or after ti", own_times},
        {"predict-backwards", "ti goes back for energy outputs", backwards},
        {"predict-after-ti", "a new ti is enough for a new prediction", after_ti},
        {"predict-after-write", "NBODY4 sends j-particles after it has set ti", after_write},
        {"ti-zero-at-start", "ti is 0 before the first g6_set_ti", ti_at_start},
    };
}

}  // namespace g6check
