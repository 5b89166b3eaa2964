// SPDX-License-Identifier: MIT
// Divides a block over the devices of a set, starts it and finishes it.
#include "divided_block.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"

namespace g6 {

// ---- which devices ------------------------------------------------------------------------------

Division divide(const DeviceSet &devices, DeviceParticles &particles, const BlockRequest &request,
                int changed)
{
    const bool walk = request.is_walk;
    const bool rest = request.motion == Motion::kAtRest && request.i->fit_rest();
    Division division;
    division.of_walk = walk && devices.most_walkers() > 1;
    // Which cells a group of i-particles opens depends on the group.  A device makes groups of all
    // i-particles that it gets.  So each walker gets all of them and walks for its part of them.
    const int most = division.of_walk ? particles.walkers(request.nj, rest)
                     : walk           ? 1
                                      : devices.size();
    division.parts = devices.count_for({request.whole_ni, request.nj, walk, rest, changed}, most);
    division.active = static_cast<size_t>(division.of_walk ? most : division.parts);
    return division;
}

int DividedBlock::first_i(size_t d) const
{
    return static_cast<int>(d * static_cast<size_t>(request_.whole_ni) / division_.active);
}

// ---- start --------------------------------------------------------------------------------------

DividedBlock::DividedBlock(DeviceSet &devices, const Division &division,
                           const BlockRequest &request)
    : devices_(devices), division_(division), request_(request)
{
    devices_.need();
    counters_at_start_ = devices_.counters();
    start();
}

// Whether every device of the block reads the i-particles that are staged on the leader.
bool DividedBlock::reads_staged_i() const
{
    return request_.i_words > 0 && (division_.active == 1 || devices_.share_memory());
}

// The block as device d gets it.
Block DividedBlock::block_for(size_t d) const
{
    const bool shares = devices_.share_memory();
    const int first = division_.of_walk ? 0 : first_i(d);
    Block block{};
    static_cast<BlockTask &>(block) = request_;
    block.ni = division_.of_walk ? request_.whole_ni : part_ni(d);
    block.first = shares ? first : 0;
    block.part = static_cast<int>(d);
    block.parts = division_.parts;
    block.lead = &devices_[shares ? 0 : d];
    block.i_words = reads_staged_i() ? request_.i_words : 0;
    if (block.i_words == 0) block.i = request_.i->records().data() + first;
    block.shared = shares && devices_.local_among(division_.active) > 1;
    return block;
}

void DividedBlock::start()
{
    for (size_t d = start_together(); d < division_.active; d++)
        devices_.check(d, devices_[d].start(block_for(d)));
}

// Starts the devices of this process at the same time, each on a thread of its own; the calling
// thread starts the leader.  A start takes the driver 15 to 25 us.  Loops of a backend have one
// thread here, so that this is only for blocks whose i-particles are staged already.  Returns the
// number of devices started; 0: the caller starts them one after the other.
size_t DividedBlock::start_together()
{
    const auto n = static_cast<size_t>(devices_.local_among(division_.active));
    const bool shared = !division_.of_walk && devices_.share_memory() && request_.i_words > 0 &&
                        devices_.start_together();
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

SumsView DividedBlock::finish(HostBuffer<G6Sums> &memory)
{
    devices_.need();
    memory.renew(static_cast<size_t>(request_.whole_ni));
    if (division_.active == 1 || devices_.share_memory()) {
        for (size_t d = division_.active - 1; d > 0; d--) finish(d, nullptr);
        const SumsView sums = finish(0, memory.data());
        if (!request_.is_walk) return sums;
        const WalkWork work = walk_work();
        for (size_t d = 0; d < division_.active; d++)
            devices_[d].note_walk(work.interactions, work.tests, request_.whole_ni);
        return sums;
    }
    for (size_t d = 0; d < division_.active; d++) {
        G6Sums *const sums = memory.data() + first_i(d);
        const SumsView from = finish(d, sums);
        for (int k = 0; from.sums != sums && k < part_ni(d); k++) sums[k] = from[k];
    }
    return {memory.data(), nullptr};
}

DividedBlock::WalkWork DividedBlock::walk_work() const
{
    const DeviceCounters now = devices_.counters();
    return {static_cast<double>(now.interactions - counters_at_start_.interactions),
            static_cast<double>(now.tests - counters_at_start_.tests)};
}

void DividedBlock::neighbours(NeighbourLists &lists, bool by_index)
{
    devices_.need();
    std::vector<NeighbourView> views(division_.active);
    for (size_t d = 0; d < views.size(); d++) devices_.check(d, devices_[d].neighbours(&views[d]));
    if (request_.is_walk && devices_.tree() == TreeSupport::kOwnTree) {
        std::vector<NeighbourLists::Part> parts;
        for (const NeighbourView &v : views) parts.push_back({v, nullptr});
        return lists.merge(parts, request_.whole_ni, by_index);
    }
    lists.clear(0);
    for (size_t d = 0; d < views.size(); d++)
        lists.append(views[d], part_ni(d), by_index, devices_.threads());
}

}  // namespace g6
