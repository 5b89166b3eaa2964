// SPDX-License-Identifier: MIT
// Converts bodies and i-particles to the words that kernels read, and their sums to results.
#include "float_pairs.h"

#include <cstring>

namespace g6::opencl {

Body body_of(const TreeView &t, std::size_t k)
{
    Body b{{t.x[0][k], t.x[1][k], t.x[2][k]}, {}, t.mass[k]};
    for (int c = 0; c < 3 && t.v[0]; c++) b.v[c] = t.v[c][k];
    return b;
}

void put_body(char *to, std::size_t step, int words, const Body &b)
{
    const float word[3][4] = {
        {high_part(b.x[0]), high_part(b.x[1]), high_part(b.x[2]), high_part(b.m)},
        {low_part(b.x[0]), low_part(b.x[1]), low_part(b.x[2]), high_part(b.v[0])},
        {high_part(b.v[1]), high_part(b.v[2]), 0, 0}};
    for (int w = 0; w < words; w++)
        std::memcpy(to + static_cast<std::size_t>(w) * step, word[w], sizeof word[w]);
}

void put_i(float *value, std::size_t n, std::size_t k, const G6IRecord &i)
{
    for (std::size_t c = 0; c < 3; c++) {
        value[c * n + k] = high_part(i.x[c]);
        value[(3 + c) * n + k] = high_part(i.v[c]);
        value[(7 + c) * n + k] = low_part(i.x[c]);
    }
    value[6 * n + k] = high_part(i.eps2);
}

G6Sums sums_of(const char *sums, int n, bool fp64, const G6Units &units)
{
    const char *from = sums + static_cast<std::size_t>(n) * kSumBytes;
    double sum[7];
    float part[7][2];
    static_assert(sizeof sum == kSumBytes && sizeof part == kSumBytes);
    std::memcpy(sum, from, kSumBytes);
    std::memcpy(part, from, kSumBytes);
    for (int k = 0; k < 7 && !fp64; k++) sum[k] = static_cast<double>(part[k][0]) + part[k][1];
    G6Sums s{};
    s.nn_slot = -1;
    g6_put_result(s, units, sum, sum + 3, sum[6]);
    return s;
}

}  // namespace g6::opencl
