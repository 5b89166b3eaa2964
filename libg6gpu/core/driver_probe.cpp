// SPDX-License-Identifier: MIT
// Starts g6probe by posix_spawn(), reads its output through a pipe until the time limit, and judges
// the driver by the answer or, without one, by the way g6probe ended.
#include "driver_probe.h"

#include "../settings/files.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

namespace g6 {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMostOutput = 1 << 16;  // bytes of a driver's output that are kept

// Returns the error code.  Throws std::bad_alloc where memory or processes have run out, which says
// nothing about the driver.
int checked(int error)
{
    if (error == ENOMEM || error == EAGAIN) throw std::bad_alloc();
    return error;
}

// Starts the child with its own files and signals.
class Start {
public:
    Start()
    {
        checked(posix_spawn_file_actions_init(&files_));
        const int error = posix_spawnattr_init(&how_);
        if (error != 0) posix_spawn_file_actions_destroy(&files_);
        checked(error);
    }
    ~Start()
    {
        posix_spawnattr_destroy(&how_);
        posix_spawn_file_actions_destroy(&files_);
    }
    Start(const Start &) = delete;
    Start &operator=(const Start &) = delete;

    // The child, with its output on the write end of the pipe; 0: it cannot be started.
    pid_t child(const std::string &program, const std::string &file, int output)
    {
        // Resets signals: the child would inherit those that the client blocks or ignores.
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        char *const arguments[] = {const_cast<char *>(program.c_str()),
                                   const_cast<char *>(file.c_str()), nullptr};
        pid_t child = 0;
        const bool good =
            checked(posix_spawn_file_actions_adddup2(&files_, output, 1)) == 0 &&
            checked(posix_spawn_file_actions_adddup2(&files_, output, 2)) == 0 &&
            checked(posix_spawn_file_actions_addopen(&files_, 0, "/dev/null", O_RDONLY, 0)) == 0 &&
            checked(posix_spawnattr_setsigmask(&how_, &none)) == 0 &&
            checked(posix_spawnattr_setsigdefault(&how_, &all)) == 0 &&
            checked(posix_spawnattr_setflags(&how_, POSIX_SPAWN_SETSIGMASK |
                                                        POSIX_SPAWN_SETSIGDEF)) == 0 &&
            checked(posix_spawn(&child, program.c_str(), &files_, &how_, arguments, environ)) == 0;
        return good ? child : 0;
    }

private:
    posix_spawn_file_actions_t files_;
    posix_spawnattr_t how_;
};

// The text after kProbeAnswer up to the end of its line; "": there is no such line yet.
std::string answer_in(const std::string &text)
{
    const size_t at = text.rfind(kProbeAnswer), end = text.find('\n', at);
    if (at == std::string::npos || end == std::string::npos) return "";
    const size_t from = at + std::strlen(kProbeAnswer);
    return text.substr(from, end - from);
}

// Reads what the child writes, up to its answer or its end.  False when neither has come by the
// time `end`.  A process that the driver has started may keep the pipe open for good.
bool read_answer(int from, Clock::time_point end, std::string &text)
{
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0) return false;
        pollfd ready{from, POLLIN, 0};
        const int n = poll(&ready, 1, static_cast<int>(left.count()));
        if (n < 0 && errno != EINTR) return true;
        if (n <= 0) continue;
        char part[4096];
        const ssize_t got = read(from, part, sizeof part);
        if (got == 0 || (got < 0 && errno != EINTR)) return true;
        if (got > 0) text.append(part, static_cast<size_t>(got));
        if (!answer_in(text).empty()) return true;
        if (text.size() > kMostOutput) text.erase(0, text.size() - kMostOutput / 2);
    }
}

// The last line that is not empty.
std::string last_line(std::string text)
{
    text.erase(text.find_last_not_of(" \n\r\t") + 1);
    return text.substr(text.find_last_of('\n') + 1);
}

// How a child ended, as "signal 6, Aborted".  status: -1 when somebody else has collected it.
std::string how_it_ended(int status)
{
    if (status >= 0 && WIFSIGNALED(status))
        return "signal " + std::to_string(WTERMSIG(status)) + ", " + strsignal(WTERMSIG(status));
    if (status >= 0) return "exit status " + std::to_string(WEXITSTATUS(status));
    return "its status is not known";
}

// Waits for the end of the child and returns its status.  to_be_ended: kills the child first,
// because it has neither answered nor closed its output.
int status_of(pid_t child, bool to_be_ended)
{
    int status = -1;
    // A client's handler of SIGCHLD may have collected the child already, and its number may have
    // passed to another process: only a child that is still there is killed.
    if (to_be_ended && waitpid(child, &status, WNOHANG) == 0) kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

}  // namespace

DriverProbe probe_driver(const std::string &program, const std::string &file, double seconds)
{
    DriverProbe probe;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return probe;
    Descriptor from(ends[0]), to(ends[1]);
    const pid_t child = Start().child(program, file, to.number());
    to.close();
    if (child == 0) return probe;

    std::string text;
    const auto limit =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const bool ended = read_answer(from.number(), Clock::now() + limit, text);
    const int status = status_of(child, !ended);
    probe.answered = true;
    const std::string answer = answer_in(text), last = last_line(text);
    if (!answer.empty())
        probe.gpu = answer == kProbeGpu;
    else if (!ended)
        probe.trouble =
            "its driver does not answer within " + std::to_string(static_cast<int>(seconds)) + " s";
    else
        probe.trouble = "its driver ends the program that starts it (" + how_it_ended(status) +
                        (last.empty() ? "" : ": " + last.substr(0, 200)) + ")";
    return probe;
}

}  // namespace g6
