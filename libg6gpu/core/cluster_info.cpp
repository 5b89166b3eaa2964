// SPDX-License-Identifier: MIT What a cluster does besides its block: K&F's calls that send
// i-particles one by one, counters, and the text that describes the cluster.
#include "cluster.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <unistd.h>

namespace g6 {

void Cluster::Pipes::resize(int number)
{
    const size_t n = static_cast<size_t>(number);
    // All vectors get their room first, so that a call that runs out of memory changes nothing.
    const size_t room = n <= index.capacity() ? n : std::max(n, 2 * index.size());
    refused = number;
    for (auto *list : {&x, &v}) list->reserve(3 * room);
    for (auto *list : {&eps2, &h2}) list->reserve(room);
    index.reserve(room);
    for (auto *list : {&x, &v}) list->resize(3 * n);
    for (auto *list : {&eps2, &h2}) list->resize(n);
    index.resize(n);
    refused = 0;
}

int Cluster::max_particles() const
{
    // A record here, and about as much again on the device.
    constexpr double kBytesPerParticle = 2 * sizeof(G6JRecord);
    const double host =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    const double bytes = std::min(host, devices().free_memory());
    return static_cast<int>(std::min(bytes / kBytesPerParticle, 2147483647.0));
}

void Cluster::set_nip(int nip)
{
    if (nip < 0) throw Error(G6_ERR_ARGUMENT, "nip = %d is negative", nip);
    life_.pipes.resize(nip);
}

void Cluster::set_njp(int njp)
{
    if (njp < 0) throw Error(G6_ERR_ARGUMENT, "njp = %d is negative", njp);
    life_.pipes.nj = njp;
}

void Cluster::set_i(int address, int index, const double x[3], const double v[3], double eps2,
                    double h2)
{
    if (address < 0 || address == INT_MAX)
        throw Error(G6_ERR_ARGUMENT, "address %d of an i-particle is not between 0 and %d", address,
                    INT_MAX - 1);
    const size_t a = static_cast<size_t>(address);
    if (a >= life_.pipes.index.size()) life_.pipes.resize(address + 1);
    life_.pipes.index[a] = index;
    std::copy(x, x + 3, &life_.pipes.x[3 * a]);
    std::copy(v, v + 3, &life_.pipes.v[3 * a]);
    life_.pipes.eps2[a] = eps2;
    life_.pipes.h2[a] = h2;
}

void Cluster::get_force(double (*acc)[3], double (*jerk)[3], double *pot, int *nearest, int *flag)
{
    const BlockOutputs out{acc, jerk, pot, nearest, nullptr};
    if (const int n = life_.pipes.refused) {
        // A number for which there is no memory may be far beyond the length of the caller's
        // arrays.
        write_nothing(out, std::min(n, config_->npipes), config_->nn_none);
        throw Error(G6_ERR_MEMORY, "there was no memory for %d i-particles; set them again", n);
    }
    using Rows = const double(*)[3];
    const int ni = static_cast<int>(life_.pipes.index.size());
    const BlockArgs args{life_.pipes.nj,
                         ni,
                         life_.pipes.index.data(),
                         reinterpret_cast<Rows>(life_.pipes.x.data()),
                         reinterpret_cast<Rows>(life_.pipes.v.data()),
                         life_.pipes.eps2.data(),
                         1,
                         life_.pipes.h2.data()};
    if (flag) std::fill_n(flag, ni, 0);
    drop_block();  // so that lasthalf computes these arguments
    lasthalf(args, out);
}

// Pairs of direct sums are counted by the cluster, those of walks by the devices.
double Cluster::interactions() const
{
    return stats_.interactions + static_cast<double>(devices().counters().interactions);
}

void Cluster::get_stats(g6_stats &out) const
{
    g6_stats s = stats_;
    const DeviceCounters c = devices().counters();
    s.copies_up = static_cast<double>(c.copies_up);
    s.copies_down = static_cast<double>(c.copies_down);
    s.waits = static_cast<double>(c.waits);
    s.interactions = interactions();
    s.devices = devices().size();
    const size_t size = out.size;  // a caller built with an older header has a shorter struct
    s.size = size;
    std::copy_n(reinterpret_cast<const char *>(&s), std::min(size, sizeof s),
                reinterpret_cast<char *>(&out));
}

std::string Cluster::describe() const
{
    const double seconds = stats_.seconds_send + stats_.seconds_wait + stats_.seconds_lists;
    const std::string name =
        id_ == kAllId ? "cluster of all devices" : "cluster " + std::to_string(id_);
    char text[512];
    std::snprintf(text, sizeof text,
                  "%s on %s: %.0f blocks, %.4g i-particles, %.4g interactions, %.3g Ginter/s; "
                  "seconds: send %.3f, wait %.3f, lists %.3f; %.0f repeats, %.0f recoveries",
                  name.c_str(), devices().empty() ? "no device" : devices().describe().c_str(),
                  stats_.blocks, stats_.i_particles, interactions(),
                  seconds > 0 ? interactions() / seconds * 1e-9 : 0.0, stats_.seconds_send,
                  stats_.seconds_wait, stats_.seconds_lists, stats_.repeats, stats_.recoveries);
    return text;
}

}  // namespace g6
