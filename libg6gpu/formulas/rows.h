// SPDX-License-Identifier: MIT
// Rows: records cut off after the last word that some particle needs.
//
// A row is the first `words` doubles of a record; members that it lacks are 0.  All rows of an
// array have the same number of words, enough for the particle that needs the most.  With the
// setting snap = 0, rows on their way to a device have no snap.  A j-particle takes 40 bytes at
// rest, whatever its time, 96 with a velocity or acceleration, 120 with a jerk and 144 with a snap,
// in memory and on its way to a device.  An i-particle that is at rest and has no neighbour radius
// takes 40 bytes, any other one 72.
#pragma once

#include "records.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace g6 {

constexpr int kRestWords = 5;     // x, mass, index and slot
constexpr int kLeapWords = 12;    // and t, v, a2
constexpr int kJerkWords = 15;    // and j6
constexpr int kRecordWords = 18;  // and k18
constexpr int kIdentityWord = 4;  // has the index and the slot
static_assert(sizeof(G6JRecord) == 8 * kRecordWords, "no gaps");

// Of an i-particle.
constexpr int kIRestWords = 5;  // x, eps2, index and aold
constexpr int kIWords = 9;      // and v, h2
static_assert(sizeof(G6IRecord) == 8 * kIWords, "no gaps");

// Row number k of an array.  Only the first `words` doubles of the record exist.
template <class Record = G6JRecord> inline Record &row_at(double *rows, int words, std::size_t k)
{
    return *reinterpret_cast<Record *>(rows + k * static_cast<std::size_t>(words));
}
template <class Record = G6JRecord>
inline const Record &row_at(const double *rows, int words, std::size_t k)
{
    return *reinterpret_cast<const Record *>(rows + k * static_cast<std::size_t>(words));
}

// Fills in all of a row but the slot.  t, v, a2, j6 and k18 are used where the row has them; null
// stands for 0.
inline void fill_row(G6JRecord &row, int words, int index, double mass, const double *x, double t,
                     const double *v, const double *a2, const double *j6, const double *k18)
{
    const auto copy = [](double *to, const double *from) {
        for (int d = 0; d < 3; d++) to[d] = from ? from[d] : 0;
    };
    copy(row.x, x);
    row.mass = mass;
    row.index = index;
    if (words <= kRestWords) return;
    row.t = t;
    copy(row.v, v);
    copy(row.a2, a2);
    if (words > kLeapWords) copy(row.j6, j6);
    if (words > kJerkWords) copy(row.k18, k18);
}

// Copies a row of `words` words to one of `to_words` words, whose further words become 0.
template <class Record>
inline void copy_row(const Record &from, int words, Record &to, int to_words)
{
    const int kept = words < to_words ? words : to_words;
    auto *target = reinterpret_cast<double *>(&to);
    const auto copy = [&](auto n) { std::memcpy(target, &from, n * sizeof(double)); };
    switch (kept) {  // copies of a known size take no call of memcpy()
    case kRecordWords: copy(std::integral_constant<std::size_t, kRecordWords>()); break;
    case kJerkWords: copy(std::integral_constant<std::size_t, kJerkWords>()); break;
    case kLeapWords: copy(std::integral_constant<std::size_t, kLeapWords>()); break;
    case kIWords: copy(std::integral_constant<std::size_t, kIWords>()); break;
    default: copy(static_cast<std::size_t>(kept));
    }
    for (int w = kept; w < to_words; w++) target[w] = 0;
}
template <class Record> inline Record record_from(const Record &row, int words)
{
    Record full;
    copy_row(row, words, full, static_cast<int>(sizeof full / sizeof(double)));
    return full;
}

}  // namespace g6
