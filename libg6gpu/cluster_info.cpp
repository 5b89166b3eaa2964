// SPDX-License-Identifier: MIT
// The parts of a cluster beside the block: K&F's low-level group, counters, and the text that
// describes it.
#include "cluster.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace g6 {

void Cluster::Pipes::resize(size_t n)
{
    index.resize(n);
    x.resize(3 * n);
    v.resize(3 * n);
    eps2.resize(n);
    h2.resize(n);
}

int Cluster::max_particles() const
{
    // A record here, and about as much again on the device.
    constexpr double kBytesPerParticle = 2 * sizeof(G6JRecord);
    const double host =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    const double bytes = std::min(host, devices_.free_memory());
    return static_cast<int>(std::min(bytes / kBytesPerParticle, 2147483647.0));
}

void Cluster::set_nip(int nip)
{
    if (nip < 0) throw Error(G6_ERR_ARGUMENT, "nip = %d is negative", nip);
    pipes_.resize(static_cast<size_t>(nip));
}

void Cluster::set_njp(int njp)
{
    if (njp < 0) throw Error(G6_ERR_ARGUMENT, "njp = %d is negative", njp);
    pipes_.nj = njp;
}

void Cluster::set_i(int address, int index, const double x[3], const double v[3], double eps2,
                    double h2)
{
    if (address < 0)
        throw Error(G6_ERR_ARGUMENT, "i-particle %d; they are numbered from 0", address);
    const size_t a = static_cast<size_t>(address);
    if (a >= pipes_.index.size()) pipes_.resize(a + 1);
    pipes_.index[a] = index;
    std::copy(x, x + 3, &pipes_.x[3 * a]);
    std::copy(v, v + 3, &pipes_.v[3 * a]);
    pipes_.eps2[a] = eps2;
    pipes_.h2[a] = h2;
}

void Cluster::get_force(double (*acc)[3], double (*jerk)[3], double *pot, int *nearest, int *flag)
{
    using Rows = const double(*)[3];
    const int ni = static_cast<int>(pipes_.index.size());
    const BlockArgs args{pipes_.nj,
                         ni,
                         pipes_.index.data(),
                         reinterpret_cast<Rows>(pipes_.x.data()),
                         reinterpret_cast<Rows>(pipes_.v.data()),
                         pipes_.eps2.data(),
                         1,
                         pipes_.h2.data()};
    if (flag) std::fill_n(flag, ni, 0);
    firsthalf(args);
    lasthalf(args, {acc, jerk, pot, nearest, nullptr});
}

// Walks are counted where they are done.
double Cluster::interactions() const
{
    return stats_.interactions + static_cast<double>(devices_.counters().interactions);
}

void Cluster::get_stats(g6_stats &out) const
{
    g6_stats s = stats_;
    const DeviceCounters c = devices_.counters();
    s.copies_up = static_cast<double>(c.copies_up);
    s.copies_down = static_cast<double>(c.copies_down);
    s.waits = static_cast<double>(c.waits);
    s.interactions = interactions();
    s.devices = devices_.size();
    const size_t size = out.size;  // a caller built with an older header has a shorter struct
    s.size = size;
    std::copy_n(reinterpret_cast<const char *>(&s), std::min(size, sizeof s),
                reinterpret_cast<char *>(&out));
}

std::string Cluster::describe() const
{
    const double seconds = stats_.seconds_send + stats_.seconds_wait + stats_.seconds_lists;
    char text[512];
    std::snprintf(
        text, sizeof text,
        "cluster %d on %s: %.0f blocks, %.4g i-particles, %.4g interactions, %.3g Ginter/s; "
        "seconds: send %.3f, wait %.3f, lists %.3f; %.0f repeats, %.0f recoveries",
        id_, devices_.empty() ? "no device" : devices_.describe().c_str(), stats_.blocks,
        stats_.i_particles, interactions(), seconds > 0 ? interactions() / seconds * 1e-9 : 0.0,
        stats_.seconds_send, stats_.seconds_wait, stats_.seconds_lists, stats_.repeats,
        stats_.recoveries);
    return text;
}

}  // namespace g6
