// SPDX-License-Identifier: MIT
// The j-particles that the core stages on a fake device between two starts.
//
// Checks of the core:
//  * A slot is reserved before it is staged, and staged once between two starts.
//  * The core does not write to j-particles that it has sent.
//  * All rows between two starts have the same number of words.
#pragma once

#include "contract.h"

#include <cstring>
#include <vector>

namespace g6test {

class StagedRows {
public:
    bool empty() const { return batches_.empty(); }
    double *stage(int n, int words)
    {
        check_sent();
        const bool known = words == g6::kRestWords || words == g6::kLeapWords ||
                           words == g6::kJerkWords || words == g6::kRecordWords;
        if (!known || (!empty() && words != words_)) violation("rows of another number of words");
        words_ = words;
        batches_.emplace_back(std::size_t(n) * std::size_t(words));
        return batches_.back().data();
    }
    // The first n rows staged last are final: what the core would write after this would be lost.
    void send_staged(int n)
    {
        const std::size_t doubles = std::size_t(n) * std::size_t(words_);
        if (n <= 0 || empty() || doubles > batches_.back().size())
            return violation("send_staged of particles that were not staged");
        check_sent();
        sent_.assign(batches_.back().begin(), batches_.back().begin() + long(doubles));
    }
    // Stages what lies staged on another device too.
    void copy(const StagedRows &from) { batches_ = from.batches_, words_ = from.words_; }
    long doubles() const
    {
        long n = 0;
        for (const auto &batch : batches_) n += long(batch.size());
        return n;
    }
    long rows() const { return doubles() / words_; }
    // Writes what is staged to the slots.
    void apply(std::vector<Slot> &slots)
    {
        check_sent();
        std::vector<char> seen(slots.size());
        for (const auto &batch : batches_)
            for (std::size_t k = 0; k < batch.size() / std::size_t(words_); ++k)
                apply(g6::record_from(g6::row_at(batch.data(), words_, k), words_), slots, seen);
        kept_.swap(batches_);  // other devices may read them until the next stage()
        batches_.clear();
    }
    void clear() { batches_.clear(), sent_.clear(); }

private:
    void check_sent()
    {
        if (sent_.empty()) return;
        if (empty() ||
            std::memcmp(sent_.data(), batches_.back().data(), sent_.size() * sizeof(double)) != 0)
            violation("a particle was written after it was sent");
        sent_.clear();
    }
    static void apply(const G6JRecord &record, std::vector<Slot> &slots, std::vector<char> &seen)
    {
        if (record.slot < 0 || record.slot >= int(slots.size()))
            return violation("staged slot was not reserved");
        if (seen[record.slot]++) violation("slot staged twice");
        slots[record.slot].written = true;
        slots[record.slot].j = record;
    }

    std::vector<std::vector<double>> batches_, kept_;
    int words_ = g6::kRestWords;
    std::vector<double> sent_;
};

}  // namespace g6test
