// SPDX-License-Identifier: MIT
// Calls that tell of a cluster: the number of j-particles that fit, the devices that a block would
// take, counters and a description; and forces on i-particles that were set one by one (pipes.h).
#include "cluster.h"

#include "softening_classes.h"
#include "../base/host_memory.h"

#include <algorithm>
#include <cstdio>

namespace g6 {

int Cluster::max_particles() const
{
    // A record in host memory, and about as much on the device.
    constexpr double kBytesPerParticle = 2 * sizeof(G6JRecord);
    const double bytes = std::min(physical_memory(), devices().free_memory());
    return static_cast<int>(std::min(bytes / kBytesPerParticle, 2147483647.0));
}

void Cluster::get_force(double (*acc)[3], double (*jerk)[3], double *pot, int *nearest, int *flag)
{
    const BlockOutputs out{acc, jerk, pot, nearest, nullptr};
    try {
        life_.pipes.check();
    } catch (...) {  // there may be no memory for an Error
        // A number that was refused for lack of memory may exceed the caller's arrays.
        const int n = life_.pipes.refused();
        write_zero_outputs(out, n > 0 ? std::min(n, config_->npipes) : life_.pipes.size(),
                           config_->nn_none);
        throw;
    }
    const BlockArgs args = life_.pipes.args();
    if (flag) std::fill_n(flag, args.ni, 0);
    note_replaced();
    drop_block();  // so that lasthalf computes these arguments
    lasthalf(args, out);
}

int Cluster::devices_for(int nj, int ni)
{
    if (nj < 0 || ni < 0)
        throw Error(G6_ERR_ARGUMENT, "nj = %d, ni = %d; a count cannot be negative", nj, ni);
    if (!has_block()) open_devices();
    if (devices().empty()) throw Error(G6_ERR_DEVICE, "no device is left that can compute");
    TreeChoice choice;  // of a block that follows the write of a j-particle
    const bool walk = walks(*config_, {ni, nj, 0, 0, false}, choice);
    return devices().count_for({ni, nj, walk}, walk ? devices().most_walkers() : devices().size());
}

void Cluster::get_stats(g6_stats &out) const
{
    g6_stats s = stats_;
    const DeviceCounters c = devices().counters();
    s.copies_up = static_cast<double>(c.copies_up);
    s.copies_down = static_cast<double>(c.copies_down);
    s.waits = static_cast<double>(c.waits);
    s.messages = static_cast<double>(c.messages);
    s.message_bytes = static_cast<double>(c.message_bytes);
    s.interactions += static_cast<double>(c.interactions);
    if (classes_) classes_->add_counts(s);
    s.devices = at_work().devices().size();
    const size_t size = out.size;  // a caller built with an older header has a shorter struct
    s.size = size;
    std::copy_n(reinterpret_cast<const char *>(&s), std::min(size, sizeof s),
                reinterpret_cast<char *>(&out));
}

std::string Cluster::name() const
{
    return id_ == kAllId ? "cluster of all devices" : "cluster " + std::to_string(id_);
}

std::string Cluster::describe() const
{
    g6_stats s{};  // pairs of direct sums are counted by the cluster, those of walks by the devices
    s.size = sizeof s;
    get_stats(s);
    const double seconds = s.seconds_send + s.seconds_wait + s.seconds_lists;
    const DeviceSet &devices = at_work().devices();
    char text[512];
    std::snprintf(text, sizeof text,
                  "%s on %s: %.0f blocks, %.4g i-particles, %.4g interactions, %.3g Ginter/s; "
                  "seconds: send %.3f, wait %.3f, lists %.3f; %.0f repeats, %.0f recoveries",
                  name().c_str(), devices.empty() ? "no device" : devices.describe().c_str(),
                  s.blocks, s.i_particles, s.interactions,
                  seconds > 0 ? s.interactions / seconds * 1e-9 : 0.0, s.seconds_send,
                  s.seconds_wait, s.seconds_lists, s.repeats, s.recoveries);
    if (s.messages == 0 || !(s.blocks > 0)) return text;
    char messages[128];
    std::snprintf(messages, sizeof messages, "; %.3g messages and %.4g bytes a block",
                  s.messages / s.blocks, s.message_bytes / s.blocks);
    return std::string(text) + messages;
}

}  // namespace g6
