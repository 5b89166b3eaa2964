// SPDX-License-Identifier: MIT
// Installs the signal handler, which sets a flag that the run tests between two steps.
#include "stop.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace g6run {
namespace {

volatile std::sig_atomic_t requested = 0;

// Begins with the sequence that erases the progress line and the ^C of the terminal.
constexpr char kNotice[] = "\r\033[Kg6run: stopping after this step; again: at once\n";
constexpr std::size_t kEraser = 4;
volatile std::sig_atomic_t on_terminal = 0;

// A signal handler may call only a few functions of the system, of which write() is one.
void request(int)
{
    requested = 1;
    const int error = errno;
    const std::size_t skipped = on_terminal ? 0 : kEraser;
    if (write(STDERR_FILENO, kNotice + skipped, sizeof kNotice - 1 - skipped) < 0) errno = error;
}

}  // namespace

void catch_stop_signals()
{
    on_terminal = isatty(STDERR_FILENO);
    struct sigaction action = {};
    action.sa_handler = request;
    action.sa_flags = SA_RESTART | SA_RESETHAND;  // the second signal finds the default action
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    // Under nohup SIGHUP is ignored, and must stay so.
    struct sigaction hangup = {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
    signal(SIGPIPE, SIG_IGN);
    // A write above the limit of a file's size (ulimit -f) then fails, as on a full disk.
    signal(SIGXFSZ, SIG_IGN);
}

bool stop_requested()
{
    return requested != 0;
}

}  // namespace g6run
