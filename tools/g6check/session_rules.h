// SPDX-License-Identifier: MIT
// The rules that a client of the interface keeps or breaks, as its recorded session shows.
//
// A rule has one of two grades, for what a client must expect that breaks it:
//     broken      libg6gpu too gives a wrong or empty result, or refuses the call
//     here only   libg6gpu gives the right result, the hardware or another library does not
#pragma once

#include <array>

namespace g6check {

// name, grade, what the client does, what to do about it.
// clang-format off
#define G6CHECK_SESSION_RULES(row)                                                                                    \
    row(kRefused, "call-refused", kBroken, "a call returns a status below 0",                                         \
        "g6_last_error(), or the line on stderr, says what is wrong with the arguments")                              \
    row(kFaultIgnored, "fault-ignored", kBroken, "a lasthalf fails, and the client goes on as if it had succeeded",     \
        "test the status of lasthalf: its results are 0")                                                             \
    row(kNotFinite, "input-not-finite", kBroken, "a value that is sent is NaN or infinite",                           \
        "find the earlier step that makes the NaN or infinity; a refused j-particle keeps its old values")            \
    row(kAddress, "address-negative", kBroken, "the address of a j-particle is negative",                             \
        "addresses count from 0, in Fortran too")                                                                     \
    row(kForgotten, "particles-forgotten", kBroken, "a block after g6_close, and no j-particle was sent since",       \
        "send all j-particles after g6_open: closing forgets them")                                                   \
    row(kEmptySlots, "slots-empty", kBroken, "nj is beyond the slots that were written",                              \
        "addresses count from 0, in Fortran too, and nj is the highest one + 1; an empty slot acts on nobody here")  \
    row(kTimeNotSet, "time-not-set", kBroken, "a block without g6_set_ti, though j-particles have other times",       \
        "call g6_set_ti before each block: otherwise all j-particles are predicted to time 0")                                   \
    row(kBlockChanged, "block-changed", kBroken, "lasthalf has other particles than its firsthalf",                   \
        "give both halves the same nj, ni, index, xi, vi, eps2, h2: the results are those of firsthalf's")            \
    row(kIndexOfFar, "index-of-another", kBroken, "an i-particle has the index of a j-particle that is far from it",  \
        "the i-particle loses that j-particle's force: give each particle one index, and test particles one that no j-particle has, as -1")          \
    row(kListNoRadius, "list-without-radius", kBroken, "lists are read of a block whose h2 are all 0 or NULL",        \
        "give firsthalf the squares of the neighbour radii: all lists are empty")                                     \
    row(kListCut, "list-cut-off", kBroken, "a list was longer than maxlength, and is not asked for again",            \
        "when g6_get_neighbour_list returns 1, call it again with a larger array, or shrink h2")                      \
    row(kNotOpen, "nothing-open", kHereOnly, "a call while no cluster is open",                                       \
        "call g6_open first; here the call opens the cluster")                                                        \
    row(kOtherId, "other-id", kHereOnly, "a call with another id than the open one",                                  \
        "use the id that was opened; here the single open cluster serves any id")                                     \
    row(kManyI, "above-pipes", kHereOnly, "ni is above g6_npipes()",                                                  \
        "send g6_npipes() i-particles in a call; the hardware crashes, here the block is divided")                    \
    row(kAlone, "lasthalf-alone", kHereOnly, "lasthalf without a firsthalf of this nj and ni",                        \
        "call g6calc_firsthalf first; elsewhere the results are those of an older block")                             \
    row(kDropped, "firsthalf-dropped", kHereOnly, "two firsthalfs without a lasthalf between them",                   \
        "collect each block; here the last one counts")                                                               \
    row(kBetween, "write-between-halves", kHereOnly, "a j-particle or the time is set between the halves",            \
        "set it after lasthalf; elsewhere the block may mix old and new values")                                         \
    row(kUnflushed, "buffer-not-flushed", kHereOnly, "g6_initialize_jp_buffer, and a block without g6_flush_jp_buffer",  \
        "flush after the writes; the hardware computes with the old particles")                                       \
    row(kAhead, "time-ahead", kHereOnly, "the time of a j-particle is ahead of that of the block",                    \
        "call g6_set_ti before each block, unless this is meant; the hardware predicts modulo dtj")                                                      \
    row(kNoStep, "step-zero", kHereOnly, "dtj is 0",                                                                  \
        "the hardware refuses a dtj of 0; here dtj has no effect")                                                            \
    row(kShared, "index-shared", kHereOnly, "an i-particle has the index of several j-particles",                     \
        "give each particle an index of its own: an i-particle feels none of those with its index")                   \
    row(kSamePlace, "same-place", kHereOnly, "an i-particle lies exactly on a j-particle with another index",         \
        "if both are one particle, give both one index: else -m/eps is added to its potential")                       \
    row(kListUnread, "list-not-read", kHereOnly, "g6_get_neighbour_list before g6_read_neighbour_list",               \
        "read the lists after each block; elsewhere the lists are those of an older block")                                \
    row(kPipe, "pipe-outside-block", kHereOnly, "a list is asked for of a pipe that the block does not have",         \
        "pipes count from 0 to ni - 1, in Fortran too; the list of a pipe beyond the block is empty")                 \
    row(kListTwice, "list-read-twice", kHereOnly, "g6_read_neighbour_list twice for one block",                       \
        "read the lists once; elsewhere the second reading may fail")
// clang-format on

enum class Grade { kBroken, kHereOnly };

enum class SessionRule {
#define G6CHECK_SESSION_ROW(rule, name, grade, what, remedy) rule,
    G6CHECK_SESSION_RULES(G6CHECK_SESSION_ROW)
#undef G6CHECK_SESSION_ROW
};

struct SessionRuleRow {
    const char *name;
    Grade grade;
    const char *what, *remedy;
};
#define G6CHECK_SESSION_ROW(rule, name, grade, what, remedy) +1
constexpr int kSessionRules = 0 G6CHECK_SESSION_RULES(G6CHECK_SESSION_ROW);
#undef G6CHECK_SESSION_ROW

inline const std::array<SessionRuleRow, kSessionRules> &session_rules()
{
    static const std::array<SessionRuleRow, kSessionRules> rows = {{
#define G6CHECK_SESSION_ROW(rule, name, grade, what, remedy) {name, Grade::grade, what, remedy},
        G6CHECK_SESSION_RULES(G6CHECK_SESSION_ROW)
#undef G6CHECK_SESSION_ROW
    }};
    return rows;
}

}  // namespace g6check
