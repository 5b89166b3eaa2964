// SPDX-License-Identifier: MIT
// The i-particles that the core stages on a fake device, as records or as points.
//
// Checked of the core: what it has sent, it does not write any more.
#pragma once

#include "contract.h"

#include <cstring>
#include <vector>

namespace g6test {

class StagedParticles {
public:
    G6IRecord *stage_records(int n)
    {
        forget_sent(false);
        records_.assign(std::size_t(n), G6IRecord{});
        return records_.data();
    }
    G6IPoint *stage_points(int n)
    {
        forget_sent(true);
        points_.assign(std::size_t(n), G6IPoint{});
        return points_.data();
    }
    // The first n of the last staged ones are final.
    void send(int n);
    void check_sent() const;
    // form: Block::i_staged.
    std::size_t size(g6::StagedI form) const
    {
        return form == g6::StagedI::kPoints ? points_.size() : records_.size();
    }
    G6IRecord record(std::size_t at, g6::StagedI form) const
    {
        return form == g6::StagedI::kPoints ? all_of(points_[at]) : records_[at];
    }
    // Whoever reads them after this gets wrong results.
    void spoil()
    {
        for (G6IRecord &i : records_) const_cast<volatile double &>(i.x[0]) = NAN;
        for (G6IPoint &i : points_) const_cast<volatile double &>(i.x[0]) = NAN;
    }

private:
    static G6IRecord all_of(const G6IPoint &p)
    {
        return {{p.x[0], p.x[1], p.x[2]}, {}, p.eps2, 0, p.index, p.aold};
    }
    void forget_sent(bool points)
    {
        sent_records_.clear(), sent_points_.clear(), are_points_ = points;
    }

    std::vector<G6IRecord> records_;
    std::vector<G6IPoint> points_;
    std::vector<G6IRecord> sent_records_;  // as they were when they were sent
    std::vector<G6IPoint> sent_points_;
    bool are_points_ = false;  // the last that were staged
};

inline void StagedParticles::send(int n)
{
    const std::size_t staged = are_points_ ? points_.size() : records_.size();
    const std::size_t sent = sent_records_.size() + sent_points_.size();
    if (std::size_t(n) <= sent || std::size_t(n) >= staged)
        return violation("send_i of no new i-particles, or of all");
    if (are_points_)
        sent_points_.assign(points_.begin(), points_.begin() + n);
    else
        sent_records_.assign(records_.begin(), records_.begin() + n);
}

inline void StagedParticles::check_sent() const
{
    const auto same = [](const auto &sent, const auto &staged) {
        return sent.empty() ||
               std::memcmp(sent.data(), staged.data(), sent.size() * sizeof sent[0]) == 0;
    };
    if (!same(sent_records_, records_) || !same(sent_points_, points_))
        violation("an i-particle was written after it was sent");
}

}  // namespace g6test
