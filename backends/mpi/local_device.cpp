// SPDX-License-Identifier: MIT
// Passes the calls of the core to the device of this process, keeps copies of what is staged where
// devices share no memory, and brings the sums to the leader's memory.
#include "local_device.h"

#include "../../libg6gpu/base/host_threads.h"
#include "../../libg6gpu/base/parallel.h"

#include <algorithm>
#include <new>

namespace g6::mpi {

void LocalDevice::new_stage()
{
    if (!started_) return;
    started_ = false;
    kept_.clear();
    staged_ = Staged{};
}

double *LocalDevice::stage(int n, int words)
{
    new_stage();
    if (shares_) {
        double *memory = inner_->stage(n, words);
        staged_ = {memory, memory ? n : 0, words};
        return memory;
    }
    try {
        double *memory = kept_.append(n, words);
        staged_ = kept_.staged();
        return memory;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

// Copies what the leader has staged.  inner_ cannot stage from the leader itself, which may be a
// device of a worker.
void LocalDevice::stage_from(Device &leader)
{
    const Staged from = static_cast<MpiDevice &>(leader).staged();
    if (from.n == 0) return;
    double *const memory = stage(from.n, from.words);
    lacks_staged_ = !memory;
    if (memory) std::copy_n(from.rows, from.doubles(), memory);
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

// Copies all kept rows, some at a time, to memory of the device.  Returns false where it has none.
bool LocalDevice::hand_over()
{
    const Staged all = kept_.staged();
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
    double *memory = shares_ ? inner_->stage_i(n, words) : nullptr;
    targets_ = {memory, words};
    return memory;
}

DeviceStatus LocalDevice::start(const Block &block)
{
    if (started_) {  // nothing was staged since the last block
        staged_ = Staged{};
        kept_.clear();
    }
    no_memory_ = lacks_staged_ || (!started_ && !shares_ && !hand_over());
    started_ = true;
    if (no_memory_) return kDeviceOutOfMemory;
    leader_ = static_cast<MpiDevice *>(block.lead);
    home_ = shares_ ? leader_->shared_inner() : nullptr;
    whole_ = leader_ == this && block.ni == block.whole_ni;
    first_ = block.first;
    ni_ = block.ni;
    whole_ni_ = block.whole_ni;
    completed_ = false;
    Block inner = block;
    inner.lead = home_ ? home_ : inner_.get();
    if (!home_) inner.first = 0, inner.shared = false, inner.gate = nullptr;
    const DeviceStatus status = inner_->start(inner);
    if (block.part >= block.parts - 1) Link::send_blocks();
    return status;
}

DeviceStatus LocalDevice::finish(G6Sums *sums)
{
    if (!whole_) return complete();
    Link::send_blocks();
    return inner_->finish(sums);
}

DeviceStatus LocalDevice::complete()
{
    if (completed_) return status_;
    completed_ = true;
    Link::send_blocks();
    if (home_) return status_ = inner_->finish(nullptr);
    try {
        sums_memory_.renew(static_cast<std::size_t>(whole_ni_));
    } catch (const std::bad_alloc &) {
        no_memory_ = true;
        return status_ = kDeviceOutOfMemory;
    }
    status_ = inner_->finish(sums_memory_.data());
    if (status_ == kDeviceOk) status_ = bring_home();
    return status_;
}

// Copies the sums of a device that does not share the leader's memory to the leader.  Where the
// leader has failed the core repeats the block, and the sums are dropped.
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
    started_ = true;
    lacks_staged_ = false;
    new_stage();
    return inner_->clear();
}

}  // namespace g6::mpi
