// SPDX-License-Identifier: MIT
// Calls that some libraries and codes added: treecodes, Phantom-GRAPE, K&F (Kawai & Fukushige),
// sapporo.
#include "client.h"
#include "rule.h"

#include <algorithm>
#include <cmath>

namespace g6check {
namespace {

Vec place(const JParticle &j)
{
    return {j.x[0], j.x[1], j.x[2]};
}

// Sends mass and position only, to slots that held moving particles before.
template <class Send> void points(const Library &library, const Send &send)
{
    Client c(library);
    c.set_all(moving(8, true));
    const auto all = neutral(32);
    for (int k = 0; k < 32; k++) {
        int address = k, index = all[k].index;
        JParticle j = all[31 - k];
        send(c, &address, &index, &j.mass, j.x);
        c.remember_point(k, index, j.mass, place(j));
    }
    c.at_time(0.25);  // a velocity that was left over would move the particles
    const Answer a = c.run(probes(4));
    c.judge_acc(a);
    c.judge_pot(a);
}

void mxonly(const Library &library)
{
    points(library, [&](Client &c, int *address, int *index, double *mass, double *x) {
        library.set_point(c.id(), address, index, mass, x);
    });
}

void multisend(const Library &library)
{
    int clusters = 1;
    points(library, [&](Client &c, int *address, int *index, double *mass, double *x) {
        library.set_point_multi(c.id(), &clusters, address, index, mass, x);
    });
}

void multisend_flush(const Library &library)
{
    Client c(library);
    int clusters = 1, size = 64, address = 0, index = 0;
    double mass = 1, x[3] = {2, 0, 0};
    if (library.initialize_buffer) library.initialize_buffer(c.id(), &size);
    library.set_point_multi(c.id(), &clusters, &address, &index, &mass, x);
    library.flush_multi(c.id(), &clusters);
    c.remember_point(0, 0, 1, {2, 0, 0});
    c.run_and_judge(probes(2));
}

// ---- Phantom-GRAPE: forms of lasthalf ----

template <class Last> Answer collect(Client &c, const Last &last)
{
    Block block = c.block();
    int ni = block.size(), nj = c.nj();
    Answer a(ni);
    a.status = last(c.id(), &nj, &ni, block.index.data(), rows(block.x), rows(block.v), &block.eps2,
                    block.h2.data(), rows(a.acc), rows(a.jerk), a.pot.data(), a.nearest.data());
    return a;
}

void lasthalfn(const Library &library)
{
    Client c(library);
    c.set_all(neutral(64));
    Block block = probes(5);
    for (double &h2 : block.h2) h2 = 0.25;
    c.first(block, 64);
    c.judge_acc(collect(c, [&](int *id, int *nj, int *ni, int *index, Rows x, Rows v, double *e,
                               double *h2, Rows acc, Rows jerk, double *pot, int *) {
        return library.lasthalfn(id, nj, ni, index, x, v, e, h2, acc, jerk, pot);
    }));
    if (library.computes_jerk()) c.judge_lists();
}

void lasthalf2n(const Library &library)
{
    library.need_hermite("neighbours");
    Client c(library);
    c.set_all(neutral(64));
    Block block = probes(5);
    for (double &h2 : block.h2) h2 = 0.25;
    c.first(block, 64);
    c.judge_nearest(collect(c, library.lasthalf2n));
    c.judge_lists();
}

void distances(const Library &library, const Library::Last2p &last)
{
    library.need_hermite("neighbours");
    Client c(library);
    c.set_all(neutral(64));
    c.first(probes(5), 64);
    std::vector<float> distance(5, -1);
    c.judge_nearest(collect(c, [&](int *id, int *nj, int *ni, int *index, Rows x, Rows v, double *e,
                                   double *h2, Rows acc, Rows jerk, double *pot, int *nearest) {
        return last(id, nj, ni, index, x, v, e, h2, acc, jerk, pot, nearest, distance.data());
    }));
    const auto sums = c.reference();
    for (int k = 0; k < 5; k++) {
        const double want = std::sqrt(double(sums[k].nearest_r2) + c.block().eps2);
        expect(std::fabs(distance[k] - want) <= 4 * 0x1p-24 * want,
               "distance of the nearest " + text(want), text(double(distance[k])));
    }
}

void lasthalf2p(const Library &library)
{
    distances(library, library.lasthalf2p);
}

void lasthalf2np(const Library &library)
{
    distances(library, library.lasthalf2np);
}

// ---- K&F ----

void without_id(const Library &library)
{
    library.open_all();
    const auto all = moving(16, false);
    Client c(library, 0, false);
    for (int k = 0; k < 16; k++) {
        JParticle j = all[k];
        int address = k;
        double dtj = 0;
        library.set_j_all(&address, &j.index, &j.t, &dtj, &j.mass, j.k18, j.j6, j.a2, j.v, j.x);
    }
    Block block = probes(3);
    double ti = 0.0625, phi[3] = {-1, -1, -1};
    int nj = 16, ni = 3;
    std::vector<Vec> old(3, Vec{1, 1, 1});
    Answer a(3);
    library.set_ti_all(&ti);
    library.firsthalf_all(&nj, &ni, block.index.data(), rows(block.x), rows(block.v), rows(old),
                          rows(old), phi, &block.eps2, block.h2.data());
    a.status =
        library.lasthalf_all(&nj, &ni, block.index.data(), rows(block.x), rows(block.v),
                             &block.eps2, block.h2.data(), rows(a.acc), rows(a.jerk), a.pot.data());
    library.close_all();
    // The expected values come from a client that calls the forms with an id.
    c.open();
    c.set_all(all);
    c.at_time(ti);
    c.run(block);
    c.judge_acc(a);
}

// Bit 0 of the mode is set: one eps2 serves all i-particles.
void eps2_by_mode(const Library &library, int mode)
{
    Client c(library);
    c.set_all(neutral(16));
    Block block = probes(2);
    double eps2[2] = {0.25, 1.0 / 64}, phi[2] = {-1, -1};
    int nj = 16, ni = 2;
    std::vector<Vec> old(2, Vec{1, 1, 1});
    Answer a(2);
    library.firsthalf0(c.id(), &nj, &ni, block.index.data(), rows(block.x), rows(block.v),
                       rows(old), rows(old), phi, eps2, block.h2.data(), &mode);
    a.status =
        library.lasthalf0(c.id(), &nj, &ni, block.index.data(), rows(block.x), rows(block.v), eps2,
                          block.h2.data(), rows(a.acc), rows(a.jerk), a.pot.data(), &mode);
    for (int k = 0; k < 2; k++) {
        Block one;
        one.eps2 = eps2[mode & 1 ? 0 : k];
        one.add(block.index[k], block.x[k], block.v[k]);
        c.run(one);
        Answer part(1);
        part.status = a.status, part.acc[0] = a.acc[k];
        c.judge_acc(part);
    }
}

void pipe_by_pipe(const Library &library)
{
    Client c(library);
    c.set_all(neutral(16));
    Block block = probes(3);
    int nip = 3, njp = 16, flag[3] = {7, 7, 7};
    double h2 = 0;
    library.set_nip(c.id(), &nip);
    library.set_njp(c.id(), &njp);
    for (int k = 0; k < 3; k++)
        library.set_i(c.id(), &k, &block.index[k], block.x[k].data(), block.v[k].data(),
                      &block.eps2, &h2);
    Answer a(3);
    a.status = library.get_force(c.id(), rows(a.acc), rows(a.jerk), a.pot.data(), flag);
    c.run(block);
    c.judge_acc(a);
    expect(flag[0] == 0 && flag[2] == 0, "flags 0: no overflow", text(flag[0]));
}

void predicted(const Library &library)
{
    Client c(library);
    const auto all = moving(4, false);
    c.set_all(all);
    double ti = 0.125, x[4][3], v[4][3];
    int nj = 4;
    library.set_ti(c.id(), &ti);
    library.get_predicted(c.id(), &nj, x, v);
    for (int k = 0; k < 4; k++) {
        const auto want = g6tools::predict(all[k], ti);
        for (int d = 0; d < 3; d++)
            expect(std::fabs(x[k][d] - want.x[d]) <= 32 * 0x1p-24 * 16 &&
                       std::fabs(v[k][d] - want.v[d]) <= 32 * 0x1p-24 * 16,
                   "x, v " + text(double(want.x[d])) + ", " + text(double(want.v[d])),
                   text(x[k][d]) + ", " + text(v[k][d]));
    }
}

void njmax(const Library &library)
{
    Client c(library);
    const int n = library.njmax(c.id());
    expect(n > 0, "a positive number", text(n));
}

// ---- sapporo ----

void special(const Library &library)
{
    Client c(library, 0, false);
    library.open_special(0, nullptr);
    c.set_all(neutral(16));
    c.run_and_judge(probes(3));
    c.close();
    library.open_special(-1, nullptr);
    c.set_all(neutral(16));
    c.run_and_judge(probes(3));
}

void special_sized(const Library &library)
{
    Client c(library, 0, false);
    int list[1] = {0};
    library.open_special2(1, list, 8);
    c.set_all(neutral(16));
    c.run_and_judge(probes(3));
}

void devices(const Library &library)
{
    const int n = library.device_count();
    expect(n >= 1, "at least 1", text(n));
}

}  // namespace

void eps2_each(const Library &library)
{
    for (int mode : {0, 2}) eps2_by_mode(library, mode);
}

void eps2_for_all(const Library &library)
{
    for (int mode : {1, 3}) eps2_by_mode(library, mode);
}

std::vector<Rule> family_rules()
{
    return {
        {"treecode-mxonly", "mass and position only: everything else becomes zero", mxonly},
        {"treecode-multisend", "mass and position by the call of Makino's treecode", multisend,
         kShared},
        {"treecode-flush", "the flush of Makino's treecode is accepted", multisend_flush, kShared},
        {"phantom-lasthalfn", "lasthalf with lists", lasthalfn, kShared},
        {"phantom-lasthalf2n", "lasthalf2 with lists", lasthalf2n, kShared},
        {"phantom-lasthalf2p", "softened distance of the nearest, as float", lasthalf2p},
        {"phantom-lasthalf2np", "lasthalf2p with lists", lasthalf2np, kShared},
        {"kf-without-id", "forms without id", without_id, kShared},
        {"kf-eps2-each", "one eps2 for each i-particle (mode 0)", eps2_each},
        {"kf-eps2-for-all", "one eps2 for all i-particles (mode 1)", eps2_for_all},
        {"kf-pipe-by-pipe", "i-particles set one by one", pipe_by_pipe, kShared},
        {"kf-predicted", "predicted positions and velocities, to float", predicted, kShared},
        {"kf-njmax", "room for j-particles", njmax, kShared},
        {"sapporo-open-special", "opens all devices, or any", special},
        {"sapporo-open-special2", "as open_special, with the number of j-particles", special_sized},
        {"sapporo-device-count", "AMUSE's configure looks for this call", devices, kShared},
    };
}

std::vector<Group> all_rules()
{
    return {{"names", name_rules()},
            {"arguments", argument_rules()},
            {"life of a cluster", lifecycle_rules()},
            {"j-particles", memory_rules()},
            {"predictor", predictor_rules()},
            {"force", force_rules()},
            {"self", self_rules()},
            {"halves", halves_rules()},
            {"nearest neighbour", nearest_rules()},
            {"neighbour lists", list_rules()},
            {"families", family_rules()}};
}

}  // namespace g6check
