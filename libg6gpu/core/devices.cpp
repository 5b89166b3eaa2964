// SPDX-License-Identifier: MIT
#include "devices.h"

#include "division.h"

#include "../base/fork.h"
#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/quiet_float.h"
#include "../base/status.h"
#include "../settings/config_text.h"
#include "../settings/debug.h"
#include "local_device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace g6 {
namespace {

constexpr int kBatch = 1 << 20;  // records staged at once: 150 MB

void add(DeviceCounters &sum, const DeviceCounters &c)
{
    sum.copies_up += c.copies_up;
    sum.copies_down += c.copies_down;
    sum.waits += c.waits;
    sum.predictions += c.predictions;
    sum.interactions += c.interactions;
    sum.tests += c.tests;
}

// The chosen backend, and after it those that may take its place.
std::vector<const LoadedBackend *> candidates(const std::string &name)
{
    if (name == "auto") return automatic_order();
    std::vector<const LoadedBackend *> order;
    const LoadedBackend *chosen = find_backend(name);
    if (chosen && chosen->usable())
        order.push_back(chosen);
    else
        log(kLogError, "backend %s refused: %s; going on with the cpu", name.c_str(),
            chosen ? chosen->why_not().c_str() : missing_file(name).c_str());
    if (name != "cpu") order.push_back(find_backend("cpu"));
    return order;
}

DeviceInfo info_of(const LoadedBackend &backend, int device)
{
    DeviceInfo info{};
    if (backend.entry->describe(device, &info) != kDeviceOk) return DeviceInfo{};
    return info;
}

// The device whose number is the cluster's id; else device 0.  A processor is not chosen in this
// way when device 0 is a GPU.
int default_device(ClusterId id, const LoadedBackend &backend)
{
    if (id <= 0 || id >= backend.devices) return 0;
    const int number = static_cast<int>(id);
    return info_of(backend, number).is_cpu && !info_of(backend, 0).is_cpu ? 0 : number;
}

// The devices that one word of a list means: a number, or those with the word in their names.
std::vector<int> matching_devices(const std::string &word, const LoadedBackend &backend)
{
    std::vector<int> found;
    if (word.find_first_not_of("0123456789") == std::string::npos) {
        const long n = std::strtol(word.c_str(), nullptr, 10);
        if (n >= backend.devices)
            throw Error(
                G6_ERR_OPTION,
                "%s device %ld is not there: there are %d, numbered from 0; g6info lists them",
                backend.name.c_str(), n, backend.devices);
        return {static_cast<int>(n)};
    }
    std::string there;
    for (int d = 0; d < backend.devices; d++) {
        const std::string name = info_of(backend, d).name;
        if (lower(name).find(lower(word)) != std::string::npos) found.push_back(d);
        there += (d ? ", " : "") + std::to_string(d) + " " + name;
    }
    if (found.empty())
        throw Error(G6_ERR_OPTION,
                    "no %s device has \"%s\" in its name; there are: %s; allowed: all, "
                    "local, or a list of numbers and parts of names as 0,1 or H200",
                    backend.name.c_str(), word.c_str(), there.c_str());
    return found;
}

// Whether the list has parts of names.  When the cpu takes the place of a GPU backend, the numbers
// of GPUs mean nothing for it, but a name that it does not have is an error.
bool has_names(const std::string &devices)
{
    return devices != "all" && devices != "local" &&
           devices.find_first_not_of("0123456789,") != std::string::npos;
}

}  // namespace

std::vector<int> device_list(const std::string &text, ClusterId id, const LoadedBackend &backend)
{
    const int count = backend.devices;
    if (text.empty()) return {default_device(id, backend)};
    if (text == "local") return {local_device(backend.name, count)};
    std::vector<int> list;
    if (text == "all") {
        list.resize(static_cast<size_t>(count));
        std::iota(list.begin(), list.end(), 0);
        return list;
    }
    for (size_t at = 0; at <= text.size();) {
        const size_t comma = std::min(text.find(',', at), text.size());
        for (int device : matching_devices(text.substr(at, comma - at), backend))
            if (std::find(list.begin(), list.end(), device) == list.end()) list.push_back(device);
        at = comma + 1;
    }
    return list;
}

int device_count(const Config &config)
{
    return std::max(1, candidates(config.backend).front()->devices);
}

void DeviceSet::open(const Config &config, ClusterId id)
{
    const QuietFloat quiet;
    while (!members_.empty()) take_out(members_.size() - 1);
    options_.precision = config.precision;
    options_.threads = config.threads;
    options_.use_snap = config.snap;
    options_.debug = config.device_debug.c_str();
    options_.log = [](const char *line) { log(kLogInfo, "%s", line); };
    substituted_ = false;
    const std::string divide = debug_value(config.device_debug, "divide");
    always_dealt_ = divide == "j";
    always_divided_ = divide == "i";
    const std::vector<const LoadedBackend *> order = candidates(config.backend);
    for (const LoadedBackend *b : order) {
        if (config.mode == Mode::kTreeWalk && b->entry->tree == TreeSupport::kNone) {
            log(kLogError, "backend %s cannot walk a tree; mode treewalk tries the next backend",
                b->name.c_str());
            substituted_ = true;
            continue;
        }
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
        if (open_backend(*b, list)) return;
    }
    throw Error(G6_ERR_DEVICE, "no backend could be opened; g6info tells why each was refused");
}

bool DeviceSet::open_backend(const LoadedBackend &backend, const std::vector<int> &list)
{
    members_.reserve(list.size());
    for (int number : list) {
        const char *why = nullptr;
        std::unique_ptr<Device> device(backend.entry->open(number, &options_, &why));
        if (device)
            members_.push_back({std::move(device), number, {}, false});
        else
            log(kLogError, "%s device %d refused: %s", backend.name.c_str(), number,
                why ? why : "no reason given");
    }
    if (members_.empty()) return false;
    generation_ = fork_generation();
    dealt_ = false;
    active_ = 1;
    speed_ = members_.size() > 1 ? slowest(backend) : DeviceSpeed{};
    backend_ = backend.name;
    tree_ = backend.entry->tree;
    shares_memory_ = backend.entry->shares_memory;
    on_host_ = tree_ == TreeSupport::kHostTree &&  // asking costs a GPU's driver some time
               std::all_of(members_.begin(), members_.end(),
                           [&](const Member &m) { return info_of(backend, m.number).is_cpu != 0; });
    log(kLogInfo, "computing on %s", describe().c_str());
    return true;
}

bool DeviceSet::serves(Mode mode) const
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

void DeviceSet::take_out(size_t d)
{
    add(lost_counters_, device(d).counters());
    if (of_parent()) members_[d].device.release();  // its destructor would call the parent's driver
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(d));
}

void DeviceSet::need_devices()
{
    if (members_.empty()) throw Error(G6_ERR_DEVICE, "no device is left that can compute");
    if (of_parent())
        throw DeviceFailure{DeviceFailure::kAll, kDeviceLost,
                            "a child of fork() cannot use the devices of its parent"};
}

DeviceSpeed DeviceSet::slowest(const LoadedBackend &backend) const
{
    DeviceSpeed least = info_of(backend, members_[0].number).speed;
    for (const Member &m : members_) {
        const DeviceSpeed speed = info_of(backend, m.number).speed;
        least.pairs_per_us = std::min(least.pairs_per_us, speed.pairs_per_us);
        least.start_us = std::max(least.start_us, speed.start_us);
    }
    return least;
}

int DeviceSet::slots(size_t d, int nj) const
{
    const int devices = size(), first = static_cast<int>(d);
    if (!dealt_) return nj;
    return nj <= first ? 0 : (nj - first - 1) / devices + 1;
}

void DeviceSet::clear()
{
    need_devices();
    for (size_t d = 0; d < members_.size(); d++) {
        check(d, device(d).clear());
        members_[d].behind.clear();
        members_[d].lacks_all = false;
    }
}

int DeviceSet::first_i(size_t d) const
{
    return static_cast<int>(d * request_.i->size() / active_);
}

// ---- which devices ------------------------------------------------------------------------------

void DeviceSet::divide(const BlockRequest &request)
{
    const int ni = static_cast<int>(request.i->size());
    const DivisionWork work{ni, request.nj, request.walk != nullptr};
    parts_ = always_divided_ ? std::min(size(), ni) : devices_for(work, size(), speed_);
    // The i-particles that walk together decide what cells they open.  A device that walks the
    // host's tree groups those that it gets, so one device gets them all.
    if (work.walk && tree_ == TreeSupport::kHostTree) parts_ = 1;
    // All devices keep their own trees up to date, so that they stay the same.
    active_ = static_cast<size_t>(work.walk && tree_ == TreeSupport::kOwnTree ? size() : parts_);
}

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

bool DeviceSet::make_room(int nj, bool whole)
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
    for (size_t d = 0; d < members_.size(); d++) check(d, device(d).reserve(slots(d, nj)));
    if (dealt_) active_ = members_.size(), parts_ = size();
    return dealt_ == before;
}

// ---- j-particles --------------------------------------------------------------------------------

int DeviceSet::upload(const JStore &store)
{
    const QuietFloat quiet;
    if (dealt_) {
        deal(store);
        return static_cast<int>(store.dirty().size());
    }
    const Member &leader = members_[0];
    const bool leader_stages = shares_memory_ && leader.behind.empty() && !leader.lacks_all &&
                               store.dirty().size() <= static_cast<size_t>(kBatch);
    for (size_t d = 0; d < members_.size(); d++) {
        Member &m = members_[d];
        if (d >= active_) {
            fall_behind(m, store);
        } else if (m.behind.empty() && !m.lacks_all) {
            if (d > 0 && leader_stages)
                device(d).stage_from(device(0));
            else
                stage(d, store, store.dirty());
        } else {
            stage(d, store, all_that_lacks(m, store));
            m.behind.clear();
            m.lacks_all = false;
        }
    }
    return static_cast<int>(store.dirty().size());
}

void DeviceSet::fall_behind(Member &m, const JStore &store)
{
    if (m.lacks_all) return;
    m.behind.insert(m.behind.end(), store.dirty().begin(), store.dirty().end());
    m.lacks_all = m.behind.size() >= static_cast<size_t>(store.high_water()) / 2;
    if (m.lacks_all) m.behind.clear();
}

// The addresses that this device is behind with and those that are dirty, each of them once.
std::vector<int> DeviceSet::all_that_lacks(const Member &m, const JStore &store)
{
    std::vector<int> all;
    if (m.lacks_all) {
        for (int a = 0; a < store.high_water(); a++)
            if (store.written(a)) all.push_back(a);
        return all;
    }
    all = m.behind;
    all.insert(all.end(), store.dirty().begin(), store.dirty().end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// Stages these addresses of the store on a device, each in batches that bound the staging memory.
void DeviceSet::stage(size_t d, const JStore &store, const std::vector<int> &addresses)
{
    if (&addresses == &store.dirty() && !store.any_dirty_point())
        return stage_records(d, store, addresses);
    if (&addresses == &store.dirty() && !store.any_dirty_record())
        return stage_points(d, store, addresses);
    std::vector<int> full, points;
    for (int a : addresses) (store.is_point(a) ? points : full).push_back(a);
    stage_records(d, store, full);
    stage_points(d, store, points);
}

// Deals the dirty particles out to all devices.
void DeviceSet::deal(const JStore &store)
{
    const size_t devices = members_.size();
    std::vector<std::vector<int>> full(devices), points(devices);
    for (int a : store.dirty())
        (store.is_point(a) ? points : full)[static_cast<size_t>(a) % devices].push_back(a);
    for (size_t d = 0; d < devices; d++) {
        stage_records(d, store, full[d]);
        stage_points(d, store, points[d]);
    }
}

void DeviceSet::stage_records(size_t d, const JStore &store, const std::vector<int> &addresses)
{
    stage_each(
        d, addresses, [&](int n) { return device(d).stage(n); },
        [&](int a) { return store.record(a); });
}

void DeviceSet::stage_points(size_t d, const JStore &store, const std::vector<int> &addresses)
{
    stage_each(
        d, addresses, [&](int n) { return device(d).stage_points(n); },
        [&](int a) { return store.point(a); });
}

// Fills the room(n) for the addresses with particle(address), n at a time.
template <class Room, class Particle>
void DeviceSet::stage_each(size_t d, const std::vector<int> &addresses, Room &&room,
                           Particle &&particle)
{
    const int devices = dealt_ ? size() : 1, total = static_cast<int>(addresses.size());
    for (int first = 0; first < total; first += kBatch) {
        const int n = std::min(kBatch, total - first);
        auto *out = room(n);
        if (!out) check(d, kDeviceOutOfMemory);
        parallel_for(host_threads(n, options_.threads), n, [&](int k) {
            const int a = addresses[static_cast<size_t>(first + k)];
            out[k] = particle(a);
            out[k].slot = a / devices;
        });
    }
}

// ---- the block ----------------------------------------------------------------------------------

void DeviceSet::start(const BlockRequest &request)
{
    const QuietFloat quiet;
    need_devices();
    request_ = request;
    before_ = counters();
    const int ni = static_cast<int>(request.i->size());
    for (size_t d = 0; d < active_; d++) {
        const int first = splits_i() ? first_i(d) : 0, last = splits_i() ? first_i(d + 1) : ni;
        Block block{request.t,
                    adds_sums() ? slots(d, request.nj) : request.nj,
                    last - first,
                    request.i->data() + first,
                    ni,
                    first,
                    static_cast<int>(d),
                    parts_,
                    shares_memory_ && !adds_sums() ? &device(0) : &device(d),
                    active_ == 1 || (shares_memory_ && !adds_sums()) ? request.i_staged
                                                                     : StagedI::kNone,
                    request.least_eps2,
                    request.farthest,
                    request.want,
                    request.own_in_lists,
                    request.motion,
                    request.scale,
                    request.walk,
                    request.tree};
        check(d, device(d).start(block));
    }
}

// The first device gets the i-particles as they come, since it may be alone with them.
bool DeviceSet::has_own_i(int n)
{
    return n > 0 && !members_.empty() && !of_parent();
}

G6IRecord *DeviceSet::stage_i(int n)
{
    const QuietFloat quiet;
    return has_own_i(n) ? device(0).stage_i(n) : nullptr;
}

G6IPoint *DeviceSet::stage_i_points(int n)
{
    const QuietFloat quiet;
    return has_own_i(n) ? device(0).stage_i_points(n) : nullptr;
}

SumsView DeviceSet::finish(size_t d, G6Sums *room)
{
    check(d, device(d).finish(room));
    const SumsView own = device(d).own_sums();
    return own.sums || own.forces ? own : SumsView{room, nullptr};
}

// Finishes device d, which has n i-particles, and brings its sums to this memory.
void DeviceSet::finish_into(size_t d, int n, G6Sums *sums)
{
    const SumsView from = finish(d, sums);
    for (int k = 0; from.forces && k < n; k++) {
        const G6Force &f = from.forces[k];
        sums[k] = {{f.acc[0], f.acc[1], f.acc[2]}, {}, f.pot, 0, -1, 0};
    }
    if (from.sums && from.sums != sums) std::copy_n(from.sums, n, sums);
}

SumsView DeviceSet::finish(HostBuffer<G6Sums> &room)
{
    const QuietFloat quiet;
    need_devices();
    room.renew(request_.i->size());
    partial_.resize(adds_sums() ? room.size() : 0);
    if (adds_sums()) {
        merge(room);
    } else if (active_ == 1 || shares_memory_) {
        for (size_t d = active_ - 1; d > 0; d--) finish(d, nullptr);
        const SumsView sums = finish(0, room.data());
        if (request_.walk) note_walk();
        return sums;
    } else {
        for (size_t d = 0; d < active_; d++)
            finish_into(d, first_i(d + 1) - first_i(d), room.data() + first_i(d));
    }
    return {room.data(), nullptr};
}

void DeviceSet::note_walk()
{
    const DeviceCounters now = counters();
    for (size_t d = 0; d < active_; d++)
        device(d).note_walk(static_cast<double>(now.interactions - before_.interactions),
                            static_cast<double>(now.tests - before_.tests),
                            static_cast<int>(request_.i->size()));
}

// Adds the sums of all devices in their order.
void DeviceSet::merge(HostBuffer<G6Sums> &sums)
{
    const size_t ni = sums.size();
    const int devices = size();
    finish_into(0, static_cast<int>(ni), sums.data());
    for (size_t i = 0; i < ni; i++)
        if (sums[i].nn_slot >= 0) sums[i].nn_slot *= devices;
    for (int d = 1; d < devices; d++) {
        finish_into(static_cast<size_t>(d), static_cast<int>(ni), partial_.data());
        for (size_t i = 0; i < ni; i++) {
            G6Sums &s = sums[i];
            const G6Sums &p = partial_[i];
            for (int k = 0; k < 3; k++) {
                s.acc[k] += p.acc[k];
                s.jerk[k] += p.jerk[k];
            }
            s.pot += p.pot;
            if (p.nn_slot < 0) continue;
            const int address = p.nn_slot * devices + d;
            if (s.nn_slot < 0 || p.nn_r2 < s.nn_r2 || (p.nn_r2 == s.nn_r2 && address < s.nn_slot)) {
                s.nn_r2 = p.nn_r2;
                s.nn_slot = address;
                s.nn_index = p.nn_index;
            }
        }
    }
}

void DeviceSet::neighbours(NeighbourLists &lists, bool by_index)
{
    const QuietFloat quiet;
    need_devices();
    std::vector<NeighbourView> views(active_);
    for (size_t d = 0; d < active_; d++) check(d, device(d).neighbours(&views[d]));
    if (!splits_i())
        return lists.merge(views, static_cast<int>(request_.i->size()), by_index, adds_sums());
    lists.clear(0);
    for (size_t d = 0; d < active_; d++)
        lists.append(views[d], first_i(d + 1) - first_i(d), by_index);
}

void DeviceSet::replace(const DeviceFailure &failure)
{
    if (members_.empty()) need_devices();
    const bool all = failure.device == DeviceFailure::kAll, was_cpu = backend_ == "cpu";
    const std::string lost = all ? describe() : name(failure.device);
    if (!all) take_out(failure.device);
    while (all && !members_.empty()) take_out(members_.size() - 1);
    if (members_.empty() && (was_cpu || !open_backend(*find_backend("cpu"), {0})))
        throw Error(failure.status == kDeviceOutOfMemory ? G6_ERR_MEMORY : G6_ERR_DEVICE,
                    "%s failed (%s) and nothing else can compute", lost.c_str(), failure.text);
    log(kLogError, "%s failed (%s); going on with %s, results are not affected", lost.c_str(),
        failure.text, describe().c_str());
    for (size_t d = 0; d < members_.size(); d++)
        if (device(d).clear() != kDeviceOk) return replace({d, kDeviceLost, device(d).error()});
}

double DeviceSet::free_memory() const
{
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
