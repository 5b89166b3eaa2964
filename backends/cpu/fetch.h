// SPDX-License-Identifier: MIT
// Requests for the particles of the next tile while one tile is summed, for the files that are
// compiled once for each instruction set (G6_ISA).
//
// A core takes longer to read the 28 KiB of a tile (for a cubic prediction) from the third-level
// cache than to predict the tile.  Requested early, they are in the second-level cache in time.  A
// core can wait for a few dozen lines only, and further requests hold up its sums.  So each part of
// a pass requests a few lines.
#pragma once

#include "sums.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

class Fetch {
public:
    // Requests tile t in `steps` calls of step(), or a part of the tile where the calls are few.
    Fetch(const Prediction &how, int t, int steps)
    {
        if (how.count <= kFitInCache || t >= how.count) return;
        const Tile &tile = *how.tiles[t];
        next_ = reinterpret_cast<const char *>(tile.position);
        end_ = how.motion == Motion::kAtRest  ? reinterpret_cast<const char *>(tile.course)
               : how.motion == Motion::kCubic ? reinterpret_cast<const char *>(tile.snap)
                                              : reinterpret_cast<const char *>(&tile + 1);
        const int lines = static_cast<int>((end_ - next_) / kLine),
                  share = (lines + steps - 1) / steps;
        step_ = (share < kMostLines ? share : kMostLines) * kLine;
    }
    // Requests nothing.
    Fetch() = default;

    G6_MEMBER void step()
    {
        const char *const last = end_ - next_ > step_ ? next_ + step_ : end_;
        for (; next_ < last; next_ += kLine) __builtin_prefetch(next_, 0, 2);
    }

private:
    // Tiles that stay in the second-level cache of most processors.
    static constexpr int kFitInCache = 16;
    static constexpr int kLine = 64;
    // Lines that arrive from the third-level cache while AVX2 sums kEntriesAtOnce pairs.
    static constexpr int kMostLines = 48;

    const char *next_ = nullptr, *end_ = nullptr;
    int step_ = 0;  // bytes
};

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
