// SPDX-License-Identifier: MIT
// The j-particles of one g6_set_j_particles(), in the client's arrays.
#pragma once

#include "../backend.h"
#include "../particles/store_units.h"

#include <climits>

namespace g6 {

// Whether a slot can have this address.  INT_MAX cannot, because nj, an int, is one more.
inline bool is_slot(int address)
{
    return address >= 0 && address < INT_MAX;
}

// Arrays of one element for each particle, or null.
struct JArrays {
    const int *address, *index;        // null: first ... first+n-1; the addresses
    const double *t, *mass;            // t null: 0
    const double (*k18)[3], (*j6)[3];  // null: 0, as are a2 and v
    const double (*a2)[3], (*v)[3], (*x)[3];
    int first = 0;

    int address_of(int k) const { return address ? address[k] : first + k; }
    int index_of(int k) const { return index ? index[k] : address_of(k); }
    double t_of(int k) const { return t ? t[k] : 0; }

    // Words of the rows of these particles, by the arrays that are there (formulas/rows.h).
    int words() const
    {
        return k18 ? kRecordWords : j6 ? kJerkWords : a2 || v ? kLeapWords : kRestWords;
    }
    // Fills in a row, except the slot.
    void copy(int k, G6JRecord &row, int words) const
    {
        const auto of = [k](const double(*u)[3]) { return u ? u[k] : nullptr; };
        fill_row(row, words, index_of(k), mass[k], x[k], t_of(k), of(v), of(a2), of(j6), of(k18));
    }
};

// Properties of several particles together.
struct JSurvey {
    bool good = true;  // all values are finite, and all addresses are in range
    // Only if good:
    int words = kRestWords;  // of rows that hold the particles (formulas/rows.h)
    Sizes sizes;

    void add(const JSurvey &other);
};

// The survey of the particles first ... last-1.  It reads array by array, which takes a third of
// the time that reading particle by particle takes.
JSurvey survey(const JArrays &j, int first, int last);

}  // namespace g6
