// SPDX-License-Identifier: MIT
// The i-particles that the core stages on a fake device.
//
// Checks that the core does not write to i-particles that it has sent.
#pragma once

#include "contract.h"

#include <cstring>
#include <vector>

namespace g6test {

class StagedParticles {
public:
    double *stage(int n, int words)
    {
        if (words != g6::kIRestWords && words != g6::kIWords) violation("rows of another size");
        sent_.clear();
        words_ = words;
        rows_.assign(std::size_t(n) * std::size_t(words), 0);
        return rows_.data();
    }
    // The first n of the last staged ones are final.
    void send(int n)
    {
        const std::size_t end = std::size_t(n) * std::size_t(words_);
        if (end <= sent_.size() || end >= rows_.size())
            return violation("send_i of no new i-particles, or of all");
        sent_.assign(rows_.begin(), rows_.begin() + long(end));
    }
    void check_sent() const
    {
        if (!sent_.empty() &&
            std::memcmp(sent_.data(), rows_.data(), sent_.size() * sizeof(double)) != 0)
            violation("an i-particle was written after it was sent");
    }
    int words() const { return words_; }
    std::size_t size() const { return rows_.size() / std::size_t(words_); }
    G6IRecord record(std::size_t at) const
    {
        return g6::record_from(g6::row_at<G6IRecord>(rows_.data(), words_, at), words_);
    }
    // Whoever reads them after this gets wrong results.
    void spoil()
    {
        for (std::size_t k = 0; k < size(); ++k)
            const_cast<volatile double &>(rows_[k * std::size_t(words_)]) = NAN;
    }

private:
    std::vector<double> rows_, sent_;  // sent_: as they were when they were sent
    int words_ = g6::kIWords;
};

}  // namespace g6test
