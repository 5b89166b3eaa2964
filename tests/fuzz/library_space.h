// SPDX-License-Identifier: MIT
// The memory from which the library reads a call's arrays and into which it writes its results.
#pragma once

#include "library.h"

#include <cstring>

namespace g6fuzz {

// A copy of an input that the library may read and must not change.
template <class T> struct Input {
    std::vector<T> copy;
    const T *from = nullptr;

    T *take(const T *values, size_t n)
    {
        from = values;
        if (!values) return nullptr;
        copy.assign(values, values + n);
        copy.push_back(T{});  // so that data() of nothing is a pointer, too
        return copy.data();
    }
    bool unchanged() const
    {
        const size_t bytes = from ? (copy.size() - 1) * sizeof(T) : 0;  // NaN counts as itself
        return bytes == 0 || std::memcmp(copy.data(), from, bytes) == 0;
    }
    // What a library that kept the pointer would read.
    void spoil()
    {
        if (!copy.empty()) std::memset(copy.data(), 0xff, copy.size() * sizeof(T));
    }
};

struct Library::Space {
    Input<int> index;
    Input<double> x, v, aold, j6old, phiold, eps2, h2;
    std::vector<double> acc, jerk, pot;
    std::vector<int> nearest, flag, list;
    std::vector<float> distance;
    std::vector<char> text;

    void clear_outputs(size_t n)
    {
        acc.assign(3 * n, kUntouched), jerk.assign(3 * n, kUntouched);
        pot.assign(n, kUntouched);
        nearest.assign(n, kUntouchedInt), flag.assign(n, kUntouchedInt);
        distance.assign(n, static_cast<float>(kUntouched));
    }
    bool inputs_unchanged() const
    {
        return index.unchanged() && x.unchanged() && v.unchanged() && aold.unchanged() &&
               j6old.unchanged() && phiold.unchanged() && eps2.unchanged() && h2.unchanged();
    }
    void spoil_inputs()
    {
        index.spoil();
        for (Input<double> *in : {&x, &v, &aold, &j6old, &phiold, &eps2, &h2}) in->spoil();
    }
};

}  // namespace g6fuzz
