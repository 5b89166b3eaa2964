// SPDX-License-Identifier: MIT
// Hilbert keys by a table of 24 orientations, which the compiler makes from the rules of Hamilton
// (2006, Dalhousie Univ. Tech. Rep. CS-2006-07, algorithm 2): an orientation is the corner where
// the curve enters the cell and the axis along which it leaves.
#include "keys.h"

namespace g6 {
namespace {

struct CurveStep {
    std::uint8_t digit;  // number of the octant along the curve, or of both octants
    std::uint8_t next;   // orientation of the curve in that octant
};

struct Orientations {
    CurveStep step[24][8];    // [orientation][octant: x + 2 y + 4 z]
    CurveStep twice[24][64];  // two levels at once
};

constexpr unsigned gray(unsigned i)
{
    return i ^ (i >> 1);
}

constexpr unsigned trailing_ones(unsigned i)
{
    unsigned n = 0;
    for (; i & 1; i >>= 1) n++;
    return n;
}

constexpr unsigned rotate_right(unsigned bits, unsigned n)
{
    n %= 3;
    return ((bits >> n) | (bits << (3 - n))) & 7u;
}

constexpr Orientations make_orientations()
{
    Orientations table{};
    for (unsigned entry = 0; entry < 8; entry++)
        for (unsigned axis = 0; axis < 3; axis++)
            for (unsigned digit = 0; digit < 8; digit++) {
                // Hamilton's e(w) and d(w), and the octant whose digit this is.
                const unsigned e = digit ? gray(2 * ((digit - 1) / 2)) : 0;
                const unsigned d = digit == 0  ? 0
                                   : digit % 2 ? trailing_ones(digit)
                                               : trailing_ones(digit - 1);
                const unsigned left = 3 - (axis + 1) % 3;  // rotate left by axis + 1
                const unsigned octant = rotate_right(gray(digit), left) ^ entry;
                const unsigned to_entry = entry ^ rotate_right(e, left);
                const unsigned to_axis = (axis + d + 1) % 3;
                table.step[entry * 3 + axis][octant] = {
                    static_cast<std::uint8_t>(digit),
                    static_cast<std::uint8_t>(to_entry * 3 + to_axis)};
            }
    for (int state = 0; state < 24; state++)
        for (int octants = 0; octants < 64; octants++) {
            const CurveStep first = table.step[state][octants >> 3],
                            second = table.step[first.next][octants & 7];
            table.twice[state][octants] = {
                static_cast<std::uint8_t>(first.digit << 3 | second.digit), second.next};
        }
    return table;
}

}  // namespace

std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z)
{
    static constexpr Orientations table = make_orientations();
    const std::uint64_t octants = g6_interleave(z, y, x);
    static_assert(kKeyLevels % 2 == 1, "one level alone, then two at once");
    constexpr int kTop = 3 * (kKeyLevels - 1);
    const CurveStep top = table.step[0][octants >> kTop & 7];
    std::uint64_t key = top.digit;
    unsigned state = top.next;
    for (int shift = kTop - 6; shift >= 0; shift -= 6) {
        const CurveStep s = table.twice[state][octants >> shift & 63];
        key = key << 6 | s.digit;
        state = s.next;
    }
    return key;
}

}  // namespace g6
