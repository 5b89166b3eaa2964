// SPDX-License-Identifier: MIT
// Life of a CPU device and its j-particles.
#include "device.h"

#include "../../libg6gpu/base/host_threads.h"
#include "../../libg6gpu/base/parallel.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

namespace g6::cpu {

// A thread for each kPairsPerThread pairs, which take it about as long as its way into the loop.
int CpuDevice::threads() const
{
    constexpr double kPairsPerThread = 4e3, kPairsPerPrediction = 3, kPairsPerWalk = 2000;
    const double pairs = block_.walk ? block_.ni * std::min<double>(kPairsPerWalk, block_.nj)
                                     : (block_.ni + kPairsPerPrediction) * block_.nj;
    return threads_for(static_cast<size_t>(pairs / kPairsPerThread), 1, threads_);
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
            std::memset(static_cast<void *>(block.get()), 0, more * sizeof(Tile));
            for (size_t k = 0; k < more; k++) {
                block[k].low_index = INT_MAX;
                block[k].high_index = INT_MIN;
                tiles_.push_back(&block[k]);
            }
            storage_.push_back(std::move(block));
        }
    });
}

DeviceStatus CpuDevice::clear()
{
    records_.clear();
    points_.clear();
    forget_predictions();
    block_ = Block{};
    extent_ = Extent{};
    for (Tile *tile : tiles_) {
        std::memset(static_cast<void *>(tile), 0, sizeof(Tile));
        tile->low_index = INT_MAX;
        tile->high_index = INT_MIN;
    }
    return kDeviceOk;
}

void CpuDevice::Extent::add(const Extent &other)
{
    largest_term = std::max(largest_term, other.largest_term);
    first_t = std::min(first_t, other.first_t);
    last_t = std::max(last_t, other.last_t);
}

// Writes what every record has.
Tile &CpuDevice::touch(const G6JPoint &p, Extent &extent)
{
    Tile &tile = *tiles_[static_cast<size_t>(p.slot / kTile)];
    const int k = p.slot % kTile;
    Position &position = tile.position[k / kRun];
    for (int c = 0; c < 3; c++) position.x[c][k % kRun] = p.x[c];
    position.mass[k % kRun] = p.mass;
    extent.cover(p.x);
    tile.index[k] = p.index;
    tile.live += !tile.alive[k];
    tile.alive[k] = -1;
    tile.low_index = std::min(tile.low_index, p.index);
    tile.high_index = std::max(tile.high_index, p.index);
    return tile;
}

void CpuDevice::put(const G6JRecord &r, Extent &extent)
{
    Tile &tile = touch({{r.x[0], r.x[1], r.x[2]}, r.mass, r.index, r.slot}, extent);
    const int k = r.slot % kTile, at = k % kRun;
    Course &course = tile.course[k / kRun];
    Snap &snap = tile.snap[k / kRun];
    for (int c = 0; c < 3; c++) {
        course.v[c][at] = r.v[c];
        course.a2[c][at] = r.a2[c];
        course.j6[c][at] = r.j6[c];
        snap.k18[c][at] = use_snap_ ? r.k18[c] : 0.0;
    }
    course.t[at] = r.t;
    extent.cover(r.v);
    extent.cover(r.a2);
    extent.cover(r.j6);
    extent.cover(r.k18);
    extent.first_t = std::min(extent.first_t, r.t);
    extent.last_t = std::max(extent.last_t, r.t);
}

void CpuDevice::put(const G6JPoint &p, Extent &extent)
{
    Tile &tile = touch(p, extent);
    const int k = p.slot % kTile, at = k % kRun;
    Course &course = tile.course[k / kRun];
    for (int c = 0; c < 3; c++)
        course.v[c][at] = course.a2[c][at] = course.j6[c][at] = tile.snap[k / kRun].k18[c][at] = 0;
    course.t[at] = 0;
}

// Each thread takes the particles of every `workers`-th tile, in the order in which they came.
template <class Particle> void CpuDevice::put_all(const HostBuffer<Particle> &staged)
{
    constexpr size_t kEach = 256;  // their terms lie in a dozen lines of memory each
    const int workers = threads_for(staged.size(), kEach, threads_);
    std::vector<Extent> extents(static_cast<size_t>(workers));
    parallel_for(workers, workers, [&](int worker) {
        Extent extent = extent_;
        for (const Particle &p : staged)
            if (p.slot / kTile % workers == worker) put(p, extent);
        extents[static_cast<size_t>(worker)] = extent;
    });
    for (const Extent &e : extents) extent_.add(e);
}

void CpuDevice::apply()
{
    if (records_.empty() && points_.empty()) return;
    counters_.copies_up++;
    forget_predictions();
    put_all(records_);
    put_all(points_);
    records_.clear();
    points_.clear();
}

Device *make_device(const Kernels &kernels, const DeviceOptions &options)
{
    return new (std::nothrow) CpuDevice(kernels, options);
}

}  // namespace g6::cpu
