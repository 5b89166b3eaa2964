// SPDX-License-Identifier: MIT
// How j-particles reach the devices of a cluster.
#include "devices.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/quiet_float.h"
#include "../base/status.h"

#include <algorithm>

namespace g6 {
namespace {

// Records for which memory is asked at once, unless other devices read them there: 150 MB.  Points:
// 170 MB.
constexpr int kBatch = 1 << 20, kPointBatch = kStagedTogether;

// The device may take in so many points while the next ones are written.
constexpr int kPiece = 1 << 18;

}  // namespace

// Whether each device can hold all j-particles.
bool DeviceSet::all_fit(int nj)
{
    for (size_t d = 0; d < members_.size(); d++) {
        const DeviceStatus status = device(d).reserve(nj);
        if (status == kDeviceOutOfMemory) return false;
        check(d, status);
    }
    return true;
}

bool DeviceSet::place(int nj, bool whole)
{
    const QuietFloat quiet;
    need_devices();
    const bool before = dealt_, may_deal = size() > 1 && !whole;
    dealt_ = may_deal && (dealt_ || always_dealt_);
    if (may_deal && !dealt_ && !all_fit(nj)) {
        log(kLogInfo, "%d j-particles do not fit into each of %s; each device gets a part of them",
            nj, describe().c_str());
        dealt_ = true;
    }
    return dealt_ == before;
}

// ---- j-particles --------------------------------------------------------------------------------

int DeviceSet::upload(const JStore &store)
{
    const QuietFloat quiet;
    for (size_t d = 0; d < members_.size(); d++)
        check(d, device(d).reserve(slots(d, store.high_water())));
    if (dealt_) {
        deal(store);
        return static_cast<int>(store.dirty().size());
    }
    leader_stages_ = sharing_ != Sharing::kNothing && !store.dirty().empty() &&
                     members_[0].lag.none() &&
                     store.dirty().size() <= static_cast<size_t>(kStagedTogether);
    for (size_t d = 0; d < active_; d++) stage_all(d, store);
    for (size_t d = active_; d < members_.size(); d++) members_[d].lag.grow(store);
    return static_cast<int>(store.dirty().size());
}

// All that the device needs for the block.
void DeviceSet::stage_all(size_t d, const JStore &store)
{
    Member &m = members_[d];
    if (!m.lag.none()) {
        catch_up(d, store);
    } else if (d > 0 && leader_stages_) {
        device(d).stage_from(device(0));
    } else {
        stage(d, store, store.dirty());
    }
}

// Brings all that the device lacks, what is dirty included: from the leader where there is a link,
// else from the store.
void DeviceSet::catch_up(size_t d, const JStore &store)
{
    Lag &lag = members_[d].lag;
    const bool is_linked = d > 0 && shares_memory() && device(d).can_copy_from(device(0));
    if (is_linked && lag.all()) {
        check(d, device(d).copy_from(device(0), nullptr, store.high_water()));
    } else {
        const bool records = !lag.has_points() && !store.any_dirty_point();
        const Addresses lacking = lag.with_dirty(store);
        if (is_linked)
            check(d,
                  device(d).copy_from(device(0), lacking.data(), static_cast<int>(lacking.size())));
        else if (records)
            stage_records(d, store, lacking);
        else
            stage(d, store, lacking);
    }
    lag.clear();
}

// Stages these addresses of the store on a device, each in batches that bound the staging memory.
void DeviceSet::stage(size_t d, const JStore &store, const Addresses &addresses)
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
void DeviceSet::deal(const JStore &store)
{
    const size_t devices = members_.size();
    std::vector<Addresses> full(devices), points(devices);
    for (int a : store.dirty())
        (store.is_point(a) ? points : full)[static_cast<size_t>(a) % devices].push_back(a);
    for (size_t d = 0; d < devices; d++) {
        stage_records(d, store, full[d]);
        stage_points(d, store, points[d]);
    }
}

void DeviceSet::stage_records(size_t d, const JStore &store, const Addresses &addresses)
{
    const int total = static_cast<int>(addresses.size());
    const G6JRecord *logged = &addresses == &store.dirty() ? store.dirty_log() : nullptr;
    // What other devices read in the leader's memory is staged by one call.
    const int batch = leader_stages_ ? kStagedTogether : kBatch;
    for (int first = 0; first < total; first += batch) {
        const int n = std::min(batch, total - first);
        G6JRecord *out = device(d).stage(n);
        if (!out) check(d, kDeviceOutOfMemory);
        const int *those = addresses.data() + first;
        if (logged)
            write_staged(
                out, those, n, [&](int k) -> auto & { return logged[first + k]; });
        else
            write_staged(out, those, n, [&](int k) { return store.record(those[k]); });
    }
}

void DeviceSet::stage_points(size_t d, const JStore &store, const Addresses &addresses)
{
    const int total = static_cast<int>(addresses.size());
    for (int first = 0; first < total; first += kPointBatch) {
        const int n = std::min(kPointBatch, total - first);
        G6JPoint *out = device(d).stage_points(n);
        if (!out) check(d, kDeviceOutOfMemory);
        for (int begin = 0; begin < n; begin += kPiece) {
            const int piece = std::min(kPiece, n - begin);
            const int *those = addresses.data() + first + begin;
            write_staged(out + begin, those, piece, [&](int k) { return store.point(those[k]); });
            if (begin + piece < n) device(d).send_points(begin + piece);
        }
    }
}

// Writes particle(k), which has the address addresses[k], for k = 0 ... n-1.
template <class Record, class Particle>
void DeviceSet::write_staged(Record *out, const int *addresses, int n, Particle &&particle)
{
    const int devices = dealt_ ? size() : 1;
    parallel_for(host_threads(n, options_.threads), n, [&](int k) {
        out[k] = particle(k);
        out[k].slot = addresses[k] / devices;
    });
}

}  // namespace g6
