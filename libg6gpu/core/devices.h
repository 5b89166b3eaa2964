// SPDX-License-Identifier: MIT
// The devices of one cluster behave as one device.
//
// Invariants
//  * Each device of a block holds all j-particles (slot = address) and computes some of the
//    i-particles, in an order that follows from the whole block (Block::whole_ni).  So any number
//    of devices of one kind gives the same bits.  division.h says how many devices a block takes:
//    the first ones of the set.
//  * A device that is not started for a block gets nothing.  The set keeps the addresses that it
//    lacks (lag.h), and sends them before the next block that it is started for.
//  * Where a device cannot hold all j-particles, direct sums go on with the particles dealt out:
//    that of address a lies on device a mod D in slot a / D, each device sums over its particles,
//    and sums are added and nearest neighbours merged in the order of the devices.  The same
//    devices then give the same bits, but another number of them gives others.
//  * A device that fails throws DeviceFailure.  replace() takes it out of the set; when it was the
//    last one, the cpu takes its place.
//  * A set without devices throws Error(G6_ERR_DEVICE): it never returns sums that nobody computed.
//  * In a child of fork() all devices but the built-in cpu count as failed.  Their objects are left
//    alone, because their drivers belong to the parent process.
#pragma once

#include "cluster_id.h"
#include "../settings/config.h"
#include "../particles/jstore.h"
#include "division.h"
#include "i_particles.h"
#include "lag.h"
#include "loader.h"
#include "neighbours.h"
#include "walkers.h"

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

    DeviceFailure() = default;
    DeviceFailure(size_t d, DeviceStatus s, const char *why) : device(d), status(s)
    {
        std::snprintf(text, sizeof text, "%s", why);
    }
};

// What the cluster asks of all devices together.
struct BlockRequest {
    double t;
    int nj;
    IParticles *i;
    StagedI i_staged;             // of the first start() of the block
    double least_eps2, farthest;  // as in Block
    unsigned want;
    bool own_in_lists;
    Motion motion;
    Scale scale;
    const Walk *walk;      // null: direct sum
    const TreeView *tree;  // null: a direct sum, or the devices have their own trees
    bool clumped;          // as in Block
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
    bool empty() const { return members_.empty(); }
    // Whether these are the devices that would be chosen for the mode.
    bool serves(Mode mode) const;
    TreeSupport tree() const { return tree_; }
    // Whether the host's own processors walk the host's tree, by whatever backend.
    bool on_host() const { return on_host_; }
    int size() const { return static_cast<int>(members_.size()); }
    // Whether a parent of this process opened them.
    bool of_parent() const;
    const std::string &backend() const { return backend_; }
    std::string describe() const;

    // Forgets all j-particles on the devices.
    void clear();
    // The number of devices that compute a block of ni i-particles over nj j-particles, where each
    // device holds all j-particles.
    int devices_of_block(int ni, int nj, bool walk) const;
    // Chooses the devices for the block, after place() and clear().
    void divide(const BlockRequest &request, const JStore &store);
    // Decides where the particles of addresses 0 ... nj-1 lie.  whole: all of them on each device,
    // as walks need it.  Otherwise they are dealt out when they do not fit on each device.  Returns
    // whether the devices keep the particles that they hold.
    bool place(int nj, bool whole);
    // Sends the dirty records to the devices of the block, and returns their number.
    int upload(const JStore &store);
    // Room in memory of the device for n i-particles of the next block; null: there is none.
    G6IRecord *stage_i(int n);
    G6IPoint *stage_i_points(int n);  // the same, for i-particles at rest without radius
    void send_i(int n);               // the first n of them are written
    void start(const BlockRequest &request);
    // Waits.  The sums [ni], with nn_slot = address of the nearest neighbour or -1, are in room or
    // in memory of a device, where they stay until the next start(), stage_i() or
    // stage_i_points().
    SumsView finish(HostBuffer<G6Sums> &room);
    void neighbours(NeighbourLists &lists, bool by_index);

    // Whether other devices than the failed one hold all j-particles, but for those that this set
    // knows them to lack, and the trees that walks go on with.
    bool others_hold_all(const DeviceFailure &failure) const
    {
        return size() > 1 && !dealt_ && failure.device != DeviceFailure::kAll &&
               walkers_.outlives(failure.device);
    }
    // Removes the failed device and logs what happens next.  keep: the devices that are left keep
    // their j-particles; else they are cleared.
    void replace(const DeviceFailure &failure, bool keep);

    DeviceCounters counters() const;
    // Bytes, over all devices.
    double free_memory() const;

private:
    struct Member {
        std::unique_ptr<Device> device;
        int number;  // the backend's, for messages
        Lag lag;
        bool distant = false;  // reached by messages
    };

    // `next`: the backend that is tried when none of the devices can be opened; may be null.
    bool open_backend(const LoadedBackend &backend, const std::vector<int> &list,
                      const LoadedBackend *next);
    std::string name(size_t d) const;
    int slots(size_t d, int nj) const;  // of addresses 0 ... nj-1 on device d
    // Where device d's part of the i-particles begins.
    int first_i(size_t d) const;
    int sharers() const;
    // Whether each device of a block sums over a part of the j-particles.
    bool adds_sums(bool walk) const { return dealt_ && !walk; }
    bool adds_sums() const { return adds_sums(request_.walk != nullptr); }
    // Whether each device of the block is given some of its i-particles.
    bool splits_i() const { return !adds_sums() && !(request_.walk && shares_memory()); }
    bool shares_memory() const { return sharing_ == Sharing::kMemory; }
    bool divides_walks() const { return tree_ == TreeSupport::kOwnTree && shares_memory(); }
    std::vector<int> lacking(int nj) const;
    bool all_fit(int nj);
    Team team(const LoadedBackend &backend);
    SumsView finish(size_t d, G6Sums *room);
    void note_walk();
    void finish_into(size_t d, int n, G6Sums *sums);
    bool has_own_i(int n);
    void merge(HostBuffer<G6Sums> &sums);
    Device &device(size_t d) { return *members_[d].device; }
    void check(size_t d, DeviceStatus status) const;
    void leave_parents_device(size_t d);
    void take_out(size_t d);
    void need_devices();
    void deal(const JStore &store);
    void stage_all(size_t d, const JStore &store);
    void catch_up(size_t d, const JStore &store);
    void stage(size_t d, const JStore &store, const Addresses &addresses);
    void stage_records(size_t d, const JStore &store, const Addresses &addresses);
    void stage_points(size_t d, const JStore &store, const Addresses &addresses);
    template <class Record, class Particle>
    void write_staged(Record *out, const int *addresses, int n, Particle &&particle);

    // Of the last open().  The cpu that replaces a device is opened with the same ones later, when
    // the settings may be gone.
    DeviceOptions options_;
    std::string debug_;  // options_.debug
    std::string backend_;
    TreeSupport tree_ = TreeSupport::kNone;
    bool on_host_ = false;
    bool substituted_ = false;  // the cpu stands in for a backend that walks no tree
    bool dealt_ = false;        // j-particles are dealt out
    bool always_dealt_ = false, always_divided_ = false;  // G6_DEBUG asks for it
    Sharing sharing_ = Sharing::kNothing;
    size_t active_ = 1;                 // the devices that are started for the block
    int parts_ = 1;                     // of them, those that compute
    DeviceCounters counters_at_start_;  // of the block
    Team team_;
    Walkers walkers_;
    bool leader_stages_ = false;  // others may stage_from() the first device
    std::vector<Member> members_;
    unsigned generation_ = 0;  // fork_generation() of the opening
    BlockRequest request_{};
    std::vector<G6Sums> partial_;
    DeviceCounters lost_counters_;  // of devices that are gone
};

// Number of devices of the backend that config would choose.
int device_count(const Config &config);

}  // namespace g6
