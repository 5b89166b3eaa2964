// SPDX-License-Identifier: MIT
// g6worker: gives the devices of its machine to a client of libg6gpu on another machine, over MPI.
// Exit status 0 when the client has ended, 1 when there is nothing to serve or after a signal, 2
// for a wrong option.
#include "../common/command_line.h"

#include <g6lib.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace {

constexpr const char *kAbout =
    "Gives the devices of its machine to a program that calls libg6gpu, usually on another "
    "machine.\n"
    "MPI starts both in one job; the program is the first process, and needs no MPI of its own.\n"
    "A worker ends when the program ends.  After SIGTERM, SIGINT or SIGHUP it goes on for two "
    "seconds,\n"
    "in which the program may end its step.";

constexpr const char *kExamples =
    "Examples:\n"
    "  mpirun --bind-to none -n 1 kira -t 10 : -n 8 g6worker    a program with eight workers\n"
    "  mpirun -n 1 g6info : -n 8 g6worker    the workers' devices, round trips and bandwidths\n"
    "  mpirun -n 1 kira : -n 1 g6worker --devices 0,1\n"
    "  srun --mpi=pmix --kill-on-bad-exit=1 -n 1 kira -t 10 : -n 8 g6worker    with Slurm\n"
    "Workers of one machine share its devices evenly, unless --devices or G6_DEVICES names some.\n"
    "Exit status: 0 the program has ended, 1 there is no program to work for or a signal ended the "
    "worker, 2 a wrong option.";

struct Options {
    std::string backend, devices;
    double poll = 0.1, sleep = 0.002, patience = 60;
};

bool parse(int argc, char **argv, Options &o, int &status)
{
    g6tools::CommandLine app("g6worker", kAbout, kExamples);
    app.add_option("--backend", o.backend, "What computes (G6_LOCAL_BACKEND) [auto]")
        ->type_name("cuda|opencl|cpu|auto");
    app.add_option("--devices", o.devices,
                   "Devices of that backend (G6_DEVICES): all, local, or a list as 0,1 "
                   "[an even share]")
        ->type_name("LIST");
    app.add_option("--poll", o.poll,
                   "How long the worker polls for the next message, every few microseconds, before "
                   "it starts to sleep; polling takes a third of a core [0.1]")
        ->check(g6tools::zero_or_positive())
        ->type_name("SECONDS");
    app.add_option("--sleep", o.sleep,
                   "Longest sleep between two polls after that; 0: none [0.002]")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->type_name("SECONDS");
    app.add_option("--patience", o.patience,
                   "The worker ends the job when the program has called MPI_Init and has not asked "
                   "for workers for so long [60]")
        ->check(g6tools::zero_or_positive())
        ->type_name("SECONDS");
    return app.read(argc, argv, status);
}

// A signal that ends the job reaches the program too.  For so long the worker goes on, so that the
// program can end its step and save its state.
constexpr unsigned kGraceSeconds = 2;

// With the lowest status of a failure: srun ends with the highest one of all its processes, and
// that shall be the program's.
extern "C" void end_now(int)
{
    _exit(1);
}

extern "C" void end_soon(int signal)
{
    std::signal(signal, end_now);
    alarm(kGraceSeconds);
}

void end_by_signals()
{
    std::signal(SIGPIPE, SIG_IGN);  // of a launcher that has gone
    std::signal(SIGALRM, end_now);
    for (int signal : {SIGTERM, SIGINT, SIGHUP}) std::signal(signal, end_soon);
}

}  // namespace

int main(int argc, char **argv)
{
    Options options;
    int status = 0;
    if (!parse(argc, argv, options, status)) return status;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // a launcher that dies leaves no worker behind
#endif
    end_by_signals();
    if (!options.backend.empty()) setenv("G6_LOCAL_BACKEND", options.backend.c_str(), 1);
    if (!options.devices.empty()) setenv("G6_DEVICES", options.devices.c_str(), 1);
    setenv("G6_LOG", "none", 0);  // what fails is said here, or by the client
    if (g6_serve("mpi", options.poll, options.sleep, options.patience) == G6_OK) return 0;
    std::fprintf(stderr, "g6worker: %s\n", g6_last_error());
    return 1;
}
