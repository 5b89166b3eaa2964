// SPDX-License-Identifier: MIT
// Forks a child for each batch of runs and reads from shared memory which run it has reached.  A
// crash, a hang, an exit, or growth of memory, threads or descriptors counts as a failure.
#include "process.h"

#include "tools/common/resources.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace g6fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWrong = 42;  // exit status of a child that found something

// Bytes that a process may grow by in the second half of its runs: caches explain no more.  With
// fewer than kRunsForMemory runs one large system might.
constexpr double kGrowth = 64e6;
constexpr int kRunsForMemory = 100;
constexpr int kDescriptors = 24;  // a driver whose device is opened late has these

std::string grown(const g6tools::Resources &before, const g6tools::Resources &after, int runs)
{
    if (after.descriptors > before.descriptors + kDescriptors)
        return "leak: " + std::to_string(after.descriptors - before.descriptors) +
               " descriptors more";
    const int pool = static_cast<int>(std::thread::hardware_concurrency());
    if (after.threads > before.threads + 8 + 2 * pool)
        return "leak: " + std::to_string(after.threads - before.threads) + " threads more";
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers keep freed memory
    if (runs >= kRunsForMemory && after.memory > before.memory + kGrowth)
        return "leak: " + std::to_string((after.memory - before.memory) / 1e6) + " MB more";
#endif
    (void)runs;
    return "";
}

}  // namespace

// "g6calc_lasthalf acc": the call and the first word of the complaint, without numbers that change.
std::string Ending::kind() const
{
    if (wrong.empty()) return "";
    if (wrong.compare(0, 6, "signal") == 0) return wrong;
    const size_t end = std::min(wrong.find(' '), wrong.find(':'));
    std::string base = name;
    while (!base.empty() && base.back() == '_') base.pop_back();
    return base + " " + wrong.substr(0, end);
}

Processes::Processes(World world, const Limits &limits) : world_(std::move(world)), limits_(limits)
{
    void *p =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::runtime_error("no memory that processes share");
    shared_ = new (p) Shared{};
}

void Processes::work_and_exit(const Work &work, const std::string &record)
{
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (limits_.memory > 0) {
        const rlimit most{static_cast<rlim_t>(limits_.memory), static_cast<rlim_t>(limits_.memory)};
        setrlimit(RLIMIT_AS, &most);
    }
    std::FILE *file = record.empty() ? nullptr : std::fopen(record.c_str(), "w");
    std::string wrong;
    {
        Session session(world_, [&](const Call &c) {
            shared_->op = static_cast<int>(c.op), shared_->form = static_cast<int>(c.form);
            shared_->made[shared_->op][shared_->form]++;
            shared_->calls = shared_->calls + 1, shared_->in_run = shared_->in_run + 1;
            if (!file) return;
            std::fprintf(file, "%s\n", to_text(c).c_str());
            std::fflush(file);  // a crash leaves all that led to it
        });
        wrong = work(session);
    }
    std::snprintf(shared_->wrong, sizeof shared_->wrong, "%s", wrong.c_str());
    // exit() runs MPI's own end, without which the launcher takes the job for one that has crashed.
    if (world_.backend == "mpi") std::exit(wrong.empty() ? 0 : kWrong);
    if (!wrong.empty()) _exit(kWrong);
#if defined(__SANITIZE_ADDRESS__)
    if (__lsan_do_recoverable_leak_check()) {
        std::snprintf(shared_->wrong, sizeof shared_->wrong, "leak: see the sanitizer's report");
        _exit(kWrong);
    }
#endif
    _exit(0);
}

Ending Processes::child(const Work &work, const std::string &record)
{
    shared_->calls = shared_->in_run = 0;
    shared_->wrong[0] = 0;
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("no new process");
    if (process == 0) work_and_exit(work, record);
    long seen = -1;
    auto since = Clock::now();
    int status = 0;
    bool hangs = false;
    for (useconds_t pause = 500; waitpid(process, &status, WNOHANG) == 0;) {
        usleep(pause);
        pause = std::min<useconds_t>(pause * 2, 50000);
        if (seen != shared_->calls) {
            seen = shared_->calls;
            since = Clock::now();
        } else if (Clock::now() - since > std::chrono::duration<double>(limits_.silence)) {
            hangs = true;
            kill(process, SIGKILL);
            waitpid(process, &status, 0);
            break;
        }
    }
    Ending end;
    end.seed = shared_->seed;
    end.call = shared_->calls;
    end.name = name_of(static_cast<Op>(shared_->op), static_cast<Form>(shared_->form));
    if (hangs)
        end.wrong = "hangs: no end within " + std::to_string(int(limits_.silence)) + " s";
    else if (WIFSIGNALED(status))
        end.wrong =
            "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
    else if (WEXITSTATUS(status) == kWrong)
        end.wrong = shared_->wrong;
    else if (WEXITSTATUS(status) != 0)
        end.wrong = "exit: the process ended with status " + std::to_string(WEXITSTATUS(status));
    return end;
}

Ending Processes::run(const Batch &batch, const Features &features)
{
    return child(
        [&](Session &session) {
            // The first seed decides which profile the environment of this process names.
            constexpr const char *kProfiles[] = {"", "grape6", "gpu", "ph4"};
            const char *const profile = kProfiles[batch.seed / 7 % 4];
            Call environment;
            environment.op = Op::environment;
            environment.set_text(0, "profile");
            environment.set_text(1, profile);
            if (*profile) session.execute(environment);
            g6tools::Resources warm;
            // Half of the runs fill the caches; the other half must not grow.
            const int from = std::max(1, batch.runs / 2);
            for (int r = 0; r < batch.runs; r++) {
                if (r == from) warm = g6tools::resources();
                shared_->seed = batch.seed + static_cast<std::uint64_t>(r);
                shared_->in_run = 0;
                const std::string wrong = session.run(shared_->seed, batch.calls, features);
                if (!wrong.empty()) return wrong;
            }
            return batch.runs > from ? grown(warm, g6tools::resources(), batch.runs)
                                     : std::string();
        },
        batch.record);
}

Ending Processes::replay(const std::vector<Call> &calls)
{
    return child(
        [&](Session &session) {
            for (const Call &call : calls) {
                const std::string wrong = session.execute(call);
                if (!wrong.empty()) return wrong;
            }
            return std::string();
        },
        "");
}

}  // namespace g6fuzz
