// SPDX-License-Identifier: MIT
// How a block is divided over the devices of a set, started and finished.
#include "divided_block.h"

#include "partial_sums.h"
#include "../base/host_threads.h"
#include "../base/parallel.h"
#include "../base/quiet_float.h"

#include <algorithm>

namespace g6 {

// ---- which devices ------------------------------------------------------------------------------

int devices_of_block(const DeviceSet &devices, int ni, int nj, bool walk)
{
    // The i-particles that walk together decide what cells they open.  A device groups those that
    // it gets, so one device gets them all, unless it can leave some of them to others.
    if (walk && !devices.divides_walks()) return 1;
    if (devices.divide() == DeviceSet::Divide::kI) return std::max(1, std::min(devices.size(), ni));
    return devices_for({ni, nj, walk}, devices.size(), devices.team());
}

Division divide(const DeviceSet &devices, DeviceParticles &particles, const Placement &placement,
                const BlockRequest &request, int changed)
{
    using Way = Division::Way;
    const bool walk = request.walk != nullptr, by_force = devices.divide() == DeviceSet::Divide::kI;
    const int ni = request.i->size();
    const bool rest = request.motion == Motion::kAtRest && request.i->fit_rest();
    const DivisionWork work{ni, request.nj, walk, rest, changed};
    Division division;
    if (walk && devices.divides_walks()) {
        const int group = particles.walkers(request.nj, rest);
        division.way = Way::kWalk;
        division.active = static_cast<size_t>(group);
        division.parts = by_force ? std::min(group, ni) : devices_for(work, group, devices.team());
        return division;
    }
    if (placement.dealt && !walk) {
        division.way = Way::kByJ;
        division.parts = devices.size();
    } else if (walk || by_force) {
        division.parts = devices_of_block(devices, ni, request.nj, walk);
    } else {
        division.parts = devices_for(work, devices.size(), devices.team());
    }
    division.active = static_cast<size_t>(division.parts);
    return division;
}

int DividedBlock::first_i(size_t d) const
{
    return static_cast<int>(d * static_cast<size_t>(whole_ni()) / division_.active);
}

// The devices of the block that share memory with the leader: those of this process.
int DividedBlock::sharers() const
{
    if (!devices_.share_memory()) return 1;
    return std::max(1, devices_.local_among(division_.active));
}

// ---- start --------------------------------------------------------------------------------------

DividedBlock::DividedBlock(DeviceSet &devices, const Division &division,
                           const BlockRequest &request)
    : devices_(devices), division_(division), request_(request)
{
    const QuietFloat quiet;
    devices_.need();
    counters_at_start_ = devices_.counters();
    start();
}

// Whether every device of the block reads the i-particles that are staged on the leader.
bool DividedBlock::reads_staged_i() const
{
    const bool shares = devices_.share_memory() && division_.way != Division::Way::kByJ;
    return request_.i_words > 0 && (division_.active == 1 || shares);
}

// What device d computes.
Block DividedBlock::block_for(size_t d) const
{
    const bool deals = division_.way == Division::Way::kByJ;
    const bool shares = devices_.share_memory() && !deals;
    const bool splits = division_.way == Division::Way::kByI;
    const int first = splits ? first_i(d) : 0;
    Block block{};
    block.t = request_.t;
    block.nj = deals ? dealt_slots(request_.nj, d, devices_.size()) : request_.nj;
    block.ni = splits ? part_ni(d) : whole_ni();
    block.whole_ni = whole_ni();
    block.first = devices_.share_memory() ? first : 0;
    block.part = static_cast<int>(d);
    block.parts = division_.parts;
    block.lead = &devices_[shares ? 0 : d];
    block.i_words = reads_staged_i() ? request_.i_words : 0;
    if (block.i_words == 0) block.i = request_.i->records().data() + first;
    block.least_eps2 = request_.least_eps2;
    block.farthest = request_.farthest;
    block.want = request_.want;
    block.own_in_lists = request_.own_in_lists;
    block.motion = request_.motion;
    block.scale = request_.scale;
    block.walk = request_.walk;
    block.tree = request_.tree;
    block.sharers = sharers();
    block.clumped = request_.clumped;
    return block;
}

void DividedBlock::start()
{
    for (size_t d = start_together(); d < division_.active; d++)
        devices_.check(d, devices_[d].start(block_for(d)));
}

// Starts the first devices of the block at the same time, each on a thread of its own, where the
// calling thread starts the leader.  Returns their number; 0: devices are to start one after the
// other.  Loops of a backend have one thread here, so that this is for blocks whose i-particles are
// staged already.  Starting a device takes its driver 15 to 25 us.
size_t DividedBlock::start_together()
{
    const auto n = static_cast<size_t>(devices_.local_ahead(division_.active));
    const bool shared = division_.way == Division::Way::kByI && devices_.share_memory() &&
                        request_.i_words > 0 && devices_.start_together();
    const int threads = shared && n > 1 ? threads_for(n, 1, devices_.threads()) : 1;
    if (threads == 1) return 0;
    StartGate gate;
    std::vector<DeviceStatus> statuses(n, kDeviceOk);
    parallel_ranges(threads, n, [&](size_t first, size_t last) {
        for (size_t d = first; d < last; d++) {
            Block block = block_for(d);
            block.gate = &gate;
            statuses[d] = devices_[d].start(block);
            if (d == 0) gate.decide(statuses[0] == kDeviceOk);
        }
    });
    for (size_t d = 0; d < n; d++) devices_.check(d, statuses[d]);
    return n;
}

// ---- results ------------------------------------------------------------------------------------

SumsView DividedBlock::finish(size_t d, G6Sums *memory)
{
    devices_.check(d, devices_[d].finish(memory));
    const SumsView there = devices_[d].sums_memory();
    return there ? there : SumsView{memory, nullptr};
}

// Finishes device d, which has n i-particles, and brings its sums to this memory.
void DividedBlock::finish_into(size_t d, int n, G6Sums *sums)
{
    const SumsView from = finish(d, sums);
    for (int k = 0; from.sums != sums && k < n; k++) sums[k] = from[k];
}

SumsView DividedBlock::finish(HostBuffer<G6Sums> &memory)
{
    const QuietFloat quiet;
    devices_.need();
    memory.renew(static_cast<size_t>(whole_ni()));
    if (division_.way == Division::Way::kByJ) {
        merge(memory);
    } else if (division_.active == 1 || devices_.share_memory()) {
        for (size_t d = division_.active - 1; d > 0; d--) finish(d, nullptr);
        const SumsView sums = finish(0, memory.data());
        if (!request_.walk) return sums;
        const WalkWork work = walk_work();
        for (size_t d = 0; d < division_.active; d++)
            devices_[d].note_walk(work.interactions, work.tests, whole_ni());
        return sums;
    } else {
        for (size_t d = 0; d < division_.active; d++)
            finish_into(d, part_ni(d), memory.data() + first_i(d));
    }
    return {memory.data(), nullptr};
}

DividedBlock::WalkWork DividedBlock::walk_work() const
{
    const DeviceCounters now = devices_.counters();
    return {static_cast<double>(now.interactions - counters_at_start_.interactions),
            static_cast<double>(now.tests - counters_at_start_.tests)};
}

// Adds the sums of all devices in their order.
void DividedBlock::merge(HostBuffer<G6Sums> &sums)
{
    const size_t ni = sums.size();
    const int devices = devices_.size();
    finish_into(0, static_cast<int>(ni), sums.data());
    for (size_t i = 0; i < ni; i++)
        if (sums[i].nn_slot >= 0) sums[i].nn_slot *= devices;
    std::vector<G6Sums> partial(ni);
    for (int d = 1; d < devices; d++) {
        finish_into(static_cast<size_t>(d), static_cast<int>(ni), partial.data());
        for (size_t i = 0; i < ni; i++) {
            const G6Sums &p = partial[i];
            add_force(sums[i], p);
            add_nearest(sums[i], p, p.nn_slot < 0 ? -1 : p.nn_slot * devices + d);
        }
    }
}

void DividedBlock::neighbours(NeighbourLists &lists, bool by_index)
{
    const QuietFloat quiet;
    devices_.need();
    std::vector<NeighbourView> views(division_.active);
    for (size_t d = 0; d < views.size(); d++) devices_.check(d, devices_[d].neighbours(&views[d]));
    if (division_.way != Division::Way::kByI) {
        const bool dealt = division_.way == Division::Way::kByJ;
        std::vector<NeighbourLists::Part> parts;
        for (const NeighbourView &v : views)
            parts.push_back({v, dealt ? static_cast<int>(parts.size()) : 0,
                             dealt ? devices_.size() : 1, nullptr});
        return lists.merge(parts, whole_ni(), by_index);
    }
    lists.clear(0);
    for (size_t d = 0; d < views.size(); d++)
        lists.append(views[d], part_ni(d), by_index, devices_.threads());
}

}  // namespace g6
