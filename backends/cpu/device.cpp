// SPDX-License-Identifier: MIT
// The CPU device: tiles of j-particles, OpenMP over groups of i-particles and, for few of them,
// over chunks of j. start() only records the block; finish() computes it, so that nothing is
// computed that is not collected and the client's own work between the halves has all cores.
#include "tree_block.h"

#include "../common/host_memory.h"
#include "../common/position.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace g6::cpu {
namespace {

int tiles_of(int slots)
{
    return (slots + kTile - 1) / kTile;
}

// A list entry: i-particle and slot.
struct Hit {
    int i, slot;
};

class CpuDevice : public Device {
public:
    CpuDevice(const Kernels &kernels, const DeviceOptions &options)
        : kernels_(kernels), precision_(options.precision == Precision::kDouble ? 1 : 0),
          use_snap_(options.use_snap), threads_(options.threads), tree_(kernels, precision_)
    {
    }

    const char *error() const override { return error_.c_str(); }
    DeviceStatus reserve(int nj) override;
    G6JRecord *stage(int n) override { return grow(records_, n); }
    G6JPoint *stage_points(int n) override { return grow(points_, n); }
    DeviceStatus start(const Block &block) override;
    DeviceStatus finish(G6Sums *sums) override;
    DeviceStatus neighbours(NeighbourView *view) override;
    DeviceStatus clear() override;
    DeviceCounters counters() const override { return counters_; }

private:
    template <class F> DeviceStatus attempt(F &&f);
    template <class T> T *grow(HostBuffer<T> &staged, int n);
    int threads() const;
    void take_i(const Block &block);
    void apply();
    Tile &touch(const G6JPoint &p);
    void prepare(const Block &block);
    void predict();
    void compute(G6Sums *sums);
    void walk(G6Sums *sums);
    void write_sums(const Partial &p, int i, G6Sums *sums) const;
    int index_of(int slot) const;
    void find_neighbours();
    void list_one(int i, std::vector<Hit> &hits);

    const Kernels &kernels_;
    const int precision_;
    const bool use_snap_;
    const int threads_;
    std::string error_;
    DeviceCounters counters_;

    std::vector<HostArray<Tile>> storage_;
    std::vector<Tile *> tiles_;
    HostBuffer<G6JRecord> records_;
    HostBuffer<G6JPoint> points_;

    HostArray<char> predicted_;
    size_t predicted_bytes_ = 0;
    int predicted_tiles_ = 0;  // tiles that are valid for predicted_time_; 0 after any change
    double predicted_time_ = 0;
    Motion predicted_motion_ = Motion::kAtRest;
    Scale predicted_scale_;

    TreeBlock tree_;
    Block block_{};
    int block_tiles_ = 0;
    std::vector<IParticle> i_;
    HostArray<Tile> cut_;  // copy of the last tile when nj ends inside it
    std::vector<const Tile *> block_tile_;
    std::vector<Partial> partial_;
    std::vector<std::vector<Hit>> hits_;
    std::vector<std::int64_t> offset_;
    std::vector<int> list_index_, list_slot_;
};

// Host memory is all that can fail here.
template <class F> DeviceStatus CpuDevice::attempt(F &&f)
{
    try {
        f();
        return kDeviceOk;
    } catch (const std::bad_alloc &) {
        error_ = "cpu: host memory exhausted";
        return kDeviceOutOfMemory;
    }
}

template <class T> T *CpuDevice::grow(HostBuffer<T> &staged, int n)
{
    T *room = nullptr;
    attempt([&] { room = staged.append(static_cast<size_t>(n)); });
    return room;
}

// One thread for a block that takes less time than waking others.
int CpuDevice::threads() const
{
#ifdef _OPENMP
    constexpr double kPairsWorthWaking = 3e5, kPairsPerPrediction = 16, kPairsOfWalk = 2000;
    const double pairs = block_.walk ? block_.ni * std::min<double>(kPairsOfWalk, block_.nj)
                                     : (block_.ni + kPairsPerPrediction) * block_.nj;
    if (pairs < kPairsWorthWaking) return 1;
    return threads_ > 0 ? threads_ : omp_get_max_threads();
#else
    return 1;
#endif
}

// ---- j-particles ------------------------------------------------------------------------------

DeviceStatus CpuDevice::reserve(int nj)
{
    return attempt([&] {
        while (static_cast<int>(tiles_.size()) < tiles_of(nj)) {
            const size_t more = std::max<size_t>(static_cast<size_t>(tiles_of(nj)) - tiles_.size(),
                                                 tiles_.size() / 2);
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
    predicted_tiles_ = 0;
    block_ = Block{};
    for (Tile *tile : tiles_) {
        std::memset(static_cast<void *>(tile), 0, sizeof(Tile));
        tile->low_index = INT_MAX;
        tile->high_index = INT_MIN;
    }
    return kDeviceOk;
}

// Writes what every record has.
Tile &CpuDevice::touch(const G6JPoint &p)
{
    Tile &tile = *tiles_[static_cast<size_t>(p.slot / kTile)];
    const int k = p.slot % kTile;
    for (int c = 0; c < 3; c++) tile.x[c][k] = p.x[c];
    tile.mass[k] = p.mass;
    tile.index[k] = p.index;
    tile.live += !tile.alive[k];
    tile.alive[k] = -1;
    tile.low_index = std::min(tile.low_index, p.index);
    tile.high_index = std::max(tile.high_index, p.index);
    return tile;
}

void CpuDevice::apply()
{
    if (records_.empty() && points_.empty()) return;
    counters_.copies_up++;
    predicted_tiles_ = 0;
    for (const G6JRecord &r : records_) {
        Tile &tile = touch({{r.x[0], r.x[1], r.x[2]}, r.mass, r.index, r.slot});
        const int k = r.slot % kTile;
        for (int c = 0; c < 3; c++) {
            tile.v[c][k] = r.v[c];
            tile.a2[c][k] = r.a2[c];
            tile.j6[c][k] = r.j6[c];
            tile.k18[c][k] = use_snap_ ? r.k18[c] : 0.0;
        }
        tile.t[k] = r.t;
    }
    for (const G6JPoint &p : points_) {
        Tile &tile = touch(p);
        const int k = p.slot % kTile;
        for (int c = 0; c < 3; c++)
            tile.v[c][k] = tile.a2[c][k] = tile.j6[c][k] = tile.k18[c][k] = 0;
        tile.t[k] = 0;
    }
    records_.clear();
    points_.clear();
}

// ---- one block --------------------------------------------------------------------------------

DeviceStatus CpuDevice::start(const Block &block)
{
    return attempt([&] {
        apply();
        block_ = block;
        take_i(block);
        if (!block.walk) prepare(block);
    });
}

// The tiles that act: when nj ends inside a tile, a copy of it with the slots from nj on taken for
// empty.
void CpuDevice::prepare(const Block &b)
{
    block_tiles_ = tiles_of(b.nj);
    block_tile_.assign(tiles_.begin(), tiles_.begin() + block_tiles_);
    if (const int kept = b.nj % kTile) {
        if (!cut_) cut_ = host_array<Tile>(1);
        cut_[0] = *tiles_[static_cast<size_t>(block_tiles_ - 1)];
        std::fill(cut_[0].alive + kept, cut_[0].alive + kTile, 0);
        std::fill(cut_[0].mass + kept, cut_[0].mass + kTile, 0.0);
        cut_[0].live = std::min(cut_[0].live, kTile - 1);
        block_tile_.back() = cut_.get();
    }
}

// The i-particles in device units.
void CpuDevice::take_i(const Block &b)
{
    const double l = b.scale.length, l2 = l * l, u = b.scale.velocity;
    const double limit = precision_ ? std::numeric_limits<double>::max() : G6_FARTHEST;
    auto position = [&](double x) { return std::max(-limit, std::min(limit, x * l)); };
    i_.resize(static_cast<size_t>(b.ni));
    for (int k = 0; k < b.ni; k++) {
        const G6IRecord &r = b.i[k];
        i_[static_cast<size_t>(k)] = {{position(r.x[0]), position(r.x[1]), position(r.x[2])},
                                      {r.v[0] * u, r.v[1] * u, r.v[2] * u},
                                      r.eps2 * l2,
                                      r.h2 * l2,
                                      r.index};
    }
}

void CpuDevice::predict()
{
    const size_t bytes = precision_ ? sizeof(Predicted<double>) : sizeof(Predicted<float>);
    if (predicted_bytes_ < bytes * static_cast<size_t>(block_tiles_)) {
        predicted_ = host_array<char>(bytes * tiles_.size());
        predicted_bytes_ = bytes * tiles_.size();
        predicted_tiles_ = 0;
    }
    const Scale &s = block_.scale, &was = predicted_scale_;
    const bool same = predicted_time_ == block_.t && predicted_motion_ == block_.motion &&
                      s.length == was.length && s.mass == was.mass && s.velocity == was.velocity;
    if (same && predicted_tiles_ >= block_tiles_) return;
    counters_.predictions++;
#pragma omp parallel for schedule(static)                                                          \
    num_threads(threads()) if (block_tiles_ > 8 && threads() > 1)
    for (int t = 0; t < block_tiles_; t++)
        kernels_.predict[precision_](*tiles_[static_cast<size_t>(t)], block_.t, block_.motion, s,
                                     predicted_.get() + bytes * static_cast<size_t>(t));
    predicted_time_ = block_.t;
    predicted_motion_ = block_.motion;
    predicted_scale_ = s;
    predicted_tiles_ = block_tiles_;
}

DeviceStatus CpuDevice::finish(G6Sums *sums)
{
    return attempt([&] {
        if (block_.walk) {
            walk(sums);
        } else {
            predict();
            compute(sums);
        }
        counters_.waits++;
        counters_.copies_down++;
    });
}

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

// Tasks are (group of i, chunk of tiles); partial sums are added in the order of the chunks, so
// neither the number of threads nor the schedule changes a bit.
void CpuDevice::compute(G6Sums *sums)
{
    const auto kernel =
        kernels_
            .force[precision_][block_.want & kWantJerk ? 1 : 0][block_.want & kWantNearest ? 1 : 0];
    const int ni = block_.ni, groups = (ni + kGroup - 1) / kGroup;
    const int chunks = (block_tiles_ + kChunkTiles - 1) / kChunkTiles;
    const bool over_i = groups >= 4 * threads() || chunks < 2;
    auto run = [&](int group, int chunk, Partial *out) {
        const int i0 = group * kGroup;
        kernel(block_tile_.data(), predicted_.get(), chunk * kChunkTiles,
               std::min((chunk + 1) * kChunkTiles, block_tiles_), &i_[static_cast<size_t>(i0)],
               std::min(kGroup, ni - i0), out);
    };
    auto finish_group = [&](int group, const Partial *sum) {
        for (int k = 0; k < std::min(kGroup, ni - group * kGroup); k++)
            write_sums(sum[k], group * kGroup + k, sums);
    };
    const Partial zero{{}, {}, 0, std::numeric_limits<double>::infinity(), -1};
    if (over_i) {
#pragma omp parallel for schedule(dynamic) num_threads(threads()) if (groups > 1 && threads() > 1)
        for (int g = 0; g < groups; g++) {
            Partial sum[kGroup], part[kGroup];
            std::fill_n(sum, kGroup, zero);
            for (int c = 0; c < chunks; c++) {
                std::copy_n(sum, kGroup, part);  // the search goes on from the best so far
                run(g, c, part);
                for (int k = 0; k < std::min(kGroup, ni - g * kGroup); k++) add(sum[k], part[k]);
            }
            finish_group(g, sum);
        }
        return;
    }
    partial_.resize(static_cast<size_t>(groups) * static_cast<size_t>(chunks) * kGroup);
    auto part = [&](int g, int c) {
        return &partial_[(static_cast<size_t>(g) * chunks + c) * kGroup];
    };
#pragma omp parallel for collapse(2) schedule(dynamic) num_threads(threads()) if (threads() > 1)
    for (int g = 0; g < groups; g++)
        for (int c = 0; c < chunks; c++) {
            std::fill_n(part(g, c), kGroup, zero);
            run(g, c, part(g, c));
        }
    for (int g = 0; g < groups; g++) {
        Partial sum[kGroup];
        std::fill_n(sum, kGroup, zero);
        for (int c = 0; c < chunks; c++)
            for (int k = 0; k < std::min(kGroup, ni - g * kGroup); k++) add(sum[k], part(g, c)[k]);
        finish_group(g, sum);
    }
}

// Back to the caller's units; pot turns negative.
void CpuDevice::write_sums(const Partial &p, int i, G6Sums *sums) const
{
    const Scale &s = block_.scale;
    const double acc = s.length * s.length / s.mass, jerk = acc * s.length / s.velocity,
                 pot = s.length / s.mass;
    G6Sums &out = sums[i];
    for (int c = 0; c < 3; c++) {
        out.acc[c] = p.acc[c] * acc;
        out.jerk[c] = p.jerk[c] * jerk;
    }
    out.pot = -(p.pot * pot);
    out.nn_slot = p.nn_slot;
    out.nn_r2 = p.nn_slot >= 0 ? p.nn_r2 / (s.length * s.length) : 0.0;
    out.nn_index = p.nn_slot >= 0 && !block_.walk ? index_of(p.nn_slot) : 0;
}

int CpuDevice::index_of(int slot) const
{
    return tiles_[static_cast<size_t>(slot / kTile)]->index[slot % kTile];
}

// Nearest neighbours come as places in the tree.
void CpuDevice::walk(G6Sums *sums)
{
    const TreeView &tree = *block_.tree;
    partial_.resize(i_.size());
    tree_.sums(block_, i_, threads(), partial_.data());
    for (int k = 0; k < block_.ni; k++) {
        write_sums(partial_[static_cast<size_t>(k)], k, sums);
        if (sums[k].nn_slot < 0) continue;
        sums[k].nn_index = tree.index[sums[k].nn_slot];
        sums[k].nn_slot = tree.slot[sums[k].nn_slot];
    }
    counters_.interactions = tree_.counts().interactions;
    counters_.tests = tree_.counts().tests;
}

// ---- neighbour lists --------------------------------------------------------------------------

DeviceStatus CpuDevice::neighbours(NeighbourView *view)
{
    return attempt([&] {
        if (block_.walk) {
            tree_.lists(block_, i_, threads(), offset_, list_index_, list_slot_);
        } else {
            predict();
            find_neighbours();
        }
        *view = {offset_.data(), list_index_.data(), list_slot_.data()};
    });
}

void CpuDevice::list_one(int i, std::vector<Hit> &hits)
{
    const size_t bytes = precision_ ? sizeof(Predicted<double>) : sizeof(Predicted<float>);
    std::int32_t places[kTile];
    for (int t = 0; t < block_tiles_; t++) {
        const int n = kernels_.list[precision_](
            *block_tile_[static_cast<size_t>(t)], predicted_.get() + bytes * static_cast<size_t>(t),
            i_[static_cast<size_t>(i)], block_.own_in_lists != 0, places);
        for (int k = 0; k < n; k++) hits.push_back({i, t * kTile + places[k]});
    }
}

void CpuDevice::find_neighbours()
{
    const int ni = block_.ni, batches = (ni + kGroup - 1) / kGroup;
    hits_.resize(static_cast<size_t>(batches));
#pragma omp parallel for schedule(dynamic) num_threads(threads()) if (batches > 1 && threads() > 1)
    for (int b = 0; b < batches; b++) {
        hits_[static_cast<size_t>(b)].clear();
        for (int i = b * kGroup; i < std::min(ni, (b + 1) * kGroup); i++)
            if (i_[static_cast<size_t>(i)].h2 > 0) list_one(i, hits_[static_cast<size_t>(b)]);
    }
    offset_.assign(static_cast<size_t>(ni) + 1, 0);
    list_index_.clear();
    list_slot_.clear();
    for (const auto &batch : hits_)
        for (const Hit &hit : batch) {
            offset_[static_cast<size_t>(hit.i) + 1]++;
            list_slot_.push_back(hit.slot);
            list_index_.push_back(index_of(hit.slot));
        }
    for (int i = 0; i < ni; i++)
        offset_[static_cast<size_t>(i) + 1] += offset_[static_cast<size_t>(i)];
}

}  // namespace

Device *make_device(const Kernels &kernels, const DeviceOptions &options)
{
    return new (std::nothrow) CpuDevice(kernels, options);
}

}  // namespace g6::cpu
