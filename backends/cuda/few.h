// SPDX-License-Identifier: MIT
// Blocks of few i-particles: what the host (few_step.cpp) and the kernel (few.cu) tell each other.
//
// One kernel stays on the GPU while a client asks for one such block after another.  The host
// writes a request to a mailbox, which is pinned memory that the kernel polls.  So a block takes no
// call of the driver.  A request has particles: the i-particles, and rows, which are j-particles
// that have changed, on their way to their slots (formulas/rows.h).  The particles of a small
// request are mailed: the host copies them into the mailbox.  From a larger request the kernel
// reads them in the pinned memory where they were staged.  A word is 8 bytes of data.
//
// Invariants
//  * The host numbers its requests.  Each 4 bytes in the mailbox travel with the number of their
//    request, so that the kernel knows what has arrived, whatever order the bus brings it in.
//  * There is one request at a time; the order to leave is a request too.  The host writes the next
//    request when it has the answer to the last one, or knows that the kernel has left without
//    serving the last one.
//  * A kernel that stays leaves when a request says so, or by itself when no request comes for a
//    while or when it has stayed for long (few.cu has the times).  It then writes to
//    FewLaunch::left the number of the first request that it did not serve.  A request that the
//    host writes at that moment is either served, or its number is in `left`.
//  * While a kernel stays, the number of j-particles, their arrays, and the slots that each thread
//    block owns do not change.  Only the rows of requests change what is in the slots.
//
// Here and in few.cu, a block is a block step: i-particles of one time, for which a client asks
// together.  A thread block is one of CUDA's.
#pragma once

#include "kernels.h"

namespace g6::cuda {

constexpr int kFewMost = 256;       // most i-particles of a request
constexpr int kFewMostRows = 2048;  // most rows of a request

struct Hit {  // an entry of a neighbour list; the kernel writes them in any order
    int i, slot, index;
};
constexpr int kMostHits = 8192;

struct FewRequest {
    std::int16_t ni, nrows;
    std::int16_t whole_ni;  // as in Block: the order of sums follows from it
    std::int16_t row_words;
    std::int16_t group_threads;  // few_group_threads(whole_ni): threads of a group
    int group_reciprocal;        // 2^kQuotientBits / group_threads, rounded up
    std::int16_t mailed;         // mailed words, those of the i-particles first; 0: none
    std::int8_t motion;          // Motion
    bool split;  // pairs in float, from differences in double; otherwise all in double
    bool jerk, near, lists, own_in_lists;
    bool leave;           // nothing to sum: the kernel ends
    bool same_predicted;  // the predicted j-particles are those of the preceding request
    double t;
    Scale scale;
    // The units of a result's eight values: acc, jerk, pot, and the distance squared of the
    // nearest.  The unit of pot is negative, since the sum of m / r is positive.  0: not wanted.
    double unit[8];
    const double *i, *rows;  // pinned memory; the kernel reads it when mailed is 0
};
static_assert(sizeof(FewRequest) % 8 == 0);
// The quotient of a thread's number and group_threads, for fewer than 2^kQuotientBits / kFewMost
// threads, is
//     number * group_reciprocal >> kQuotientBits
constexpr int kQuotientBits = 20;
constexpr int kRequestWords = sizeof(FewRequest) / 8;

// Most words of particles that are mailed: two i-particles with two full rows, or seven
// i-particles.  Each word makes every poll some 8 ns longer, so that for more words it takes less
// time to read the particles over the bus once the request has come.
constexpr int kFewThreads = 512, kMostMailed = 64;
static_assert(kMostMailed <= kFewThreads - 32);  // a thread for each, behind those of the request
constexpr int kMailWords = kRequestWords + kMostMailed;
constexpr int kRelayWords = kRequestWords + kFewMost * kIWords + kFewMostRows * kRecordWords;

// Eight bytes of data, each half with the number of the request to which it belongs.
struct alignas(16) MailWord {
    unsigned low, low_number, high, high_number;
};

constexpr int kPartialWords =
    9;  // acc, jerk, pot, distance squared of the nearest, its slot and index

struct FewMemory {
    MailWord *partial;  // [blocks][ni][kPartialWords] the sums of each thread block
    Hit *hit;           // [kMostHits]
    unsigned *hits;     // number of entries found; above kMostHits some entries are missing
    MailWord *
        relay;  // [kRelayWords] request and particles, which one thread block passes on to the others
    // Pinned:
    MailWord
        *answer;  // [ni][kSumsWords] when all have the request's number, the hits are there too
    Hit *hit_out;
    unsigned *hits_out;
};

struct FewLaunch {
    JMemory j;
    FewMemory memory;
    int nj, per_block;        // slots 0 ... nj-1; slots that each thread block owns
    int shared_bodies;        // most predicted j-particles that stay in shared memory
    bool stays;               // serves further requests
    unsigned number;          // of the first request
    const MailWord *mailbox;  // pinned, [kMailWords]: the request, then what is mailed with it
    volatile unsigned *left;  // pinned
};

// Whether the pairs of a block are added in float, from differences in double; otherwise all is in
// double.  The answer follows from the block alone, so that any number of devices gives the same
// bits.  narrow: the precision is not double.
bool few_in_float(int whole_ni, int nj, bool narrow);
// Whether launch_few() supports a block.  single_to_double: how many times as fast as its doubles
// the device's floats are.
bool is_few(int whole_ni, int nj, int single_to_double);
// Whether the device can run launch_few()'s kernel, whose thread blocks must all be on it at the
// same time.
bool can_launch_few(int device);
// Predicted j-particles for which the shared memory of a thread block has room.
int few_shared_bodies(int device);
// Threads of a group: 1, 4 or a multiple of 16.  A thread block is divided into groups, and in each
// group every i-particle has one thread.  The order of the sums follows from this number, which
// therefore depends on the block alone.
int few_group_threads(int whole_ni);
// Slots that each thread block owns where there are at most `blocks` thread blocks.
int few_slots(int nj, int blocks);
void launch_few(cudaStream_t s, const FewLaunch &launch);

}  // namespace g6::cuda
