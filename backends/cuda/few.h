// SPDX-License-Identifier: MIT
// Blocks of few i-particles: what the host (few_step.cpp) and the kernel (few.cu) tell each other.
//
// One kernel stays on the GPU while a client asks for one such block after another.  The host
// writes a request to its mailbox, which is pinned memory that the kernel polls.  So a block takes
// no call of the driver.  The particles of a small request are mailed with it; those of a larger
// one stay where they were staged.  These particles are the i-particles and the rows, which are
// j-particles that have changed, on their way to their slots (formulas/rows.h).  A word is 8 bytes
// of data.
//
// Invariants
//  * The host numbers its requests.  Each 4 bytes in the mailbox travel with the number of their
//    request, so that the kernel knows what has arrived, whatever order the bus brings it in.
//  * There is one request at a time; the order to leave is a request too.  The host writes the next
//    request when it has the answer to the last one, or knows that the kernel has left without
//    serving it.
//  * A kernel that stays leaves when a request says so, or by itself when none comes for a while or
//    when it has stayed for long (few.cu has the times).  Then it writes to FewLaunch::left the
//    number of the first request that it did not serve.  The kernel alone decides when it leaves:
//    a request that the host writes at that moment is either served, or its number is in `left`.
//  * While a kernel stays, the number of j-particles, their arrays, and the slots that each thread
//    block owns do not change.  What is in the slots changes by the rows of requests alone.
//
// Here and in few.cu, a block is a block step: i-particles of one time, for which a client asks
// together.  A thread block is one of CUDA's.
#pragma once

#include "kernels.h"

namespace g6::cuda {

constexpr int kFewMost = 256;       // i-particles of a request
constexpr int kFewMostRows = 2048;  // rows of a request

struct Hit {  // an entry of a neighbour list; the kernel writes them in any order
    int i, slot, index;
};
constexpr int kMostHits = 8192;

struct FewRequest {
    std::int16_t ni, nrows;
    std::int16_t whole_ni;  // as in Block: the order of sums follows from it
    std::int16_t row_words;
    std::int16_t padded_ni;  // few_padded(whole_ni): so many threads serve different i-particles
    int per_padded;          // 2^kQuotientBits / padded_ni, rounded up
    std::int16_t mailed;     // words of i-particles, and then of rows, that are mailed; 0: none
    std::int8_t motion;      // Motion
    bool split;              // pairs in float, of differences in double; otherwise all in double
    bool jerk, near, lists, own_in_lists;
    bool leave;           // nothing to sum: the kernel ends
    bool same_predicted;  // the j-particles at this time are those of the request before
    double t;
    Scale scale;
    // The units of a result's eight values: acc, jerk, pot, and the distance squared of the
    // nearest.  That of pot is negative, since the sum of m / r is positive.  0: not wanted.
    double unit[8];
    const double *i, *rows;  // pinned memory, which is read where nothing is mailed
};
static_assert(sizeof(FewRequest) % 8 == 0);
// The quotient of a thread's number and padded_ni is number * per_padded >> kQuotientBits, for
// fewer than 2^kQuotientBits / kFewMost threads.
constexpr int kQuotientBits = 20;
constexpr int kRequestWords = sizeof(FewRequest) / 8;

// Words of particles that are mailed at most: two i-particles with as many full rows, or seven
// i-particles.  Each word makes every poll some 8 ns longer, so that a second way over the bus is
// shorter for more words.
constexpr int kFewThreads = 512, kMostMailed = 64;
static_assert(kMostMailed <= kFewThreads - 32);  // a thread for each, behind those of the request
constexpr int kMailWords = kRequestWords + kMostMailed;
constexpr int kPassedWords = kRequestWords + kFewMost * kIWords + kFewMostRows * kRecordWords;

// Eight bytes of data, each half with the number of the request to which it belongs.
struct alignas(16) MailWord {
    unsigned low, low_number, high, high_number;
};

constexpr int kPartialWords =
    9;  // acc, jerk, pot, distance squared of the nearest, its slot and index

struct FewMemory {
    MailWord *partial;    // [few_partials(blocks)] sums of one thread block after another
    Hit *hit;             // [kMostHits]
    unsigned *hits;       // number of entries that were found; above kMostHits some are missing
    MailWord *passed_on;  // [kPassedWords] the mail for all thread blocks, and particles not mailed
    // Pinned:
    MailWord
        *answer;  // [ni][kSumsWords] when they have the request's number, all else is there too
    Hit *hit_out;
    unsigned *hits_out;
};

struct FewLaunch {
    JMemory j;
    FewMemory memory;
    int nj, per_block;        // slots 0 ... nj-1, of which each thread block owns so many
    int kept;                 // at most so many predicted j-particles stay in shared memory
    bool stays;               // serves further requests
    unsigned number;          // of the first request
    const MailWord *mailbox;  // pinned, [kMailWords]: the request, then what is mailed with it
    volatile unsigned *left;  // pinned
};

// Whether the pairs of a block are added in float, of differences in double; otherwise all is in
// double.  This follows from the block alone, so that any number of devices gives the same bits.
// narrow: the precision is not double.
bool few_in_float(int whole_ni, int nj, bool narrow);
// Whether launch_few() supports a block, on a device whose floats are so many times as fast as its
// doubles.
bool is_few(int whole_ni, int nj, int single_to_double);
// Whether the device can run launch_few()'s kernel, whose thread blocks must all be on it at the
// same time.
bool can_launch_few(int device);
// Predicted j-particles that a thread block can keep.
int few_kept(int device);
size_t few_partials(int blocks);
// The threads of a thread block are divided into groups of so many, each of which serves every
// i-particle by one thread: 1, 4 or a multiple of 16.  The order of the sums follows from it, so
// that it follows from the block alone.
int few_padded(int whole_ni);
// Slots that each of at most `blocks` thread blocks owns.
int few_slots(int nj, int blocks);
void launch_few(cudaStream_t s, const FewLaunch &launch);

}  // namespace g6::cuda
