// SPDX-License-Identifier: MIT
// g6fuzz: random sequences of public calls against a model of the library.
#include "fault.h"
#include "options.h"
#include "process.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

namespace {

using namespace g6fuzz;
using Clock = std::chrono::steady_clock;

constexpr int kCallsOfRun = 1000;
constexpr double kGiB = 1024.0 * 1024 * 1024;

World world_of(const Options &o)
{
    World world;
    world.backend = o.backend;
    world.faults = o.backend == "fake";
    world.environment = o.environment;
    world.fixed = o.fixed;
    for (const auto &entry : o.environment) set_variable(entry.first, entry.second);
    set_variable("log", "none");  // refused calls are meant to be
    if (world.faults) use_fake_backends();
    return world;
}

// Sizes that must be refused are asked for only where a limit keeps this machine safe.
Limits limits_of(Options &o)
{
    Limits limits;
    limits.silence = o.silence;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    const bool limited = false;
#else
    const bool limited = o.backend != "cuda";
#endif
    if (limited)
        limits.memory = (o.backend == "opencl" ? 16 : 8) * kGiB;
    else
        o.features.memory = false;
    return limits;
}

void add_instruction_sets(Features &features)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        features.isas.push_back("avx2");
    if (__builtin_cpu_supports("avx512f")) features.isas.push_back("avx512");
#else
    (void)features;
#endif
}

class Campaign {
public:
    explicit Campaign(Options &o) : o_(o), processes_(world_of(o), limits_of(o)) {}

    int run()
    {
        if (!o_.replay.empty()) return replay();
        const auto start = Clock::now();
        long done = 0;
        bool failed = false;
        const auto seconds = [&] {
            return std::chrono::duration<double>(Clock::now() - start).count();
        };
        while (!failed && (o_.runs == 0 || done < o_.runs) &&
               (o_.seconds == 0 || seconds() < o_.seconds)) {
            Processes::Batch batch{o_.seed + static_cast<std::uint64_t>(done), o_.runs_per_process,
                                   kCallsOfRun, ""};
            if (o_.runs) batch.runs = static_cast<int>(std::min<long>(batch.runs, o_.runs - done));
            const Ending end = processes_.run(batch, o_.features);
            failed = !end.wrong.empty();
            if (failed) explain(batch, end);
            done += batch.runs;
        }
        return report(failed, seconds());
    }

private:
    int replay()
    {
        const std::vector<Call> calls = read_calls(o_.replay);
        const Ending end = processes_.replay(calls);
        if (end.wrong.empty()) {
            std::printf("%s: good, %zu calls\n", o_.replay.c_str(), calls.size());
            return 0;
        }
        std::printf("%s: call %ld, %s: %s\n", o_.replay.c_str(), end.call, end.name.c_str(),
                    end.wrong.c_str());
        return 1;
    }

    int report(bool failed, double seconds)
    {
        long made = 0, never = 0;
        for (int op = 0; op < kOps; op++)
            for (int f = 0; f < kForms; f++) {
                const Op o = static_cast<Op>(op);
                const Form form = static_cast<Form>(f);
                made += processes_.made()[op][f];
                if (!o_.all_calls || processes_.made()[op][f] > 0 || !has_form(o, form)) continue;
                if (!is_call(o) && o_.backend != "fake") continue;
                std::printf("never made: %s\n", name_of(o, form).c_str());
                never++;
            }
        std::printf("g6fuzz: %s, seed %llu, %ld calls in %.0f s (%.0f a second), %s\n",
                    o_.backend.c_str(), static_cast<unsigned long long>(o_.seed), made, seconds,
                    double(made) / seconds, failed ? "a failure" : "no failure");
        return failed || never > 0;
    }

    // The run alone, or else all of its process, once more with its calls written down.
    void explain(const Processes::Batch &batch, const Ending &end)
    {
        const unsigned long long seed = end.seed;
        std::printf("seed %llu, call %ld of its process, %s: %s\n", seed, end.call,
                    end.name.c_str(), end.wrong.c_str());
        std::fflush(stdout);
        const std::string record =
            o_.folder + "/fuzz-" + o_.backend + "-" + std::to_string(seed) + ".txt";
        Ending again = processes_.run({end.seed, 1, batch.calls, record}, o_.features);
        if (again.kind() != end.kind()) {
            Processes::Batch all = batch;
            all.runs = static_cast<int>(end.seed - batch.seed) + 1;
            all.record = record;
            again = processes_.run(all, o_.features);
        }
        if (again.kind() != end.kind()) {
            std::printf("  does not happen again: --seed %llu --runs %d\n",
                        static_cast<unsigned long long>(batch.seed), batch.runs);
            return;
        }
        std::vector<Call> calls = read_calls(record);
        const size_t full = calls.size();
        leave_out(calls, again);
        std::string head =
            "# seed " + std::to_string(seed) + ", " + again.name + ": " + again.wrong + "\n#";
        for (const auto &entry : o_.environment)
            head += " --env " + entry.first + "=" + entry.second;
        head += " --backend " + o_.backend + "\n";
        write_calls(record, calls, head);
        std::printf("  %s: %zu calls of %zu: %s: %s\n", record.c_str(), calls.size(), full,
                    again.name.c_str(), again.wrong.c_str());
        std::fflush(stdout);
    }

    // Leaves out calls, many at first and then one at a time, as long as the others fail with the
    // same call and kind of complaint (delta debugging: Zeller & Hildebrandt 2002).
    void leave_out(std::vector<Call> &calls, Ending &end)
    {
        const auto last = Clock::now() + std::chrono::duration<double>(o_.shrink);
        if (end.kind().find("hangs") != std::string::npos) processes_.shorten_silence();
        for (size_t part = calls.size() / 2; part >= 1; part /= 2)
            for (size_t at = 0; at < calls.size() && Clock::now() < last;) {
                std::vector<Call> fewer(calls.begin(), calls.begin() + static_cast<long>(at));
                if (at + part < calls.size())
                    fewer.insert(fewer.end(), calls.begin() + static_cast<long>(at + part),
                                 calls.end());
                const Ending e = processes_.replay(fewer);
                if (e.kind() == end.kind())
                    calls = fewer, end = e;
                else
                    at += part;
            }
    }

    Options &o_;
    Processes processes_;
};

}  // namespace

int main(int argc, char **argv)
{
    Options options;
    int status = 0;
    if (!parse(argc, argv, options, status)) return status;
    add_instruction_sets(options.features);
    try {
        return Campaign(options).run();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "g6fuzz: %s\n", error.what());
        return 2;
    }
}
