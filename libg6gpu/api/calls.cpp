// SPDX-License-Identifier: MIT
// From C arguments to clusters: all calls but those of a block (calls_block.cpp).
#include "calls.h"
#include "on_cluster.h"

#include <algorithm>
#include <atomic>

namespace g6::calls {
namespace {

// Writes one j-particle, by set_j(), to the cluster that serves id and to the open clusters among
// the nclusters - 1 ids after id.  Ids that are not open are passed over: a client of several
// GRAPEs has opened a cluster for each of them.  Returns the status of the first call that is
// refused, and makes no further one.
template <class F>
int set_j_of_all(const char *where, ClusterId id, int nclusters, int address, F &&write)
{
    int status = set_j(where, id, address, write);
    if (status != G6_OK || nclusters < 2) return status;
    std::vector<ClusterId> others;
    status = with(where, id, [&](const Cluster &first) {
        for (const ClusterId other : clusters::open_ones(id + 1, nclusters - 1))
            if (other != first.id()) others.push_back(other);
    });
    for (size_t k = 0; k < others.size() && status == G6_OK; k++)
        status = set_j(where, others[k], address, write);
    return status;
}

std::atomic<int> g_mccount{1};

}  // namespace

int open(ClusterId id)
{
    return traced(Kind::kOpen, id,
                  [&] { return guard("g6_open", [&] { return clusters::open(id), G6_OK; }); });
}

int close(ClusterId id)
{
    return traced(Kind::kClose, id, [&] {
        forget_halves(id);
        return guard("g6_close", [&] { return clusters::close(id), G6_OK; });
    });
}

// The default where there is no memory to read the settings.
int npipes()
{
    return traced(Kind::kNpipes, 0, [] {
        int n = kGrape6Pipes;
        guard("g6_npipes", [&] { return n = process_config().npipes, G6_OK; });
        return n;
    });
}

int reset(ClusterId id)
{
    return traced(Kind::kReset, id,
                  [&] { return with("g6_reset", id, [](Cluster &c) { c.reset(false); }); });
}

int reinitialize(ClusterId id)
{
    return traced(Kind::kReinitialize, id,
                  [&] { return with("g6_reinitialize", id, [](Cluster &c) { c.reset(true); }); });
}

int set_ti(ClusterId id, double ti)
{
    return traced(
        Kind::kSetTi, id,
        [&] { return with_quick("g6_set_ti", id, [&](Cluster &c) { c.set_ti(ti); }); },
        [&](Fields &f) { f.add(ti); });
}

int set_j_particle(ClusterId id, int address, int index, double tj, double dtj, double mass,
                   double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3])
{
    return traced(
        Kind::kSetJ, id,
        [&] {
            return set_j("g6_set_j_particle", id, address, [&](Cluster &c) {
                need("one of a2by18, a1by6, aby2, v, x", a2by18, a1by6, aby2, v, x);
                return c.set_j(address, index, tj, mass, a2by18, a1by6, aby2, v, x);
            });
        },
        [&](Fields &f) {
            f.add(address, index, tj, dtj, mass, trace::vec3(a2by18), trace::vec3(a1by6),
                  trace::vec3(aby2), trace::vec3(v), trace::vec3(x));
        });
}

int set_j_particle_mxonly(ClusterId id, int address, int index, double mass, double x[3])
{
    return traced(
        Kind::kSetJPoint, id,
        [&] {
            return set_j("g6_set_j_particle_mxonly", id, address, [&](Cluster &c) {
                need("x", x);
                return c.set_j_point(address, index, mass, x);
            });
        },
        [&](Fields &f) { f.add(address, index, mass, trace::vec3(x)); });
}

int set_j_particle_multisend(ClusterId id, int nclusters, int address, int index, double tj,
                             double dtj, double mass, double a2by18[3], double a1by6[3],
                             double aby2[3], double v[3], double x[3])
{
    return traced(
        Kind::kSetJMulti, id,
        [&] {
            return set_j_of_all(
                "g6_set_j_particle_multisend", id, nclusters, address, [&](Cluster &c) {
                    need("one of a2by18, a1by6, aby2, v, x", a2by18, a1by6, aby2, v, x);
                    return c.set_j(address, index, tj, mass, a2by18, a1by6, aby2, v, x);
                });
        },
        [&](Fields &f) {
            f.add(nclusters, address, index, tj, dtj, mass, trace::vec3(a2by18), trace::vec3(a1by6),
                  trace::vec3(aby2), trace::vec3(v), trace::vec3(x));
        });
}

int set_j_point_multisend(ClusterId id, int nclusters, int address, int index, double mass,
                          double x[3])
{
    return traced(
        Kind::kSetJPointMulti, id,
        [&] {
            return set_j_of_all("g6_set_j_particle_multisend_mxfast", id, nclusters, address,
                                [&](Cluster &c) {
                                    need("x", x);
                                    return c.set_j_point(address, index, mass, x);
                                });
        },
        [&](Fields &f) { f.add(nclusters, address, index, mass, trace::vec3(x)); });
}

int setup_njdata(ClusterId id, int nj)
{
    return traced(
        Kind::kSetupNj, id,
        [&] { return with("g6_setup_njdata", id, [&](Cluster &c) { c.reserve(nj); }); },
        [&](Fields &f) { f.add(nj); });
}

int print_chip_status(ClusterId id)
{
    return traced(Kind::kPrintStatus, id, [&] {
        return with("g6_print_chip_status", id,
                    [](Cluster &c) { log(kLogInfo, "%s", c.describe().c_str()); });
    });
}

void set_nip(ClusterId id, int nip)
{
    traced(
        Kind::kSetNip, id,
        [&] {
            return with_quick("g6_set_nip", id, [&](Cluster &c) {
                c.pipes().set_nip(nip);
                note_pipes(id, nip, true);
            });
        },
        [&](Fields &f) { f.add(nip); });
}

void set_njp(ClusterId id, int njp)
{
    traced(
        Kind::kSetNjp, id,
        [&] { return with_quick("g6_set_njp", id, [&](Cluster &c) { c.pipes().set_njp(njp); }); },
        [&](Fields &f) { f.add(njp); });
}

int set_i_particles(ClusterId id, int address, int ni, int index[], double x[][3], double v[][3],
                    double eps2[], double h2[])
{
    return traced(
        Kind::kSetI, id,
        [&] {
            return with_quick("g6_set_i_particle", id, [&](Cluster &c) {
                c.pipes().set(address, ni, index, x, v, eps2, h2);
                note_pipes(id, address + ni, false);
            });
        },
        [&](Fields &f) {
            f.add(address, ni, trace::array(index, ni), trace::rows(x, ni), trace::rows(v, ni),
                  trace::array(eps2, ni), trace::array(h2, ni));
        });
}

void set_i_particle(ClusterId id, int address, int index, double x[3], double v[3], double eps2,
                    double h2)
{
    using Rows = double(*)[3];
    set_i_particles(id, address, 1, &index, reinterpret_cast<Rows>(x), reinterpret_cast<Rows>(v),
                    &eps2, &h2);
}

int predict(ClusterId id, int nj, double x[][3], double v[][3])
{
    int predicted = 0;
    const auto call = [&] {
        const int status = compute("g6_predict", id, [&](Cluster &c) {
            c.predict(nj, x, v);
            predicted = nj;
        });
        if (status != G6_OK && nj > 0)
            for (auto *const rows : {x, v})
                if (rows) std::fill_n(rows[0], 3 * static_cast<size_t>(nj), 0.0);
        return status;
    };
    return traced(
        Kind::kPredict, id, call, [&](Fields &f) { f.add(nj); },
        [&](Fields &f) { f.add(trace::rows(x, predicted), trace::rows(v, predicted)); });
}

int njmax(ClusterId id)
{
    return traced(Kind::kGetNjMax, id, [&] {
        int n = 0;
        with("g6_getnjmax", id, [&](Cluster &c) { n = c.max_particles(); });
        return n;
    });
}

int hardware_only(Kind kind, ClusterId id)
{
    return traced(kind, id, [] { return static_cast<int>(G6_OK); });
}

int mccount()
{
    return g_mccount;
}

int set_mccount(int count)
{
    g_mccount = count;
    return G6_OK;
}

}  // namespace g6::calls
