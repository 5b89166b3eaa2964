// SPDX-License-Identifier: MIT
// Checks a client's arrays of j-particles, and finds the words and the sizes of their values.
#include "j_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace g6 {
namespace {

// Whether one of n numbers is NaN or infinite.
bool any_not_finite(const double *u, int n)
{
    std::uint64_t all = 0;
    for (int k = 0; k < n; k++) all |= raised_exponent(u[k]);
    return all >> 63;
}
bool any_not_finite(const double (*u)[3], int first, int last)
{
    return u && any_not_finite(u[first], 3 * (last - first));
}

// Whether one of n numbers is not zero.
bool any(const double *u, int n)
{
    std::uint64_t all = 0;
    for (int k = 0; k < n; k++) {
        std::uint64_t bits;
        std::memcpy(&bits, &u[k], sizeof bits);
        all |= bits;
    }
    return all << 1;  // without the signs
}
bool any(const double (*u)[3], int first, int last)
{
    return u && any(u[first], 3 * (last - first));
}

// The largest |component|.
double largest_of(const double (*u)[3], int first, int last)
{
    double most[3] = {0, 0, 0};
    for (int k = first; u && k < last; k++)
        for (int d = 0; d < 3; d++) most[d] = std::max(most[d], std::fabs(u[k][d]));
    return largest(most);
}

}  // namespace

void JSurvey::add(const JSurvey &other)
{
    good = good && other.good;
    words = std::max(words, other.words);
    sizes.add(other.sizes);
}

JSurvey survey(const JArrays &j, int first, int last)
{
    const int n = last - first;
    JSurvey found;
    bool bad = any_not_finite(j.mass + first, n) || (j.t && any_not_finite(j.t + first, n));
    for (const auto *u : {j.x, j.v, j.a2, j.j6, j.k18}) bad = bad || any_not_finite(u, first, last);
    for (int k = first; k < last; k++) bad = bad || !is_slot(j.address_of(k));
    found.good = !bad;
    if (bad) return found;
    if (any(j.k18, first, last))
        found.words = kRecordWords;
    else if (any(j.j6, first, last))
        found.words = kJerkWords;
    else if (any(j.v, first, last) || any(j.a2, first, last))
        found.words = kLeapWords;
    double mass = 0;
    for (int k = first; k < last; k++) mass = std::max(mass, std::fabs(j.mass[k]));
    found.sizes.add(mass, largest_of(j.v, first, last), largest_of(j.x, first, last));
    return found;
}

}  // namespace g6
