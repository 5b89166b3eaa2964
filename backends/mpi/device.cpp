// SPDX-License-Identifier: MIT
// What local and remote devices have in common: they keep staged rows, and finish a block once.
#include "device.h"

namespace g6::mpi {

double *MpiDevice::keep(int n, int words)
{
    new_stage();
    double *memory = kept_.append(Staged{nullptr, n, words}.doubles());
    staged_ = {kept_.data(), staged_.n + n, words};
    return memory;
}

void MpiDevice::new_stage()
{
    if (started_) forget_staged();
}

void MpiDevice::forget_staged()
{
    started_ = false;
    kept_.clear();
    staged_ = Staged{};
    source_ = nullptr;
}

void MpiDevice::begin(const Block &block)
{
    new_stage();  // where nothing was staged since the last block
    started_ = true;
    leader_ = static_cast<MpiDevice *>(block.lead);
    whole_ = leader_ == this && block.ni == block.whole_ni;
    first_ = block.first;
    ni_ = block.ni;
    whole_ni_ = block.whole_ni;
    completed_ = false;
}

DeviceStatus MpiDevice::finish(G6Sums *sums)
{
    Link::send_blocks();
    return whole_ ? finish_whole(sums) : complete();
}

DeviceStatus MpiDevice::complete()
{
    if (completed_) return status_;
    completed_ = true;
    Link::send_blocks();
    return status_ = finish_part();
}

}  // namespace g6::mpi
