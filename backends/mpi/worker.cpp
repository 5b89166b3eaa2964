// SPDX-License-Identifier: MIT
// Meets the client and carries out its commands (Order in message.h) one after another until the
// client says goodbye.  The worker sends a result without waiting for the client to receive it.
#include "worker.h"

#include "served_device.h"

#include "../../libg6gpu/base/kept_text.h"

#include <algorithm>
#include <cstdio>
#include <list>
#include <map>
#include <string>

namespace g6::mpi {
namespace {

// Seconds for which the worker looks for messages without a pause.  In a run of small blocks the
// next message comes within this time.
constexpr double kAtOnce = 5e-5;

class Worker {
public:
    Worker(const LocalDevices &local, const Patience &patience)
        : local_(local), patience_(patience), wait_(patience, kAtOnce)
    {
    }
    void greet();
    void serve();

private:
    void send_offer(const Welcome &welcome);
    void handle(const std::vector<char> &message);
    void ping(const Command &command);
    void open(const Command &command);
    void reserve(const Command &command);
    void compute(const Command &command, const std::vector<char> &message);
    void send_results(const std::vector<ResultMessage> &results);
    ServedDevice &object(int number) { return objects_.at(number); }

    // A result on its way.  It stays in memory until MPI has sent it; meanwhile the worker carries
    // out further commands.
    struct Outgoing {
        std::vector<ResultMessage> message;
        std::vector<MPI_Request> requests;
    };

    const LocalDevices &local_;
    const Patience patience_;
    Wait wait_;
    std::list<Outgoing> results_;
    std::vector<int> offered_;  // numbers of the devices that the client knows, in its order
    std::map<int, ServedDevice> objects_;
    bool ends_ = false;
};

[[noreturn]] void end_job(const std::string &why)
{
    std::fprintf(stderr, "g6worker: %s\n", why.c_str());
    abort_job();
}

// The core fills in the options that do not come from the client.
DeviceOptions options_of(Precision precision)
{
    return {precision, 0, nullptr, ""};
}

// ---- meeting the client -------------------------------------------------------------------------

void Worker::greet()
{
    const World world = start_world();
    if (world.rank == 0)
        throw MpiError("this process has rank 0, where the client must be: mpirun -n 1 PROGRAM : "
                       "-n 8 g6worker");
    Greeting greeting;
    std::snprintf(greeting.version, sizeof greeting.version, "%s", local_.version);
    greeting.abi = kBackendAbi;
    greeting.layout = kLayout;
    std::snprintf(greeting.host, sizeof greeting.host, "%s", host_name().c_str());
    send(0, kTagGreeting, &greeting, sizeof greeting);
    Welcome welcome;
    if (!receive_within(patience_.client_seconds, 0, kTagWelcome, &welcome, sizeof welcome))
        end_job(
            "the program uses MPI itself (it called MPI_Init, and asks no worker for anything), "
            "so it divides its particles itself: start it without workers, and with "
            "G6_DEVICES=local");
    if (!welcome.accepted && welcome.ends_job) end_job(welcome.reason);
    // A refused worker ends without an error: an error would end the job, whose program goes on.
    ends_ = !welcome.accepted;
    if (ends_)
        std::fprintf(stderr, "g6worker: %s\n", welcome.reason);
    else
        send_offer(welcome);
}

void Worker::send_offer(const Welcome &welcome)
{
    std::vector<LocalDeviceInfo> devices;
    const int found = local_.choose(welcome.which, welcome.sharers);
    for (int d = 0; d < found; d++) {
        LocalDeviceInfo device{};
        if (local_.describe(d, &device) != kDeviceOk) continue;
        devices.push_back(device);
        offered_.push_back(d);
        // The first opening of a device takes longest; workers do it side by side.
        const DeviceOptions options = options_of(Precision::kMixed);
        const char *reason = nullptr;
        delete local_.open(d, &options, &reason);
    }
    send(0, kTagOffer, devices.data(), devices.size() * sizeof(LocalDeviceInfo));
}

// ---- what the client orders ---------------------------------------------------------------------

void Worker::serve()
{
    while (!ends_) {
        const long long bytes = waiting(0, kTagCommand);
        if (bytes >= 0) {
            std::vector<char> message(static_cast<std::size_t>(bytes));
            receive(0, kTagCommand, message.data(), message.size());
            handle(message);
            wait_.again();
            continue;
        }
        results_.remove_if([](Outgoing &result) { return finished(result.requests); });
        for (auto &entry : objects_) finished(entry.second.on_their_way());
        wait_.rest();
    }
    for (Outgoing &result : results_) finish(result.requests);
}

void Worker::handle(const std::vector<char> &message)
{
    Command command;
    std::memcpy(&command, message.data(), sizeof command);
    switch (command.order) {
    case Order::kPing: return ping(command);
    case Order::kOpen: return open(command);
    case Order::kReserve: return reserve(command);
    case Order::kStart: return compute(command, message);
    case Order::kBye: ends_ = true; return;
    case Order::kClear:
        object(command.object).device().clear();  // a lost device fails in the next call, too
        return;
    case Order::kClose:
        finish(object(command.object).on_their_way());
        objects_.erase(command.object);
        return;
    case Order::kNeighbours:
        return send_results(
            {object(command.object).neighbours(static_cast<std::uint32_t>(command.number))});
    }
}

void Worker::ping(const Command &command)
{
    std::vector<char> nothing(static_cast<std::size_t>(command.number));
    if (!nothing.empty()) receive(0, kTagPiece, nothing.data(), nothing.size());
    const Answer answer;
    send(0, kTagAnswer, &answer, sizeof answer);
}

void Worker::open(const Command &command)
{
    const DeviceOptions options = options_of(static_cast<Precision>(command.precision));
    const char *reason = "no reason given";
    const int number = offered_[static_cast<std::size_t>(command.number)];
    Device *device = local_.open(number, &options, &reason);
    Answer answer;
    if (device) {
        objects_.erase(command.object);
        objects_.emplace(std::piecewise_construct, std::forward_as_tuple(command.object),
                         std::forward_as_tuple(command.object, device));
    } else {
        answer.status = kDeviceLost;
        std::snprintf(answer.text, sizeof answer.text, "%s", reason);
    }
    send(0, kTagAnswer, &answer, sizeof answer);
}

void Worker::reserve(const Command &command)
{
    Device &device = object(command.object).device();
    Answer answer;
    answer.status = device.reserve(command.number);
    if (answer.status != kDeviceOk)
        std::snprintf(answer.text, sizeof answer.text, "%s", device.error());
    send(0, kTagAnswer, &answer, sizeof answer);
}

// Starts all devices, and then waits for each of them.
void Worker::compute(const Command &command, const std::vector<char> &message)
{
    std::vector<BlockMessage> blocks(static_cast<std::size_t>(command.number));
    std::memcpy(blocks.data(), message.data() + sizeof command,
                blocks.size() * sizeof(BlockMessage));
    for (const BlockMessage &m : blocks) {
        const ServedDevice *same =
            m.same_as < 0 ? nullptr : &object(blocks[static_cast<std::size_t>(m.same_as)].object);
        const std::int32_t number = static_cast<std::int32_t>(&m - blocks.data());
        const bool keeps =
            std::any_of(blocks.begin(), blocks.end(),
                        [&](const BlockMessage &other) { return other.same_as == number; });
        object(m.object).receive_block(m, same, keeps);
    }
    for (const BlockMessage &m : blocks) object(m.object).start();
    for (const BlockMessage &m : blocks) object(m.object).finish();
    std::vector<ResultMessage> results;
    for (const BlockMessage &m : blocks) results.push_back(object(m.object).make_result());
    send_results(results);
}

void Worker::send_results(const std::vector<ResultMessage> &results)
{
    results_.push_back({results, {}});
    Outgoing &head = results_.back();
    send_later(0, kTagResult, head.message.data(), results.size() * sizeof(ResultMessage),
               head.requests);
    for (const ResultMessage &m : results) {
        ServedDevice &served = object(m.object);
        served.for_arrays(m, [&](const void *data, std::size_t n) {
            send_later(0, kTagResultPiece + m.object, data, n, served.on_their_way());
        });
    }
}

}  // namespace

const char *serve(const LocalDevices &local, const Patience &patience)
{
    try {
        const std::string alone = why_alone();
        if (!alone.empty()) return kept_text(alone.c_str());
        Worker worker(local, patience);
        worker.greet();
        try {
            worker.serve();
        } catch (const std::exception &e) {  // else the client would wait for ever
            end_job(e.what());
        }
        return nullptr;
    } catch (const std::exception &e) {
        return kept_text(e.what());
    }
}

}  // namespace g6::mpi
