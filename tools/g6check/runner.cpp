// SPDX-License-Identifier: MIT
#include "runner.h"

#include "trap.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace g6check {
namespace {

using Clock = std::chrono::steady_clock;

// What the child sends: kind, expected, got, each closed by a zero.
void send(int pipe, char kind, const std::string &expected, const std::string &got)
{
    std::string message = std::string(1, kind) + expected + '\0' + got + '\0';
    for (size_t done = 0; done < message.size();) {
        const ssize_t n = write(pipe, message.data() + done, message.size() - done);
        if (n <= 0) break;
        done += static_cast<size_t>(n);
    }
}

// stdout and stderr become files, so that nothing mixes with the report and rules can look.
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

// Everything until the pipe closes; true unless time ran out.
bool receive(int pipe, std::string &message, Clock::time_point end)
{
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd wait{pipe, POLLIN, 0};
        if (left <= 0 || poll(&wait, 1, static_cast<int>(left)) == 0) return false;
        char part[4096];
        const ssize_t n = read(pipe, part, sizeof part);
        if (n <= 0) return true;
        message.append(part, static_cast<size_t>(n));
    }
}

// False when the process did not end in time; it is killed then.
bool wait_for(pid_t process, int &status, Clock::time_point end)
{
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (Clock::now() >= end) {
            kill(process, SIGKILL);
            waitpid(process, &status, 0);
            return false;
        }
        usleep(200);
    }
    return true;
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

Outcome run(const std::string &file, const Work &work, bool by_exit, double timeout)
{
    int ends[2];
    if (pipe(ends) != 0) throw g6tools::Failure("no pipe to a new process");
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process < 0) throw g6tools::Failure("no new process");
    if (process == 0) {
        close(ends[0]);
        child(ends[1], file, work, by_exit);
    }
    close(ends[1]);
    const auto end = Clock::now() + std::chrono::microseconds(static_cast<long>(1e6 * timeout));
    std::string message;
    int status = 0;
    const bool all = receive(ends[0], message, end);
    close(ends[0]);
    const bool ended = wait_for(process, status, all ? end : Clock::now());
    if (!ended)
        return {End::kFail, "an end within " + text(timeout) + " s", "still running: stopped"};
    if (message.empty() || message.back() != '\0' || status != 0)
        return {End::kFail, "a process that goes on to its end", how_it_ended(status)};
    return outcome_of(message);
}

}  // namespace

Outcome run_rule(const Rule &rule, const std::string &file, double timeout)
{
    return run(
        file, [&](const Library &library) { return rule.run(library), std::string(); },
        rule.ends_by_exit, timeout);
}

std::string describe(const std::string &file, double timeout)
{
    const Outcome o = run(
        file, [](const Library &library) { return library.describe(); }, false, timeout);
    if (o.end != End::kPass) throw g6tools::Failure(o.got);
    return o.got;
}

}  // namespace g6check
