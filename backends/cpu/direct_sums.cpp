// SPDX-License-Identifier: MIT
// Prediction and direct sums of one block.
//
// If no other block has the same time, a thread predicts a few tiles of j-particles, sums them on
// its i-particles while they are in the cache, and predicts the next tiles to the same memory.  For
// up to kBundle i-particles it predicts one tile at a time.  Successive blocks at one time, as a
// client with few pipelines sends them, share predicted tiles in memory, and so do a block and its
// neighbour lists.
//
// A task is one piece of the j-particles on some i-particles.  In a large block the piece is all
// tiles, which are predicted beforehand.  In smaller blocks a piece is a chunk, or a part of one
// where there are too few chunks.  A thread predicts such a piece when it begins its first task on
// that piece, unless the piece is stored already.  Each thread begins with the same tasks block
// after block, so that their particles are in its cache.
//
// Invariants
//  * Bits depend neither on the number of threads nor on where predicted tiles are: each piece has
//    sums of its own, which are added in the order that tiles.h states.
//  * The predicted tiles (predicted_tiles.h) are those of the time, motion and scale of shared_.
#include "device.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/base/prefetch.h"
#include "../../libg6gpu/formulas/range.h"

#include <algorithm>

namespace g6::cpu {

namespace {

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

// Least number of i-particles for which the split positions of a tile save more time than they
// take.
constexpr int kLeastToSplit = 6;

bool CpuDevice::splits() const
{
    return precision_ == 0 && block_.whole_ni >= kLeastToSplit;
}

// Called after any change of particles.
void CpuDevice::forget_predictions()
{
    particles_changed_ = true;
    predicted_.forget();
}

// Predicted tiles of another time are of no use.
void CpuDevice::note_time()
{
    const bool same =
        block_.t == shared_.t && block_.motion == shared_.motion && block_.scale == shared_.scale;
    if (!particles_changed_ && same) return;
    times_are_shared_ = blocks_of_time_ > 1;
    blocks_of_time_ = 0;
    predicted_.forget();
    shared_ = block_;
    particles_changed_ = false;
}

// Whether tiles are worth storing for further blocks, or for neighbour lists.
bool CpuDevice::shares_prediction()
{
    note_time();
    blocks_of_time_++;
    return times_are_shared_ || blocks_of_time_ > 1 || (block_.want & kWantLists);
}

// All intermediate values of a prediction (predict.h) stay below 9 times the largest term times
// max(1, s)^4.
bool CpuDevice::stays_in_range() const
{
    const double s = std::max({1.0, block_.t - extent_.first_t, extent_.last_t - block_.t});
    return 9 * extent_.largest_term * (s * s) * (s * s) < std::min(G6_FARTHEST, G6_FASTEST);
}

Prediction CpuDevice::prediction() const
{
    Scale with_unit_mass = block_.scale;
    with_unit_mass.mass = 1;
    const bool plain = with_unit_mass == Scale{} && stays_in_range();
    return {tiles_.data(), block_tiles_,         block_.t, block_.motion, block_.scale,
            plain,         predicted_.is_split()};
}

// Stores all tiles.
void CpuDevice::predict()
{
    const Prediction how = prediction();
    predicted_.need_stored(static_cast<int>(tiles_.size()));
    parallel_for(std::min(threads(), block_tiles_), block_tiles_, [&](int t) {
        kernels_.predict[precision_](how, t, *block_tile_[static_cast<size_t>(t)],
                                     predicted_.stored(t));
    });
    predicted_.note_stored(0, block_tiles_);
}

// ---- sums -------------------------------------------------------------------------------------

// How threads share the sums of a block.
struct CpuDevice::Tasks {
    int workers;
    int piece_tiles, pieces;  // a task is one piece for one bundle
    int of_bundle, bundles;   // i-particles in a bundle, at most kBundle, and number of bundles
    int pieces_of_chunk() const { return std::max(1, kChunkTiles / piece_tiles); }
};

// Number of i-particles in a bundle.
int CpuDevice::in_bundle(const Tasks &t, int bundle) const
{
    return std::min(t.of_bundle, block_.ni - bundle * t.of_bundle);
}

// Sums tiles first ... last-1 of one chunk on the n i-particles from first_i on.  how: null where
// the tiles have been predicted already.
void CpuDevice::add_tiles(int first, int last, int first_i, int n, const Prediction *how,
                          char *predicted, Partial *out) const
{
    const int jerk = block_.want & kWantJerk ? 1 : 0, near = block_.want & kWantNearest ? 1 : 0;
    const int method = precision_ ? kInDouble : splits() ? kSplit : kUnsplit;
    const auto kernel = kernels_.force[method][jerk][near];
    kernel(block_tile_.data(), how, predicted, first, last, &i_[static_cast<size_t>(first_i)], n,
           out);
}

// Blocks are divided into about kTasksOfThread tasks for each thread, so that all threads end at
// nearly the same time.  A task has at most kBundle i-particles, and at least kLeastTogether: the
// overhead of smaller tasks is longer than the time that threads would wait for each other.
constexpr int kTasksOfThread = 6, kLeastTogether = 3;

CpuDevice::Tasks CpuDevice::divide(int workers) const
{
    const auto parts = [](std::int64_t n, std::int64_t of_part) {
        return static_cast<int>((n + of_part - 1) / of_part);
    };
    const int ni = block_.ni, chunks = parts(block_tiles_, kChunkTiles);
    const int tiles = workers == 1 || chunks >= 2 * workers ? kChunkTiles : kSumTiles;
    const int pieces = parts(block_tiles_, tiles), most_bundles = parts(ni, kBundle);
    // All bundles have the same number of i-particles, but the last one may have fewer.
    const auto tasks_of = [&](int piece_tiles, int bundles) {
        const int of_bundle = parts(ni, bundles);
        return Tasks{workers, piece_tiles, parts(block_tiles_, piece_tiles), of_bundle,
                     parts(ni, of_bundle)};
    };
    // The sums of so many tasks take some 300 MB.  Where there would be more tasks, each task takes
    // all tiles, provided that each thread still has a task.
    constexpr double kMostSums = 1 << 18;
    const bool many_sums = static_cast<double>(pieces) * most_bundles > kMostSums;
    // One thread passes over a piece with all i-particles while its tiles are in the cache.
    if (workers == 1 && !many_sums) return tasks_of(tiles, most_bundles);
    if (most_bundles >= (many_sums ? 1 : 4) * workers) return tasks_of(block_tiles_, most_bundles);
    // A single bundle stays together where each thread has a piece: one tile after the other is
    // then predicted to the same memory.
    if (most_bundles == 1 && pieces >= workers) return tasks_of(tiles, 1);
    int of_bundle = 0;
    for (int tasks = kTasksOfThread; tasks > 0 && of_bundle < kLeastTogether; tasks--)
        of_bundle = parts(static_cast<std::int64_t>(ni) * pieces, tasks * workers);
    of_bundle = std::max(kLeastTogether, std::min(kBundle, of_bundle));
    return tasks_of(tiles, parts(ni, of_bundle));
}

void CpuDevice::compute(G6Sums *sums)
{
    const bool share = shares_prediction();
    predicted_.begin(block_tiles_, splits(), block_.nj);
    const Tasks t = divide(threads());
    const bool shares_piece = t.pieces == 1 && t.workers > 1;
    if (shares_piece && !predicted_.has_all()) predict();
    if (share && !predicted_.has_all()) predicted_.need_stored(static_cast<int>(tiles_.size()));
    sum_tasks(t, share, sums);
}

// Adds the pieces of each i-particle of a bundle and writes its results.
void CpuDevice::finish_bundle(const Tasks &t, int bundle, G6Sums *sums)
{
    const int first_i = bundle * t.of_bundle;
    for (int k = 0; k < in_bundle(t, bundle); k++) {
        Partial &sum = partial_of(bundle)[k];
        for (int first = 0; first < t.pieces; first += t.pieces_of_chunk()) {
            Partial &chunk = partial_of(first * t.bundles + bundle)[k];
            for (int p = first + 1; p < std::min(first + t.pieces_of_chunk(), t.pieces); p++)
                add(chunk, partial_of(p * t.bundles + bundle)[k]);
            if (first > 0) add(sum, chunk);
        }
        write_sums(sum, first_i + k, sum.nn_slot < 0 ? 0 : index_of(sum.nn_slot), sums);
    }
}

// Runs a task for each piece of the tiles and each bundle.  The thread that has summed the last
// piece of a bundle finishes the bundle.
void CpuDevice::sum_tasks(const Tasks &t, bool share, G6Sums *sums)
{
    Prediction how = prediction();
    const bool stored = predicted_.has_all();
    const int tasks = t.pieces * t.bundles;
    how.reuses_tile = !stored && !share && t.bundles == 1;
    if (!stored) predicted_.need_own(t.workers, how.reuses_tile ? 1 : t.piece_tiles);
    partial_.resize(static_cast<size_t>(tasks) * kBundle);
    if (pieces_left_.size() < static_cast<size_t>(t.bundles))
        pieces_left_ = std::vector<std::atomic<int>>(static_cast<size_t>(t.bundles));
    for (int b = 0; b < t.bundles; b++) pieces_left_[static_cast<size_t>(b)] = t.pieces;
    parallel_shares(t.workers, tasks, [&](int task, int thread) {
        // The caller has just written these objects, which lie in its core's cache: a thread that
        // requests all of them together waits once.
        request_to_read(&how, sizeof how);
        request_to_read(&block_, sizeof block_);
        const int p = task / t.bundles, b = task % t.bundles, n = in_bundle(t, b);
        const IParticle *const i = &i_[static_cast<size_t>(b * t.of_bundle)];
        request_to_read(i, static_cast<size_t>(n) * sizeof *i);
        if (t.pieces == 1)
            request_to_write(sums + b * t.of_bundle, static_cast<size_t>(n) * sizeof *sums);
        const int first = p * t.piece_tiles, last = std::min(first + t.piece_tiles, block_tiles_);
        // The thread that the piece's first task belongs to stores the piece.
        const bool stores = share && share_of(p * t.bundles, tasks, t.workers) == thread;
        const bool has_own = predicted_.has_own(thread, first, last);
        const bool in_store = stores || (stored && !has_own);
        char *const tiles = in_store ? predicted_.stored(first) : predicted_.own(thread);
        const bool there = stored || (stores ? predicted_.has(first, last) : has_own);
        Partial *const sum = partial_of(task);
        std::fill_n(sum, n, kNothing);
        for (int at = first; at < last; at += kChunkTiles) {
            Partial chunk[kBundle];
            std::copy_n(sum, n, chunk);  // the search for a neighbour goes on from chunk to chunk
            add_tiles(at, std::min(at + kChunkTiles, last), b * t.of_bundle, n,
                      there ? nullptr : &how, tiles + predicted_.bytes_of(at - first), chunk);
            for (int k = 0; k < n; k++) add(sum[k], chunk[k]);
        }
        if (!there && stores) predicted_.note_stored(first, last);
        if (!there && !stores && !how.reuses_tile) predicted_.note_own(thread, first, last);
        if (t.pieces == 1 || --pieces_left_[static_cast<size_t>(b)] == 0) finish_bundle(t, b, sums);
    });
}

}  // namespace g6::cpu
