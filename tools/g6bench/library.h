// SPDX-License-Identifier: MIT
// A GRAPE-6 library opened at run time and called through its Fortran names, which every such
// library has with the same arguments.  libg6gpu itself is opened the same way, so that columns of
// a table differ in nothing but the library.
#pragma once

#include "../common/shared_library.h"

#include <g6lib.h>

#include <array>
#include <string>
#include <vector>

namespace g6bench {

using g6tools::Failure;

using Vec3 = std::array<double, 3>;
using Rows = double (*)[3];
// As the calls take it, from one element on.
inline Rows rows(std::vector<Vec3> &u, std::size_t first = 0)
{
    return reinterpret_cast<Rows>(u.data() + first);
}

class Library {
public:
    // file: a path, or "own" for the libg6gpu that belongs to this program.  Throws Failure.
    explicit Library(const std::string &file);
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    const std::string &file() const { return library_.file(); }
    // Whether it is libg6gpu, which has settings and describes itself.
    bool has_settings() const { return set_option != nullptr; }
    // Value in force in cluster 0, "" when the library has none.
    std::string setting(const char *key) const;
    // Version, backend, device and settings of cluster 0, which must be open.
    // computing: its devices, as the log of its opening has them.
    std::string describe(const std::string &computing) const;
    // Number of the devices of cluster 0, which must be open; 0 when the library does not tell it.
    int devices() const;
    // Throws Failure when `asked` is a list of numbers and other devices compute.  computing: as
    // for describe().  The library goes on with the devices that it has, which is right for an
    // application and wrong for a measurement that names its devices.
    void check_devices(const std::string &asked, const std::string &computing) const;

    // Required calls.  A call that is void in some libraries is declared void here.
    int (*open)(int *id) = nullptr;
    int (*close)(int *id) = nullptr;
    int (*npipes)() = nullptr;
    void (*set_ti)(int *id, double *ti) = nullptr;
    void (*set_j_particle)(int *id, int *address, int *index, double *tj, double *dtj, double *mass,
                           double *a2by18, double *a1by6, double *aby2, double *v,
                           double *x) = nullptr;
    void (*firsthalf)(int *id, int *nj, int *ni, int *index, Rows xi, Rows vi, Rows aold,
                      Rows j6old, double *phiold, double *eps2, double *h2) = nullptr;
    int (*lasthalf)(int *id, int *nj, int *ni, int *index, Rows xi, Rows vi, double *eps2,
                    double *h2, Rows acc, Rows jerk, double *pot) = nullptr;

    // Null when the library lacks them.
    int (*lasthalf2)(int *id, int *nj, int *ni, int *index, Rows xi, Rows vi, double *eps2,
                     double *h2, Rows acc, Rows jerk, double *pot, int *nnbindex) = nullptr;
    int (*read_neighbour_list)(int *id) = nullptr;
    int (*get_neighbour_list)(int *id, int *ipipe, int *maxlength, int *nblen, int *nbl) = nullptr;
    void (*set_tunit)(int *unit) = nullptr;
    void (*set_xunit)(int *unit) = nullptr;

    // libg6gpu's own, by their C names.
    decltype(&g6_version) version = nullptr;
    decltype(&g6_last_error) last_error = nullptr;
    decltype(&g6_set_option) set_option = nullptr;
    decltype(&g6_get_option) get_option = nullptr;
    decltype(&g6_set_j_particles) set_j_particles = nullptr;
    decltype(&g6_set_j_softening) set_j_softening = nullptr;
    decltype(&g6_get_stats) get_stats = nullptr;
    decltype(&g6_set_log) set_log = nullptr;
    decltype(&g6_backend_name) backend_name = nullptr;
    decltype(&g6_get_backend_info) get_backend_info = nullptr;
    decltype(&g6_get_device_info) get_device_info = nullptr;

private:
    g6tools::SharedLibrary library_;
};

}  // namespace g6bench
