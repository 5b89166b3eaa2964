// SPDX-License-Identifier: MIT
#include "remote_device.h"

#include "../../libg6gpu/base/kept_text.h"

#include <climits>
#include <cstdio>
#include <new>

namespace g6::mpi {

// Messages and memory are all that can fail here.
template <class F> DeviceStatus RemoteDevice::attempt(F &&f)
{
    try {
        return f();
    } catch (const MpiError &e) {
        std::snprintf(error_, sizeof error_, "worker %d: %s", link_.rank(), e.what());
    } catch (const std::exception &) {
        std::snprintf(error_, sizeof error_, "worker %d: host memory of the client exhausted",
                      link_.rank());
    }
    return kDeviceLost;
}

RemoteDevice *RemoteDevice::open(Link &link, int device, const DeviceOptions &options,
                                 const char **reason)
{
    Command command;
    command.order = Order::kOpen;
    command.object = link.new_object();
    command.number = device;
    command.precision = static_cast<std::int32_t>(options.precision);
    command.use_snap = options.use_snap;
    try {
        const Answer answer = link.ask(command);
        if (answer.status == kDeviceOk) return new RemoteDevice(link, command.object);
        *reason = kept_text(answer.text);
    } catch (const MpiError &e) {
        *reason = kept_text(e.what());
    }
    link.free_object(command.object);
    return nullptr;
}

RemoteDevice::~RemoteDevice()
{
    attempt([&] {
        forget_result();
        Command command;
        command.order = Order::kClose;
        command.object = object_;
        link_.order(command);
        return kDeviceOk;
    });
    link_.free_object(object_);
}

// Asks for more than is needed, because an answer takes longer than most blocks: particles may be
// added one by one.
DeviceStatus RemoteDevice::reserve(int nj)
{
    if (nj <= reserved_) return kDeviceOk;
    const int more = nj > INT_MAX - nj / 8 - 1024 ? nj : nj + nj / 8 + 1024;
    const DeviceStatus status = ask_room(more);
    return status == kDeviceOutOfMemory ? ask_room(nj) : status;
}

DeviceStatus RemoteDevice::ask_room(int nj)
{
    return attempt([&] {
        forget_result();
        Command command;
        command.order = Order::kReserve;
        command.object = object_;
        command.number = nj;
        const Answer answer = link_.ask(command);
        const auto status = static_cast<DeviceStatus>(answer.status);
        if (status == kDeviceOk) reserved_ = nj;
        std::snprintf(error_, sizeof error_, "worker %d: %s", link_.rank(), answer.text);
        return status;
    });
}

DeviceStatus RemoteDevice::clear()
{
    started_ = true;
    new_stage();
    return attempt([&] {
        forget_result();
        Command command;
        command.order = Order::kClear;
        command.object = object_;
        link_.order(command);
        return kDeviceOk;
    });
}

// ---- j-particles ------------------------------------------------------------------------------

void RemoteDevice::new_stage()
{
    if (!started_) return;
    started_ = false;
    records_.clear();
    points_.clear();
    staged_ = Staged{};
    source_ = nullptr;
}

G6JRecord *RemoteDevice::stage(int n)
{
    new_stage();
    G6JRecord *room = nullptr;
    attempt([&] {
        room = records_.append(static_cast<std::size_t>(n));
        staged_.record = records_.data();
        staged_.records = static_cast<int>(records_.size());
        return kDeviceOk;
    });
    return room;
}

G6JPoint *RemoteDevice::stage_points(int n)
{
    new_stage();
    G6JPoint *room = nullptr;
    attempt([&] {
        room = points_.append(static_cast<std::size_t>(n));
        staged_.point = points_.data();
        staged_.points = static_cast<int>(points_.size());
        return kDeviceOk;
    });
    return room;
}

// ---- a block ----------------------------------------------------------------------------------

void RemoteDevice::note_walk(double interactions, double tests, int ni)
{
    note_.noted = 1;
    note_.noted_ni = ni;
    note_.noted_interactions = interactions;
    note_.noted_tests = tests;
}

DeviceStatus RemoteDevice::start(const Block &b)
{
    if (b.tree) {
        std::snprintf(error_, sizeof error_, "worker %d: the host's tree stays on the host",
                      link_.rank());
        return kDeviceUnsupported;
    }
    return attempt([&] {
        forget_result();
        if (started_) new_stage();  // nothing was staged since the last block
        MpiDevice *source = source_ ? source_ : this;
        OutgoingBlock block{};
        block.source = source;
        block.staged = source->staged();
        block.i = b.i;
        BlockMessage &m = block.message;
        m = note_;
        m.object = object_;
        m.serial = ++serial_;
        m.records = block.staged.records;
        m.points = block.staged.points;
        m.nj = b.nj;
        m.ni = ni_ = b.ni;
        m.whole_ni = b.whole_ni;
        m.want = b.want;
        m.own_in_lists = b.own_in_lists;
        m.motion = static_cast<std::int32_t>(b.motion);
        m.t = b.t;
        m.least_eps2 = b.least_eps2;
        m.farthest = b.farthest;
        m.scale = b.scale;
        m.walks = b.walk != nullptr;
        if (b.walk) m.walk = *b.walk;
        note_ = BlockMessage{};
        started_ = true;
        has_lists_ = false;
        link_.start(block);
        outstanding_ = true;
        if (b.part >= b.parts - 1) Link::send_blocks();
        return kDeviceOk;
    });
}

void RemoteDevice::forget_result()
{
    if (!outstanding_) return;
    outstanding_ = false;
    Link::send_blocks();
    Result result = link_.result(object_, serial_);
    link_.skip_payload(result);
}

DeviceStatus RemoteDevice::finish(G6Sums *sums)
{
    return attempt([&] {
        Link::send_blocks();
        outstanding_ = false;
        Result result = link_.result(object_, serial_);
        return take(result, sums);
    });
}

DeviceStatus RemoteDevice::take(Result &result, G6Sums *sums)
{
    const ResultMessage &m = result.message;
    std::uint64_t messages = counters_.messages, bytes = counters_.message_bytes;
    counters_ = m.counters;
    std::size_t at = 0;
    if (m.form == Form::kForces) {
        forces_.resize(static_cast<std::size_t>(m.ni));
        link_.payload(result, at, forces_.data(), sums_bytes(m));
        for (int k = 0; k < m.ni; k++) {
            const G6Force &f = forces_[static_cast<std::size_t>(k)];
            sums[k] = {{f.acc[0], f.acc[1], f.acc[2]}, {}, f.pot, 0, -1, 0};
        }
    } else {
        link_.payload(result, at, sums, sums_bytes(m));
    }
    if (m.lists) take_lists(result, at);
    link_.hand_over_counts(messages, bytes);
    counters_.messages = messages;
    counters_.message_bytes = bytes;
    if (m.status != kDeviceOk)
        std::snprintf(error_, sizeof error_, "worker %d: %s", link_.rank(), m.text);
    return static_cast<DeviceStatus>(m.status);
}

void RemoteDevice::take_lists(Result &result, std::size_t &at)
{
    const ResultMessage &m = result.message;
    const std::size_t ni = static_cast<std::size_t>(m.ni),
                      listed = static_cast<std::size_t>(m.listed);
    offset_.resize(ni + 1);
    index_.resize(listed);
    slot_.resize(listed);
    link_.payload(result, at, offset_.data(), (ni + 1) * sizeof(std::int64_t));
    link_.payload(result, at, index_.data(), listed * sizeof(int));
    link_.payload(result, at, slot_.data(), listed * sizeof(int));
    has_lists_ = true;
}

DeviceStatus RemoteDevice::neighbours(NeighbourView *view)
{
    DeviceStatus status = kDeviceOk;
    if (!has_lists_)
        status = attempt([&] {
            Command command;
            command.order = Order::kNeighbours;
            command.object = object_;
            command.number = static_cast<std::int32_t>(++serial_);
            link_.order(command);
            link_.count(sizeof command);
            Result result = link_.result(object_, serial_);
            return take(result, nullptr);
        });
    *view = {offset_.data(), index_.data(), slot_.data()};
    return status;
}

}  // namespace g6::mpi
