// SPDX-License-Identifier: MIT
// Opening of the devices, replacement of one that fails, and counters.
#include "devices.h"
#include "device_list.h"

#include "../base/fork.h"
#include "../base/quiet_float.h"
#include "../base/status.h"
#include "../settings/debug.h"

#include <algorithm>

namespace g6 {
namespace {

// How a set of devices walks a tree in mode treewalk.  first: the number of its first device, which
// alone walks the host's tree and must then be a device of this process.
TreeSupport tree_support(const LoadedBackend &backend, int first)
{
    const TreeSupport tree = backend.entry->tree;
    const bool reaches_others = backend.entry->serve != nullptr;
    if (tree != TreeSupport::kHostTree || !reaches_others) return tree;
    return info_of(backend, first).speed.bytes_per_us > 0 ? TreeSupport::kNone : tree;
}

}  // namespace

int device_count(const Config &config)
{
    return std::max(1, backends_for(config.backend, false).front()->devices);
}

void DeviceSet::open(const Config &config, ClusterId id)
{
    const QuietFloat quiet;
    remove_all();
    options_.precision = config.precision;
    options_.threads = config.threads;
    most_words_ = config.snap ? kRecordWords : kJerkWords;
    debug_ = config.device_debug;
    options_.debug = debug_.c_str();
    substituted_ = false;
    start_together_ = debug_number(config.device_debug, "together", 1) != 0;
    always_divides_ = debug_value(config.device_debug, "divide") == "i";
    const std::vector<const LoadedBackend *> order = backends_for(config.backend, false);
    for (size_t k = 0; k < order.size(); k++) {
        const LoadedBackend *b = order[k];
        const bool substitute = b->name == "cpu" && config.backend != "cpu";
        const bool only = order.size() == 1;  // nothing else could have the named devices
        std::vector<int> list;
        try {
            list = device_list(
                substitute && !(only && has_names(config.devices)) ? "" : config.devices, id, *b);
        } catch (const Error &e) {
            report("g6_open", e.status(), e.what());
            list = device_list("", id, *b);
        }
        if (!open_backend(*b, list, k + 1 < order.size() ? order[k + 1] : nullptr)) continue;
        if (config.mode != Mode::kTreeWalk || tree_ != TreeSupport::kNone) return;
        log(kLogError,
            "backend %s cannot walk a tree on these devices; mode treewalk tries the next backend",
            b->name.c_str());
        remove_all();
        substituted_ = true;
    }
    throw Error(G6_ERR_DEVICE, "no backend could be opened; g6info tells why each was refused");
}

bool DeviceSet::open_backend(const LoadedBackend &backend, const std::vector<int> &list,
                             const LoadedBackend *next)
{
    members_.reserve(list.size());
    backend_ = backend.name;
    std::vector<std::string> refusals;
    for (int number : list) {
        const char *why = nullptr;
        std::unique_ptr<Device> device(backend.entry->open(number, &options_, &why));
        if (device)
            members_.push_back({std::move(device), number});
        else
            refusals.push_back(backend_ + " device " + std::to_string(number) +
                               " refused: " + (why ? why : "no reason given"));
    }
    // Only after the last device is it known which devices go on.
    if (!refusals.empty()) {
        std::string rest;
        if (!members_.empty())
            rest = "; going on with " + describe();
        else if (next)
            rest = "; going on with " + (next->name == "cpu" ? "the cpu" : "backend " + next->name);
        for (const std::string &refusal : refusals)
            log(kLogError, "%s%s", refusal.c_str(), rest.c_str());
    }
    if (members_.empty()) return false;
    generation_ = fork_generation();
    team_ = members_.size() > 1 ? make_team(backend) : Team{};
    tree_ = tree_support(backend, members_[0].number);
    shares_memory_ = backend.entry->shares_memory;
    on_host_ = tree_ == TreeSupport::kHostTree &&  // first, because info_of() is slow for a GPU
               std::all_of(members_.begin(), members_.end(),
                           [&](const Member &m) { return info_of(backend, m.number).is_cpu != 0; });
    log(kLogInfo, "computing on %s", describe().c_str());
    return true;
}

bool DeviceSet::supports(Mode mode) const
{
    return mode == Mode::kTreeWalk ? tree_ != TreeSupport::kNone : !substituted_;
}

std::string DeviceSet::name(size_t d) const
{
    return backend_ + " device " + std::to_string(members_[d].number);
}

std::string DeviceSet::describe() const
{
    std::string text = backend_ + " device";
    for (size_t d = 0; d < members_.size(); d++)
        text += (d ? "," : " ") + std::to_string(members_[d].number);
    return text;
}

void DeviceSet::check(size_t d, DeviceStatus status) const
{
    if (status != kDeviceOk) throw DeviceFailure{d, status, members_[d].device->error()};
}

bool DeviceSet::of_parent() const
{
    return generation_ != fork_generation() && backend_ != "cpu";
}

// In a child of fork(), forgets device d without destroying it: its destructor would call the
// driver, which works in the parent alone.
void DeviceSet::leave_parents_device(size_t d)
{
    if (of_parent()) members_[d].device.release();
}

DeviceSet::~DeviceSet()
{
    for (size_t d = 0; d < members_.size(); d++) leave_parents_device(d);
}

void DeviceSet::remove(size_t d)
{
    add(lost_counters_, members_[d].device->counters());
    leave_parents_device(d);
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(d));
    if (static_cast<int>(d) < team_.local) team_.local--;
}

void DeviceSet::remove_all()
{
    while (!members_.empty()) remove(members_.size() - 1);
}

void DeviceSet::need() const
{
    if (members_.empty()) throw Error(G6_ERR_DEVICE, "no device is left that can compute");
    if (of_parent()) throw DeviceFailure{DeviceFailure::kAll, kDeviceLost, kParentsDevices};
}

// Collects what the cost model of division.h needs to know of the devices.
Team DeviceSet::make_team(const LoadedBackend &backend)
{
    DeviceSpeed least = info_of(backend, members_[0].number).speed;
    double local_start = 0;
    int local = 0;
    for (const Member &m : members_) {
        const DeviceSpeed speed = info_of(backend, m.number).speed;
        if (!(speed.bytes_per_us > 0)) {
            local++;
            local_start = std::max(local_start, speed.start_us);
        }
        least.pairs_per_us = std::min(least.pairs_per_us, speed.pairs_per_us);
        least.start_us = std::max(least.start_us, speed.start_us);
        least.share_us = std::max(least.share_us, speed.share_us);
        least.round_trip_us = std::max(least.round_trip_us, speed.round_trip_us);
        if (speed.bytes_per_us > 0 &&
            !(least.bytes_per_us > 0 && least.bytes_per_us < speed.bytes_per_us))
            least.bytes_per_us = speed.bytes_per_us;
    }
    return {least, local, local_start};
}

int DeviceSet::count_for(const DivisionWork &work, int most) const
{
    if (always_divides_) return std::max(1, std::min(most, work.ni));
    return devices_for(work, most, team_);
}

void DeviceSet::replace(const DeviceFailure &failure)
{
    if (members_.empty()) need();
    const bool all = failure.device == DeviceFailure::kAll, was_cpu = backend_ == "cpu";
    const std::string lost = all ? describe() : name(failure.device);
    all ? remove_all() : remove(failure.device);
    if (members_.empty() && (was_cpu || !open_backend(*find_backend("cpu"), {0}, nullptr)))
        throw Error(failure.status == kDeviceOutOfMemory ? G6_ERR_MEMORY : G6_ERR_DEVICE,
                    "%s failed (%s) and nothing else can compute", lost.c_str(), failure.text);
    if (backend_ == "cpu")  // this text differs from that for the loss of one GPU of several
        log(kLogError, "%s failed (%s); going on with cpu device 0, results are not affected",
            lost.c_str(), failure.text);
    else
        log(kLogError, "%s failed (%s); going on with %s, results are not affected", lost.c_str(),
            failure.text, describe().c_str());
}

double DeviceSet::free_memory() const
{
    if (of_parent()) return info_of(*find_backend("cpu"), 0).memory_free_bytes;
    const LoadedBackend *backend = find_backend(backend_);
    double bytes = 0;
    for (const Member &m : members_) {
        DeviceInfo info{};
        if (backend && backend->entry->describe(m.number, &info) == kDeviceOk)
            bytes += info.memory_free_bytes;
    }
    return bytes;
}

DeviceCounters DeviceSet::counters() const
{
    DeviceCounters sum = lost_counters_;
    for (const Member &m : members_) add(sum, m.device->counters());
    return sum;
}

}  // namespace g6
