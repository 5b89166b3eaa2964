// SPDX-License-Identifier: MIT
// This process's part in an MPI job: start, end, and messages as bytes.
//
// Invariants
//  * Where the program has started MPI itself, this backend calls MPI only to make workers end the
//    job (roster.cpp): such a program makes collective calls, in which workers would have to take
//    part, and ends MPI at any time.
//  * A thread holds an MpiLock while it calls MPI, except when it asks whether MPI was started or
//    ends the whole job.
//  * A process that started MPI ends it, when it exits by exit() or by return from main().  A child
//    of fork() does not.
//  * An error of MPI comes back as an exception MpiError.  (When a process dies, the launcher ends
//    the whole job.)
#pragma once

#include "message.h"

#include <mpi.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace g6::mpi {

struct MpiError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The lock on MPI.
class MpiLock {
public:
    MpiLock();

private:
    std::unique_lock<std::recursive_mutex> lock_;
};

struct World {
    int rank = 0, size = 1;
};

// Why there can be no workers in the job of this process, by the environment alone; "": there may
// be some.
std::string why_alone();
// The commands that start a program with workers, for messages.
std::string how_to_start();

// Whether the program itself uses MPI.
bool program_uses_mpi();

// Starts MPI.  Throws MpiError.
World start_world();
// Sets the function that is called before MPI ends.
void at_end(void (*function)());
void end_world();
// Ends the whole job at once.
[[noreturn]] void abort_job();

std::string host_name();
double now();  // seconds

void send(int rank, int tag, const void *data, std::size_t bytes);
// Returns before the data has left; it must stay until the requests are finished.
void send_later(int rank, int tag, const void *data, std::size_t bytes,
                std::vector<MPI_Request> &requests);
void finish(std::vector<MPI_Request> &requests);
bool finished(std::vector<MPI_Request> &requests);
// Bytes of the message that has come and is not received yet; -1: there is none.
long long waiting(int rank, int tag);
void receive(int rank, int tag, void *data, std::size_t bytes);
// As receive(), but drops the data.  Allocates no memory.
void skip(int rank, int tag, std::size_t bytes);
// The number of messages that carry so many bytes.
std::size_t parts_of(std::size_t bytes);

// As waiting() and receive(), but wait for the message so long; -1 or false: it has not come.
long long waiting_within(double seconds, int rank, int tag);
bool receive_within(double seconds, int rank, int tag, void *data, std::size_t bytes);

// The pauses of a loop that looks for messages.  At first rest() returns at once; until
// poll_seconds it naps as briefly as the system can; then longer and longer, up to sleep_seconds.
//
// A loop without pauses takes a processor from other processes.  Pauses by sched_yield() would be
// no better: Linux makes a thread that has yielded often wait for tens of milliseconds, as soon as
// OpenMP's threads use all processors.
class Wait {
public:
    // at_once: seconds without any rest.
    Wait(Patience patience, double at_once) : patience_(patience), at_once_(at_once) {}
    void rest();
    void again();  // begins anew, after a message

private:
    Patience patience_;
    double at_once_, since_ = -1, nap_ = 0;
    int looks_ = 0;
};

}  // namespace g6::mpi
