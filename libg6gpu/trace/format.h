// SPDX-License-Identifier: MIT
// The file of a recorded session (G6_TRACE): what the recorder writes and the tools read.  This
// header needs nothing but the standard library.
//
//     FileHead
//     chunk, chunk ...     each: ChunkHead, then its payload of ChunkHead::bytes bytes
//
// All numbers are in the byte order of the machine that wrote the file; FileHead::byte_order tells
// a reader when that is not its own.  The types of chunks:
//
//     kSettingsChunk   text, a line "key=value" for each setting in force, and "version=1.0.0"
//     kCallsChunk      ChunkHead::calls records: RecordHead, then the arguments and the results
//     kEndChunk        the last chunk of a file whose client ended by itself: first_call is the
//                      number of calls plus 1
//
// When a client is killed, the file lacks the calls since the last written chunk and has no
// kEndChunk.  A reader uses the chunks up to the first one whose checksum is wrong.
//
// Each kind of call has a row in G6_TRACE_KINDS below.  The letters of the row say what follows the
// RecordHead, without gaps.  Letters left of the bar are arguments, letters right of it are
// results.  There is one exception: the argument aold of a firsthalf is right of the bar.
//
//     i   int32                  d   double
//     I   array of int32         D   array of double         F   array of float
//     s   text: an array of bytes
//
// An array is an int32 count and its elements.  A negative count has no elements: -1 is a NULL
// pointer, -2 - n stands for n elements of which all bits are 0.  Rows of three, x[n][3], are an
// array of 3 n.
//
// A new kind goes to the end of the table.  kVersion grows when an older reader could misread a
// file.
#pragma once

#include <cstdint>
#include <cstring>

namespace g6::trace {

constexpr char kMagic[8] = {'g', '6', 't', 'r', 'a', 'c', 'e', '\n'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint32_t kChunkMark = 0x6b6e6843;

// Longer arrays of zeros are written with their elements.
constexpr std::int32_t kMostZeros = 1 << 20;

// clang-format off
// value, name of the call, arguments and results.  A firsthalf or lasthalf has nj, ni and index
// first.
#define G6_TRACE_KINDS(row)                                                                        \
    row(kOpen, 1, "g6_open", "|")                                                                  \
    row(kClose, 2, "g6_close", "|")                                                                \
    row(kNpipes, 3, "g6_npipes", "|")                                                              \
    row(kReset, 4, "g6_reset", "|")                                                                \
    row(kReinitialize, 5, "g6_reinitialize", "|")                                                  \
    row(kSetTi, 6, "g6_set_ti", "d|")                                                              \
    /* address, index, tj, dtj, mass, a2by18, a1by6, aby2, v, x */                                 \
    row(kSetJ, 7, "g6_set_j_particle", "iidddDDDDD|")                                              \
    row(kSetJPoint, 8, "g6_set_j_particle_mxonly", "iidD|")                                        \
    /* nclusters, then as the two above */                                                         \
    row(kSetJMulti, 9, "g6_set_j_particle_multisend", "iiidddDDDDD|")                              \
    row(kSetJPointMulti, 10, "g6_set_j_particle_multisend_mxfast", "iiidD|")                       \
    /* nj, ni, index, xi, vi, eps2, h2 | acc, jerk, pot, ...; firsthalf: | aold, if read */        \
    row(kFirsthalf, 11, "g6calc_firsthalf", "iiIDDDD|D")                                           \
    row(kLasthalf, 12, "g6calc_lasthalf", "iiIDDDD|DDD")                                           \
    row(kLasthalf2, 13, "g6calc_lasthalf2", "iiIDDDD|DDDI")                                        \
    row(kLasthalf2p, 14, "g6calc_lasthalf2p", "iiIDDDD|DDDIF")                                     \
    /* the same with an eps2 of each i-particle */                                                 \
    row(kFirsthalf0, 15, "g6calc_firsthalf0", "iiIDDDD|D")                                         \
    row(kLasthalf0, 16, "g6calc_lasthalf0", "iiIDDDD|DDD")                                         \
    row(kLasthalf0a, 17, "g6calc_lasthalf0a", "iiIDDDD|DDDI")                                      \
    row(kReadList, 18, "g6_read_neighbour_list", "|")                                              \
    /* ipipe, maxlength | nblen (one element), nbl */                                              \
    row(kGetList, 19, "g6_get_neighbour_list", "ii|II")                                            \
    row(kSetSort, 20, "g6_set_neighbour_list_sort_mode", "i|")                                     \
    row(kSetupNj, 21, "g6_setup_njdata", "i|")                                                     \
    row(kSetNip, 22, "g6_set_nip", "i|")                                                           \
    row(kSetNjp, 23, "g6_set_njp", "i|")                                                           \
    /* address, number, then of each i-particle index, x, v, eps2, h2 */                           \
    row(kSetI, 24, "g6_set_i_particle", "iiIDDDD|")                                                \
    /* | number of pipes, then acc, jerk, phi, nnbindex, flag: empty if the call was refused */    \
    row(kGetForce, 25, "g6_get_force", "|iDDDII")                                                  \
    row(kPredict, 26, "g6_predict", "i|DD")                                                        \
    row(kGetNjMax, 27, "g6_getnjmax", "|")                                                         \
    /* n, address, index, t, mass, k18, j6, a2, v, x */                                            \
    row(kSetJs, 28, "g6_set_j_particles", "iIIDDDDDDD|")                                           \
    row(kSetOption, 29, "g6_set_option", "ss|")                                                    \
    row(kOpenSpecial, 30, "g6_open_special", "iI|")                                                \
    row(kOpenSpecial2, 31, "g6_open_special2", "iIi|")                                             \
    /* address | x, v, acc, jerk, px, pv */                                                        \
    row(kGetJ, 32, "get_j_part_data", "i|DDDDDD")                                                  \
    row(kPrintStatus, 33, "g6_print_chip_status", "|")                                             \
    row(kQuestion, 34, "g6_backend_name and other questions", "|")                                 \
    /* calls that only the hardware needs, without their arguments */                              \
    row(kSetTunit, 35, "g6_set_tunit", "|")                                                        \
    row(kSetXunit, 36, "g6_set_xunit", "|")                                                        \
    row(kInitBuffer, 37, "g6_initialize_jp_buffer", "|")                                           \
    row(kFlushBuffer, 38, "g6_flush_jp_buffer", "|")                                               \
    row(kFlushMulti, 39, "g6_flush_jp_buffer_and_multisend", "|")                                  \
    row(kOverflowMode, 40, "g6_set_overflow_flag_test_mode", "|")                                  \
    /* n, address, eps2 */                                                                         \
    row(kSetJSoftening, 41, "g6_set_j_softening", "iID|")
// clang-format on

enum class Kind : std::uint8_t {
#define G6_TRACE_ROW(kind, value, name, fields) kind = value,
    G6_TRACE_KINDS(G6_TRACE_ROW)
#undef G6_TRACE_ROW
};

struct KindRow {
    const char *name, *fields;
};
// Null for a number that is no kind.
inline const KindRow *find_kind(int kind)
{
    static constexpr KindRow rows[] = {
#define G6_TRACE_ROW(kind, value, name, fields) {name, fields},
        G6_TRACE_KINDS(G6_TRACE_ROW)
#undef G6_TRACE_ROW
    };
    constexpr int count = sizeof rows / sizeof rows[0];
    return kind >= 1 && kind <= count ? &rows[kind - 1] : nullptr;
}

// Bits of RecordHead::flags.
// The record of a lasthalf has no arguments, since they have the same bits as those of the last
// firsthalf of this id.
constexpr unsigned kSameInputs = 1;
constexpr unsigned kAccIsJerk = 2;   // one buffer for both: its content is acc
constexpr unsigned kAllCluster = 4;  // a call named *_all: id means nothing
constexpr unsigned kUntimed = 8;     // start_ns and ns are 0: only some of many writes are timed

struct FileHead {
    char magic[8];
    std::uint32_t version, byte_order;
    std::uint64_t unix_seconds;  // when the recording began
    std::uint64_t process;       // its number
};

enum ChunkType : std::uint32_t { kSettingsChunk = 1, kCallsChunk = 2, kEndChunk = 3 };

struct ChunkHead {
    std::uint32_t mark, type;
    std::uint64_t bytes;       // of the payload
    std::uint64_t first_call;  // number of its first record; the first call of a file is 1
    std::uint64_t calls;       // records in the payload
    std::uint64_t checksum;    // of this struct with checksum = 0, then of the payload
};

struct RecordHead {
    std::uint32_t bytes;  // of the record with this struct
    Kind kind;
    std::uint8_t flags;    // kSameInputs ...
    std::uint16_t thread;  // 0, 1 ... in the order of their first calls
    std::int32_t id;
    std::int32_t status;     // what the call returned
    std::uint64_t start_ns;  // since the recording began
    std::uint64_t ns;        // in the call
};

static_assert(sizeof(FileHead) == 32 && sizeof(ChunkHead) == 40 && sizeof(RecordHead) == 32,
              "the structs of the file have no padding");

// Tells a truncated or changed chunk from a good one.  Takes four independent sums of words of
// eight bytes: sums of single bytes, or one sum alone, would cost more than all else that the
// recorder does.
inline std::uint64_t checksum(const void *data, std::size_t bytes, std::uint64_t seed)
{
    const auto mixed = [](std::uint64_t sum, std::uint64_t word) {
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        return sum ^ sum >> 29;
    };
    const char *at = static_cast<const char *>(data);
    std::uint64_t sums[4] = {seed, seed + 1, seed + 2, seed + 3}, words[4] = {};
    for (std::size_t left = bytes; left >= sizeof words; left -= sizeof words, at += sizeof words) {
        std::memcpy(words, at, sizeof words);
        for (int k = 0; k < 4; k++) sums[k] = mixed(sums[k], words[k]);
    }
    std::memset(words, 0, sizeof words);
    std::memcpy(words, at, bytes % sizeof words);
    std::uint64_t sum = bytes;
    for (int k = 0; k < 4; k++) sum = mixed(sum, mixed(sums[k], words[k]));
    return sum;
}

inline std::uint64_t checksum(ChunkHead head, const void *payload)
{
    head.checksum = 0;
    return checksum(payload, head.bytes, checksum(&head, sizeof head, 0));
}

}  // namespace g6::trace
