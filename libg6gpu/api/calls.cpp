// SPDX-License-Identifier: MIT
// From C arguments to clusters.  Every function here ends in guard(): no exception leaves, every
// error has its text.
#include "calls.h"

#include "../base/quiet_float.h"
#include "../core/clusters.h"

#include <atomic>
#include <limits>

namespace g6::calls {
namespace {

std::atomic<int> g_sort_mode{1};

// Runs f(cluster) for the cluster that serves id (clusters::resolve()).
template <class F> int with(const char *where, ClusterId id, F &&f)
{
    return guard(where, [&] {
        f(clusters::resolve(id));
        return static_cast<int>(G6_OK);
    });
}

// The same for an f that returns a status and has no work half done when it fails.  Then no
// CallScope is needed, unless the cluster must be opened first.
template <class F> int with_quick(const char *where, ClusterId id, F &&f)
{
    Cluster *const c = clusters::resolve_at_once(id);
    if (!c) return guard(where, [&] { return f(clusters::resolve(id)); });
    return guard_quick(where, [&] { return f(*c); });
}

// The same for the cluster that serves id and for each of the nclusters - 1 ids after it that is
// open: a client of several GRAPEs has opened them all.  Stops at the first refusal.
template <class F> int to_clusters(const char *where, ClusterId id, int nclusters, F &&f)
{
    const int status = with_quick(where, id, f);
    if (status != G6_OK || nclusters < 2) return status;
    return guard(where, [&] {
        const Cluster *first = &clusters::resolve(id);
        for (Cluster *c : clusters::open_ones(id + 1, nclusters - 1)) {
            const int other = c == first ? static_cast<int>(G6_OK) : f(*c);
            if (other != G6_OK) return other;
        }
        return static_cast<int>(G6_OK);
    });
}

// As with(), for calls that compute: their floating-point exceptions do not stop the program.
template <class F> int compute(const char *where, ClusterId id, F &&f)
{
    return with(where, id, [&](Cluster &c) {
        const QuietFloat quiet;
        f(c);
    });
}

// A firsthalf.  It has no return value: the cluster keeps its error for the lasthalf.
void first(ClusterId id, const BlockArgs &args)
{
    const CallScope scope;
    const int status = compute("g6calc_firsthalf", id, [&](Cluster &c) { c.firsthalf(args); });
    if (status != G6_OK)
        guard("g6calc_firsthalf", [&] {
            clusters::resolve(id).hold_error(status, last_error());
            return status;
        });
}

// Bit 0 of the mode of firsthalf0 and lasthalf0 is set: one eps2 for all i-particles.
int eps2_stride(int mode)
{
    return mode & 1 ? 0 : 1;
}

template <class... P> void need(const char *names, P... pointers)
{
    if ((... || !pointers)) throw Error(G6_ERR_ARGUMENT, "one of %s is NULL", names);
}

// A lasthalf that also needs the given pointers.  The cluster writes the outputs.  When there is no
// memory for a cluster, the outputs are zero.
template <class... P>
int last(const char *where, ClusterId id, const BlockArgs &args, const BlockOutputs &out,
         const char *names, P... pointers)
{
    bool found = false;
    const int status = compute(where, id, [&](Cluster &c) {
        found = true;
        if (args.ni > 0) need(names, pointers...);
        c.lasthalf(args, out);
    });
    if (!found) write_nothing(out, args.ni, 0);
    return status;
}

}  // namespace

int open(ClusterId id)
{
    return guard("g6_open", [&] { return clusters::open(id), G6_OK; });
}

int close(ClusterId id)
{
    const int status = guard("g6_close", [&] { return clusters::close(id), G6_OK; });
    tell_counts(false);
    return status;
}

// All devices as one cluster.
int open_all()
{
    return guard("g6_open_all", [] {
        clusters::exact(kAllId).choose_devices("all");
        return clusters::open(kAllId), G6_OK;
    });
}

int close_all()
{
    return close(kAllId);
}

// The default where there is no memory to read the settings.
int npipes()
{
    int n = kGrape6Pipes;
    guard("g6_npipes", [&] { return n = process_config().npipes, G6_OK; });
    return n;
}

int reset(ClusterId id)
{
    return with("g6_reset", id, [](Cluster &c) { c.reset(false); });
}

int reinitialize(ClusterId id)
{
    return with("g6_reinitialize", id, [](Cluster &c) { c.reset(true); });
}

int set_ti(ClusterId id, double ti)
{
    return with("g6_set_ti", id, [&](Cluster &c) { c.set_ti(ti); });
}

int set_j_particle(ClusterId id, int address, int index, double tj, double, double mass,
                   double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3])
{
    return with_quick("g6_set_j_particle", id, [&](Cluster &c) {
        need("a2by18, a1by6, aby2, v, x", a2by18, a1by6, aby2, v, x);
        return taken("g6_set_j_particle", address,
                     c.set_j(address, index, tj, mass, a2by18, a1by6, aby2, v, x));
    });
}

int set_j_particle_mxonly(ClusterId id, int address, int index, double mass, double x[3])
{
    return with_quick("g6_set_j_particle_mxonly", id, [&](Cluster &c) {
        need("x", x);
        return taken("g6_set_j_particle_mxonly", address, c.set_j_point(address, index, mass, x));
    });
}

int set_j_particle_multisend(ClusterId id, int nclusters, int address, int index, double tj, double,
                             double mass, double a2by18[3], double a1by6[3], double aby2[3],
                             double v[3], double x[3])
{
    return to_clusters("g6_set_j_particle_multisend", id, nclusters, [&](Cluster &c) {
        need("a2by18, a1by6, aby2, v, x", a2by18, a1by6, aby2, v, x);
        return taken("g6_set_j_particle_multisend", address,
                     c.set_j(address, index, tj, mass, a2by18, a1by6, aby2, v, x));
    });
}

int set_j_point_multisend(ClusterId id, int nclusters, int address, int index, double mass,
                          double x[3])
{
    return to_clusters("g6_set_j_particle_multisend_mxfast", id, nclusters, [&](Cluster &c) {
        need("x", x);
        return taken("g6_set_j_particle_multisend_mxfast", address,
                     c.set_j_point(address, index, mass, x));
    });
}

void firsthalf(ClusterId id, int nj, int ni, int index[], double xi[][3], double vi[][3],
               double aold[][3], double[][3], double[], double eps2, double h2[])
{
    first(id, {nj, ni, index, xi, vi, &eps2, 0, h2, aold});
}

void firsthalf0(ClusterId id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                double aold[][3], double[][3], double[], double *eps2, double h2[], int mode)
{
    first(id, {nj, ni, index, xi, vi, eps2, eps2_stride(mode), h2, aold});
}

int lasthalf(ClusterId id, int nj, int ni, int index[], double xi[][3], double vi[][3], double eps2,
             double h2[], double acc[][3], double jerk[][3], double pot[])
{
    return last("g6calc_lasthalf", id, {nj, ni, index, xi, vi, &eps2, 0, h2},
                {acc, jerk, pot, nullptr, nullptr}, "");
}

int lasthalf2(ClusterId id, int nj, int ni, int index[], double xi[][3], double vi[][3],
              double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
              int nnbindex[])
{
    return last("g6calc_lasthalf2", id, {nj, ni, index, xi, vi, &eps2, 0, h2},
                {acc, jerk, pot, nnbindex, nullptr}, "nnbindex", nnbindex);
}

int lasthalf2p(ClusterId id, int nj, int ni, int index[], double xi[][3], double vi[][3],
               double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
               int nnbindex[], float rnnb[])
{
    return last("g6calc_lasthalf2p", id, {nj, ni, index, xi, vi, &eps2, 0, h2},
                {acc, jerk, pot, nnbindex, rnnb}, "nnbindex, rnnb", nnbindex, rnnb);
}

int lasthalf0(ClusterId id, int nj, int ni, int index[], double xi[][3], double vi[][3],
              double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[], int mode)
{
    return last("g6calc_lasthalf0", id, {nj, ni, index, xi, vi, eps2, eps2_stride(mode), h2},
                {acc, jerk, pot, nullptr, nullptr}, "");
}

int lasthalf0a(ClusterId id, int nj, int ni, int index[], double xi[][3], double vi[][3],
               double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
               int nnbindex[], int mode)
{
    return last("g6calc_lasthalf0a", id, {nj, ni, index, xi, vi, eps2, eps2_stride(mode), h2},
                {acc, jerk, pot, nnbindex, nullptr}, "nnbindex", nnbindex);
}

int read_neighbour_list(ClusterId id)
{
    return compute("g6_read_neighbour_list", id,
                   [](Cluster &c) { c.read_neighbours(g_sort_mode != 0); });
}

int get_neighbour_list(ClusterId id, int ipipe, int maxlength, int *nblen, int nbl[])
{
    return guard("g6_get_neighbour_list", [&] {
        return clusters::resolve(id).get_neighbours(ipipe, maxlength, nblen, nbl, g_sort_mode != 0);
    });
}

int set_neighbour_list_sort_mode(int mode)
{
    g_sort_mode = mode;
    return G6_OK;
}

int get_neighbour_list_sort_mode()
{
    return g_sort_mode;
}

int setup_njdata(ClusterId id, int nj)
{
    return with("g6_setup_njdata", id, [&](Cluster &c) { c.reserve(nj); });
}

int print_chip_status(ClusterId id)
{
    return with("g6_print_chip_status", id,
                [](Cluster &c) { log(kLogInfo, "%s", c.describe().c_str()); });
}

void set_nip(ClusterId id, int nip)
{
    with("g6_set_nip", id, [&](Cluster &c) { c.pipes().set_nip(nip); });
}

void set_njp(ClusterId id, int njp)
{
    with("g6_set_njp", id, [&](Cluster &c) { c.pipes().set_njp(njp); });
}

void set_i_particle(ClusterId id, int address, int index, double x[3], double v[3], double eps2,
                    double h2)
{
    with("g6_set_i_particle", id, [&](Cluster &c) {
        need("x, v", x, v);
        c.pipes().set(address, index, x, v, eps2, h2);
    });
}

int set_i_particles(ClusterId id, int address, int ni, int index[], double x[][3], double v[][3],
                    double eps2[], double h2[])
{
    return with("g6_set_i_particle_vector", id, [&](Cluster &c) {
        if (ni < 0 || address < 0 || address > std::numeric_limits<int>::max() - ni)
            throw Error(G6_ERR_ARGUMENT,
                        "ni = %d i-particles from address %d on: both must be 0 or more, and their "
                        "sum within int",
                        ni, address);
        if (ni > 0) need("index, x, v, eps2, h2", index, x, v, eps2, h2);
        for (int k = 0; k < ni; k++)
            c.pipes().set(address + k, index[k], x[k], v[k], eps2[k], h2[k]);
    });
}

int get_force(ClusterId id, double acc[][3], double jerk[][3], double phi[], int *nnbindex,
              int flag[])
{
    return compute("g6_get_force", id,
                   [&](Cluster &c) { c.get_force(acc, jerk, phi, nnbindex, flag); });
}

int predict(ClusterId id, int nj, double x[][3], double v[][3])
{
    return compute("g6_predict", id, [&](Cluster &c) { c.predict(nj, x, v); });
}

int njmax(ClusterId id)
{
    int n = 0;
    with("g6_getnjmax", id, [&](Cluster &c) { n = c.max_particles(); });
    return n;
}

}  // namespace g6::calls
