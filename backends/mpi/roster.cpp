// SPDX-License-Identifier: MIT
// How client and workers meet: the client reads their greetings, compares versions, welcomes them,
// reads the offers of devices, measures each connection, and then chooses one kind of device.
#include "roster.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace g6::mpi {
namespace {

// All processes of a job leave MPI_Init together, and workers greet at once.
constexpr double kGreetingSeconds = 20;
constexpr double kOfferSeconds = 120;  // drivers start

struct Candidate {
    Entry entry;
    std::string host;
};

void refuse(int rank, const std::string &reason, bool ends_job)
{
    Welcome welcome;
    welcome.ends_job = ends_job;
    std::snprintf(welcome.reason, sizeof welcome.reason, "%s", reason.c_str());
    send(rank, kTagWelcome, &welcome, sizeof welcome);
}

// A program that uses MPI itself cannot go on in a job with workers, since its own messages to all
// wait for them.  Workers that have greeted end the job.
void refuse_program_with_mpi()
{
    const std::string reason = "the program uses MPI itself (it called MPI_Init), so it divides "
                               "its particles itself: start "
                               "it without workers, and with G6_DEVICES=local";
    const MpiLock lock;
    int rank = 0, size = 1, ended = 0;
    MPI_Finalized(&ended);  // after MPI_Finalize a call of MPI would end the program
    if (!ended) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    double patience = 1;  // in all: a large job of such programs shall not wait for long
    for (int worker = 1; worker < size && rank == 0; worker++) {
        Greeting greeting;
        if (!receive_within(patience, worker, kTagGreeting, &greeting, sizeof greeting))
            patience = 0;
        else if (std::equal(greeting.magic, greeting.magic + 8, Greeting().magic))
            refuse(worker, reason, true);
    }
    throw MpiError(reason);
}

// Why the client cannot use these workers; "": it can.  came: whether each has sent a greeting.
std::string why_unusable(const std::vector<Greeting> &greetings, const std::vector<bool> &came,
                         const char *version)
{
    for (std::size_t k = 0; k < greetings.size(); k++) {
        const std::string rank = std::to_string(k + 1);
        if (!came[k])
            return "process " + rank +
                   " of this MPI job is not a g6worker: all but the first must be";
        const Greeting &g = greetings[k];
        if (std::string(g.version) != version || g.abi != kBackendAbi || g.layout != kLayout)
            return "worker " + rank + " on " + g.host + " has libg6gpu " + g.version +
                   " (interface " + std::to_string(g.abi) + "), this program has " + version +
                   " (interface " + std::to_string(kBackendAbi) +
                   "); install one version everywhere";
    }
    return "";
}

std::vector<Greeting> greetings_of(int workers, const char *version)
{
    std::vector<Greeting> greetings(static_cast<std::size_t>(workers));
    std::vector<bool> came(greetings.size());
    double patience = kGreetingSeconds;
    for (int k = 0; k < workers; k++) {
        const std::size_t at = static_cast<std::size_t>(k);
        came[at] =
            receive_within(patience, k + 1, kTagGreeting, &greetings[at], sizeof greetings[at]);
        if (!came[at]) patience = 0;
    }
    const std::string reason = why_unusable(greetings, came, version);
    for (int k = 0; k < workers && !reason.empty(); k++)
        if (came[static_cast<std::size_t>(k)]) refuse(k + 1, reason, false);
    if (!reason.empty()) throw MpiError(reason);
    return greetings;
}

// Tells each worker its place among the processes of its machine.  The client has the first place.
void welcome_all(const std::vector<Greeting> &greetings, int &own_sharers)
{
    std::map<std::string, int> processes, next;
    processes[host_name()] = next[host_name()] = 1;
    for (const Greeting &g : greetings) processes[g.host]++;
    own_sharers = processes[host_name()];
    int rank = 1;
    for (const Greeting &g : greetings) {
        Welcome welcome;
        welcome.accepted = 1;
        welcome.which = next[g.host]++;
        welcome.sharers = processes[g.host];
        send(rank++, kTagWelcome, &welcome, sizeof welcome);
    }
}

// Sends the data, waits for the answer, and returns the microseconds that this took.
double ping(Link &link, const std::vector<char> &data)
{
    Command command;
    command.number = static_cast<std::int32_t>(data.size());
    const double begin = now();
    link.ask(command, data.empty() ? nullptr : data.data(), data.size());
    return (now() - begin) * 1e6;
}

// Measures the round trip, as the shortest of several, and the rate of a long message.
void measure(Link &link, DeviceSpeed &speed)
{
    constexpr int kPings = 50, kLongPings = 4;
    constexpr std::size_t kLong = std::size_t{1} << 21;
    double round_trip = 1e9, long_trip = 1e9;
    for (int k = 0; k < kPings; k++) round_trip = std::min(round_trip, ping(link, {}));
    const std::vector<char> data(kLong, 'x');
    for (int k = 0; k < kLongPings; k++) long_trip = std::min(long_trip, ping(link, data));
    speed.round_trip_us = round_trip;
    speed.bytes_per_us = static_cast<double>(kLong) / std::max(long_trip - round_trip, 1.0);
}

// A block that a worker shares takes this much longer than the round trip that measure() finds,
// because the worker has to wake up and messages are copied once more.
constexpr double kHandlingUs = 20;

void add_devices(Link &link, const std::string &host, std::vector<Candidate> &all)
{
    std::vector<LocalDeviceInfo> devices;
    const int rank = link.rank();
    if (!link.receive_offer(kOfferSeconds, devices))
        throw MpiError("worker " + std::to_string(rank) + " on " + host +
                       " does not say what devices it has");
    if (devices.empty()) return;
    DeviceSpeed way;
    measure(link, way);
    int number = 0;
    for (LocalDeviceInfo &d : devices) {
        char text[sizeof d.info.name];
        std::snprintf(text, sizeof text, "worker %d on %s: %.180s", rank, host.c_str(),
                      d.info.name);
        std::copy_n(text, sizeof text, d.info.name);
        std::snprintf(text, sizeof text, "%s; round trip %.3g us, %.3g GB/s; %.180s", d.backend,
                      way.round_trip_us, way.bytes_per_us * 1e-3, d.info.notes);
        std::copy_n(text, sizeof text, d.info.notes);
        d.info.speed.round_trip_us = way.round_trip_us;
        d.info.speed.bytes_per_us = way.bytes_per_us;
        d.info.speed.start_us += kHandlingUs;
        all.push_back({{d, &link, number++}, host});
    }
}

// Why devices of a worker compute nothing, for each worker that has such a device.
using LeftOut = std::map<const Link *, std::string>;

void leave_out(const Candidate &c, const std::string &reason, const LocalDevices &local,
               LeftOut &left)
{
    local.log((std::string(c.entry.device.info.name) + ": not used, since " + reason).c_str());
    if (c.entry.link) left[c.entry.link] = reason;
}

void drop_duplicates(std::vector<Candidate> &all, const LocalDevices &local, LeftOut &left)
{
    std::vector<Candidate> kept;
    for (const Candidate &c : all) {
        const auto same = [&](const Candidate &k) {
            return *c.entry.device.info.identity && k.host == c.host &&
                   !std::strcmp(k.entry.device.info.identity, c.entry.device.info.identity);
        };
        if (std::none_of(kept.begin(), kept.end(), same))
            kept.push_back(c);
        else
            leave_out(c,
                      "another process has the same device; a worker needs one of its own, and "
                      "each process must see all devices of its machine (CUDA_VISIBLE_DEVICES)",
                      local, left);
    }
    all = std::move(kept);
}

// Logs in one line the workers that compute nothing, grouped by reason.
void tell_of_idle(const std::vector<Entry> &list, const std::vector<Greeting> &greetings,
                  const LeftOut &left, const LocalDevices &local)
{
    std::map<std::string, std::string> workers;  // with each reason
    for (std::size_t k = 0; k < links().size(); k++) {
        const Link *link = &links()[k];
        const auto computes = [&](const Entry &e) { return e.link == link; };
        if (std::any_of(list.begin(), list.end(), computes)) continue;
        const auto found = left.find(link);
        std::string &names = workers[found == left.end() ? "it has no device" : found->second];
        names += (names.empty() ? "worker " : ", worker ") + std::to_string(k + 1) + " on " +
                 greetings[k].host;
    }
    std::string line;
    for (const auto &[reason, names] : workers)
        line += (line.empty() ? "" : "; ") + names + ": computes nothing, since " + reason;
    if (!line.empty()) local.warn(line.c_str());
}

// The kind of the greatest total speed.  A device of unknown speed counts as a slow one.
std::string best_kind(const std::vector<Candidate> &all)
{
    std::map<std::string, double> speed;
    for (const Candidate &c : all)
        speed[c.entry.device.kind] += std::max(1.0, c.entry.device.info.speed.pairs_per_us);
    return std::max_element(speed.begin(), speed.end(),
                            [](const auto &a, const auto &b) { return a.second < b.second; })
        ->first;
}

}  // namespace

std::vector<Entry> meet_workers(const LocalDevices &local)
{
    const std::string alone = why_alone();
    if (!alone.empty()) throw MpiError(alone);
    if (program_uses_mpi()) refuse_program_with_mpi();
    const World world = start_world();
    if (world.rank != 0)
        throw MpiError("this process has rank " + std::to_string(world.rank) +
                       " of its MPI job; only rank 0 can be a client of workers");
    if (world.size == 1)
        throw MpiError("no workers: this process is alone in its MPI job; " + how_to_start());
    const std::vector<Greeting> greetings = greetings_of(world.size - 1, local.version);
    // Links to all workers, so that say_bye() reaches each worker that was welcomed.
    links().reserve(greetings.size());
    for (int rank = 1; rank < world.size; rank++) links().emplace_back(rank);
    int sharers = 1;
    welcome_all(greetings, sharers);

    std::vector<Candidate> all;
    const int count = local.choose(0, sharers);
    for (int d = 0; d < count; d++) {
        Candidate c{{{}, nullptr, d}, host_name()};
        if (local.describe(d, &c.entry.device) == kDeviceOk) all.push_back(c);
    }
    for (std::size_t k = 0; k < greetings.size(); k++)
        add_devices(links()[k], greetings[k].host, all);
    LeftOut left;
    drop_duplicates(all, local, left);
    std::vector<Entry> list;
    const std::string kind = all.empty() ? "" : best_kind(all);
    for (const Candidate &c : all)
        if (kind == c.entry.device.kind)
            list.push_back(c.entry);
        else
            leave_out(c,
                      "most work is done by " + kind +
                          ", and devices of several kinds would give several results",
                      local, left);
    tell_of_idle(list, greetings, left, local);
    if (std::none_of(list.begin(), list.end(), [](const Entry &e) { return e.link != nullptr; }))
        throw MpiError("no worker has a device like those of this process (" + kind + ")");
    return list;
}

}  // namespace g6::mpi
