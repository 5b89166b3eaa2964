// SPDX-License-Identifier: MIT
// A small GRAPE-6 library for the tests of g6check: one cluster, sums in double, right unless
// G6_FAULT names one of the faults below, each of which some real library had or might have.  It is
// written from the description of the interface, without code of libg6gpu.  G6_MINIMAL leaves out
// what a library may lack.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <set>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct J {
    int index = 0;
    double t = 0, dt = 0, mass = 0, k18[3] = {}, j6[3] = {}, a2[3] = {}, v[3] = {}, x[3] = {};
    double xp[3] = {}, vp[3] = {};
    bool written = false;
};

struct I {
    int index;
    double x[3], v[3], h2, eps2;
};

constexpr int kPipes = 48;
std::map<int, J> g_memory;
std::map<int, J> g_buffer;  // fault "needs-flush"
std::vector<I> g_block;
std::vector<std::vector<int>> g_lists;
double g_ti = 0;
int g_nj = 0, g_opens = 0, g_sort = 1;
std::set<int> g_open;
bool g_predicted = false, g_overflow = false, g_buffered = false, g_running = false;
bool g_old_is_odd = false;
const int *g_index = nullptr;  // fault "keeps-pointers"
const double *g_x = nullptr;

bool fault(const char *name)
{
    static const char *wanted = std::getenv("G6_FAULT");
    return wanted && std::strcmp(wanted, name) == 0;
}

int pipes()
{
    if (fault("npipes-after-open") && g_open.empty()) return 0;
    if (fault("npipes-of-32768")) return 32768;
    if (fault("npipes-of-40")) return 40;
    return fault("npipes-varies") && !g_block.empty() ? kPipes - 1 : kPipes;
}

void predict()
{
    // The honest library predicts before each force.
    if (fault("predicts-on-set-ti") && g_predicted) return;
    g_predicted = true;
    for (auto &[address, j] : g_memory) {
        double s = g_ti - j.t;
        if (fault("uses-dtj") && j.dt > 0) s = std::min(s, j.dt);
        const double snap = fault("no-snap") ? 0 : 1, wrong = fault("velocity-term") ? 2 : 3;
        for (int d = 0; d < 3; d++) {
            j.xp[d] =
                j.x[d] + s * (j.v[d] + s * (j.a2[d] + s * (j.j6[d] + s * snap * 0.75 * j.k18[d])));
            j.vp[d] = j.v[d] + s * (2 * j.a2[d] + s * (wrong * j.j6[d] + s * snap * 3 * j.k18[d]));
        }
    }
}

struct Sums {
    double acc[3] = {}, jerk[3] = {}, pot = 0;
    int nearest = fault("alone-is-minus-one") ? -1 : 0;
    double nearest_r2 = fault("nearest-limit") ? 1e14 : HUGE_VAL;
    std::vector<int> list;
};

// s2: softened distance squared.
void add_force(Sums &s, const J &j, const double r[3], const double v[3], double s2)
{
    if (s2 == 0 && !fault("nan-when-coincident")) return;
    const double pot = j.mass / std::sqrt(s2), pull = pot / s2;
    const double rv = 3 * (r[0] * v[0] + r[1] * v[1] + r[2] * v[2]) / s2;
    for (int d = 0; d < 3; d++) {
        s.acc[d] += pull * r[d];
        s.jerk[d] += (fault("jerk-sign") ? -1 : 1) * pull * (v[d] - rv * r[d]);
    }
    s.pot += (fault("positive-pot") ? 1 : -1) * pot;
}

void add_nearest(Sums &s, int address, const J &j, const I &i, double r2)
{
    if (fault("nearest-by-h2") && i.h2 > 0 && r2 >= i.h2) return;
    double d2 = r2;
    if (fault("nearest-softened")) d2 = r2 + i.eps2, d2 = static_cast<float>(d2);
    if (fault("nearest-last-tie") ? d2 > s.nearest_r2 : d2 >= s.nearest_r2) return;
    s.nearest_r2 = d2;
    s.nearest = fault("nearest-is-address") ? address : j.index;
}

void add(Sums &s, int address, const J &j, const I &i)
{
    double r[3], v[3], r2 = 0;
    for (int d = 0; d < 3; d++) {
        r[d] = j.xp[d] - i.x[d], v[d] = j.vp[d] - i.v[d];
        if (fault("float-places")) r[d] = static_cast<float>(j.xp[d]) - static_cast<float>(i.x[d]);
        r2 += r[d] * r[d];
    }
    if (fault("minus-one-is-empty") && j.index == -1) return;
    const bool own = j.index == i.index;
    const bool dropped = fault("self-by-position")  ? r2 == 0
                         : fault("self-by-address") ? address == i.index
                         : fault("self-first-only") ? own && address == i.index
                                                    : own;
    const bool massless = fault("skips-massless") && j.mass == 0;
    if (!dropped) add_force(s, j, r, v, r2 + i.eps2);
    if (dropped && i.eps2 > 0 && fault("self-in-pot")) s.pot -= j.mass / std::sqrt(i.eps2);
    if ((!own || fault("nearest-is-self")) && !massless) add_nearest(s, address, j, i, r2);
    // With more than 48 pipes the distance is not softened, and the own index is in lists.
    const bool of_gpu = pipes() > 48;
    const double d2 = of_gpu != fault("list-unsoftened") ? r2 : r2 + i.eps2;
    const bool inside = fault("h2-ignored") ? true : fault("h2-closed") ? d2 <= i.h2 : d2 < i.h2;
    if (!inside || massless || (own && of_gpu == fault("list-with-self"))) return;
    s.list.push_back(fault("list-is-address") ? address : j.index);
}

void finish_list(std::vector<int> &list)
{
    if (fault("list-of-256") && list.size() > 256) list.resize(256);
    if (!fault("unsorted") && g_sort) std::sort(list.begin(), list.end());
}

void compute(int ni, double acc[][3], double jerk[][3], double pot[], int nearest[])
{
    predict();
    g_lists.assign(ni, {});
    g_running = false;
    const int limit = fault("stops-at-npipes") ? std::min(ni, kPipes) : ni;
    for (int k = 0; k < limit; k++) {
        I i = g_block[k];
        if (fault("keeps-pointers")) {
            i.index = g_index[k];
            std::copy(g_x + 3 * k, g_x + 3 * k + 3, i.x);
        }
        Sums s;
        for (const auto &[address, j] : g_memory)
            if (address < g_nj) add(s, address, j, i);
        if (fault("holes-at-origin"))
            for (int address = 0; address < g_nj; address++)
                if (!g_memory.count(address)) add(s, address, J{}, i);
        for (int d = 0; d < 3; d++) jerk[k][d] = s.jerk[d];
        for (int d = 0; d < 3; d++) acc[k][d] = g_old_is_odd ? 0 : s.acc[d];
        pot[k] = s.pot;
        if (nearest) nearest[k] = s.nearest;
        finish_list(s.list);
        g_lists[k] = s.list;
    }
    if (fault("writes-behind") && ni == 5) pot[ni] = 0;
    if (fault("forgets-beyond-nj")) g_memory.erase(g_memory.lower_bound(g_nj), g_memory.end());
}

int lasthalf(int nj, int ni, double *xi, double acc[][3], double jerk[][3], double pot[],
             int nearest[])
{
    if (fault("nj-zero-untouched") && nj == 0) return 0;
    if (fault("two-buffers-only") && acc == jerk) return -1;
    if (fault("current-directory") && access("Makefile", F_OK) != 0) return -1;
    if (ni > 0 && fault("writes-inputs")) *static_cast<volatile double *>(xi) = xi[0];
    if (fault("prints")) std::printf("calculating\n");
    if (fault("prints-on-stderr")) std::fprintf(stderr, "calculating\n");
    if (fault("raises-flags")) std::feraiseexcept(FE_INVALID);
    compute(ni, acc, jerk, pot, nearest);
    return 0;
}

void store(int address, const J &j)
{
    if (address < 0) {
        if (fault("exits")) std::exit(1);
        return;
    }
    if (fault("memory-of-4000") && address >= 4000) return;
    (fault("needs-flush") && g_buffered ? g_buffer : g_memory)[address] = j;
}

int refuse(int address)
{
    if (fault("refusal-empties")) g_memory.erase(address);
    if (fault("refusal-throws")) try {
            throw address;
        } catch (int) {
        }
    return -1;
}

void leave()
{
    if (!g_open.empty()) std::abort();
}

// Fault "one-process": as a device that refuses a second process.
void refuse_second_process()
{
    Dl_info own;
    dladdr(reinterpret_cast<void *>(refuse_second_process), &own);
    const int file = open(own.dli_fname, O_RDONLY | O_CLOEXEC);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) std::abort();
}

// What a session leaves behind.
void leak()
{
    constexpr std::size_t kBytes = 1000000;
    // volatile: clang++ leaves out memory that nobody reads.
    static char *volatile leaked;
    if (fault("leaks-memory")) {
        leaked = new char[kBytes];
        std::memset(leaked, 1, kBytes);
    }
    if (fault("leaks-descriptors") && open("/dev/null", O_RDONLY) < 0) std::abort();
    if (fault("leaks-threads")) std::thread(pause).detach();
}

}  // namespace

extern "C" {

#define API __attribute__((visibility("default")))
// A call that only gives a number.
#define ANSWER(name, parameters, value)                                                            \
    API int name parameters                                                                        \
    {                                                                                              \
        return value;                                                                              \
    }

// Not defined here: an application's own, when it has one.
__attribute__((weak)) int g6_open(int);

API int g6_open_(int *id)
{
    if (fault("null-id")) return *id == -1;
    if (fault("forwards") && g6_open) return g6_open(0);
    if (fault("dies-at-exit")) std::atexit(leave);
    if (fault("one-process") && g_opens == 0) refuse_second_process();
    ++g_opens;
    g_open.insert(id ? *id : 0);
    return 0;
}
API int g6_close_(int *id)
{
    const bool was = g_open.erase(id ? *id : 0);
    g_memory.clear();
    leak();
    return fault("close-needs-open") && !was ? -1 : 0;
}
ANSWER(g6_npipes_, (), pipes())
API int g6_set_ti_(int *, double *ti)
{
    g_ti = *ti;
    g_predicted = false;
    return fault("status-of-7") ? 7 : 0;
}
API int g6_set_j_particle_(int *id, int *address, int *index, double *tj, double *dtj, double *mass,
                           double *k18, double *j6, double *a2, double *v, double *x)
{
    if (fault("needs-open") && !g_open.count(*id)) return -1;
    if (fault("opens-10-times") && g_opens > 10) return 0;
    if (!std::isfinite(x[0] + x[1] + x[2])) return refuse(*address);
    J j;
    j.index = *index, j.t = *tj, j.dt = *dtj, j.mass = *mass;
    std::copy(k18, k18 + 3, j.k18), std::copy(j6, j6 + 3, j.j6), std::copy(a2, a2 + 3, j.a2);
    std::copy(v, v + 3, j.v), std::copy(x, x + 3, j.x);
    std::copy(x, x + 3, j.xp), std::copy(v, v + 3, j.vp);
    store(*address, j);
    return 0;
}
static int firsthalf(int *nj, int *ni, int *index, double xi[][3], double vi[][3], double aold[][3],
                     const double *eps2, int eps2_stride, double *h2)
{
    if (fault("blocks-uncollected") && g_running)
        for (;;) pause();
    g_running = true;
    g_nj = *nj, g_index = index, g_x = xi[0];
    if (!fault("sticky-overflow")) g_overflow = false;
    g_old_is_odd = fault("scales-by-old") && *ni > 0 && !(std::fabs(aold[0][0]) > 1e-20);
    g_block.clear();
    for (int k = 0; k < *ni; k++)
        g_block.push_back({index[k],
                           {xi[k][0], xi[k][1], xi[k][2]},
                           {vi[k][0], vi[k][1], vi[k][2]},
                           h2[k],
                           eps2[k * eps2_stride]});
    return 0;
}
API int g6calc_firsthalf_(int *, int *nj, int *ni, int *index, double xi[][3], double vi[][3],
                          double aold[][3], double[][3], double *, double *eps2, double *h2)
{
    return firsthalf(nj, ni, index, xi, vi, aold, eps2, 0, h2);
}
API int g6calc_lasthalf_(int *, int *nj, int *ni, int *, double xi[][3], double[][3], double *,
                         double *, double acc[][3], double jerk[][3], double *pot)
{
    return lasthalf(*nj, *ni, xi[0], acc, jerk, pot, nullptr);
}

#ifndef G6_MINIMAL
ANSWER(g6_reset_fofpga_, (int *), 0)
ANSWER(g6_set_xunit_, (void *), 0)
ANSWER(g6_read_neighbour_list_, (int *), 0)
ANSWER(g6_set_overflow_flag_test_mode_, (void *, void *, void *), 0)

API int g6calc_lasthalf2_(int *, int *nj, int *ni, int *, double xi[][3], double[][3], double *,
                          double *, double acc[][3], double jerk[][3], double *pot, int *nearest)
{
    return lasthalf(*nj, *ni, xi[0], acc, jerk, pot, nearest);
}
// Bit 0 of the mode: one eps2 for all i-particles.
API int g6calc_firsthalf0_(int *, int *nj, int *ni, int *index, double xi[][3], double vi[][3],
                           double aold[][3], double[][3], double *, double *eps2, double *h2,
                           int *mode)
{
    int stride = *mode & 1 ? 0 : 1;
    if (fault("eps2-mode-turned")) stride = 1 - stride;
    if (fault("eps2-mode-nonzero")) stride = *mode ? 0 : 1;
    return firsthalf(nj, ni, index, xi, vi, aold, eps2, stride, h2);
}
API int g6calc_lasthalf0_(int *, int *nj, int *ni, int *, double xi[][3], double[][3], double *,
                          double *, double acc[][3], double jerk[][3], double *pot, int *)
{
    return lasthalf(*nj, *ni, xi[0], acc, jerk, pot, nullptr);
}
API int g6_reset_(int *)
{
    if (fault("reset-clears")) g_memory.clear();
    return 0;
}
ANSWER(g6_set_tunit_, (void *unit), fault("reads-hints") && *static_cast<double *>(unit) < 0)
API int g6_read_neighbour_list_old_(int *)
{
    if (fault("crashes")) std::abort();
    return 0;
}
API int g6_get_neighbour_list_(int *, int *pipe, int *most, int *length, int *list)
{
    const std::vector<int> &all = g_lists[*pipe];
    const int n = static_cast<int>(all.size());
    std::copy(all.begin(), all.begin() + std::min(n, *most), list);
    if (n > *most) g_overflow = true;
    *length = fault("overflow-without-length") && n > *most ? 0
              : fault("overflow-counts-all")                ? n
                                                            : std::min(n, *most);
    return fault("sticky-overflow") ? g_overflow : n > *most;
}
API int g6_set_neighbour_list_sort_mode_(int *mode)
{
    g_sort = *mode;
    return 0;
}
ANSWER(g6_get_neighbour_list_sort_mode_, (), g_sort)
API int g6_initialize_jp_buffer_(int *, void *)
{
    g_buffered = true;
    return 0;
}
API int g6_flush_jp_buffer_(int *)
{
    for (const auto &[address, j] : g_buffer) g_memory[address] = j;
    return 0;
}
ANSWER(g6_changed_index_, (int *), fault("changed-index-0") ? 0 : -1)
API int g6_setup_njdata_(int *, int *)
{
    if (fault("hangs"))
        for (;;) pause();
    return 0;
}
API int g6_set_j_particle_mxonly_(int *, int *address, int *index, double *mass, double *x)
{
    J j = fault("mxonly-keeps-motion") ? g_memory[*address] : J{};
    j.index = *index, j.mass = *mass;
    std::copy(x, x + 3, j.x), std::copy(x, x + 3, j.xp);
    store(*address, j);
    return 0;
}
#endif

}  // extern "C"
