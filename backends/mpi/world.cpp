// SPDX-License-Identifier: MIT
// Starts and ends MPI, explains why a process has no workers, sends and receives bytes of any
// length, and waits for messages with short naps.
#include "world.h"

#include "../../libg6gpu/settings/config_text.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <ctime>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

namespace g6::mpi {
namespace {

std::recursive_mutex &mutex()
{
    static auto *m = new std::recursive_mutex;
    return *m;
}

pid_t starter = 0;  // the process that started MPI
void (*before_end)() = nullptr;

void check(int code, const char *what)
{
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw MpiError(std::string(what) + ": " + text);
}

// The number in a variable of the environment; -1: it has none.
int variable(const char *name)
{
    const char *text = std::getenv(name);
    int number = -1;
    return text && parse_int(text, 0, INT_MAX, number) ? number : -1;
}

// Whether there is a process manager that tells MPI_Init of the other processes.  Without one, Open
// MPI would end a process that srun has started.
bool has_process_manager()
{
    const auto names = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                        "PMI_CONTROL_PORT"};
    return std::any_of(names.begin(), names.end(),
                       [](const char *name) { return std::getenv(name) != nullptr; });
}

// Longer messages go as several.  MPI counts bytes by int, and skip() has memory for one of these.
constexpr std::size_t kLongest = std::size_t{1} << 24;

template <class F> void in_parts(std::size_t bytes, F &&f)
{
    for (std::size_t at = 0;; at += kLongest) {
        f(at, static_cast<int>(std::min(kLongest, bytes - at)));
        if (bytes - at <= kLongest) return;
    }
}

// Linux lets a nap last 50 us longer than it was asked for, unless the thread wants it otherwise.
void nap(const timespec &length)
{
    const int slack = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1);
    nanosleep(&length, nullptr);
    if (slack > 0) prctl(PR_SET_TIMERSLACK, slack);
}

// Makes the symbols of the MPI library visible to the libraries that MPI loads at run time, which
// need them.
void show_names_of_mpi()
{
    Dl_info library;
    if (dladdr(reinterpret_cast<void *>(&MPI_Init_thread), &library) && library.dli_fname)
        dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

}  // namespace

MpiLock::MpiLock() : lock_(mutex()) {}

double now()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string how_to_start()
{
    // Processes of an mpirun within Slurm have the variables of both.
    const bool by_srun =
        variable("SLURM_STEP_NUM_TASKS") >= 0 && variable("OMPI_COMM_WORLD_SIZE") < 0;
    return std::string("start the program together with workers: ") +
           (by_srun ? "srun --mpi=pmix" : "mpirun") + " -n 1 PROGRAM : -n 8 g6worker";
}

std::string why_alone()
{
    const std::string how = how_to_start();
    const bool pmix = variable("PMIX_RANK") >= 0;
    int processes = -1;
    for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
        processes = std::max(processes, variable(name));
    if (processes < 0 && !pmix) return "no workers: no MPI launcher started this process; " + how;
    // A part of a heterogeneous job may count its own tasks alone.
    const bool parts = pmix && variable("SLURM_HET_SIZE") > 1;
    if (processes == 1 && !parts) return "no workers: this process is alone in its MPI job; " + how;
    if (!has_process_manager())
        return "no workers: srun started this process without MPI, as it does without --mpi; " +
               how;
    if (variable("OMPI_NUM_APP_CTX") == 1)
        return "no workers: all processes of this MPI job run the same program; " + how;
    return "";
}

bool program_uses_mpi()
{
    int started = 0;
    MPI_Initialized(&started);
    return started && starter != getpid();
}

World start_world()
{
    const MpiLock lock;
    World world;
    if (starter != getpid()) {
        show_names_of_mpi();
        int level = MPI_THREAD_SINGLE;
        check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
        starter = getpid();
        std::atexit(end_world);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        if (level < MPI_THREAD_SERIALIZED)
            throw MpiError("this MPI cannot be called from several threads in turn");
    }
    check(MPI_Comm_rank(MPI_COMM_WORLD, &world.rank), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &world.size), "MPI_Comm_size");
    return world;
}

void at_end(void (*function)())
{
    before_end = function;
}

void end_world()
{
    if (starter != getpid()) return;  // the parent process has started MPI
    // Another thread may hold the lock for ever, when the program ends during a computation.
    const double limit = now() + 5;
    std::unique_lock<std::recursive_mutex> lock(mutex(), std::try_to_lock);
    while (!lock.owns_lock() && !lock.try_lock() && now() < limit) std::this_thread::yield();
    int ended = 0;
    if (!lock.owns_lock() || MPI_Finalized(&ended) != MPI_SUCCESS || ended) return;
    if (before_end) before_end();
    MPI_Finalize();
    starter = 0;
}

void abort_job()
{
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::_Exit(1);
}

std::string host_name()
{
    char name[64] = "";
    if (gethostname(name, sizeof name - 1) != 0) return "?";
    return name;
}

// ---- messages ---------------------------------------------------------------------------------

void send(int rank, int tag, const void *data, std::size_t bytes)
{
    const MpiLock lock;
    in_parts(bytes, [&](std::size_t at, int n) {
        check(
            MPI_Send(static_cast<const char *>(data) + at, n, MPI_BYTE, rank, tag, MPI_COMM_WORLD),
            "MPI_Send");
    });
}

void send_later(int rank, int tag, const void *data, std::size_t bytes,
                std::vector<MPI_Request> &requests)
{
    const MpiLock lock;
    in_parts(bytes, [&](std::size_t at, int n) {
        MPI_Request request;
        check(MPI_Isend(static_cast<const char *>(data) + at, n, MPI_BYTE, rank, tag,
                        MPI_COMM_WORLD, &request),
              "MPI_Isend");
        requests.push_back(request);
    });
}

bool finished(std::vector<MPI_Request> &requests)
{
    if (requests.empty()) return true;
    const MpiLock lock;
    int done = 0;
    check(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    if (done) requests.clear();
    return done != 0;
}

void finish(std::vector<MPI_Request> &requests)
{
    Wait wait({1, 1e-4}, 0.001);
    while (!finished(requests)) wait.rest();
}

long long waiting(int rank, int tag)
{
    const MpiLock lock;
    int is_there = 0, bytes = 0;
    MPI_Status status;
    check(MPI_Iprobe(rank, tag, MPI_COMM_WORLD, &is_there, &status), "MPI_Iprobe");
    if (!is_there) return -1;
    check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    return bytes;
}

void receive(int rank, int tag, void *data, std::size_t bytes)
{
    const MpiLock lock;
    in_parts(bytes, [&](std::size_t at, int n) {
        check(MPI_Recv(static_cast<char *>(data) + at, n, MPI_BYTE, rank, tag, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
    });
}

void skip(int rank, int tag, std::size_t bytes)
{
    static char nobodys[kLongest];
    const MpiLock lock;
    in_parts(bytes, [&](std::size_t, int n) {
        check(MPI_Recv(nobodys, n, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "MPI_Recv");
    });
}

std::size_t parts_of(std::size_t bytes)
{
    return bytes / kLongest + 1;
}

long long waiting_within(double seconds, int rank, int tag)
{
    const double limit = now() + seconds;
    Wait wait({0.1, 0.001}, 0.001);
    for (;;) {
        const long long bytes = waiting(rank, tag);
        if (bytes >= 0 || now() > limit) return bytes;
        wait.rest();
    }
}

bool receive_within(double seconds, int rank, int tag, void *data, std::size_t bytes)
{
    const long long length = waiting_within(seconds, rank, tag);
    if (length < 0) return false;
    if (static_cast<std::size_t>(length) != bytes)
        throw MpiError("a message of " + std::to_string(length) + " bytes came for one of " +
                       std::to_string(bytes));
    receive(rank, tag, data, bytes);
    return true;
}

// ---- patience ---------------------------------------------------------------------------------

void Wait::again()
{
    since_ = -1;
    looks_ = 0;
}

void Wait::rest()
{
    constexpr int kLooksAtOnce = 64;  // the clock costs as much as a look
    constexpr double kFirstNap = 5e-5;
    if (++looks_ % kLooksAtOnce != 0) return;
    const double time = now();
    if (since_ < 0) {
        since_ = time;
        nap_ = kFirstNap;
    }
    if (time - since_ < at_once_) return;
    looks_ = kLooksAtOnce - 1;  // one look after each nap
    const bool polls = time - since_ < patience_.poll_seconds || patience_.sleep_seconds <= 0;
    if (!polls) nap_ = std::min(nap_ * 1.1, patience_.sleep_seconds);
    nap({static_cast<time_t>(nap_),
         polls ? 1 : static_cast<long>((nap_ - std::floor(nap_)) * 1e9)});
}

}  // namespace g6::mpi
