// SPDX-License-Identifier: MIT
// The j-particles that the core stages on a fake device between two starts.
//
// Checked of the core
//  * A slot is reserved before it is staged, and staged once between two starts.
//  * What it has sent, it does not write any more.
#pragma once

#include "contract.h"

#include <cstring>
#include <vector>

namespace g6test {

class StagedMasses {
public:
    bool empty() const { return records_.empty() && points_.empty(); }
    G6JRecord *stage_records(int n)
    {
        records_.emplace_back(n);
        return records_.back().data();
    }
    G6JPoint *stage_points(int n)
    {
        sent_.clear();
        points_.emplace_back(n);
        return points_.back().data();
    }
    // The first n points are final: what the core would write after this would be lost.
    void send_points(int n)
    {
        if (points_.empty() || n <= 0 || n > int(points_.back().size()))
            return violation("send_points of points that were not staged");
        sent_.assign(points_.back().begin(), points_.back().begin() + n);
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
    std::vector<G6JPoint> sent_;
};

inline void StagedMasses::apply(std::vector<Slot> &slots)
{
    if (!sent_.empty() &&
        std::memcmp(sent_.data(), points_.back().data(), sent_.size() * sizeof sent_[0]) != 0)
        violation("a point was written after it was sent");
    sent_.clear();
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
