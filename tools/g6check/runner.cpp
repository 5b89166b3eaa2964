// SPDX-License-Identifier: MIT
// Forks a process for each rule and reads its result from a pipe.  Several rules run side by side;
// a rule that fails there runs a second time alone, and only this result counts, since a busy
// machine or a full GPU may have failed it.
#include "runner.h"

#include "trap.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace g6check {
namespace {

using Clock = std::chrono::steady_clock;

// The message of the child: a letter for its kind, then expected and got, each closed by a zero.
void send(int pipe, char kind, const std::string &expected, const std::string &got)
{
    std::string message = std::string(1, kind) + expected + '\0' + got + '\0';
    for (size_t done = 0; done < message.size();) {
        const ssize_t n = write(pipe, message.data() + done, message.size() - done);
        if (n <= 0) break;
        done += static_cast<size_t>(n);
    }
}

// Lets stdout and stderr go to files, so nothing mixes with the report and rules can read both.
void put_output_apart()
{
    for (int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        std::FILE *file = std::tmpfile();
        if (file) dup2(fileno(file), stream);
    }
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
}

using Work = std::function<std::string(const Library &)>;

[[noreturn]] void child(int pipe, const std::string &file, const Work &work, bool by_exit)
{
    put_output_apart();
    try {
        const Library library(file);
        trap::set_library(&library.shared());
        send(pipe, 'p', "", work(library));
    } catch (const Broken &broken) {
        send(pipe, 'f', broken.expected, broken.got);
    } catch (const NotOffered &reason) {
        send(pipe, 'n', "", reason.why);
    } catch (const std::exception &error) {
        send(pipe, 'f', "a library that can be used", error.what());
    }
    if (by_exit) std::exit(0);
    _exit(0);
}

Outcome outcome_of(const std::string &message)
{
    Outcome o;
    o.end = message[0] == 'p' ? End::kPass : message[0] == 'n' ? End::kNotOffered : End::kFail;
    const size_t first = message.find('\0'), second = message.find('\0', first + 1);
    o.expected = message.substr(1, first - 1);
    o.got = message.substr(first + 1, second - first - 1);
    return o;
}

std::string how_it_ended(int status)
{
    if (WIFSIGNALED(status))
        return "the process was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return "the library ended the process with exit status " + std::to_string(WEXITSTATUS(status));
}

// A process that runs a rule or a question.  It has ended when its pipe is closed and waitpid()
// returns it; it is killed when its time is over.
class Process {
public:
    // threads: the most for loops of the library and of the reference; 0: as the environment says.
    Process(const std::string &file, const Work &work, bool by_exit, double timeout, int threads)
        : timeout_(timeout)
    {
        int ends[2];
        if (::pipe(ends) != 0) throw g6tools::Failure("no pipe to a new process");
        std::fflush(nullptr);
        process_ = fork();
        if (process_ < 0) throw g6tools::Failure("no new process");
        if (process_ == 0) {
            close(ends[0]);
            // The library reads the variable when it is loaded.
            if (threads) setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
            child(ends[1], file, work, by_exit);
        }
        close(ends[1]);
        pipe_ = ends[0];
        end_ = Clock::now() + std::chrono::microseconds(static_cast<long>(1e6 * timeout));
    }
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;
    ~Process()
    {
        if (running_) stop();
        if (pipe_ >= 0) close(pipe_);
    }

    // -1 once it is closed.
    int pipe() const { return pipe_; }
    Clock::time_point end() const { return end_; }

    // Reads what the pipe holds; to be called when poll() has found the pipe ready.
    void receive()
    {
        char part[4096];
        const ssize_t n = read(pipe_, part, sizeof part);
        if (n > 0) {
            message_.append(part, static_cast<size_t>(n));
        } else {
            close(pipe_);
            pipe_ = -1;
        }
    }

    bool ended()
    {
        if (running_ && pipe_ < 0 && waitpid(process_, &status_, WNOHANG) != 0) running_ = false;
        if (running_ && Clock::now() >= end_) stop(), late_ = true;
        return !running_;
    }

    Outcome outcome() const
    {
        if (late_) return {End::kFail, "an end within " + text(timeout_) + " s", kStopped};
        if (message_.empty() || message_.back() != '\0' || status_ != 0)
            return {End::kFail, "a process that goes on to its end", how_it_ended(status_)};
        return outcome_of(message_);
    }

private:
    static constexpr const char *kStopped = "still running: stopped";

    void stop()
    {
        kill(process_, SIGKILL);
        waitpid(process_, &status_, 0);
        running_ = false;
    }

    double timeout_;
    pid_t process_;
    int pipe_ = -1, status_ = 0;
    bool running_ = true, late_ = false;
    std::string message_;
    Clock::time_point end_;
};

// Waits until one of the processes may have ended or sent something.
void wait_for_any(const std::vector<Process *> &running)
{
    std::vector<pollfd> pipes;
    long left = 1000;  // ms
    for (const Process *p : running) {
        if (p->pipe() >= 0) pipes.push_back({p->pipe(), POLLIN, 0});
        const auto to_end =
            std::chrono::duration_cast<std::chrono::milliseconds>(p->end() - Clock::now());
        // A process whose pipe is closed may end at any time, and poll() does not see it.
        left = std::min<long>(left, p->pipe() < 0 ? 1 : to_end.count() + 1);
    }
    if (poll(pipes.data(), pipes.size(), static_cast<int>(std::max(left, 0L))) <= 0) return;
    for (Process *p : running)
        for (const pollfd &f : pipes)
            if (f.fd == p->pipe() && f.revents) {
                p->receive();
                break;
            }
}

// The rules that run side by side, and those that failed there and wait to be run alone.
class Pool {
public:
    Pool(const std::vector<const Rule *> &rules, const std::string &file, const Pace &pace)
        : rules_(rules), file_(file), pace_(pace), outcomes_(rules.size()), known_(rules.size())
    {
    }

    void run(const std::function<void(size_t, const Outcome &)> &ended)
    {
        for (size_t reported = 0; reported < rules_.size();) {
            start();
            collect();
            for (; reported < rules_.size() && known_[reported]; reported++)
                ended(reported, outcomes_[reported]);
        }
    }

private:
    struct Running {
        size_t rule;
        bool alone;
        std::unique_ptr<Process> process;
    };

    void start_one(size_t rule, bool alone)
    {
        const Rule &r = *rules_[rule];
        const Work work = [&r](const Library &library) { return r.run(library), std::string(); };
        const bool limited = !alone && !std::getenv("OMP_NUM_THREADS");
        const int threads =
            limited ? std::max(1, int(std::thread::hardware_concurrency()) / pace_.jobs) : 0;
        running_.push_back({rule, alone,
                            std::make_unique<Process>(file_, work, r.traits & kEndsByExit,
                                                      pace_.timeout, threads)});
    }

    void start()
    {
        if (!again_.empty()) {
            if (!running_.empty()) return;
            start_one(again_.front(), true);
            again_.pop_front();
            return;
        }
        const bool lone = running_.size() == 1 && running_.front().alone;
        while (!lone && next_ < rules_.size() && running_.size() < size_t(pace_.jobs))
            start_one(next_++, pace_.jobs == 1);
    }

    void collect()
    {
        std::vector<Process *> processes;
        for (const Running &r : running_) processes.push_back(r.process.get());
        wait_for_any(processes);
        for (size_t k = 0; k < running_.size();) {
            Running &r = running_[k];
            if (!r.process->ended()) {
                k++;
                continue;
            }
            const Outcome outcome = r.process->outcome();
            if (outcome.end == End::kFail && !r.alone) {
                again_.push_back(r.rule);
            } else {
                outcomes_[r.rule] = outcome;
                known_[r.rule] = true;
            }
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
        }
    }

    const std::vector<const Rule *> &rules_;
    const std::string &file_;
    const Pace pace_;
    std::vector<Outcome> outcomes_;
    std::vector<bool> known_;
    std::vector<Running> running_;
    std::deque<size_t> again_;
    size_t next_ = 0;
};

}  // namespace

void run_rules(const std::vector<const Rule *> &rules, const std::string &file, const Pace &pace,
               const std::function<void(size_t, const Outcome &)> &ended)
{
    Pool(rules, file, pace).run(ended);
}

std::string ask(const std::string &file, double timeout,
                const std::function<std::string(const Library &)> &question)
{
    Process process(file, question, false, timeout, 0);
    while (!process.ended()) wait_for_any({&process});
    const Outcome o = process.outcome();
    if (o.end != End::kPass) throw g6tools::Failure(o.got);
    return o.got;
}

}  // namespace g6check
