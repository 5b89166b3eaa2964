// SPDX-License-Identifier: MIT
// libg6gpu's own additions (part 6 of g6lib.h).  They have one name each, so that they are written
// here in full (calls.h).
#include "calls.h"
#include "traced.h"
#include "../base/host_threads.h"
#include "../base/version.h"
#include "../core/clusters.h"
#include "../core/local_devices.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace g6;

namespace {

template <size_t N> void copy_text(char (&to)[N], const std::string &from)
{
    std::snprintf(to, N, "%s", from.c_str());
}

// Copies as much of a struct as a caller built with an older header knows; its size member stays.
template <class T> void copy_sized(T *to, T &from)
{
    from.size = to->size;
    std::memcpy(to, &from, std::min(to->size, sizeof(T)));
}

void need_struct(const void *p, size_t size)
{
    if (!p || size < sizeof(size_t))
        throw Error(G6_ERR_ARGUMENT,
                    "the struct is NULL, or its member size is not set to sizeof(struct)");
}

const LoadedBackend *backend_number(int n)
{
    const std::vector<const LoadedBackend *> all = backends();
    return n >= 0 && n < static_cast<int>(all.size()) ? all[static_cast<size_t>(n)] : nullptr;
}

int set_option(const char *where, int id, const char *key, const char *value)
{
    const auto call = [&] {
        return guard(where, [&] {
            if (!key || !value) throw Error(G6_ERR_ARGUMENT, "key or value is NULL");
            clusters::exact(id)->set_option(key, value);
            if (const auto other = clusters::stand_in(id))
                log(kLogWarn,
                    "%s: cluster %d is not open and keeps %s = %s for its g6_open(); until then "
                    "cluster %ld, the only open one, serves calls on id %d with settings of its "
                    "own",
                    where, id, key, value, *other, id);
            return G6_OK;
        });
    };
    return traced(Kind::kSetOption, id, call, [&](Fields &f) { f.add(key, value); });
}

}  // namespace

const char *g6_version(void)
{
    return kVersion;
}

const char *g6_last_error(void)
{
    return last_error();
}

const char *g6_status_text(int status)
{
    return status_text(status);
}

const char *g6_status_remedy(int status)
{
    switch (status) {
#define G6_STATUS_CASE(code, value, text, remedy)                                                  \
    case code: return remedy;
        G6_STATUS_TABLE(G6_STATUS_CASE)
#undef G6_STATUS_CASE
    }
    return "";
}

int g6_set_j_particles(int id, int n, const int address[], const int index[], const double t[],
                       const double mass[], const double k18[][3], const double j6[][3],
                       const double a2[][3], const double v[][3], const double x[][3])
{
    const auto call = [&] {
        return guard("g6_set_j_particles", [&]() -> int {
            if (n < 0) throw Error(G6_ERR_ARGUMENT, "n = %d is negative", n);
            if (n > 0 && (!mass || !x))
                throw Error(G6_ERR_ARGUMENT, "mass or x is NULL with n = %d", n);
            const auto c = clusters::resolve(id);
            const JArrays j{address, index, t, mass, k18, j6, a2, v, x};
            Cluster::Refusal refusal;
            const int done = c->set_many(n, j, refusal);
            return done == n ? static_cast<int>(G6_OK)
                             : refused("g6_set_j_particles", j.address_of(done), refusal);
        });
    };
    return traced(Kind::kSetJs, id, call, [&](Fields &f) {
        f.add(n, trace::array(address, n), trace::array(index, n), trace::array(t, n),
              trace::array(mass, n), trace::rows(k18, n), trace::rows(j6, n), trace::rows(a2, n),
              trace::rows(v, n), trace::rows(x, n));
    });
}

int g6_set_j_softening(int id, int n, const int address[], const double eps2[])
{
    const auto call = [&] {
        return guard("g6_set_j_softening", [&]() -> int {
            clusters::resolve(id)->set_softenings(n, address, eps2);
            return G6_OK;
        });
    };
    return traced(Kind::kSetJSoftening, id, call,
                  [&](Fields &f) { f.add(n, trace::array(address, n), trace::array(eps2, n)); });
}

int g6_predict(int id, int nj, double x[][3], double v[][3])
{
    return calls::predict(id, nj, x, v);
}

int g6_set_option(int id, const char *key, const char *value)
{
    return set_option("g6_set_option", id, key, value);
}

int g6_set_mode(int id, const char *mode)
{
    return set_option("g6_set_mode", id, "mode", mode);
}

int g6_get_option(int id, const char *key, char *value, int size)
{
    return guard("g6_get_option", [&] {
        if (!key || !value || size < 1)
            throw Error(G6_ERR_ARGUMENT, "key or value is NULL, or size < 1");
        *value = '\0';
        const std::string name = key;
        const OptionRow &row = option_row(name);
        const auto c = clusters::find(id);
        std::snprintf(value, static_cast<size_t>(size), "%s",
                      row.print(row.process_wide ? process_config()
                                : c              ? c->config()
                                                 : config_from_environment())
                          .c_str());
        return G6_OK;
    });
}

int g6_option_row(int row, const char **key, const char **values, const char **help)
{
    return guard("g6_option_row", [&]() -> int {
        const auto &rows = option_rows();
        if (row < 0 || row >= static_cast<int>(rows.size())) return G6_ERR_ARGUMENT;
        const OptionRow &r = rows[static_cast<size_t>(row)];
        if (key) *key = r.key;
        if (values) *values = r.values;
        if (help) *help = r.help;
        return G6_OK;
    });
}

const char *g6_backend_name(int id)
{
    static thread_local char name[32];
    traced(Kind::kQuestion, id, [&] {
        return guard("g6_backend_name", [&] {
            copy_text(name, "none");
            copy_text(name, clusters::resolve(id)->backend());
            return G6_OK;
        });
    });
    return name;
}

int g6_set_log(g6_log_function function, int level, void *user)
{
    return guard("g6_set_log", [&] {
        if (level < kLogNone || level > kLogDebug)
            throw Error(G6_ERR_ARGUMENT,
                        "level = %d is not one of 0 none, 1 error, 2 warn, 3 info, 4 debug", level);
        process_config();  // reads G6_LOG, which rules again after function = NULL
        set_log_function(function, level, user);
        return G6_OK;
    });
}

int g6_parallel(int n, int size, g6_part_function function, void *user)
{
    return guard("g6_parallel", [&] {
        if (n < 0 || size < 1)
            throw Error(G6_ERR_ARGUMENT, "n = %d is below 0 or size = %d below 1", n, size);
        if (!function) throw Error(G6_ERR_ARGUMENT, "the function is NULL");
        const int parts = n / size + (n % size > 0);
        const int threads = threads_for(static_cast<size_t>(parts), 1, process_config().threads);
        parallel_shares(threads, parts, [&](int part, int) {
            function(part * size, std::min(n - part * size, size) + part * size, user);
        });
        return G6_OK;
    });
}

int g6_get_backend_info(int n, struct g6_backend_info *info)
{
    return guard("g6_get_backend_info", [&]() -> int {
        need_struct(info, info ? info->size : 0);
        const LoadedBackend *b = backend_number(n);
        if (!b) return G6_ERR_ARGUMENT;
        g6_backend_info full{};
        copy_text(full.name, b->name);
        copy_text(full.path, b->path);
        copy_text(full.reason, b->why_not());
        full.ndevices = b->usable_devices();
        copy_sized(info, full);
        return G6_OK;
    });
}

int g6_get_device_info(int n, int device, struct g6_device_info *info)
{
    return guard("g6_get_device_info", [&]() -> int {
        need_struct(info, info ? info->size : 0);
        const LoadedBackend *b = backend_number(n);
        DeviceInfo d{};
        if (!b || device < 0 || device >= b->usable_devices()) return G6_ERR_ARGUMENT;
        if (b->entry->describe(device, &d) != kDeviceOk)
            throw Error(G6_ERR_DEVICE, "%s device %d does not answer; it may be lost",
                        b->name.c_str(), device);
        g6_device_info full{};
        copy_text(full.name, d.name);
        copy_text(full.notes, d.notes);
        full.memory_bytes = d.memory_bytes;
        full.memory_free_bytes = d.memory_free_bytes;
        full.compute_units = d.compute_units;
        full.has_double = d.has_double;
        copy_sized(info, full);
        return G6_OK;
    });
}

int g6_devices_for(int id, int nj, int ni)
{
    return traced(Kind::kQuestion, id, [&] {
        return guard("g6_devices_for", [&] { return clusters::resolve(id)->devices_for(nj, ni); });
    });
}

int g6_serve(const char *backend, double poll, double sleep, double patience)
{
    return guard("g6_serve", [&] {
        if (!backend) throw Error(G6_ERR_ARGUMENT, "backend is NULL");
        if (!(poll >= 0) || !(sleep >= 0) || sleep > 1 || !(patience >= 0))
            throw Error(G6_ERR_ARGUMENT,
                        "poll = %g, sleep = %g, patience = %g; all are seconds from 0, sleep is at "
                        "most 1",
                        poll, sleep, patience);
        return serve(backend, {poll, sleep, patience}), G6_OK;
    });
}

int g6_get_stats(int id, struct g6_stats *stats)
{
    return traced(Kind::kQuestion, id, [&] {
        return guard("g6_get_stats", [&] {
            need_struct(stats, stats ? stats->size : 0);
            g6_stats none{};
            copy_sized(stats, none);
            return clusters::resolve(id)->get_stats(*stats), G6_OK;
        });
    });
}
