// SPDX-License-Identifier: MIT
// How a block is divided over the devices of a cluster, started and finished.
#include "devices.h"

#include "../base/quiet_float.h"

#include <algorithm>

namespace g6 {

int DeviceSet::first_i(size_t d) const
{
    return static_cast<int>(d * static_cast<size_t>(request_.i->size()) / active_);
}

// ---- which devices ------------------------------------------------------------------------------

int DeviceSet::devices_of_block(int ni, int nj, bool walk) const
{
    // The i-particles that walk together decide what cells they open.  A device groups those that
    // it gets, so one device gets them all, unless it can leave some of them to others.
    if (walk && !divides_walks()) return 1;
    if (always_divided_) return std::max(1, std::min(size(), ni));
    return devices_for({ni, nj, walk}, size(), team_);
}

void DeviceSet::divide(const BlockRequest &request, const JStore &store)
{
    const bool walk = request.walk != nullptr;
    const int ni = request.i->size();
    const bool points = request.motion == Motion::kAtRest && request.i->fit_points();
    DivisionWork work{ni, request.nj, walk, points, static_cast<int>(store.dirty().size())};
    if (walk && divides_walks()) {
        const int group =
            always_divided_ ? walkers_.all(size()) : walkers_.of(request.nj, points, size(), team_);
        active_ = static_cast<size_t>(group);
        parts_ = always_divided_ ? std::min(group, ni) : devices_for(work, group, team_);
        return;
    }
    if (adds_sums(walk))
        parts_ = size();
    else if (walk || always_divided_)
        parts_ = devices_of_block(ni, request.nj, walk);
    else
        work.lacking = lacking(request.nj), parts_ = devices_for(work, size(), team_);
    active_ = static_cast<size_t>(parts_);
}

// What devices of workers lack.
std::vector<int> DeviceSet::lacking(int nj) const
{
    std::vector<int> counts;
    if (team_.near >= size()) return counts;
    for (const Member &m : members_) counts.push_back(m.lag.size(nj));
    return counts;
}

// The devices of the block that share memory with the leader: those of this process.
int DeviceSet::sharers() const
{
    if (!shares_memory()) return 1;
    const auto end = members_.begin() + static_cast<std::ptrdiff_t>(active_);
    const auto near =
        std::count_if(members_.begin(), end, [](const Member &m) { return !m.distant; });
    return std::max(1, static_cast<int>(near));
}

// ---- the block ----------------------------------------------------------------------------------

void DeviceSet::start(const BlockRequest &request)
{
    const QuietFloat quiet;
    need_devices();
    request_ = request;
    counters_at_start_ = counters();
    const int ni = request.i->size();
    const bool has_staged = active_ == 1 || (shares_memory() && !adds_sums());
    const StagedI staged = has_staged ? request.i_staged : StagedI::kNone;
    const bool from_records = staged == StagedI::kNone;
    for (size_t d = 0; d < active_; d++) {
        const int first = splits_i() ? first_i(d) : 0, last = splits_i() ? first_i(d + 1) : ni;
        Block block{};
        block.t = request.t;
        block.nj = adds_sums() ? slots(d, request.nj) : request.nj;
        block.ni = last - first;
        block.i = from_records ? request.i->records().data() + first : nullptr;
        block.whole_ni = ni;
        block.first = shares_memory() ? first : 0;
        block.part = static_cast<int>(d);
        block.parts = parts_;
        block.lead = shares_memory() && !adds_sums() ? &device(0) : &device(d);
        block.i_staged = staged;
        block.least_eps2 = request.least_eps2;
        block.farthest = request.farthest;
        block.want = request.want;
        block.own_in_lists = request.own_in_lists;
        block.motion = request.motion;
        block.scale = request.scale;
        block.walk = request.walk;
        block.tree = request.tree;
        block.sharers = sharers();
        block.clumped = request.clumped;
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

void DeviceSet::send_i(int n)
{
    const QuietFloat quiet;
    if (has_own_i(n)) device(0).send_i(n);
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
    room.renew(static_cast<size_t>(request_.i->size()));
    partial_.resize(adds_sums() ? room.size() : 0);
    if (adds_sums()) {
        merge(room);
    } else if (active_ == 1 || shares_memory()) {
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
        device(d).note_walk(static_cast<double>(now.interactions - counters_at_start_.interactions),
                            static_cast<double>(now.tests - counters_at_start_.tests),
                            request_.i->size());
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
    if (!splits_i()) return lists.merge(views, request_.i->size(), by_index, adds_sums());
    lists.clear(0);
    for (size_t d = 0; d < active_; d++)
        lists.append(views[d], first_i(d + 1) - first_i(d), by_index, options_.threads);
}

}  // namespace g6
