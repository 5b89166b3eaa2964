// SPDX-License-Identifier: MIT
// Sorts by 8 bits in each pass, from the lowest bits on.  Each thread counts the digits in its part
// of the data, the counts are turned into places, and each thread copies its pairs to their places.
#include "sort.h"

#include "../base/parallel.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace g6 {
namespace {

constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;

// For one thread's part of the data and each digit: the number of keys with this digit, later the
// place where the next pair with this digit goes.
struct DigitCounts {
    std::size_t of[kDigits];
};

void count(const KeyValue *data, std::size_t first, std::size_t last, int shift, DigitCounts &c)
{
    std::fill(c.of, c.of + kDigits, 0);
    for (std::size_t k = first; k < last; k++) c.of[(data[k].key >> shift) & (kDigits - 1)]++;
}

void scatter(const KeyValue *from, KeyValue *to, std::size_t first, std::size_t last, int shift,
             DigitCounts &c)
{
    for (std::size_t k = first; k < last; k++)
        to[c.of[(from[k].key >> shift) & (kDigits - 1)]++] = from[k];
}

// Turns counts into offsets.  False when all keys have the same digit, so that the pass is
// needless.
bool to_offsets(std::vector<DigitCounts> &parts, std::size_t n)
{
    std::size_t at = 0;
    for (int d = 0; d < kDigits; d++) {
        const std::size_t before = at;
        for (DigitCounts &part : parts) {
            const std::size_t here = part.of[d];
            part.of[d] = at;
            at += here;
        }
        if (at - before == n) return false;
    }
    return true;
}

}  // namespace

void radix_sort(KeyValue *data, KeyValue *spare, std::size_t n, int bits, int threads)
{
    const std::size_t most = static_cast<std::size_t>(std::max(1, threads)),
                      parts = std::max<std::size_t>(1, std::min(most, n / kTreeLeast));
    std::vector<DigitCounts> counts(parts);
    const int workers = parts > 1 ? threads : 1;
    KeyValue *from = data, *to = spare;
    for (int shift = 0; shift < bits && n > 1; shift += kDigitBits) {
        auto bound = [&](std::size_t part) { return n * part / parts; };
        parallel_for(workers, parts,
                     [&](std::size_t p) { count(from, bound(p), bound(p + 1), shift, counts[p]); });
        if (!to_offsets(counts, n)) continue;
        parallel_for(workers, parts, [&](std::size_t p) {
            scatter(from, to, bound(p), bound(p + 1), shift, counts[p]);
        });
        std::swap(from, to);
    }
    if (from != data) std::copy(from, from + n, data);
}

}  // namespace g6
