// SPDX-License-Identifier: MIT
// Life of a CPU device and its j-particles.
#include "device.h"

#include "../../libg6gpu/base/host_threads.h"
#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/base/prefetch.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

namespace g6::cpu {

// One thread for each kPairsPerThread pairs, which take a thread about as long as joining the loop.
// Threads that share a single piece of j-particles read tiles that other threads have just
// predicted.  This is slow, so that several threads pay only from kLeastOnOnePiece pairs on.
int CpuDevice::threads() const
{
    constexpr double kPairsPerThread = 4e3, kPairsPerPrediction = 3, kPairsPerWalk = 2e3,
                     kLeastOnOnePiece = 3e4;
    const double pairs = block_.is_walk ? block_.ni * std::min<double>(kPairsPerWalk, block_.nj)
                                        : (block_.ni + kPairsPerPrediction) * block_.nj;
    const bool one_piece = !block_.is_walk && tiles_of(block_.nj) <= kSumTiles;
    if (one_piece && pairs < kLeastOnOnePiece) return 1;
    return threads_for(static_cast<size_t>(pairs / kPairsPerThread), 1, threads_);
}

static void empty(Tile &tile)
{
    std::memset(static_cast<void *>(&tile), 0, sizeof tile);
    tile.low_index = INT_MAX;
    tile.high_index = INT_MIN;
}

DeviceStatus CpuDevice::reserve(int nj)
{
    return attempt([&] {
        while (static_cast<int>(tiles_.size()) < tiles_of(nj)) {
            const size_t more = std::max<size_t>(static_cast<size_t>(tiles_of(nj)) - tiles_.size(),
                                                 tiles_.size() / 2);
            storage_.reserve(storage_.size() + 1);
            tiles_.reserve(tiles_.size() + more);
            HostArray<Tile> block = host_array<Tile>(more);
            for (size_t k = 0; k < more; k++) {
                empty(block[k]);
                tiles_.push_back(&block[k]);
            }
            storage_.push_back(std::move(block));
        }
    });
}

double *CpuDevice::stage(int n, int words)
{
    double *memory = nullptr;
    attempt([&] {
        if (staged_rows_ > most_staged(words) - n) apply();
        memory = staged_.append(static_cast<size_t>(n) * static_cast<size_t>(words));
        staged_rows_ += n;
        row_words_ = words;
    });
    return memory;
}

DeviceStatus CpuDevice::clear()
{
    staged_.clear();
    staged_rows_ = 0;
    forget_predictions();
    block_ = Block{};
    extent_ = Extent{};
    for (Tile *tile : tiles_) empty(*tile);
    return kDeviceOk;
}

void CpuDevice::Extent::add(const Extent &other)
{
    largest_term = std::max(largest_term, other.largest_term);
    first_t = std::min(first_t, other.first_t);
    last_t = std::max(last_t, other.last_t);
}

// A particle's terms lie in 17 cache lines, which other threads have read: a core waits for each
// line until it may write there.  So the lines of several particles are requested together.
void CpuDevice::request_slot(int slot) const
{
    const Tile &tile = *tiles_[static_cast<size_t>(slot / kTile)];
    const int run = slot % kTile / kRun;
    request_to_write(&tile.position[run], sizeof(Position));
    if (row_words_ <= kRestWords) return;
    request_to_write(&tile.course[run], sizeof(Course));
    request_to_write(&tile.snap[run], sizeof(Snap));
}

// Copies a staged row to its slot.  r is a pointer: a reference would tell the compiler that a
// whole record can be read, and a row may be shorter.
void CpuDevice::put(const G6JRecord *r, Extent &extent)
{
    Tile &tile = *tiles_[static_cast<size_t>(r->slot / kTile)];
    const int k = r->slot % kTile, at = k % kRun;
    Position &position = tile.position[k / kRun];
    for (int c = 0; c < 3; c++) position.x[c][at] = r->x[c];
    position.mass[at] = r->mass;
    extent.cover(r->x);
    if (!tile.alive[k] || tile.index[k] != r->index) {
        tile.index[k] = r->index;
        tile.live += !tile.alive[k];
        tile.alive[k] = -1;
        tile.low_index = std::min(tile.low_index, r->index);
        tile.high_index = std::max(tile.high_index, r->index);
    }
    const bool moves = row_words_ > kRestWords, has_jerk = row_words_ > kLeapWords,
               has_snap = row_words_ > kJerkWords;
    Course &course = tile.course[k / kRun];
    Snap &snap = tile.snap[k / kRun];
    for (int c = 0; c < 3; c++) {
        course.v[c][at] = moves ? r->v[c] : 0;
        course.a2[c][at] = moves ? r->a2[c] : 0;
        course.j6[c][at] = has_jerk ? r->j6[c] : 0;
        snap.k18[c][at] = has_snap ? r->k18[c] : 0;
    }
    course.t[at] = moves ? r->t : 0;
    if (!moves) return;
    extent.cover(r->v);
    extent.cover(r->a2);
    if (has_jerk) extent.cover(r->j6);
    if (has_snap) extent.cover(r->k18);
    extent.first_t = std::min(extent.first_t, r->t);
    extent.last_t = std::max(extent.last_t, r->t);
}

// Copies the staged rows to their slots.  Each thread takes the particles of every `workers`-th
// tile, in the order in which they were staged.
void CpuDevice::apply()
{
    if (staged_rows_ == 0) return;
    counters_.copies_up++;
    forget_predictions();
    constexpr size_t kEach = 256;  // particles of a thread
    constexpr size_t kAhead = 4;   // lines are requested so many particles ahead
    const auto n = static_cast<size_t>(staged_rows_);
    const int workers = threads_for(n, kEach, threads_);
    std::vector<Extent> extents(static_cast<size_t>(workers));
    const auto row = [&](size_t j) { return &row_at(staged_.data(), row_words_, j); };
    parallel_for(workers, workers, [&](int worker) {
        const auto is_own = [&](size_t j) { return row(j)->slot / kTile % workers == worker; };
        Extent extent = extent_;
        for (size_t j = 0; j < n + kAhead; j++) {
            if (j < n && is_own(j)) request_slot(row(j)->slot);
            if (j >= kAhead && is_own(j - kAhead)) put(row(j - kAhead), extent);
        }
        extents[static_cast<size_t>(worker)] = extent;
    });
    for (const Extent &e : extents) extent_.add(e);
    staged_.clear();
    staged_rows_ = 0;
}

Device *make_device(const Kernels &kernels, const DeviceOptions &options)
{
    return new (std::nothrow) CpuDevice(kernels, options);
}

}  // namespace g6::cpu
