// SPDX-License-Identifier: MIT
// Passes the calls of the core to the device of this process, hands it the rows that are staged on
// another device, and brings its sums to the leader's memory.
#include "local_device.h"

#include "../../libg6gpu/base/host_threads.h"
#include "../../libg6gpu/base/parallel.h"

#include <algorithm>
#include <new>

namespace g6::mpi {

double *LocalDevice::stage(int n, int words)
{
    if (shares_) {
        new_stage();
        double *memory = inner_->stage(n, words);
        staged_ = {memory, memory ? n : 0, words};
        return memory;
    }
    try {
        return keep(n, words);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

// Only devices of this process that share memory copy from each other.
bool LocalDevice::can_copy_from(Device &leader)
{
    Device *from = shares_ ? static_cast<MpiDevice &>(leader).shared_inner() : nullptr;
    return from && inner_->can_copy_from(*from);
}

DeviceStatus LocalDevice::copy_from(Device &leader, const int *slots, int n)
{
    new_stage();
    return inner_->copy_from(*static_cast<MpiDevice &>(leader).shared_inner(), slots, n);
}

// Copies the staged rows to staging memory of the device, some rows at a time.  Returns false where
// the device has no memory.
bool LocalDevice::hand_over()
{
    const Staged all = staged();
    const int at_once = rows_at_once(all.words);
    for (int first = 0; first < all.n; first += at_once) {
        const int n = std::min(at_once, all.n - first);
        double *to = inner_->stage(n, all.words);
        if (!to) return false;
        const Staged before{nullptr, first, all.words}, some{nullptr, n, all.words};
        std::copy_n(all.rows + before.doubles(), some.doubles(), to);
    }
    return true;
}

// ---- a block ------------------------------------------------------------------------------------

// Provides memory for i-particles only where the devices of this process share theirs.
double *LocalDevice::stage_i(int n, int words)
{
    return targets_ = shares_ ? inner_->stage_i(n, words) : nullptr;
}

DeviceStatus LocalDevice::start(const Block &block)
{
    begin(block);
    const bool has_staged = shares_ && &source() == this;
    no_memory_ = !has_staged && !hand_over();
    if (no_memory_) return kDeviceOutOfMemory;
    home_ = shares_ ? leader_->shared_inner() : nullptr;
    Block inner = block;
    inner.lead = home_ ? home_ : inner_.get();
    if (!home_) inner.first = 0, inner.shared = false, inner.gate = nullptr;
    const DeviceStatus status = inner_->start(inner);
    if (block.part >= block.parts - 1) Link::send_blocks();
    return status;
}

DeviceStatus LocalDevice::finish_part()
{
    if (home_) return inner_->finish(nullptr);
    try {
        sums_memory_.renew(static_cast<std::size_t>(whole_ni_));
    } catch (const std::bad_alloc &) {
        no_memory_ = true;
        return kDeviceOutOfMemory;
    }
    const DeviceStatus status = inner_->finish(sums_memory_.data());
    return status == kDeviceOk ? bring_home() : status;
}

// Copies the sums of a device that does not share the leader's memory to the leader.  Drops them
// where the leader has failed, since the core then repeats the block.
DeviceStatus LocalDevice::bring_home()
{
    const SumsView there = inner_->sums_memory();
    if (leader_ != this && leader_->complete() != kDeviceOk) return kDeviceOk;
    if (!there && leader_ == this) return kDeviceOk;
    const Home to = leader_->home();
    const SumsView from = there ? there : SumsView{sums_memory_.data(), nullptr};
    parallel_for(host_threads(ni_, threads_), ni_, [&](int k) { to.put(first_ + k, from[k]); });
    return kDeviceOk;
}

Home LocalDevice::home()
{
    return {home_ ? home_->sums_memory() : SumsMemory{sums_memory_.data(), nullptr}};
}

SumsMemory LocalDevice::sums_memory()
{
    if (whole_ || home_) return inner_->sums_memory();
    return {sums_memory_.data(), nullptr};
}

DeviceStatus LocalDevice::clear()
{
    forget_staged();
    return inner_->clear();
}

}  // namespace g6::mpi
