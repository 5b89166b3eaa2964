// SPDX-License-Identifier: MIT
// A GRAPE-6 library that is opened at run time and called through its Fortran names, which every
// such library has with the same arguments.  libg6gpu is opened in the same way, so columns of a
// table differ in the library alone.
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
// The array, from one element on, as the calls take it.
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
    // Whether this is libg6gpu, which has settings and describes itself.
    bool has_settings() const { return set_option != nullptr; }
    // The value of a setting in cluster 0; "" when the library has no settings.
    std::string setting(const char *key) const;
    // Version, backend, device and settings of cluster 0, which must be open.  computing: the
    // devices of the cluster, as the log names them when it is opened.
    std::string describe(const std::string &computing) const;
    // Number of the devices of cluster 0, which must be open; 0 when the library does not tell it.
    int devices() const;
    // Throws Failure when `asked` is a list of device numbers and `computing` (see above) has other
    // devices.  The library computes with the devices that it has, which is right for an
    // application, but wrong for a measurement that names the devices.
    void check_devices(const std::string &asked, const std::string &computing) const;

    // Every library must have these.  A call that is void in some libraries is declared void here.
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

    // These are null when the library lacks them.
    int (*lasthalf2)(int *id, int *nj, int *ni, int *index, Rows xi, Rows vi, double *eps2,
                     double *h2, Rows acc, Rows jerk, double *pot, int *nnbindex) = nullptr;
    int (*read_neighbour_list)(int *id) = nullptr;
    int (*get_neighbour_list)(int *id, int *ipipe, int *maxlength, int *nblen, int *nbl) = nullptr;
    void (*set_tunit)(int *unit) = nullptr;
    void (*set_xunit)(int *unit) = nullptr;

    // C names of libg6gpu, null in other libraries.
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
