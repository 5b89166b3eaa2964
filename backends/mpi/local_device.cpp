// SPDX-License-Identifier: MIT
#include "local_device.h"

#include <algorithm>
#include <new>

namespace g6::mpi {
namespace {

constexpr int kBatch = 1 << 20;  // j-particles staged at once: 150 MB

template <class T> T *append(HostBuffer<T> &buffer, int n)
{
    try {
        return buffer.append(static_cast<std::size_t>(n));
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

// Fills the room(n) with all that was staged; false: there was none.
template <class T, class F> bool fill(const HostBuffer<T> &staged, F &&room)
{
    const int total = static_cast<int>(staged.size());
    for (int first = 0; first < total; first += kBatch) {
        const int n = std::min(kBatch, total - first);
        T *to = room(n);
        if (!to) return false;
        std::copy_n(staged.data() + first, n, to);
    }
    return true;
}

}  // namespace

void LocalDevice::new_stage()
{
    if (!started_) return;
    started_ = false;
    records_.clear();
    points_.clear();
    staged_ = Staged{};
}

G6JRecord *LocalDevice::stage(int n)
{
    new_stage();
    G6JRecord *room = stays_ ? inner_->stage(n) : append(records_, n);
    staged_.record = stays_ ? room : records_.data();
    staged_.records = !room ? 0 : stays_ ? n : static_cast<int>(records_.size());
    return room;
}

G6JPoint *LocalDevice::stage_points(int n)
{
    new_stage();
    G6JPoint *room = stays_ ? inner_->stage_points(n) : append(points_, n);
    staged_.point = stays_ ? room : points_.data();
    staged_.points = !room ? 0 : stays_ ? n : static_cast<int>(points_.size());
    return room;
}

// Devices of one machine get copies: the leader may be a worker's.
void LocalDevice::stage_from(Device &leader)
{
    const Staged from = static_cast<MpiDevice &>(leader).staged();
    if (from.records)
        if (G6JRecord *room = stage(from.records)) std::copy_n(from.record, from.records, room);
    if (from.points)
        if (G6JPoint *room = stage_points(from.points)) std::copy_n(from.point, from.points, room);
}

bool LocalDevice::hand_over()
{
    return fill(records_, [&](int n) { return inner_->stage(n); }) &&
           fill(points_, [&](int n) { return inner_->stage_points(n); });
}

DeviceStatus LocalDevice::start(const Block &block)
{
    if (started_) {  // nothing was staged since the last block
        staged_ = Staged{};
        records_.clear();
        points_.clear();
    }
    no_memory_ = !started_ && !stays_ && !hand_over();
    started_ = true;
    if (no_memory_) return kDeviceOutOfMemory;
    Block own = block;
    own.lead = inner_.get();
    const DeviceStatus status = inner_->start(own);
    if (block.part >= block.parts - 1) Link::send_blocks();
    return status;
}

DeviceStatus LocalDevice::clear()
{
    started_ = true;
    new_stage();
    return inner_->clear();
}

}  // namespace g6::mpi
