// SPDX-License-Identifier: MIT
// A set of numbers 0 ... size-1, one bit each: of a million numbers it stays in a core's cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace g6 {

class Bits {
public:
    // Makes the size n, or a little more.  New numbers are not in the set.
    void resize(std::size_t n) { words_.resize((n + 63) / 64); }
    bool has(int k) const { return words_[word(k)] >> (k & 63) & 1; }
    void add(int k) { words_[word(k)] |= bit(k); }
    // Adds k and returns whether it is new to the set.
    bool add_new(int k)
    {
        const bool missing = !has(k);
        add(k);
        return missing;
    }
    // Threads may change the set at the same time when no two of them change one word.
    static bool same_word(int k, int l) { return word(k) == word(l); }
    // Empties the set.  members: all numbers that are in it.
    void remove_all(const std::vector<int> &members)
    {
        if (members.size() > words_.size())
            std::fill(words_.begin(), words_.end(), 0);
        else
            for (int k : members) words_[word(k)] = 0;
    }
    void clear() { words_.clear(); }

private:
    static std::size_t word(int k) { return static_cast<std::size_t>(k) / 64; }
    static std::uint64_t bit(int k) { return std::uint64_t{1} << (k & 63); }

    std::vector<std::uint64_t> words_;
};

}  // namespace g6
