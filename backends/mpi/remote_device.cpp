// SPDX-License-Identifier: MIT
// Turns calls of the core into messages to the worker, and receives the worker's results: sums into
// the leader's memory, neighbour lists into memory of this object.
#include "remote_device.h"

#include "../../libg6gpu/base/kept_text.h"

#include <climits>
#include <cstdio>
#include <utility>

namespace g6::mpi {

// Runs f and returns its status.  A message that fails, or memory that runs out, gives kDeviceLost
// and a text; nothing else can fail.
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

// Where the last result cannot be received, the number of the object is not freed for another one.
RemoteDevice::~RemoteDevice()
{
    attempt([&] {
        forget_result();
        link_.order(command(Order::kClose));
        link_.free_object(object_);
        return kDeviceOk;
    });
}

// Reserves an eighth more than is needed, because a client may add particles one by one, and an
// answer of the worker takes longer than most blocks.
DeviceStatus RemoteDevice::reserve(int nj)
{
    if (nj <= reserved_) return kDeviceOk;
    const int more = nj > INT_MAX - nj / 8 - 1024 ? nj : nj + nj / 8 + 1024;
    const DeviceStatus status = order_reserve(more);
    return status == kDeviceOutOfMemory ? order_reserve(nj) : status;
}

DeviceStatus RemoteDevice::order_reserve(int nj)
{
    return attempt([&] {
        forget_result();
        const Answer answer = link_.ask(command(Order::kReserve, nj));
        const auto status = static_cast<DeviceStatus>(answer.status);
        if (status == kDeviceOk) reserved_ = nj;
        std::snprintf(error_, sizeof error_, "worker %d: %s", link_.rank(), answer.text);
        return status;
    });
}

DeviceStatus RemoteDevice::clear()
{
    forget_staged();
    return attempt([&] {
        forget_result();
        link_.order(command(Order::kClear));
        return kDeviceOk;
    });
}

// ---- j-particles ------------------------------------------------------------------------------

double *RemoteDevice::stage(int n, int words)
{
    double *memory = nullptr;
    attempt([&] {
        memory = keep(n, words);
        return kDeviceOk;
    });
    return memory;
}

// ---- a block ----------------------------------------------------------------------------------

DeviceStatus RemoteDevice::start(const Block &b)
{
    if (b.tree) {
        std::snprintf(error_, sizeof error_, "worker %d: the host's tree stays on the host",
                      link_.rank());
        return kDeviceUnsupported;
    }
    return attempt([&] {
        forget_result();
        begin(b);
        OutgoingBlock block{};
        block.source = &source();
        block.staged = staged();
        block.i = reinterpret_cast<const double *>(b.i);
        if (b.i_words > 0)
            block.i = leader_->staged_targets() + static_cast<std::ptrdiff_t>(b.first) * b.i_words;
        block.message = message_of(b);
        block.message.serial = next_serial();
        block.message.rows = block.staged.n;
        block.message.row_words = block.staged.words;
        has_lists_ = false;
        link_.start(block);
        outstanding_ = true;
        if (b.part >= b.parts - 1) Link::send_blocks();
        return kDeviceOk;
    });
}

BlockMessage RemoteDevice::message_of(const Block &b)
{
    BlockMessage m{};
    m.object = object_;
    m.i_words = b.i_words == 0 ? kIWords : b.i_words;
    m.ni = b.ni;
    m.noted = std::exchange(noted_, false);
    m.task = b;
    return m;
}

void RemoteDevice::forget_result()
{
    if (!outstanding_) return;
    Link::send_blocks();
    link_.skip_payload(take_result());
}

// Waits for the outstanding result.
const ResultMessage &RemoteDevice::take_result()
{
    const ResultMessage &result = link_.result(object_, serial_);
    outstanding_ = false;
    return result;
}

DeviceStatus RemoteDevice::finish_whole(G6Sums *sums)
{
    return attempt([&] { return unpack(take_result(), {sums, nullptr}); });
}

// Drops the sums where the leader has failed, since the core then repeats the block.
DeviceStatus RemoteDevice::finish_part()
{
    return attempt([&] {
        Home home;
        if (leader_ == this)
            home = {sums_memory_.renew(static_cast<std::size_t>(whole_ni_)), nullptr};
        else if (leader_->complete() == kDeviceOk)
            home = leader_->home();
        return unpack(take_result(), home);
    });
}

// Unpacks a result.  home: the memory for the sums of the block; where it has none, the sums are
// dropped.
DeviceStatus RemoteDevice::unpack(const ResultMessage &m, const Home &home)
{
    add(counters_, m.counters);
    std::size_t at = 0;
    try {
        receive_sums(m, at, home);
        if (m.lists) receive_lists(m, at);
    } catch (...) {
        link_.skip_payload(m, at);
        throw;
    }
    link_.hand_over_counts(counters_.messages, counters_.message_bytes);
    if (m.status != kDeviceOk)
        std::snprintf(error_, sizeof error_, "worker %d: %s", link_.rank(), m.text);
    return static_cast<DeviceStatus>(m.status);
}

// Receives the sums of this device's i-particles, number first_ and the following ones.
void RemoteDevice::receive_sums(const ResultMessage &m, std::size_t &at, const Home &to)
{
    G6Sums *const whole = to.sums ? to.sums + first_ : nullptr;
    if (whole || !to.forces) return link_.payload(m, at, whole, sums_bytes(m));
    sums_.resize(m.has_sums ? static_cast<std::size_t>(m.ni) : 0);
    link_.payload(m, at, sums_.data(), sums_bytes(m));
    for (std::size_t k = 0; k < sums_.size(); k++) to.put(first_ + static_cast<int>(k), sums_[k]);
}

void RemoteDevice::receive_lists(const ResultMessage &m, std::size_t &at)
{
    const std::size_t ni = static_cast<std::size_t>(m.ni),
                      listed = static_cast<std::size_t>(m.listed);
    offset_.resize(ni + 1);
    index_.resize(listed);
    slot_.resize(listed);
    link_.payload(m, at, offset_.data(), (ni + 1) * sizeof(std::int64_t));
    link_.payload(m, at, index_.data(), listed * sizeof(int));
    link_.payload(m, at, slot_.data(), listed * sizeof(int));
    has_lists_ = true;
}

DeviceStatus RemoteDevice::neighbours(NeighbourView *view)
{
    DeviceStatus status = kDeviceOk;
    if (!has_lists_) {
        status = attempt([&] {
            const std::uint32_t serial = next_serial();
            link_.order(command(Order::kNeighbours, static_cast<std::int32_t>(serial)), serial);
            outstanding_ = true;
            link_.count(sizeof(Command));
            return unpack(take_result(), {});
        });
    }
    *view = {offset_.data(), index_.data(), slot_.data()};
    return status;
}

}  // namespace g6::mpi
