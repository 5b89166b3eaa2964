// SPDX-License-Identifier: MIT
#include "served_device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace g6::mpi {

void Particles::take(void *to, std::size_t bytes)
{
    if (bytes == 0) return;
    if (!follows_) {
        if (to) std::memcpy(to, message_.data() + at_, bytes);
        at_ += bytes;
        return;
    }
    std::vector<char> nobody(to ? 0 : bytes);
    mpi::receive(0, kTagPiece, to ? to : nobody.data(), bytes);
}

void ServedDevice::fail(DeviceStatus status, const char *text)
{
    if (status_ != kDeviceOk) return;
    status_ = status;
    std::snprintf(text_, sizeof text_, "%s", text);
}

// The j-particles of one form, which a device has room for until its next call.
template <class T>
void ServedDevice::take_staged(T *room, int n, Particles &particles, const HostBuffer<T> *same,
                               HostBuffer<T> *kept)
{
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    if (n > 0 && !room) fail(kDeviceOutOfMemory, "no memory for j-particles");
    if (same) {
        if (same->size() != static_cast<std::size_t>(n))
            fail(kDeviceOutOfMemory, "no host memory for j-particles");
        else if (room && n > 0)
            std::memcpy(room, same->data(), bytes);
        return;
    }
    if (!kept) return particles.take(room, bytes);
    T *all = nullptr;
    try {
        all = kept->renew(static_cast<std::size_t>(n));
    } catch (const std::bad_alloc &) {
        fail(kDeviceOutOfMemory, "no host memory for j-particles");
    }
    particles.take(all, bytes);
    if (all && room && n > 0) std::memcpy(room, all, bytes);
}

void ServedDevice::receive(const BlockMessage &m, Particles &particles, const ServedDevice *same,
                           bool keeps)
{
    mpi::finish(requests_);
    block_ = m;
    status_ = kDeviceOk;
    take_staged(m.records ? device_->stage(m.records) : nullptr, m.records, particles,
                same ? &same->kept_records_ : nullptr, keeps ? &kept_records_ : nullptr);
    take_staged(m.points ? device_->stage_points(m.points) : nullptr, m.points, particles,
                same ? &same->kept_points_ : nullptr, keeps ? &kept_points_ : nullptr);
    G6IRecord *i = nullptr;
    try {
        i = i_.renew(static_cast<std::size_t>(m.ni));
    } catch (const std::bad_alloc &) {
        fail(kDeviceOutOfMemory, "no host memory for i-particles");
    }
    particles.take(i, static_cast<std::size_t>(m.ni) * sizeof(G6IRecord));
}

void ServedDevice::start()
{
    if (status_ != kDeviceOk) return;
    const BlockMessage &m = block_;
    if (m.noted) device_->note_walk(m.noted_interactions, m.noted_tests, m.noted_ni);
    const Block block{m.t,
                      m.nj,
                      m.ni,
                      i_.data(),
                      m.whole_ni,
                      0,
                      0,
                      1,
                      device_.get(),
                      StagedI::kNone,
                      m.least_eps2,
                      m.farthest,
                      m.want,
                      m.own_in_lists,
                      static_cast<Motion>(m.motion),
                      m.scale,
                      m.walks ? &block_.walk : nullptr,
                      nullptr};
    const DeviceStatus status = device_->start(block);
    if (status != kDeviceOk) fail(status, device_->error());
}

ResultMessage ServedDevice::result(std::uint32_t serial) const
{
    ResultMessage m{};
    m.object = object_;
    m.serial = serial;
    m.status = status_;
    m.ni = block_.ni;
    m.counters = device_->counters();
    std::memcpy(m.text, text_, sizeof m.text);
    return m;
}

ResultMessage ServedDevice::finish()
{
    try {
        room_.renew(static_cast<std::size_t>(block_.ni));
    } catch (const std::bad_alloc &) {
        fail(kDeviceOutOfMemory, "no host memory for sums");
    }
    if (status_ == kDeviceOk) {
        const DeviceStatus status = device_->finish(room_.data());
        if (status != kDeviceOk) fail(status, device_->error());
    }
    const SumsView own = device_->own_sums();
    // A device that is alone with a part of a block has memory for that part.
    sums_ = own.sums || own.forces ? own : SumsView{room_.data(), nullptr};
    ResultMessage m = result(block_.serial);
    if (status_ == kDeviceOk) m.form = sums_.forces ? Form::kForces : Form::kSums;
    if (status_ == kDeviceOk && block_.want & kWantLists) take_lists(m);
    return m;
}

ResultMessage ServedDevice::neighbours(std::uint32_t serial)
{
    mpi::finish(requests_);
    ResultMessage m = result(serial);
    if (status_ == kDeviceOk) take_lists(m);
    return m;
}

void ServedDevice::take_lists(ResultMessage &m)
{
    const DeviceStatus status = device_->neighbours(&lists_);
    if (status != kDeviceOk) {
        fail(status, device_->error());
        m.status = status_;
        m.form = Form::kNone;
        std::memcpy(m.text, text_, sizeof m.text);
        return;
    }
    m.lists = 1;
    m.listed = lists_.offset[block_.ni];
}

}  // namespace g6::mpi
