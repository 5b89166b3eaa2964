// SPDX-License-Identifier: MIT
// get_j_part_data().  sapporo 1 declares it with 8 arguments; sapporo 2 defines it with these and
// three pointers more.  Both have C linkage, so that a linker cannot tell them apart.  The function
// has an object file of its own, so that an application with a function of this name keeps its own.
//
// Invariants
//  * The C name has 11 arguments where the library was loaded as libsapporo, else 8.  With 8 the
//    last three are not read, because the caller has not passed them.
//  * A program that includes g6lib.h calls the form with 8 arguments under a symbol of its own, and
//    in C++ also the form with 11, under every name of the library.
#include "traced.h"
#include "../core/clusters.h"
#include "../settings/config.h"

using namespace g6;

namespace {

void copy_scaled(double *to, const double from[3], double factor)
{
    for (int k = 0; to && k < 3; k++) to[k] = factor * from[k];
}

int particle_of(int address, G6JRecord &sent, double *x, double *v, double *acc, double *jerk,
                double *px, double *pv)
{
    double at[3] = {}, moving[3] = {};
    sent = {};
    const auto call = [&] {
        const int status = guard("get_j_part_data", [&] {
            if (address < 0 || !clusters::resolve(0)->particle(address, sent, at, moving))
                throw Error(G6_ERR_ARGUMENT, "cluster 0 has no j-particle at address %d", address);
            return G6_OK;
        });
        copy_scaled(x, sent.x, 1), copy_scaled(v, sent.v, 1);
        copy_scaled(acc, sent.a2, 2), copy_scaled(jerk, sent.j6, 6);
        copy_scaled(px, at, 1), copy_scaled(pv, moving, 1);
        return status;
    };
    return traced(
        Kind::kGetJ, 0, call, [&](Fields &f) { f.add(address); },
        [&](Fields &f) {
            f.add(trace::vec3(x), trace::vec3(v), trace::vec3(acc), trace::vec3(jerk),
                  trace::vec3(px), trace::vec3(pv));
        });
}

}  // namespace

// The function that has the plain C name.
extern "C" G6_API int part_data_as_linked(int, int, double *, double *, double *, double *,
                                          double *, double *, double *, double *,
                                          int *) __asm__("get_j_part_data");
int part_data_as_linked(int address, int, double *x, double *v, double *acc, double *jerk,
                        double *px, double *pv, double *mass, double *eps2, int *id)
{
    G6JRecord sent;
    const int status = particle_of(address, sent, x, v, acc, jerk, px, pv);
    if (!loaded_as_sapporo()) return status;
    if (mass) *mass = sent.mass;
    if (eps2) *eps2 = 0;
    if (id) *id = sent.index;
    return status;
}

int get_j_part_data(int address, int, double x[3], double v[3], double acc[3], double jerk[3],
                    double px[3], double pv[3])
{
    G6JRecord sent;
    return particle_of(address, sent, x, v, acc, jerk, px, pv);
}

void get_j_part_data(int address, int, double *x, double *v, double *acc, double *jerk, double *px,
                     double *pv, double &mass, double &eps2, int &id)
{
    G6JRecord sent;
    particle_of(address, sent, x, v, acc, jerk, px, pv);
    mass = sent.mass, eps2 = 0, id = sent.index;
}
