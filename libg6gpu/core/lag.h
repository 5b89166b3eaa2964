// SPDX-License-Identifier: MIT
// The j-particles that one device of a set lacks, because they were written for blocks that other
// devices computed or that walked the host's tree.
#pragma once

#include "../particles/jstore.h"

#include <vector>

namespace g6 {

class Lag {
public:
    bool none() const { return addresses_.empty() && !all_; }
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
        Addresses lacking;
        for (int a = 0; all_ && a < store.high_water(); a++)
            if (store.written(a)) lacking.add(a);
        if (all_) return lacking;
        for (int a : addresses_) lacking.add(a);
        for (int a : store.dirty())
            if (!lacks(a)) lacking.add(a);
        return lacking;
    }
    // Whether the device lacks all.  Otherwise with_dirty() has what it lacks.
    bool all() const { return all_; }
    void clear()
    {
        forget_addresses();
        all_ = false;
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
        addresses_.add(a);
        marked_[static_cast<size_t>(a)] = 1;
    }

    Addresses addresses_;       // each once
    std::vector<char> marked_;  // [address]: whether addresses_ has it
    bool all_ = false;
};

}  // namespace g6
