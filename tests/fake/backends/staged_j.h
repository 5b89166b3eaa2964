// SPDX-License-Identifier: MIT
// The j-particles that the core stages on a fake device between two starts.
//
// Checked of the core
//  * A slot is reserved before it is staged, and staged once between two starts.
//  * What it has sent, it does not write any more.
#pragma once

#include "contract.h"

#include <algorithm>
#include <vector>

namespace g6test {

class StagedMasses {
public:
    bool empty() const { return records_.empty() && points_.empty(); }
    G6JRecord *stage_records(int n)
    {
        check_sent();
        last_are_points_ = false;
        records_.emplace_back(n);
        return records_.back().data();
    }
    G6JPoint *stage_points(int n)
    {
        check_sent();
        last_are_points_ = true;
        points_.emplace_back(n);
        return points_.back().data();
    }
    // The first n particles staged last are final: what the core would write after this would be
    // lost.
    void send_staged(int n)
    {
        const std::vector<char> sent = bytes_of_last(n);
        if (n <= 0 || sent.empty())
            return violation("send_staged of particles that were not staged");
        check_sent();
        sent_ = sent;
    }
    // Stages what lies staged on another device too.
    void copy(const StagedMasses &from) { records_ = from.records_, points_ = from.points_; }
    long records() const { return count(records_); }
    long points() const { return count(points_); }
    // Writes what is staged to the slots.
    void apply(std::vector<Slot> &slots);
    void clear() { records_.clear(), points_.clear(), sent_.clear(); }

private:
    template <class Batches> static long count(const Batches &batches)
    {
        long n = 0;
        for (const auto &batch : batches) n += long(batch.size());
        return n;
    }
    // The first n particles of the last batch, or all with n < 0; empty where there are not so
    // many.
    std::vector<char> bytes_of_last(int n) const
    {
        const auto bytes = [&](const auto &batches) {
            if (batches.empty() || n > int(batches.back().size())) return std::vector<char>();
            const auto &last = batches.back();
            const auto *first = reinterpret_cast<const char *>(last.data());
            const std::size_t count = n < 0 ? last.size() : std::size_t(n);
            return std::vector<char>(first, first + count * sizeof last[0]);
        };
        return last_are_points_ ? bytes(points_) : bytes(records_);
    }
    void check_sent()
    {
        const std::vector<char> now = bytes_of_last(-1);
        if (!std::equal(sent_.begin(), sent_.end(), now.begin()))
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

    std::vector<std::vector<G6JRecord>> records_, kept_;
    std::vector<std::vector<G6JPoint>> points_, kept_points_;
    bool last_are_points_ = false;
    std::vector<char> sent_;
};

inline void StagedMasses::apply(std::vector<Slot> &slots)
{
    check_sent();
    std::vector<char> seen(slots.size());
    for (const auto &records : records_)
        for (const G6JRecord &r : records) apply(r, slots, seen);
    for (const auto &points : points_)
        for (const G6JPoint &p : points)
            apply({{p.x[0], p.x[1], p.x[2]}, {}, {}, {}, {}, p.mass, 0, p.index, p.slot}, slots,
                  seen);
    // Other devices may read them until the next stage().
    kept_.swap(records_);
    kept_points_.swap(points_);
    records_.clear();
    points_.clear();
}

}  // namespace g6test
