// SPDX-License-Identifier: MIT
// Finds from measured times how many i-particles should walk a tree together, as Miki & Umemura
// (2017, New Astron. 52, 65) tune their walk.
//
// Invariants
//  * Blocks count as alike when their numbers of i-particles have the same power of two, and their
//    numbers of j-particles too.
//  * For blocks alike, at most kTrials walks are made with each group size.  Sizes are powers of
//    two from 1 to kMost.  They are tried outward from a first guess for as long as times fall;
//    then the best size stays.
//  * Times differ from run to run, and with them the sizes and the last bits of results.  So tuning
//    is off unless the user asks for it.
#pragma once

#include <algorithm>
#include <cmath>

namespace g6 {

class GroupTuner {
public:
    static constexpr int kMost = 64, kTrials = 3;

    // Group size for the next walk.  guess: a power of two up to kMost.
    int choose(int ni, int nj, int guess)
    {
        Class &c = class_[std::ilogb(static_cast<double>(std::max(ni, 1)))];
        if (c.nj != std::ilogb(static_cast<double>(std::max(nj, 1))))
            c = {std::ilogb(static_cast<double>(std::max(nj, 1))), std::ilogb(double(guess)), {}};
        current_ = &c;
        ni_ = ni;
        trial_ = c.next();
        return 1 << trial_;
    }
    // Tells the time that this walk took.
    void took(double seconds)
    {
        if (!current_) return;
        Size &s = current_->size[trial_];
        const double each = seconds / ni_;
        if (s.trials < kTrials) {
            s.least = s.trials ? std::min(s.least, each) : each;
            s.trials++;
        }
        current_ = nullptr;
    }

private:
    static constexpr int kSizes = 7;
    struct Size {
        int trials;
        double least;  // seconds for one i-particle
    };
    struct Class {
        int nj = -1, guess = 0;
        Size size[kSizes] = {};

        bool done(int k) const { return k < 0 || k >= kSizes || size[k].trials == kTrials; }
        // The best so far and its neighbours need all their trials; then the best is settled.
        int next() const
        {
            if (!done(guess)) return guess;
            int best = guess;
            for (int k = 0; k < kSizes; k++)
                if (size[k].trials == kTrials && size[k].least < size[best].least) best = k;
            if (!done(best - 1)) return best - 1;
            if (!done(best + 1)) return best + 1;
            return best;
        }
    };
    Class class_[32];
    Class *current_ = nullptr;
    int trial_ = 0, ni_ = 1;
};

}  // namespace g6
