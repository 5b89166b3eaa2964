// SPDX-License-Identifier: MIT
// The devices of one cluster: which they are, how they are opened, and what happens when one fails.
// device_particles.h brings them j-particles, divided_block.h computes blocks on them.
//
// Invariants
//  * A device that fails throws DeviceFailure.  replace() takes it out of the set; when it was the
//    last one, the cpu takes its place.
//  * A set without devices throws Error(G6_ERR_DEVICE): it never returns sums that nobody computed.
//  * The devices of this process come before those of workers.
//  * In a child of fork() all devices but the built-in cpu count as failed.  Their objects and
//    their backend are left alone, because their drivers belong to the parent process.
#pragma once

#include "cluster_id.h"
#include "division.h"
#include "loader.h"

#include "../backend.h"
#include "../settings/config.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace g6 {

struct DeviceFailure {
    static constexpr size_t kAll = static_cast<size_t>(-1);
    size_t device;  // position in the set, or kAll
    DeviceStatus status;
    char text[512];  // no std::string: a failure for lack of memory must not allocate any

    DeviceFailure(size_t d, DeviceStatus s, const char *why) : device(d), status(s)
    {
        std::snprintf(text, sizeof text, "%s", why);
    }
};

class DeviceSet {
public:
    DeviceSet() = default;
    ~DeviceSet();
    DeviceSet(const DeviceSet &) = delete;
    DeviceSet &operator=(const DeviceSet &) = delete;

    // Opens the devices that config names for cluster id.  When a backend refuses, tries the next
    // one of the automatic order and says so on the log.  Throws Error(G6_ERR_DEVICE) when not even
    // the cpu can be opened.
    void open(const Config &config, ClusterId id);
    // Removes the failed device and logs what happens next.
    void replace(const DeviceFailure &failure);

    bool empty() const { return members_.empty(); }
    int size() const { return static_cast<int>(members_.size()); }
    Device &operator[](size_t d) { return *members_[d].device; }
    // Throws when there is no device, or when a parent of this process opened them.
    void need() const;
    // Throws DeviceFailure unless the status that device d has returned is kDeviceOk.
    void check(size_t d, DeviceStatus status) const;

    // Whether these are the devices that would be chosen for the mode.
    bool supports(Mode mode) const;
    TreeSupport tree() const { return tree_; }
    // Whether the host's own processors walk the host's tree, by whatever backend.
    bool on_host() const { return on_host_; }
    bool share_memory() const { return shares_memory_; }
    // How many of the first devices can share a walk: those of this process, if each makes a tree
    // of its own and finds its i-particles itself; else 1.
    int most_walkers() const
    {
        const bool can_share = tree_ == TreeSupport::kOwnTree && share_memory();
        return can_share ? std::max(1, team_.local) : 1;
    }
    // How many of the first `most` devices compute this work.
    int count_for(const DivisionWork &work, int most) const;
    // How many of the first n devices are of this process.
    int local_among(size_t n) const { return std::min(team_.local, static_cast<int>(n)); }
    // Whether G6_DEBUG lets several host threads start devices at the same time.
    bool start_together() const { return start_together_; }
    // The most words that rows of j-particles need: without the setting "snap" they lack k18.
    int most_words() const { return most_words_; }
    // Host threads that the settings allow.
    int threads() const { return options_.threads; }
    // Whether a parent of this process opened the devices.
    bool of_parent() const;
    const std::string &backend() const { return backend_; }
    std::string describe() const;
    DeviceCounters counters() const;
    // Free bytes of all devices together; in a child of fork() those of the cpu, which computes.
    double free_memory() const;

    // The first device, which may compute the next block alone; null: there is none.
    Device *first() const
    {
        return empty() || of_parent() ? nullptr : members_.front().device.get();
    }

private:
    struct Member {
        std::unique_ptr<Device> device;
        int number;  // the backend's, for messages
    };

    // `next`: the backend that is tried when none of the devices can be opened; may be null.
    bool open_backend(const LoadedBackend &backend, const std::vector<int> &list,
                      const LoadedBackend *next);
    std::string name(size_t d) const;
    Team make_team(const LoadedBackend &backend);
    void leave_parents_device(size_t d);
    void remove(size_t d);
    void remove_all();

    // Of the last open().  The cpu that replaces a failed device is opened with the same options
    // later, when the settings may be gone.
    DeviceOptions options_;
    std::string debug_;  // options_.debug
    int most_words_ = kRecordWords;
    bool always_divides_ = false;  // by G6_DEBUG
    bool start_together_ = true;
    std::string backend_;
    TreeSupport tree_ = TreeSupport::kNone;
    bool shares_memory_ = false;
    bool on_host_ = false;
    bool substituted_ = false;  // the cpu stands in for a backend that walks no tree
    Team team_;
    std::vector<Member> members_;
    unsigned generation_ = 0;       // fork_generation() of the opening
    DeviceCounters lost_counters_;  // of devices that are gone
};

// Number of devices of the backend that config would choose.
int device_count(const Config &config);

}  // namespace g6
