// SPDX-License-Identifier: MIT
// Runs sessions for the given time, and compares the resources that the process holds in the middle
// and in the last third of the sessions.
//
// Invariants
//  * Sessions of all lengths come in the first third already, and fill caches and pools.  So the
//    growth from the middle third to the last one, by the medians of both, is a leak.
//  * A session is a client's whole life: open, writes, blocks with lists and without, some of them
//    never collected, and most often a close.
#include "soak.h"

#include "client.h"
#include "verdict.h"

#include "../common/random.h"
#include "../common/resources.h"

#include <g6lib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace g6check {
namespace {

using Clock = std::chrono::steady_clock;

// Most growth in bytes that is no leak: an allocator's arenas, another process on the device.
constexpr double kMemory = 4e6, kDeviceMemory = 64e6;
// With fewer sessions the thirds tell nothing.
constexpr long kFewestSessions = 60;

struct Sample {
    double seconds = 0;
    long sessions = 0, blocks = 0;
    double memory = 0, descriptors = 0, threads = 0, device = 0;  // device: bytes in use
};

// Memory in use on the first device of the backend that computes, where the library tells and the
// device is not the host itself; else 0.
double device_memory(const Library &library)
{
    decltype(&g6_get_backend_info) backend_info = nullptr;
    decltype(&g6_get_device_info) device_info = nullptr;
    decltype(&g6_backend_name) backend = nullptr;
    if (!library.shared().find("g6_get_backend_info", backend_info) ||
        !library.shared().find("g6_get_device_info", device_info) ||
        !library.shared().find("g6_backend_name", backend))
        return 0;
    const std::string name = backend(0);
    g6_backend_info b{};
    b.size = sizeof b;
    for (int n = 0; name != "cpu" && backend_info(n, &b) == G6_OK; n++) {
        g6_device_info d{};
        d.size = sizeof d;
        if (name == b.name && device_info(n, 0, &d) == G6_OK)
            return d.memory_bytes - d.memory_free_bytes;
    }
    return 0;
}

class Soak {
public:
    Soak(const Library &library, std::uint64_t seed)
        : library_(library), random_(seed), bodies_(moving(kBodies, false)),
          probes_(probes(kProbes))
    {
    }

    long blocks() const { return blocks_; }

    // One client's life.  Throws Broken for a wrong answer.
    void session()
    {
        Client client(library_, below(3));
        const int n = 1 + below(random_() < 0.8 ? 200 : kBodies);
        for (int k = 0; k < n; k++) client.set(k, bodies_[static_cast<size_t>(k)]);
        for (int k = 1 + below(5); k > 0; k--) {
            client.at_time(random_() / 8);
            if (random_() < 0.5) {
                const int at = below(n);
                client.set(at, bodies_[static_cast<size_t>(at)]);
            }
            block(client);
        }
        if (random_() < 0.1 && library_.reset) library_.reset(client.id());
        if (random_() < 0.9) client.close();
    }

private:
    static constexpr int kBodies = 3000, kProbes = 256;
    // Long-double sums of so many pairs take a fraction of a millisecond.
    static constexpr long kJudged = 2000;

    int below(int n) { return static_cast<int>(random_() * n); }

    void block(Client &client)
    {
        Block some;
        const int ni = 1 + below(random_() < 0.8 ? 16 : kProbes);
        const bool radii = random_() < 0.5;
        const bool own = random_() < 0.5;  // i-particles are j-particles, or probes
        for (int k = 0; k < ni; k++) {
            const double radius2 = radii ? 0.25 : 0;
            const size_t at = static_cast<size_t>(below(own ? client.nj() : kProbes));
            const JParticle &j = bodies_[at];
            if (own)
                some.add(j.index, {j.x[0], j.x[1], j.x[2]}, {j.v[0], j.v[1], j.v[2]}, radius2);
            else
                some.add(probes_.index[at], probes_.x[at], probes_.v[at], radius2);
        }
        client.first(some, client.nj());
        blocks_++;
        if (random_() < 0.05) return;  // a firsthalf that nobody collects
        const Answer answer = client.last(random_() < 0.5 ? Half::kLast : Half::kLast2);
        // A tree's forces have their own errors.
        const bool exact = library_.mode() != "treewalk" || client.nj() <= 16;
        if (exact && static_cast<long>(ni) * client.nj() <= kJudged) {
            client.judge_acc(answer);
            client.judge_pot(answer);
        }
        if (!radii || !library_.read_list || !library_.get_list || library_.mode() == "treeonly")
            return;
        library_.read_list(client.id());
        client.list(below(ni));
    }

    const Library &library_;
    g6tools::Uniform random_;
    const std::vector<JParticle> bodies_;
    const Block probes_;
    long blocks_ = 0;
};

template <class Member>
double median(const std::vector<Sample> &samples, size_t first, size_t last, Member member)
{
    std::vector<double> values;
    for (size_t k = first; k < last; k++) values.push_back(samples[k].*member);
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

// Growth from the middle third to the last one.
struct Growth {
    double sessions, memory, descriptors, threads, device;
    explicit Growth(const std::vector<Sample> &samples)
    {
        const size_t n = samples.size();
        const auto grown = [&](double Sample::*member) {
            return median(samples, 2 * n / 3, n, member) -
                   median(samples, n / 3, 2 * n / 3, member);
        };
        sessions = std::max(1.0, static_cast<double>(samples.back().sessions) / 3);
        memory = grown(&Sample::memory), descriptors = grown(&Sample::descriptors);
        threads = grown(&Sample::threads), device = grown(&Sample::device);
    }
    std::string leaks() const
    {
        std::string what;
        if (memory > kMemory) what += " memory";
        if (descriptors > 0) what += " descriptors";
        if (threads > 0) what += " threads";
        if (device > kDeviceMemory) what += " device memory";
        return what;
    }
};

void print(const Sample &s)
{
    std::printf("%9.1f %10ld %10ld %12.1f %12.0f %9.0f %12.1f\n", s.seconds, s.sessions, s.blocks,
                s.memory / 1e6, s.descriptors, s.threads, s.device / 1e6);
    std::fflush(stdout);
}

int report(const std::vector<Sample> &samples)
{
    const Growth g(samples);
    std::printf("growth per session: memory %.0f bytes, descriptors %.4f, threads %.4f, device "
                "memory %.0f bytes\n",
                g.memory / g.sessions, g.descriptors / g.sessions, g.threads / g.sessions,
                g.device / g.sessions);
    const std::string leaks = g.leaks();
    std::printf(leaks.empty() ? "soak: good\n" : "soak: FAIL, grows in%s\n", leaks.c_str());
    return leaks.empty() ? 0 : 1;
}

}  // namespace

int soak(const Options &options)
{
    const Library library(options.library);
    std::string description;
    {
        g6tools::LibraryLog log("g6check");  // of the settings alone: sessions provoke errors
        library.report_to(log);
        description = library.describe();
        if (options.strict && !log.errors().empty()) return 2;
    }
    std::printf("%s\nseed %lu\n%9s %10s %10s %12s %12s %9s %12s\n", description.c_str(),
                options.seed, "seconds", "sessions", "blocks", "memory MB", "descriptors",
                "threads", "device MB");
    Soak sessions(library, options.seed);
    std::vector<Sample> samples;
    const auto start = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    const double line = options.soak / 12;
    double next_line = line;
    for (long n = 1; seconds() < options.soak || n <= kFewestSessions; n++) {
        try {
            sessions.session();
        } catch (const Broken &broken) {
            std::printf("soak: FAIL in session %ld, expected %s, got %s\n", n,
                        broken.expected.c_str(), broken.got.c_str());
            return 1;
        }
        const g6tools::Resources r = g6tools::resources();
        samples.push_back({seconds(), n, sessions.blocks(), r.memory, double(r.descriptors),
                           double(r.threads), 0});
        samples.back().device =
            n % 16 == 1 ? device_memory(library) : samples[samples.size() - 2].device;
        if (samples.back().seconds < next_line) continue;
        print(samples.back());
        next_line += line;
    }
    return report(samples);
}

}  // namespace g6check
