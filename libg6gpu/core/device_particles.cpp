// SPDX-License-Identifier: MIT
// Sends j-particles to the devices of a set: from the store, from the rows that are staged on the
// first device, or from its memory over a link.
#include "device_particles.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"

#include <algorithm>

namespace g6 {

// ---- what the devices hold ----------------------------------------------------------------------

void DeviceParticles::lose(size_t d)
{
    lags_.erase(lags_.begin() + static_cast<std::ptrdiff_t>(d));
    if (static_cast<int>(d) < walkers_) walkers_--;
}

bool DeviceParticles::others_hold_all(const DeviceFailure &failure) const
{
    const bool is_only_walker = walkers_ == 1 && failure.device == 0;
    return known_ && lags_.size() > 1 && failure.device != DeviceFailure::kAll && !is_only_walker;
}

void DeviceParticles::prepare(JStore &store)
{
    if (known_) return;
    devices_.need();
    lags_ = std::vector<Lag>(static_cast<size_t>(devices_.size()));
    walkers_ = 0;
    for (size_t d = 0; d < lags_.size(); d++) devices_.check(d, devices_[d].clear());
    store.mark_all_dirty();
}

int DeviceParticles::walkers(int nj, bool rest)
{
    if (walkers_ == 0) walkers_ = devices_.count_for({nj, nj, true, rest}, devices_.most_walkers());
    return walkers_;
}

// ---- sending ------------------------------------------------------------------------------------

int DeviceParticles::send(const JStore &store, size_t active)
{
    devices_.need();
    known_ = false;  // until all has arrived
    for (size_t d = 0; d < lags_.size(); d++)
        devices_.check(d, devices_[d].reserve(store.high_water()));
    const int dirty = static_cast<int>(store.dirty().size());
    leader_stages_ = devices_.share_memory() && dirty > 0 && lags_[0].none() &&
                     dirty <= most_staged(store.dirty_words());
    const int sent = send_to(0, store);
    for (size_t d = 1; d < active; d++) send_to(d, store);
    for (size_t d = active; d < lags_.size(); d++) lags_[d].grow(store);
    known_ = true;
    return sent;
}

void DeviceParticles::leave_unsent(const JStore &store)
{
    if (!known_) return;
    for (Lag &lag : lags_) lag.grow(store);
}

// Sends device d all that it needs for the block.  Returns the number of particles.
int DeviceParticles::send_to(size_t d, const JStore &store)
{
    if (!lags_[d].none()) return catch_up(d, store);
    if (d > 0 && leader_stages_)
        devices_[d].stage_from(devices_[0]);
    else
        stage(d, store, store.dirty(), store.dirty_words());
    return static_cast<int>(store.dirty().size());
}

// Sends device d all particles that it lacks, dirty ones included: from the leader where there is a
// link, else from the store.
int DeviceParticles::catch_up(size_t d, const JStore &store)
{
    Lag &lag = lags_[d];
    Device &device = devices_[d], &leader = devices_[0];
    const bool is_linked = d > 0 && devices_.share_memory() && device.can_copy_from(leader);
    if (is_linked && lag.all()) {
        devices_.check(d, device.copy_from(leader, nullptr, store.high_water()));
        lag.clear();
        return store.live();
    }
    const Addresses lacking = lag.with_dirty(store);
    const int n = static_cast<int>(lacking.size());
    if (is_linked)
        devices_.check(d, device.copy_from(leader, lacking.data(), n));
    else
        stage(d, store, lacking, store.words());
    lag.clear();
    return n;
}

// Stages the particles of these addresses on device d, some at a time, which bounds the staging
// memory.  store_words: words of their rows in the store.
void DeviceParticles::stage(size_t d, const JStore &store, const Addresses &addresses,
                            int store_words)
{
    const int words = std::min(store_words, devices_.most_words());
    const int total = static_cast<int>(addresses.size());
    const double *logged = &addresses == &store.dirty() ? store.dirty_log() : nullptr;
    // Rows that other devices read in the leader's memory must be staged by one call.
    const int at_once = d == 0 && leader_stages_ ? most_staged(words) : rows_at_once(words);
    for (int first = 0; first < total; first += at_once) {
        const int n = std::min(at_once, total - first);
        double *const out = devices_[d].stage(n, words);
        if (!out) devices_.check(d, kDeviceOutOfMemory);
        const auto write = [&](int k) {
            G6JRecord &row = row_at(out, words, static_cast<size_t>(k));
            const auto number = static_cast<size_t>(first + k);
            if (logged)
                copy_row(row_at(logged, store_words, number), store_words, row, words);
            else
                store.copy(addresses[number], row, words);
            row.slot = addresses[number];
        };
        for (int sent = 0; sent < n; sent += kSentAtOnce) {
            const int piece = std::min(kSentAtOnce, n - sent);
            parallel_for(host_threads(piece, devices_.threads()), piece,
                         [&](int k) { write(sent + k); });
            if (sent + piece < n) devices_[d].send_staged(sent + piece);
        }
    }
}

}  // namespace g6
