// SPDX-License-Identifier: MIT
// From the C arguments of the g5 calls to devices.  Every function here ends in guard(): no
// exception leaves, every error has its text.
#include "grape5_calls.h"

#include "../base/quiet_float.h"
#include "../core/device_list.h"

#include <algorithm>
#include <cmath>

namespace g6::grape5 {
namespace {

// Runs f(device) for an f that changes memory only; whether it succeeded.  A CallScope is needed
// only where the device must be made, as in with_quick() of on_cluster.h.
template <class F> bool with(const char *where, int number, F &&f)
{
    bool found = false;
    const int status = guard_quick(where, [&] {
        const DeviceInUse device = try_to_use(number);
        found = static_cast<bool>(device);
        if (found) f(*device);
        return G6_OK;
    });
    if (found) return status == G6_OK;
    return guard(where, [&] { return f(*use(number)), G6_OK; }) == G6_OK;
}

// The same without floating-point exceptions that stop the program.
template <class F> bool with_quiet(const char *where, int number, F &&f)
{
    return with(where, number, [&](Grape5 &g) {
        const QuietFloat quiet;
        f(g);
    });
}

// The same for calls that compute, maybe on a device with a driver.
template <class F> bool compute(const char *where, int number, F &&f)
{
    const CallScope scope;
    return with_quiet(where, number, f);
}

void need(const char *name, const void *array, int n)
{
    if (!array && n > 0) throw Error(G6_ERR_ARGUMENT, "%s is NULL with a count of %d", name, n);
}

void write_zero(int ni, double (*a)[3], double *p)
{
    if (ni <= 0) return;
    if (a) std::fill_n(a[0], 3 * static_cast<size_t>(ni), 0.0);
    if (p) std::fill_n(p, ni, 0.0);
}

[[gnu::noinline]] void set_any_masses(const char *call, int number, int adr, int nj, double (*x)[3],
                                      double *m)
{
    with_quiet(call, number, [&](Grape5 &g) {
        need("x", x, nj);
        need("m", m, nj);
        g.set_masses(adr, nj, x, m);
    });
}

}  // namespace

void open()
{
    with("g5_open", 0, [](Grape5 &) {});
}

int open_special(int n, const int *list)
{
    return guard("g5_open_special", [&] {
        choose_devices(device_words(n, list));
        use(0);
        return G6_OK;
    });
}

void close_all()
{
    guard("g5_close", [] { return close(), G6_OK; });
}

void set_n(int number, int n)
{
    with("g5_set_n", number, [&](Grape5 &g) { g.set_n(n); });
}

void set_masses(int number, const char *call, int adr, int nj, double (*x)[3], double *m)
{
    if (const DeviceInUse known = try_to_use(number)) {
        const QuietFloat quiet;
        if (known->set_masses_at_once(adr, nj, x, m)) return;
    }
    set_any_masses(call, number, adr, nj, x, m);
}

void set_positions(int number, const char *call, int adr, int nj, double (*x)[3])
{
    with_quiet(call, number, [&](Grape5 &g) {
        need("x", x, nj);
        g.set_masses(adr, nj, x, nullptr);
    });
}

void set_mass_values(int number, const char *call, int adr, int nj, double *m)
{
    with_quiet(call, number, [&](Grape5 &g) {
        need("m", m, nj);
        g.set_masses(adr, nj, nullptr, m);
    });
}

void set_eta(double eta)
{
    guard("g5_set_eta", [&] {
        g_cutoff = eta != 0;
        if (eta != 0) throw cutoff_error();
        return G6_OK;
    });
}

void set_eps_to_all(double eps)
{
    guard("g5_set_eps_to_all", [&] {
        const QuietFloat quiet;
        if (!std::isfinite(eps * eps))
            throw Error(G6_ERR_ARGUMENT, "the square of eps = %g is not finite; eps stays %g", eps,
                        std::sqrt(g_eps2));
        g_eps2 = eps * eps;
        return G6_OK;
    });
}

void set_eps2_to_all(double value)
{
    guard("g5_set_eps2_to_all", [&] {
        const QuietFloat quiet;
        if (!(value >= 0) || !std::isfinite(value))
            throw Error(G6_ERR_ARGUMENT, "eps2 = %g must be finite and 0 or more; it stays %g",
                        value, g_eps2.load());
        g_eps2 = value;
        return G6_OK;
    });
}

void set_eps(int number, int ni, double *eps)
{
    with_quiet("g5_set_eps", number, [&](Grape5 &g) {
        need("eps", eps, ni);
        g.set_eps(ni, eps);
    });
}

void set_xi(int number, int ni, double (*x)[3])
{
    const double common = g_eps2;
    with("g5_set_xi", number, [&](Grape5 &g) {
        need("x", x, ni);
        g.set_targets(ni, x, &common, 0);
    });
}

void set_xei(int number, const char *call, int ni, double (*x)[3], double *eps2)
{
    with(call, number, [&](Grape5 &g) {
        need("x", x, ni);
        need("eps2", eps2, ni);
        g.set_targets(ni, x, eps2, 1);
    });
}

void set_ip(int ni, double (*x)[3], double *eps)
{
    compute("g5_set_ip", 0, [&](Grape5 &g) {
        need("x", x, ni);
        need("eps", eps, ni);
        const double none = 0;
        g.set_targets(ni, x, &none, 0);
        g.set_eps(ni, eps);
    });
}

void run(int number, const char *call, Softening softening)
{
    compute(call, number, [&](Grape5 &g) { g.run(softening); });
}

void get_force(int number, int ni, double (*a)[3], double *p)
{
    const bool done = with("g5_get_force", number, [&](Grape5 &g) {
        need("a", a, ni);
        need("p", p, ni);
        g.get_force(ni, a, p);
    });
    if (!done) write_zero(ni, a, p);
}

void calculate_on_x(int number, double (*x)[3], double (*a)[3], double *p, int ni)
{
    const double common = g_eps2;
    if (const DeviceInUse known = try_to_use(number)) {
        const QuietFloat quiet;
        if (!g_cutoff && known->calculate_at_once({x, &common, 0, ni}, a, p)) return;
    }
    calculate(number, "g5_calculate_force_on_x", {x, &common, 0, ni}, a, p);
}

[[gnu::noinline]] void calculate(int number, const char *call, const PointTargets &targets,
                                 double (*a)[3], double *p, Softening softening)
{
    const int ni = targets.n;
    const bool done = compute(call, number, [&](Grape5 &g) {
        need("x", targets.x, ni);
        need("eps2", targets.eps2, ni);
        need("a", a, ni);
        need("p", p, ni);
        g.calculate(targets, a, p, softening);
    });
    if (!done) write_zero(ni, a, p);
}

void set_softened(int number, int adr, int nj, double (*x)[3], double *m, double *eps2)
{
    compute("g5_set_xmj0", number, [&](Grape5 &g) {
        need("x", x, nj);
        need("m", m, nj);
        need("epsj2", eps2, nj);
        g.set_softened(adr, nj, x, m, eps2);
    });
}

}  // namespace g6::grape5
