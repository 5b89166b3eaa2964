// SPDX-License-Identifier: MIT
// Packs the blocks for all devices of a worker together, so that j-particles which several devices
// need are sent once, and receives the results that the worker sends back.
#include "link.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace g6::mpi {
namespace {

constexpr double kAnswerSeconds = 120;  // the slowest answer: a driver starts
constexpr double kLateOfferSeconds = 2;

// Calls f(data, bytes) for each array of particles of a block.
template <class F> void for_arrays(const OutgoingBlock &b, F &&f)
{
    const BlockMessage &m = b.message;
    if (m.same_as < 0 && m.rows) f(b.staged.rows, sizeof(double) * b.staged.doubles());
    if (m.ni) f(b.i, sizeof(double) * std::size_t(m.i_words) * std::size_t(m.ni));
}

}  // namespace

std::vector<Link> &links()
{
    static auto *all = new std::vector<Link>;
    return *all;
}

void Link::need_whole() const
{
    if (!broken_.empty()) throw MpiError(broken_);
}

template <class F> void Link::attempt(F &&f)
{
    need_whole();
    try {
        f();
    } catch (const MpiError &e) {
        broken_ = e.what();
        throw;
    }
}

bool Link::receive_offer(double seconds, std::vector<LocalDeviceInfo> &devices)
{
    const long long bytes = waiting_within(seconds, rank_, kTagOffer);
    if (bytes < 0) return false;
    has_offered_ = true;
    devices.resize(static_cast<std::size_t>(bytes) / sizeof(LocalDeviceInfo));
    receive(rank_, kTagOffer, devices.data(), static_cast<std::size_t>(bytes));
    return true;
}

int Link::new_object()
{
    const MpiLock lock;
    const auto free = std::find_if(objects_.begin(), objects_.end(),
                                   [](const Object &object) { return !object.used; });
    const int number = static_cast<int>(free - objects_.begin());
    if (free == objects_.end()) objects_.emplace_back();
    object(number).used = true;
    object(number).arrived = {};  // its serial numbers begin anew
    return number;
}

void Link::free_object(int number)
{
    const MpiLock lock;
    object(number).used = false;
}

void Link::hand_over_counts(std::uint64_t &messages, std::uint64_t &bytes)
{
    const MpiLock lock;
    messages += std::exchange(messages_, 0);
    bytes += std::exchange(bytes_, 0);
}

void Link::order(const Command &command, std::uint32_t awaited)
{
    const MpiLock lock;
    attempt([&] { send(rank_, kTagCommand, &command, sizeof command); });
    if (awaited) object(command.object).awaited = awaited;
}

Answer Link::ask(const Command &command, const void *data, std::size_t bytes)
{
    const MpiLock lock;
    Answer answer;
    attempt([&] {
        send(rank_, kTagCommand, &command, sizeof command);
        if (data) send(rank_, kTagPiece, data, bytes);
        if (!receive_within(kAnswerSeconds, rank_, kTagAnswer, &answer, sizeof answer))
            throw MpiError("no answer for two minutes");
    });
    return answer;
}

// ---- blocks -----------------------------------------------------------------------------------

// Reserves all memory that send_blocks() needs, so that a shortage cannot stop a message half sent.
void Link::start(const OutgoingBlock &block)
{
    const MpiLock lock;
    need_whole();
    OutgoingBlock added = block;
    BlockMessage &m = added.message;
    m.same_as = -1;
    std::size_t parts = parts_of(0);
    for (std::size_t k = 0; k < blocks_.size(); k++) {
        const auto number = static_cast<std::int32_t>(k);
        if (m.same_as < 0 && blocks_[k].source == block.source && blocks_[k].message.same_as < 0 &&
            m.rows > 0)
            m.same_as = number;
        for_arrays(blocks_[k], [&](const void *, std::size_t n) { parts += parts_of(n); });
    }
    for_arrays(added, [&](const void *, std::size_t n) { parts += parts_of(n); });
    const std::size_t blocks = blocks_.size() + 1;
    buffer_.reserve(sizeof(Command) + blocks * sizeof(BlockMessage));
    requests_.reserve(parts);
    blocks_.push_back(added);
    object(m.object).awaited = m.serial;
}

void Link::send_blocks()
{
    const MpiLock lock;
    for (Link &link : links())
        if (!link.blocks_.empty()) link.send_own_blocks();
    for (Link &link : links())
        if (!link.requests_.empty()) try {
                link.attempt([&] { finish(link.requests_); });
            } catch (const MpiError &) {  // broken_ has the text
            }
}

void Link::send_own_blocks()
{
    Command command;
    command.order = Order::kStart;
    command.number = static_cast<std::int32_t>(blocks_.size());
    buffer_.resize(sizeof command + blocks_.size() * sizeof(BlockMessage));
    char *to = buffer_.data();
    std::memcpy(to, &command, sizeof command);
    to += sizeof command;
    for (const OutgoingBlock &b : blocks_) {
        std::memcpy(to, &b.message, sizeof b.message);
        to += sizeof b.message;
    }
    try {
        attempt([&] {
            send_later(rank_, kTagCommand, buffer_.data(), buffer_.size(), requests_);
            count(buffer_.size());
            for (const OutgoingBlock &b : blocks_)
                for_arrays(b, [&](const void *data, std::size_t n) {
                    send_later(rank_, kTagPiece, data, n, requests_);
                    count(n);
                });
        });
    } catch (const MpiError &) {  // broken_ has the text
        for (const OutgoingBlock &b : blocks_) object(b.message.object).awaited = 0;
    }
    blocks_.clear();
}

// Receives the results that have come.
void Link::collect()
{
    for (long long bytes; (bytes = waiting(rank_, kTagResult)) >= 0;) {
        std::vector<ResultMessage> results(static_cast<std::size_t>(bytes) / sizeof(ResultMessage));
        receive(rank_, kTagResult, results.data(), static_cast<std::size_t>(bytes));
        count(static_cast<std::size_t>(bytes));
        for (const ResultMessage &m : results) object(m.object).arrived = m;
    }
}

const ResultMessage &Link::result(int number, std::uint32_t serial)
{
    Wait wait({1, 1e-4}, 0.001);
    for (;;) {
        {
            const MpiLock lock;
            attempt([&] { collect(); });
            Object &awaits = object(number);
            if (awaits.arrived.serial == serial) {
                awaits.awaited = 0;
                return awaits.arrived;
            }
        }
        wait.rest();
    }
}

void Link::payload(const ResultMessage &result, std::size_t &at, void *to, std::size_t bytes)
{
    if (bytes == 0) return;
    const MpiLock lock;
    attempt([&] {
        const int tag = kTagResultPiece + result.object;
        to ? receive(rank_, tag, to, bytes) : skip(rank_, tag, bytes);
        count(bytes);
    });
    at += bytes;
}

void Link::drain()
{
    send_blocks();
    for (std::size_t k = 0; k < objects_.size(); k++)
        if (objects_[k].awaited)
            skip_payload(result(static_cast<int>(k), std::uint32_t{objects_[k].awaited}));
}

void Link::skip_payload(const ResultMessage &result, std::size_t at)
{
    std::size_t end = 0;
    for (std::size_t bytes : payload_parts(result)) {
        end += bytes;
        if (end > at) payload(result, at, nullptr, bytes);
    }
}

// Tries a broken link, too: it may have broken because the worker was slow.  A worker may still be
// sending an offer that nobody has received.
void Link::say_bye()
{
    const MpiLock lock;
    broken_.clear();
    try {
        std::vector<LocalDeviceInfo> devices;
        if (!has_offered_) receive_offer(kLateOfferSeconds, devices);
        drain();
    } catch (const std::exception &) {  // the worker has to end all the same
    }
    try {
        Command command;
        command.order = Order::kBye;
        send(rank_, kTagCommand, &command, sizeof command);
    } catch (const MpiError &) {  // nobody is there
    }
}

}  // namespace g6::mpi
