// SPDX-License-Identifier: MIT
#include "stop.h"

#include <csignal>

namespace g6run {
namespace {

volatile std::sig_atomic_t requested = 0;

void request(int)
{
    requested = 1;
}

}  // namespace

void catch_stop_signals()
{
    struct sigaction action = {};
    action.sa_handler = request;
    action.sa_flags = SA_RESTART | SA_RESETHAND;  // the second signal finds the default action
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    // nohup leaves SIGHUP ignored, and so it stays.
    struct sigaction hangup = {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
    signal(SIGPIPE, SIG_IGN);
    // A file above the limit of its size (ulimit -f) is a write that fails, as on a full disk.
    signal(SIGXFSZ, SIG_IGN);
}

bool stop_requested()
{
    return requested != 0;
}

}  // namespace g6run
