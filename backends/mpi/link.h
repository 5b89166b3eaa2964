// SPDX-License-Identifier: MIT
// A client's connection with one worker.
//
// Invariants
//  * The shares of one block for the devices of a worker go to it in one message, which is sent
//    when the last device of the block has started (send_blocks()).
//  * Whichever thread looks for results receives all that have come.  A result waits in the link
//    until its device takes it.
//  * After an error of MPI the link is broken: every later call throws MpiError.
#pragma once

#include "device.h"
#include "world.h"

#include <map>
#include <vector>

namespace g6::mpi {

// A block on its way to a worker.  The arrays must stay until send_blocks() has returned.
struct OutgoingBlock {
    BlockMessage message;
    Staged staged;
    const void *source;  // the device on which the j-particles are staged
    StagedTargets i;
};

struct Result {
    ResultMessage message{};
    bool follows = false;       // the payload comes as messages that are not received yet
    std::vector<char> payload;  // empty where it follows
};

class Link {
public:
    explicit Link(int rank) : rank_(rank) {}
    int rank() const { return rank_; }

    int new_object();
    void free_object(int object);

    void order(const Command &command);
    // Sends the command and waits for its answer.
    Answer ask(const Command &command, const void *data = nullptr, std::size_t bytes = 0);

    void start(const OutgoingBlock &block);
    // Sends what was started on all links.
    static void send_blocks();
    // Waits for the result with this serial number; earlier ones of the object are received and
    // forgotten.
    Result result(int object, std::uint32_t serial);
    // Receives the next n bytes of the payload of a result.  to: null where nobody wants them.
    void payload(Result &result, std::size_t &at, void *to, std::size_t bytes);
    void skip_payload(Result &result);
    // Receives all results that are to come and forgets them.
    void drain();

    void count(std::size_t bytes) { messages_++, bytes_ += bytes; }
    // Moves the numbers of messages and bytes since the last call to the counters of a device.
    void hand_over_counts(std::uint64_t &messages, std::uint64_t &bytes);

private:
    void send_own_blocks();
    void collect();
    void need_whole() const;
    template <class F> void attempt(F &&f);

    const int rank_;
    std::string broken_;
    std::vector<bool> objects_;
    std::vector<OutgoingBlock> blocks_;
    std::vector<char> buffer_;
    std::vector<MPI_Request> requests_;
    std::map<int, Result> inbox_;
    std::map<int, std::uint32_t> awaited_;  // object and serial number
    std::uint64_t messages_ = 0, bytes_ = 0;
};

// All links of this process; made once.
std::vector<Link> &links();

}  // namespace g6::mpi
