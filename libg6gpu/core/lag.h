// SPDX-License-Identifier: MIT
// The j-particles that one device of a set lacks, because they were written for blocks that other
// devices computed.
#pragma once

#include "../particles/jstore.h"

#include <vector>

namespace g6 {

class Lag {
public:
    bool none() const { return addresses_.empty() && !all_; }
    // How many j-particles the device lacks, at any address; high_water when it counts as lacking
    // all.
    int size(int high_water) const
    {
        return all_ ? high_water : static_cast<int>(addresses_.size());
    }
    // The number of particles whose sending counts for the next block, for devices of workers
    // (division.h).  A block loses time when it leaves a device out only because of what the device
    // lacks (leave_out()).  Once blocks have lost as much time as the sending takes, the sending is
    // worth while.  So its time is shared equally among the blocks that have lost time and the
    // next one.
    int price(int high_water) const { return size(high_water) / (1 + left_out_); }
    void leave_out() { left_out_++; }
    // Adds the dirty particles of the store, which the device does not get.  A device that lacks
    // half of all particles counts as lacking all.
    void grow(const JStore &store)
    {
        if (all_) return;
        const auto high = static_cast<size_t>(store.high_water());
        if (marked_.size() < high) marked_.resize(high);
        for (int a : store.dirty()) mark(a);
        if (addresses_.size() < high / 2) return;
        forget_addresses();
        all_ = true;
    }
    // The addresses that the device lacks and those that are dirty, each of them once.
    Addresses with_dirty(const JStore &store) const
    {
        if (!all_) {
            Addresses both = addresses_;
            for (int a : store.dirty())
                if (!lacks(a)) both.push_back(a);
            return both;
        }
        Addresses written;
        written.reserve(static_cast<size_t>(store.high_water()));
        for (int a = 0; a < store.high_water(); a++)
            if (store.written(a)) written.push_back(a);
        return written;
    }
    // Whether the device lacks all.  Otherwise with_dirty() has what it lacks.
    bool all() const { return all_; }
    void clear()
    {
        forget_addresses();
        all_ = false;
        left_out_ = 0;
    }

private:
    void forget_addresses()
    {
        for (int a : addresses_) marked_[static_cast<size_t>(a)] = 0;
        addresses_.clear();
    }
    bool lacks(int a) const
    {
        return static_cast<size_t>(a) < marked_.size() && marked_[static_cast<size_t>(a)];
    }
    void mark(int a)
    {
        if (lacks(a)) return;
        addresses_.push_back(a);
        marked_[static_cast<size_t>(a)] = 1;
    }

    Addresses addresses_;       // each once
    std::vector<char> marked_;  // [address]: whether addresses_ has it
    bool all_ = false;
    int left_out_ = 0;  // blocks since clear()
};

}  // namespace g6
