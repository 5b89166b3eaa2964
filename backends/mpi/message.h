// SPDX-License-Identifier: MIT
// What a client and its workers send each other.
//
//     client (rank 0)                                worker (rank 1, 2, ...)
//                     <-- Greeting -----------------
//                     --- Welcome ----------------->             or a refusal
//                     <-- LocalDeviceInfo[] --------
//                     --- Command: ping, open ... ->
//                     <-- Answer ------------------              of commands that have one
//     start           --- Command, BlockMessage[]; j- and i-particles -->
//     finish          <-- ResultMessage[]; sums, lists ------------------
//
// For a block, each worker gets one Command and sends one message of ResultMessages, however many
// devices it has.  Each array of particles, sums or lists follows in a message of its own, without
// a copy on either side.
//
// Invariants
//  * Messages are structs as they lie in memory: both sides are the same version of the library on
//    the same kind of processor, which the Greeting checks by version, interface and layout.  Only
//    Greeting and Welcome stay the same in all versions.
//  * Messages of one tag arrive in the order in which they were sent.
//  * A client sends the next block of an object only after it has received the whole result of the
//    one before, so that client and worker never wait for each other at once.
#pragma once

#include "../../libg6gpu/backend.h"

#include <array>
#include <cstdint>
#include <type_traits>

namespace g6::mpi {

// Far from the tags that programs use: a worker may greet a program that uses MPI itself.
enum Tag : int {
    kTagGreeting = 20001,
    kTagWelcome,
    kTagOffer,  // the devices of a worker
    kTagCommand,
    kTagPiece,  // particles that follow a command
    kTagAnswer,
    kTagResult,
    kTagResultPiece = 20100,  // + number of the object: sums and lists that follow a result
};

struct Greeting {
    char magic[8] = {'g', '6', 'w', 'o', 'r', 'k', 'e', 'r'};
    char version[32] = {};
    std::int32_t abi = 0, layout = 0;
    char host[64] = {};
};

struct Welcome {
    std::int32_t accepted = 0;
    std::int32_t ends_job = 0;  // of a refusal: the worker must end the job
    // The place of the worker among the processes of its machine that share its devices.
    std::int32_t which = 0, sharers = 1;
    char reason[256] = {};
};

enum class Order : std::int32_t {
    kPing,
    kOpen,
    kClose,
    kReserve,
    kClear,
    kStart,
    kNeighbours,
    kBye
};

struct Command {
    Order order = Order::kPing;
    // A Device object of the worker, by a number that the client gives it.
    std::int32_t object = 0;
    // kOpen: device; kReserve: nj; kStart: number of blocks; kPing: bytes that follow;
    // kNeighbours: serial number of the result.
    std::int32_t number = 0;
    std::int32_t precision = 0;  // kOpen
};

struct Answer {
    std::int32_t status = 0;
    char text[256] = {};
};

// One block for one object.  Its j-particles and its i-particles follow in this order.
struct BlockMessage {
    std::int32_t object;
    std::uint32_t serial;
    std::int32_t rows, row_words;  // of staged j-particles
    // An earlier block of the same message that has the same staged j-particles; -1: none.
    std::int32_t same_as;
    std::int32_t i_words;  // of the rows of i-particles
    std::int32_t ni;
    std::int32_t noted;  // the core has called note_walk() for the last result
    BlockTask task;
};

// The result of one object.  If has_sums, ni sums follow.  If lists, ni + 1 offsets (64 bits),
// `listed` indices and `listed` slots follow.
struct ResultMessage {
    std::int32_t object;
    std::uint32_t serial;
    std::int32_t status, ni;
    std::int32_t has_sums, lists;
    std::int64_t listed;
    DeviceCounters counters;  // of this block alone
    char text[256];
};

inline std::size_t sums_bytes(const ResultMessage &m)
{
    return m.has_sums ? static_cast<std::size_t>(m.ni) * sizeof(G6Sums) : 0;
}

// Bytes of sums, offsets, indices and slots.
inline std::array<std::size_t, 4> payload_parts(const ResultMessage &m)
{
    const std::size_t listed = m.lists ? static_cast<std::size_t>(m.listed) * sizeof(int) : 0;
    const std::size_t offsets =
        m.lists ? (static_cast<std::size_t>(m.ni) + 1) * sizeof(std::int64_t) : 0;
    return {sums_bytes(m), offsets, listed, listed};
}

// Made of the sizes of these structs.  Two sides that differ in a size almost surely have different
// numbers.
constexpr std::int32_t kLayout = static_cast<std::int32_t>(
    sizeof(Command) + 3 * sizeof(BlockMessage) + 5 * sizeof(ResultMessage) +
    7 * sizeof(LocalDeviceInfo) + 11 * sizeof(G6JRecord) + 13 * sizeof(G6Sums));

template <class T> constexpr bool kPlain = std::is_trivially_copyable<T>::value;
static_assert(kPlain<Greeting> && kPlain<Welcome> && kPlain<Command>, "plain data");
static_assert(kPlain<Answer> && kPlain<BlockMessage> && kPlain<ResultMessage>, "plain data");

}  // namespace g6::mpi
