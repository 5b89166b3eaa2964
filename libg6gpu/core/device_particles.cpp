// SPDX-License-Identifier: MIT
// How j-particles reach the devices of a set: from the store, from what is staged on the first
// device, or from its memory over a link.
#include "device_particles.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/quiet_float.h"
#include "../base/status.h"

#include <algorithm>

namespace g6 {
int dealt_slots(int nj, size_t d, int devices)
{
    const int first = static_cast<int>(d);
    return nj <= first ? 0 : (nj - first - 1) / devices + 1;
}

// ---- what the devices hold ----------------------------------------------------------------------

void DeviceParticles::forget()
{
    dealt_ = false;
    lags_.assign(static_cast<size_t>(devices_.size()), {});
    walkers_.clear();
}

void DeviceParticles::lose(size_t d)
{
    lags_.erase(lags_.begin() + static_cast<std::ptrdiff_t>(d));
    walkers_.lose(d);
}

void DeviceParticles::clear()
{
    devices_.need();
    for (size_t d = 0; d < lags_.size(); d++) {
        devices_.check(d, devices_[d].clear());
        lags_[d].clear();
    }
    walkers_.clear();
}

bool DeviceParticles::others_hold_all(const DeviceFailure &failure) const
{
    return lags_.size() > 1 && !dealt_ && failure.device != DeviceFailure::kAll &&
           walkers_.outlives(failure.device);
}

// Whether each device can hold all j-particles.
bool DeviceParticles::all_fit(int nj)
{
    for (size_t d = 0; d < lags_.size(); d++) {
        const DeviceStatus status = devices_[d].reserve(nj);
        if (status == kDeviceOutOfMemory) return false;
        devices_.check(d, status);
    }
    return true;
}

Placement DeviceParticles::place(int nj, bool whole)
{
    const QuietFloat quiet;
    devices_.need();
    const bool before = dealt_, may_deal = lags_.size() > 1 && !whole;
    dealt_ = may_deal && (dealt_ || devices_.divide() == DeviceSet::Divide::kJ);
    if (may_deal && !dealt_ && !all_fit(nj)) {
        log(kLogInfo, "%d j-particles do not fit into each of %s; each device gets a part of them",
            nj, devices_.describe().c_str());
        dealt_ = true;
    }
    return {dealt_, dealt_ == before};
}

int DeviceParticles::walkers(int nj, bool points)
{
    const int size = devices_.size();
    if (devices_.divide() == DeviceSet::Divide::kI) return walkers_.all(size);
    return walkers_.of(nj, points, size, devices_.team());
}

std::vector<int> DeviceParticles::lacking(int nj) const
{
    std::vector<int> counts;
    if (devices_.team().local >= devices_.size()) return counts;
    for (const Lag &lag : lags_) counts.push_back(lag.price(nj));
    return counts;
}

void DeviceParticles::leave_out(int from, int to)
{
    for (int d = from; d < to; d++) lags_[static_cast<size_t>(d)].leave_out();
}

// ---- sending ------------------------------------------------------------------------------------

int DeviceParticles::send(const JStore &store, const Placement &placement, size_t active)
{
    const QuietFloat quiet;
    const int nj = store.high_water();
    for (size_t d = 0; d < lags_.size(); d++) {
        const int slots = placement.dealt ? dealt_slots(nj, d, devices_.size()) : nj;
        devices_.check(d, devices_[d].reserve(slots));
    }
    const int dirty = static_cast<int>(store.dirty().size());
    if (placement.dealt) {
        deal(store);
        return dirty;
    }
    const int most = store.any_dirty_record() ? most_staged<G6JRecord>() : most_staged<G6JPoint>();
    leader_stages_ = devices_.share_memory() && dirty > 0 && lags_[0].none() && dirty <= most;
    for (size_t d = 0; d < active; d++) send_to(d, store);
    for (size_t d = active; d < lags_.size(); d++) lags_[d].grow(store);
    return dirty;
}

// All that the device needs for the block.
void DeviceParticles::send_to(size_t d, const JStore &store)
{
    if (!lags_[d].none())
        catch_up(d, store);
    else if (d > 0 && leader_stages_)
        devices_[d].stage_from(devices_[0]);
    else
        stage(d, store, store.dirty());
}

// Brings all that the device lacks, what is dirty included: from the leader where there is a link,
// else from the store.
void DeviceParticles::catch_up(size_t d, const JStore &store)
{
    Lag &lag = lags_[d];
    Device &device = devices_[d], &leader = devices_[0];
    const bool is_linked = d > 0 && devices_.share_memory() && device.can_copy_from(leader);
    if (is_linked && lag.all()) {
        devices_.check(d, device.copy_from(leader, nullptr, store.high_water()));
    } else {
        const bool records = !lag.has_points() && !store.any_dirty_point();
        const Addresses lacking = lag.with_dirty(store);
        const int n = static_cast<int>(lacking.size());
        if (is_linked)
            devices_.check(d, device.copy_from(leader, lacking.data(), n));
        else if (records)
            stage_records(d, store, lacking);
        else
            stage(d, store, lacking);
    }
    lag.clear();
}

// Stages these addresses of the store on a device, some at a time, which bounds the staging memory.
void DeviceParticles::stage(size_t d, const JStore &store, const Addresses &addresses)
{
    if (&addresses == &store.dirty() && !store.any_dirty_point())
        return stage_records(d, store, addresses);
    if (&addresses == &store.dirty() && !store.any_dirty_record())
        return stage_points(d, store, addresses);
    Addresses full, points;
    for (int a : addresses) (store.is_point(a) ? points : full).push_back(a);
    stage_records(d, store, full);
    stage_points(d, store, points);
}

// Deals the dirty particles out to all devices.
void DeviceParticles::deal(const JStore &store)
{
    leader_stages_ = false;
    const size_t devices = lags_.size();
    std::vector<Addresses> full(devices), points(devices);
    for (int a : store.dirty())
        (store.is_point(a) ? points : full)[static_cast<size_t>(a) % devices].push_back(a);
    for (size_t d = 0; d < devices; d++) {
        stage_records(d, store, full[d]);
        stage_points(d, store, points[d]);
    }
}

void DeviceParticles::stage_records(size_t d, const JStore &store, const Addresses &addresses)
{
    const int total = static_cast<int>(addresses.size());
    const G6JRecord *logged = &addresses == &store.dirty() ? store.dirty_log() : nullptr;
    // What other devices read in the leader's memory is staged by one call.
    const int at_once = leader_stages_ ? most_staged<G6JRecord>() : kRecordsAtOnce;
    for (int first = 0; first < total; first += at_once) {
        const int n = std::min(at_once, total - first);
        G6JRecord *out = devices_[d].stage(n);
        if (!out) devices_.check(d, kDeviceOutOfMemory);
        const int *those = addresses.data() + first;
        if (logged)
            write_staged(
                d, out, those, n, [&](int k) -> auto & { return logged[first + k]; });
        else
            write_staged(d, out, those, n, [&](int k) { return store.record(those[k]); });
    }
}

void DeviceParticles::stage_points(size_t d, const JStore &store, const Addresses &addresses)
{
    const int total = static_cast<int>(addresses.size());
    const int at_once = leader_stages_ ? most_staged<G6JPoint>() : kPointsAtOnce;
    for (int first = 0; first < total; first += at_once) {
        const int n = std::min(at_once, total - first);
        G6JPoint *out = devices_[d].stage_points(n);
        if (!out) devices_.check(d, kDeviceOutOfMemory);
        const int *those = addresses.data() + first;
        write_staged(d, out, those, n, [&](int k) { return store.point(those[k]); });
    }
}

// Writes particle(k), which has the address addresses[k], for k = 0 ... n-1 to memory of device d.
template <class Record, class Particle>
void DeviceParticles::write_staged(size_t d, Record *out, const int *addresses, int n,
                                   Particle &&particle)
{
    const int devices = dealt_ ? devices_.size() : 1;
    for (int first = 0; first < n; first += kSentAtOnce) {
        const int end = std::min(first + kSentAtOnce, n);
        parallel_for(host_threads(end - first, devices_.threads()), end - first, [&](int piece_k) {
            const int k = first + piece_k;
            out[k] = particle(k);
            out[k].slot = addresses[k] / devices;
        });
        if (end < n) devices_[d].send_staged(end);
    }
}

}  // namespace g6
