// SPDX-License-Identifier: MIT
// Particles that tests of the store tell apart by one number: x[0].
#pragma once

#include "libg6gpu/particles/jstore_many.h"

namespace g6test {

inline void write_at_rest(g6::JStore &store, int address, double value, bool point_call = true)
{
    const double x[3] = {value, 0, 0};
    store.write_point(address, x, 1, address, point_call);
}

inline void write(g6::JStore &store, int address, double value, bool point = false)
{
    if (point) return write_at_rest(store, address, value);
    G6JRecord &r = store.write(address);
    const int slot = r.slot;
    r = G6JRecord{};
    r.slot = slot;
    r.x[0] = value;
    r.mass = 1;
    r.index = address;
}

// As a client's call with many particles does.
template <class Record, class Address, class Fill>
void write_many(g6::JStore &store, int n, const Address &address, const Fill &fill)
{
    g6::JStore::ManyAddresses all;
    for (int k = 0; k < n; ++k) all.add(k, address, store);
    store.write_many<Record>(n, all, address, fill);
}

}  // namespace g6test
