// SPDX-License-Identifier: MIT
// A client's connection with one worker.
//
// Invariants
//  * The parts of a block for the devices of one worker are sent together, when the last device of
//    the block has started (send_blocks()).
//  * A thread that looks for a result receives all results that have come.  A result waits in the
//    link until its device takes it.
//  * After an error of MPI the link is broken: calls that send or receive throw MpiError, except
//    send_blocks() and say_bye().
//  * All messages of a result are received, even where memory for them runs out (then at once or by
//    drain()), so that none can be taken for a message of a later result.
#pragma once

#include "world.h"

#include <deque>
#include <vector>

namespace g6::mpi {

// The j-particles staged since the last start(): n rows of so many words.
struct Staged {
    const double *rows = nullptr;
    int n = 0, words = kRestWords;
    std::size_t doubles() const
    {
        return static_cast<std::size_t>(n) * static_cast<std::size_t>(words);
    }
};

// A block on its way to a worker.  The arrays must stay until send_blocks() has returned.
struct OutgoingBlock {
    BlockMessage message;
    Staged staged;
    const void *source;  // the device on which the j-particles are staged
    const double *i;     // rows of i-particles
};

class Link {
public:
    explicit Link(int rank) : rank_(rank) {}
    int rank() const { return rank_; }

    // Gets the devices that the worker offers; false: the offer does not come within some seconds.
    bool receive_offer(double seconds, std::vector<LocalDeviceInfo> &devices);

    int new_object();
    void free_object(int number);

    // awaited: serial number of the result that will come; 0: none does.
    void order(const Command &command, std::uint32_t awaited = 0);
    // Sends the command and waits for its answer.
    Answer ask(const Command &command, const void *data = nullptr, std::size_t bytes = 0);

    void start(const OutgoingBlock &block);
    // Sends what was started on all links.  An error of MPI breaks the link; result() reports it.
    static void send_blocks();
    // Waits for the result with this serial number, which stays until the object's next one comes.
    const ResultMessage &result(int number, std::uint32_t serial);
    // Receives the next bytes of a result's payload (sums, lists) and adds their number to `at`.
    // to: null where nobody wants them.
    void payload(const ResultMessage &result, std::size_t &at, void *to, std::size_t bytes);
    // Receives the payload after its first `at` bytes, and drops it.
    void skip_payload(const ResultMessage &result, std::size_t at = 0);
    // Receives and drops all results that are still to come, and tells the worker to end.
    void say_bye();

    void count(std::size_t bytes) { messages_++, bytes_ += bytes; }
    // Moves the numbers of messages and bytes since the last call to the counters of a device.
    void hand_over_counts(std::uint64_t &messages, std::uint64_t &bytes);

private:
    struct Object {
        bool used = true;
        std::uint32_t awaited = 0;  // serial number of the result that is to come; 0: none is
        ResultMessage arrived{};
    };
    Object &object(int number) { return objects_[static_cast<std::size_t>(number)]; }
    void send_own_blocks();
    void collect();
    void drain();
    void need_whole() const;
    template <class F> void attempt(F &&f);

    const int rank_;
    bool has_offered_ = false;
    std::string broken_;
    std::deque<Object> objects_;
    std::vector<OutgoingBlock> blocks_;
    std::vector<char> buffer_;
    std::vector<MPI_Request> requests_;
    std::uint64_t messages_ = 0, bytes_ = 0;
};

// All links of this process; made once.
std::vector<Link> &links();

}  // namespace g6::mpi
