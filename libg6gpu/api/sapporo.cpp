// SPDX-License-Identifier: MIT
// The calls that sapporo added to the interface (part 5 of g6lib.h).  They have one name each, so
// that they are written here in full (calls.h).
#include "traced.h"
#include "../core/clusters.h"
#include "../core/device_list.h"

using namespace g6;

int g6_open_special(int ngpu, int *list)
{
    note_gpu_client();
    const auto call = [&] {
        return guard("g6_open_special", [&] {
            clusters::choose_devices(device_words(ngpu, list));
            return clusters::open(0), G6_OK;
        });
    };
    return traced(Kind::kOpenSpecial, 0, call,
                  [&](Fields &f) { f.add(ngpu, trace::array(list, ngpu)); });
}

int g6_open_special2(int ngpu, int *list, int nmax)
{
    note_gpu_client();
    const auto call = [&] {
        return guard("g6_open_special2", [&] {
            if (nmax < 0) throw Error(G6_ERR_ARGUMENT, "nmax = %d is negative", nmax);
            clusters::choose_devices(device_words(ngpu, list));
            clusters::open(0);
            return clusters::exact(0)->reserve(nmax), G6_OK;
        });
    };
    return traced(Kind::kOpenSpecial2, 0, call,
                  [&](Fields &f) { f.add(ngpu, trace::array(list, ngpu), nmax); });
}

int get_device_count(void)
{
    int n = 1;
    guard("get_device_count", [&] { return n = device_count(config_from_environment()), G6_OK; });
    return n;
}
