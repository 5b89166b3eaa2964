// SPDX-License-Identifier: MIT
// Receives the particles of a block into the device's memory, starts the device, and makes a result
// message of its sums, counters and neighbour lists.
#include "served_device.h"

#include <cstdio>
#include <cstring>

namespace g6::mpi {

namespace {

// Receives the next array of particles.  to null: drops it.
void read(void *to, std::size_t bytes)
{
    if (bytes == 0) return;
    to ? receive(0, kTagPiece, to, bytes) : skip(0, kTagPiece, bytes);
}

}  // namespace

void ServedDevice::fail(DeviceStatus status, const char *text)
{
    if (status_ != kDeviceOk) return;
    status_ = status;
    std::snprintf(text_, sizeof text_, "%s", text);
}

// Receives the j-particles of the block into the device's staging memory.
// same: another device's copy of the same particles, which then are not in the message; or null.
// keeps: keeps a copy for such other devices.
void ServedDevice::receive_staged(const HostBuffer<double> *same, bool keeps)
{
    if (keeps) kept_.clear();
    if (block_.rows == 0) return;
    const Staged rows{nullptr, block_.rows, block_.row_words};
    const std::size_t bytes = rows.doubles() * sizeof(double);
    double *memory = device_->stage(rows.n, rows.words);
    if (!memory) fail(kDeviceOutOfMemory, "no memory for j-particles");
    if (same) {
        if (same->size() != rows.doubles())
            fail(kDeviceOutOfMemory, "no host memory for j-particles");
        else if (memory)
            std::memcpy(memory, same->data(), bytes);
        return;
    }
    if (!keeps) return read(memory, bytes);
    double *all = nullptr;
    try {
        all = kept_.renew(rows.doubles());
    } catch (const std::bad_alloc &) {
        fail(kDeviceOutOfMemory, "no host memory for j-particles");
    }
    read(all, bytes);
    if (all && memory) std::memcpy(memory, all, bytes);
}

void ServedDevice::receive_block(const BlockMessage &m, const ServedDevice *same, bool keeps)
{
    mpi::finish(requests_);
    block_ = m;
    status_ = kDeviceOk;
    receive_staged(same ? &same->kept_ : nullptr, keeps);
    receive_targets();
}

// Receives the i-particles into the device's own staging memory, if it has any, which saves a copy.
// Where the device accepts full rows only, short rows are received at the end of this memory and
// widened there, from the first row to the last.
void ServedDevice::receive_targets()
{
    const std::size_t n = static_cast<std::size_t>(block_.ni);
    const int words = block_.i_words;
    targets_ = nullptr;
    targets_words_ = words;
    double *to = device_->stage_i(block_.ni, words);
    if (!to && words < kIWords) to = device_->stage_i(block_.ni, targets_words_ = kIWords);
    if (!to) try {
            targets_ = i_.renew(n);
            targets_words_ = 0;
            to = reinterpret_cast<double *>(i_.data());
        } catch (const std::bad_alloc &) {
            fail(kDeviceOutOfMemory, "no host memory for i-particles");
        }
    const bool widens = to && words < kIWords && targets_words_ != words;
    double *const come = widens ? to + n * static_cast<std::size_t>(kIWords - words) : to;
    read(come, n * static_cast<std::size_t>(words) * sizeof(double));
    for (std::size_t k = 0; widens && k < n; k++)
        row_at<G6IRecord>(to, kIWords, k) = record_from(row_at<G6IRecord>(come, words, k), words);
}

void ServedDevice::check(DeviceStatus status)
{
    if (status != kDeviceOk) fail(status, device_->error());
}

void ServedDevice::start()
{
    const BlockMessage &m = block_;
    if (m.noted)
        device_->note_walk(static_cast<double>(walk_.counters.interactions),
                           static_cast<double>(walk_.counters.tests), walk_.ni);
    if (status_ != kDeviceOk) return;
    Block block{};
    static_cast<BlockTask &>(block) = m.task;
    block.ni = m.ni;
    block.i = targets_;
    block.parts = 1;
    block.lead = device_.get();
    block.i_words = targets_words_;
    check(device_->start(block));
}

ResultMessage ServedDevice::result(std::uint32_t serial)
{
    ResultMessage m{};
    m.object = object_;
    m.serial = serial;
    m.status = status_;
    m.ni = block_.ni;
    m.counters = device_->counters();
    add(m.counters, counted_, true);
    add(counted_, m.counters);
    std::memcpy(m.text, text_, sizeof m.text);
    return m;
}

void ServedDevice::finish()
{
    try {
        sums_memory_.renew(static_cast<std::size_t>(block_.ni));
    } catch (const std::bad_alloc &) {
        fail(kDeviceOutOfMemory, "no host memory for sums");
    }
    if (status_ == kDeviceOk) check(device_->finish(sums_memory_.data()));
}

ResultMessage ServedDevice::make_result()
{
    const SumsView there = device_->sums_memory();
    sums_ = there.sums ? there.sums : sums_memory_.data();
    ResultMessage m = result(block_.serial);
    if (status_ != kDeviceOk) return m;
    for (int k = 0; there.forces && k < m.ni; k++)
        sums_memory_[static_cast<std::size_t>(k)] = there[k];
    m.has_sums = 1;
    if (block_.task.is_walk) walk_ = m;
    if (block_.task.want & kWantLists) collect_lists(m);
    return m;
}

ResultMessage ServedDevice::neighbours(std::uint32_t serial)
{
    mpi::finish(requests_);
    ResultMessage m = result(serial);
    if (status_ == kDeviceOk) collect_lists(m);
    return m;
}

void ServedDevice::collect_lists(ResultMessage &m)
{
    check(device_->neighbours(&lists_));
    if (status_ != kDeviceOk) {
        m.status = status_;
        m.has_sums = 0;
        std::memcpy(m.text, text_, sizeof m.text);
        return;
    }
    m.lists = 1;
    m.listed = lists_.offset[block_.ni];
}

}  // namespace g6::mpi
