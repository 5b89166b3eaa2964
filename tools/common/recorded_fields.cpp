// SPDX-License-Identifier: MIT
// Reads the numbers and arrays of a record one after another, never beyond its end, and checks the
// lengths of the arrays against the counts among the numbers.
#include "recorded_fields.h"

#include <algorithm>
#include <cstring>

namespace g6tools {
namespace {

using namespace g6::trace;

class Bytes {
public:
    Bytes(const char *at, const char *end) : at_(at), end_(end) {}

    template <class T> bool number(std::vector<T> &to)
    {
        T value;
        if (left() < sizeof value) return false;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        to.push_back(value);
        return true;
    }
    template <class T> bool array(std::vector<RecordedArray<T>> &to)
    {
        std::vector<std::int32_t> count;
        if (!number(count)) return false;
        RecordedArray<T> a;
        const std::int64_t n = count[0];
        a.null = n == -1;
        if (n < -2 - std::int64_t{kMostZeros}) return false;
        if (n < -1) a.v.resize(static_cast<std::size_t>(-2 - n));
        if (n > 0) {
            const auto elements = static_cast<std::size_t>(n);
            if (elements > left() / sizeof(T)) return false;
            a.v.resize(elements);
            std::memcpy(a.v.data(), at_, elements * sizeof(T));
            at_ += elements * sizeof(T);
        }
        to.push_back(std::move(a));
        return true;
    }
    bool at_end() const { return at_ == end_; }

private:
    std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
    const char *at_, *end_;
};

template <class T> bool is(const RecordedArray<T> &a, std::int64_t count)
{
    return a.null || static_cast<std::int64_t>(a.size()) == std::max<std::int64_t>(count, 0);
}

// Whether all arrays from number `first` on have `count` elements or are NULL.
template <class T>
bool all_are(const std::vector<RecordedArray<T>> &arrays, std::size_t first, std::int64_t count)
{
    return std::all_of(arrays.begin() + static_cast<std::ptrdiff_t>(first), arrays.end(),
                       [&](const RecordedArray<T> &a) { return is(a, count); });
}

bool block_fits(const RecordedCall &c)
{
    const std::int64_t ni = std::max(c.i[1], 0);
    const auto &d = c.doubles;
    const bool softenings = is(d[kEps2], 1) || is(d[kEps2], ni);
    if (!softenings || !is(d[kXi], 3 * ni) || !is(d[kVi], 3 * ni) || !is(d[kH2], ni)) return false;
    if (is_firsthalf(c.kind)) return is(c.ints[kIndex], ni) && is(d[kOld], 3 * ni);
    return all_are(c.ints, 0, ni) && all_are(c.floats, 0, ni) && is(d[kAcc], 3 * ni) &&
           is(d[kJerk], 3 * ni) && is(d[kPot], ni);
}

bool pipes_fit(const RecordedCall &c)
{
    const std::int64_t n = c.i[1];
    const auto &d = c.doubles;
    return is(c.ints[0], n) && is(d[0], 3 * n) && is(d[1], 3 * n) && is(d[2], n) && is(d[3], n);
}

bool bulk_fits(const RecordedCall &c)
{
    const std::int64_t n = c.i[0];
    return all_are(c.ints, 0, n) && is(c.doubles[0], n) && is(c.doubles[1], n) &&
           all_are(c.doubles, 2, 3 * n);
}

// The arrays have the forces of all pipes, or are empty when the call was refused.
bool force_fits(const RecordedCall &c)
{
    const std::int64_t n = c.status < 0 ? 0 : c.i[0];
    const auto &d = c.doubles;
    return is(d[0], 3 * n) && is(d[1], 3 * n) && is(d[2], n) && all_are(c.ints, 0, n);
}

// A list has as many entries as its length says, and no more than the client had room for.
bool list_fits(const RecordedCall &c)
{
    if (!is(c.ints[0], 1)) return false;
    const int length = c.ints[0].null ? 0 : c.ints[0].v[0];
    return length >= 0 && length <= std::max(c.i[1], 0) && is(c.ints[1], length);
}

}  // namespace

bool read_fields(const char *fields, const char *at, const char *end, RecordedCall &call)
{
    Bytes bytes(at, end);
    for (; *fields; fields++) {
        const bool good = *fields == '|'   ? true
                          : *fields == 'i' ? bytes.number(call.i)
                          : *fields == 'd' ? bytes.number(call.d)
                          : *fields == 'I' ? bytes.array(call.ints)
                          : *fields == 'D' ? bytes.array(call.doubles)
                          : *fields == 'F' ? bytes.array(call.floats)
                                           : bytes.array(call.texts);
        if (!good) return false;
    }
    return bytes.at_end();
}

bool lengths_fit(const RecordedCall &c)
{
    switch (c.kind) {
    case Kind::kSetJ:
    case Kind::kSetJPoint:
    case Kind::kSetJMulti:
    case Kind::kSetJPointMulti:
    case Kind::kGetJ: return all_are(c.doubles, 0, 3);
    case Kind::kSetI: return pipes_fit(c);
    case Kind::kSetJs: return bulk_fits(c);
    case Kind::kSetJSoftening: return all_are(c.ints, 0, c.i[0]) && all_are(c.doubles, 0, c.i[0]);
    case Kind::kGetForce: return force_fits(c);
    case Kind::kGetList: return list_fits(c);
    case Kind::kOpenSpecial:
    case Kind::kOpenSpecial2: return all_are(c.ints, 0, c.i[0]);
    // Nothing is predicted when the call is refused.
    case Kind::kPredict:
        return all_are(c.doubles, 0, c.i[0] * std::int64_t{3}) || all_are(c.doubles, 0, 0);
    default: return is_firsthalf(c.kind) || is_lasthalf(c.kind) ? block_fits(c) : true;
    }
}

}  // namespace g6tools
