// SPDX-License-Identifier: MIT
// Prediction and direct sums of one block.
//
// A block that is alone with its time predicts a few tiles of j-particles, or a single one for up
// to kGroup i-particles, sums them on all i-particles while they are in the cache, and goes on with
// the next tiles in the same place.
// Blocks that follow each other at one time, as those of a client with few pipelines, share
// predicted tiles in memory.
//
// Threads share large blocks by groups of i-particles.  Of smaller ones each thread takes pieces of
// the j-particles: chunks, or where these are too few parts of a chunk.  It predicts the tiles of its
// pieces by itself if each thread gets nearly the same number of pieces, and else all threads
// predict all tiles first.  A piece goes to the same thread block after block, in whose cache its
// particles are.
//
// Invariants
//  * Bits depend neither on the number of threads nor on where predicted tiles are: each piece has
//    sums of its own, which are added in the order that tiles.h states.
//  * stored_tiles_ tiles in stored_ are those of shared_time_.
#include "device.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/formulas/range.h"

#include <algorithm>
#include <limits>

namespace g6::cpu {

namespace {

constexpr Partial kNothing{{}, {}, 0, std::numeric_limits<double>::infinity(), -1};

void add(Partial &sum, const Partial &p)
{
    for (int c = 0; c < 3; c++) {
        sum.acc[c] += p.acc[c];
        sum.jerk[c] += p.jerk[c];
    }
    sum.pot += p.pot;
    if (p.nn_slot >= 0 && (sum.nn_slot < 0 || p.nn_r2 < sum.nn_r2)) {
        sum.nn_r2 = p.nn_r2;
        sum.nn_slot = p.nn_slot;
    }
}

}  // namespace

// ---- prediction -------------------------------------------------------------------------------

// From so many i-particles on the split positions of a tile save more time than they take.
constexpr int kLeastToSplit = 6;

bool CpuDevice::splits() const
{
    return precision_ == 0 && block_.whole_ni >= kLeastToSplit;
}

size_t CpuDevice::predicted_bytes() const
{
    return precision_ ? sizeof(Predicted<double>) : sizeof(Predicted<float>);
}

// After any change of particles.
void CpuDevice::forget_predictions()
{
    particles_changed_ = true;
    stored_tiles_ = 0;
}

// Stored tiles of another time are of no use.
void CpuDevice::note_time()
{
    const SharedTime now{block_.t, block_.motion, block_.scale};
    if (!particles_changed_ && now == shared_time_) return;
    times_are_shared_ = blocks_of_time_ > 1;
    blocks_of_time_ = 0;
    stored_tiles_ = 0;
    shared_time_ = now;
    particles_changed_ = false;
}

// Whether tiles are worth storing for further blocks, or for neighbour lists.
bool CpuDevice::shares_prediction()
{
    note_time();
    blocks_of_time_++;
    return times_are_shared_ || blocks_of_time_ > 1 || (block_.want & kWantLists);
}

// Split positions depend on the slots that act, too.
bool CpuDevice::is_stored(bool split) const
{
    return stored_tiles_ >= block_tiles_ && (!split || (stored_split_ && stored_nj_ == block_.nj));
}

// Where the block's tiles are stored; they are valid once note_stored() is called.
char *CpuDevice::room_to_store()
{
    stored_tiles_ = 0;
    if (stored_bytes_ < predicted_bytes() * static_cast<size_t>(block_tiles_)) {
        stored_bytes_ = 0;
        stored_ = host_array<char>(predicted_bytes() * tiles_.size());
        stored_bytes_ = predicted_bytes() * tiles_.size();
    }
    return stored_.get();
}

void CpuDevice::note_stored(bool split)
{
    stored_split_ = split;
    stored_nj_ = block_.nj;
    stored_tiles_ = block_tiles_;
}

// Horner's forms of a prediction (predict.h) stay below 9 times the largest term times s^4, or
// times 1 if s is smaller.
bool CpuDevice::stays_in_range() const
{
    const double s = std::max({1.0, block_.t - extent_.first_t, extent_.last_t - block_.t});
    return 9 * extent_.largest_term * (s * s) * (s * s) < std::min(G6_FARTHEST, G6_FASTEST) &&
           extent_.heaviest * block_.scale.mass < kHeaviestFloat;
}

Prediction CpuDevice::prediction(bool split) const
{
    Scale with_unit_mass = block_.scale;
    with_unit_mass.mass = 1;
    const bool plain = with_unit_mass == Scale{} && stays_in_range();
    return {tiles_.data(), block_tiles_, block_.t, block_.motion, block_.scale, plain, split};
}

// Stores all tiles.
void CpuDevice::predict(bool split)
{
    const Prediction how = prediction(split);
    char *const to = room_to_store();
    constexpr int kFewTiles = 8;
    parallel_for(block_tiles_ > kFewTiles ? threads() : 1, block_tiles_, [&](int t) {
        const auto at = static_cast<size_t>(t);
        kernels_.predict[precision_](how, t, *block_tile_[at], to + predicted_bytes() * at);
    });
    counters_.predictions++;
    note_stored(split);
}

// ---- sums -------------------------------------------------------------------------------------

// Tiles first ... last-1 of one chunk on the n i-particles from first_i on, of one group; how: null
// if the tiles are predicted.
void CpuDevice::add_tiles(int first, int last, int first_i, int n, const Prediction *how,
                          char *predicted, Partial *out) const
{
    const int jerk = block_.want & kWantJerk ? 1 : 0, near = block_.want & kWantNearest ? 1 : 0;
    const auto kernel = precision_ == 0 && !splits() ? kernels_.few[jerk][near]
                                                     : kernels_.force[precision_][jerk][near];
    kernel(block_tile_.data(), how, predicted, first, std::min(last, block_tiles_),
           &i_[static_cast<size_t>(first_i)], n, out);
}

// The same for a whole chunk, added to what the chunks before it gave; the search for a neighbour
// goes on from there.
void CpuDevice::add_next_chunk(int chunk, int group, const Prediction *how, char *predicted,
                               Partial *sum) const
{
    const int n = in_group(group);
    Partial part[kGroup];
    std::copy_n(sum, n, part);
    add_tiles(chunk * kChunkTiles, (chunk + 1) * kChunkTiles, group * kGroup, n, how, predicted,
              part);
    for (int k = 0; k < n; k++) add(sum[k], part[k]);
}

// A thread should have so many tasks or more, so that all end at nearly the same time.  But fewer
// i-particles than kLeastTogether in a task take longer than they save.
constexpr int kTasksOfThread = 3, kLeastTogether = 2;

// How threads share the sums of a block.
struct CpuDevice::Division {
    int workers, groups;
    bool by_groups;           // a thread takes all tiles for some groups
    int piece_tiles, pieces;  // if not, it takes some pieces
    bool at_once;             // and predicts them by itself
    int task_i;               // i-particles of a task where pieces are predicted, at most kGroup
    int pieces_of_chunk() const { return kChunkTiles / piece_tiles; }
};

CpuDevice::Division CpuDevice::divide(int workers) const
{
    const auto count = [&](int tiles) { return (block_tiles_ + tiles - 1) / tiles; };
    const int groups = (block_.ni + kGroup - 1) / kGroup;
    if (workers == 1) return {1, groups, false, kChunkTiles, count(kChunkTiles), true, kGroup};
    const int tiles = count(kChunkTiles) >= 2 * workers ? kChunkTiles : kSumTiles;
    const int pieces = count(tiles), most = (pieces + workers - 1) / workers;
    const bool by_groups = groups >= 4 * workers || pieces < 2;
    const bool is_even = pieces * 4 >= most * workers * 3;  // threads idle for a quarter at most
    int task_i = kGroup;
    while (task_i > kLeastTogether && pieces * (block_.ni / task_i) < kTasksOfThread * workers)
        task_i /= 2;
    return {workers, groups, by_groups, tiles, pieces, !by_groups && is_even, task_i};
}

// Where predicted tiles are, and how they get there.
struct CpuDevice::Source {
    const Prediction *how;  // null: they are there
    char *tiles;
    bool all;  // else one piece for each thread
    size_t piece_bytes;

    char *piece(int number, int thread) const
    {
        return tiles + piece_bytes * static_cast<size_t>(all ? number : thread);
    }
    // The first group that passes over a piece predicts it.
    const Prediction *how_for(int group) const { return group == 0 ? how : nullptr; }
};

void CpuDevice::compute(G6Sums *sums)
{
    const bool split = splits(), share = shares_prediction();
    const Division d = divide(threads());
    if (!is_stored(split) && !d.at_once) predict(split);
    const bool stored = is_stored(split);
    Prediction how = prediction(split);
    how.in_one_place = !stored && !share && d.groups == 1;
    const int places = how.in_one_place ? 1 : d.piece_tiles;
    Source source{&how, nullptr, stored || share, predicted_bytes() * static_cast<size_t>(places)};
    if (stored) {
        source.how = nullptr;
        source.tiles = stored_.get();
    } else {
        source.tiles = share ? room_to_store() : working_room(source.piece_bytes, d.workers);
        counters_.predictions++;
    }
    if (d.by_groups)
        sum_groups(source, d, sums);
    else if (d.workers == 1)
        sum_in_order(source, d, sums);
    else
        sum_pieces(source, d, sums);
    if (share && !stored) note_stored(split);
}

// Adds the pieces of each i-particle of a group and writes its results.
void CpuDevice::finish_group(const Division &d, int group, G6Sums *sums)
{
    const int pieces = d.by_groups || d.workers == 1 ? 1 : d.pieces;
    const int first_i = group * kGroup;
    for (int k = 0; k < in_group(group); k++) {
        Partial &sum = partial_of(group)[k];
        for (int first = 0; first < pieces; first += d.pieces_of_chunk()) {
            Partial &chunk = partial_of(first * d.groups + group)[k];
            for (int p = first + 1; p < std::min(first + d.pieces_of_chunk(), pieces); p++)
                add(chunk, partial_of(p * d.groups + group)[k]);
            if (first > 0) add(sum, chunk);
        }
        write_sums(sum, first_i + k, sums);
    }
}

char *CpuDevice::working_room(size_t piece_bytes, int workers)
{
    const size_t bytes = piece_bytes * static_cast<size_t>(workers);
    if (working_bytes_ < bytes) {
        working_bytes_ = 0;
        working_ = host_array<char>(bytes);
        working_bytes_ = bytes;
    }
    return working_.get();
}

// A thread for each of many groups.
void CpuDevice::sum_groups(const Source &source, const Division &d, G6Sums *sums)
{
    const int chunks = (block_tiles_ + kChunkTiles - 1) / kChunkTiles;
    partial_.assign(static_cast<size_t>(d.groups) * kGroup, kNothing);
    parallel_tasks(d.groups > 1 ? d.workers : 1, d.groups, 1, [&](int g, int) {
        for (int c = 0; c < chunks; c++)
            add_next_chunk(c, g, nullptr, source.piece(c * d.pieces_of_chunk(), 0), partial_of(g));
        finish_group(d, g, sums);
    });
}

// On one thread, chunk after chunk.
void CpuDevice::sum_in_order(const Source &source, const Division &d, G6Sums *sums)
{
    partial_.assign(static_cast<size_t>(d.groups) * kGroup, kNothing);
    parallel_shares(1, d.pieces, [&](int c, int) {
        for (int g = 0; g < d.groups; g++)
            add_next_chunk(c, g, source.how_for(g), source.piece(c, 0), partial_of(g));
    });
    for (int g = 0; g < d.groups; g++) finish_group(d, g, sums);
}

// A task for each piece of the tiles, or where these are predicted for each piece and some
// i-particles.  The thread that has summed the last piece of a group finishes the group.
void CpuDevice::sum_pieces(const Source &source, const Division &d, G6Sums *sums)
{
    const int together = source.how ? kGroup * d.groups : d.task_i,
              tasks = (block_.ni + together - 1) / together;
    partial_.resize(static_cast<size_t>(d.pieces) * static_cast<size_t>(d.groups) * kGroup);
    if (pieces_left_.size() < static_cast<size_t>(d.groups))
        pieces_left_ = std::vector<std::atomic<int>>(static_cast<size_t>(d.groups));
    for (int g = 0; g < d.groups; g++) pieces_left_[static_cast<size_t>(g)] = d.pieces * in_group(g);
    parallel_shares(d.workers, d.pieces * tasks, [&](int task, int thread) {
        const int p = task / tasks, begin = task % tasks * together,
                  end = std::min(begin + together, block_.ni);
        for (int i = begin; i < end;) {
            const int g = i / kGroup, n = std::min(end, (g + 1) * kGroup) - i;
            Partial *const out = partial_of(p * d.groups + g) + i % kGroup;
            std::fill_n(out, n, kNothing);
            add_tiles(p * d.piece_tiles, (p + 1) * d.piece_tiles, i, n, source.how_for(g),
                      source.piece(p, thread), out);
            i += n;
            if ((pieces_left_[static_cast<size_t>(g)] -= n) == 0) finish_group(d, g, sums);
        }
    });
}

}  // namespace g6::cpu
