// SPDX-License-Identifier: MIT
// Predicted tiles in memory.  Stored tiles serve all blocks of one time.  Each thread also has a
// memory of its own for one piece (a few tiles in a row), or for a single tile that the next tile
// overwrites.  Threads use their own memory where tiles serve one block only, and where several
// threads work on one piece: a core is slow to write memory that other cores have read, so each
// thread predicts the piece for itself.
//
// Invariants
//  * A tile or piece is valid if its stamp is the present one.  forget() makes a new stamp, and so
//    does begin() where the split positions do not suit.
//  * All valid tiles have split positions for the same number of slots, or none has them.
//  * In a loop on several threads one thread writes a stored tile, and no other reads it before the
//    loop's end.
#pragma once

#include "../../libg6gpu/base/host_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace g6::cpu {

class PredictedTiles {
public:
    explicit PredictedTiles(std::size_t tile_bytes) : tile_bytes_(tile_bytes) {}
    std::size_t bytes_of(int tiles) const { return tile_bytes_ * static_cast<std::size_t>(tiles); }

    // The time or a particle has changed.
    void forget()
    {
        stamp_++;
        is_split_ = false;
    }
    // Begins a block of so many tiles.  split: the block needs split positions, which depend on the
    // number nj of slots that act.
    void begin(int tiles, bool split, int nj)
    {
        tiles_ = tiles;
        if (is_split_ ? nj == nj_ : !split) return;
        stamp_++;
        is_split_ = split;
        nj_ = nj;
    }
    // Whether the tiles to be predicted get split positions.
    bool is_split() const { return is_split_; }

    // ---- stored tiles

    bool has_all() const { return has(0, tiles_); }
    bool has(int first, int last) const
    {
        return stamps_.size() >= static_cast<std::size_t>(last) &&
               std::all_of(stamps_.begin() + first, stamps_.begin() + last,
                           [&](std::uint64_t stamp) { return stamp == stamp_; });
    }
    // Memory for the tiles of the block.  Where it grows, it gets memory for `most` tiles.
    void need_stored(int most)
    {
        if (stamps_.size() >= static_cast<std::size_t>(tiles_)) return;
        const auto n = static_cast<std::size_t>(std::max(most, tiles_));
        stamps_.clear();
        stored_ = host_array<char>(tile_bytes_ * n);
        stamps_.assign(n, 0);
    }
    char *stored(int tile) const { return stored_.get() + bytes_of(tile); }
    void note_stored(int first, int last)
    {
        std::fill(stamps_.begin() + first, stamps_.begin() + last, stamp_);
    }

    // ---- a piece for each thread

    // Memory for pieces of so many tiles.  Pieces of another size are forgotten.
    void need_own(int threads, int piece_tiles)
    {
        const std::size_t wanted = static_cast<std::size_t>(threads) * bytes_of(piece_tiles);
        if (own_.size() >= static_cast<std::size_t>(threads) && own_tiles_ == piece_tiles) return;
        own_.clear();
        if (own_bytes_ < wanted) {
            own_bytes_ = 0;
            own_memory_ = host_array<char>(wanted);
            own_bytes_ = wanted;
        }
        own_tiles_ = piece_tiles;
        own_.resize(static_cast<std::size_t>(threads));
    }
    char *own(int thread) const
    {
        return own_memory_.get() + bytes_of(own_tiles_) * static_cast<std::size_t>(thread);
    }
    // Whether the thread's own memory has tiles first ... last-1.
    bool has_own(int thread, int first, int last) const
    {
        const auto k = static_cast<std::size_t>(thread);
        return k < own_.size() && own_[k].stamp == stamp_ && own_[k].first == first &&
               own_[k].last >= last;
    }
    void note_own(int thread, int first, int last)
    {
        own_[static_cast<std::size_t>(thread)] = {stamp_, first, last};
    }

private:
    struct alignas(64) Own {  // a line of the cache of its own
        std::uint64_t stamp = 0;
        int first = 0, last = 0;  // tiles
    };
    const std::size_t tile_bytes_;
    std::uint64_t stamp_ = 1;
    bool is_split_ = false;
    int nj_ = 0, tiles_ = 0;
    HostArray<char> stored_;
    std::vector<std::uint64_t> stamps_;  // of stored tiles
    HostArray<char> own_memory_;
    std::size_t own_bytes_ = 0;
    int own_tiles_ = 0;
    std::vector<Own> own_;
};

}  // namespace g6::cpu
