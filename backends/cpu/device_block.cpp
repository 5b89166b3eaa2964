// SPDX-License-Identifier: MIT
// One block of a CPU device: prediction, sums and neighbour lists.
#include "device.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/base/prefetch.h"
#include "../../libg6gpu/formulas/range.h"
#include "../../libg6gpu/formulas/units.h"

#include <algorithm>
#include <limits>

namespace g6::cpu {

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
    const double limit = precision_ ? G6_FARTHEST_DOUBLE : G6_FARTHEST;
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

// From so many i-particles on the split positions of a tile save more time than they take.
constexpr int kLeastToSplit = 6;

bool CpuDevice::splits() const
{
    return precision_ == 0 && block_.whole_ni >= kLeastToSplit;
}

// splits: the tiles need split positions.
void CpuDevice::predict(bool splits)
{
    const size_t bytes = precision_ ? sizeof(Predicted<double>) : sizeof(Predicted<float>);
    if (predicted_bytes_ < bytes * static_cast<size_t>(block_tiles_)) {
        predicted_ = host_array<char>(bytes * tiles_.size());
        predicted_bytes_ = bytes * tiles_.size();
        predicted_tiles_ = 0;
    }
    const Scale &s = block_.scale;
    const bool same =
        predicted_time_ == block_.t && predicted_motion_ == block_.motion && s == predicted_scale_;
    const bool split = predicted_split_ && predicted_nj_ == block_.nj;
    if (same && predicted_tiles_ >= block_tiles_ && (split || !splits)) return;
    counters_.predictions++;
    constexpr int kFewTiles = 8;
    parallel_for(block_tiles_ > kFewTiles ? threads() : 1, block_tiles_, [&](int t) {
        const auto at = static_cast<size_t>(t);
        kernels_.predict[precision_](*tiles_[at], block_.t, block_.motion, s,
                                     splits ? block_tile_[at] : nullptr,
                                     predicted_.get() + bytes * at);
    });
    predicted_time_ = block_.t;
    predicted_motion_ = block_.motion;
    predicted_scale_ = s;
    predicted_split_ = splits;
    predicted_nj_ = block_.nj;
    predicted_tiles_ = block_tiles_;
}

DeviceStatus CpuDevice::finish(G6Sums *sums)
{
    return attempt([&] {
        if (block_.walk) {
            walk(sums);
        } else {
            predict(splits());
            compute(sums);
        }
        counters_.waits++;
        counters_.copies_down++;
    });
}

static void add(Partial &sum, const Partial &p)
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
    const int jerk = block_.want & kWantJerk ? 1 : 0, near = block_.want & kWantNearest ? 1 : 0;
    const auto kernel = precision_ == 0 && !splits() ? kernels_.few[jerk][near]
                                                     : kernels_.force[precision_][jerk][near];
    const int ni = block_.ni, groups = (ni + kGroup - 1) / kGroup, workers = threads();
    const int chunks = (block_tiles_ + kChunkTiles - 1) / kChunkTiles;
    const bool over_i = groups >= 4 * workers || chunks < 2;
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
        parallel_tasks(groups > 1 ? workers : 1, groups, 1, [&](int g, int) {
            Partial sum[kGroup], part[kGroup];
            std::fill_n(sum, kGroup, zero);
            for (int c = 0; c < chunks; c++) {
                std::copy_n(sum, kGroup, part);  // the search goes on from the best so far
                run(g, c, part);
                for (int k = 0; k < std::min(kGroup, ni - g * kGroup); k++) add(sum[k], part[k]);
            }
            finish_group(g, sum);
        });
        return;
    }
    partial_.resize(static_cast<size_t>(groups) * static_cast<size_t>(chunks) * kGroup);
    auto part = [&](int g, int c) {
        return &partial_[(static_cast<size_t>(g) * chunks + c) * kGroup];
    };
    parallel_tasks(workers, groups * chunks, 1, [&](int task, int) {
        const int g = task / chunks, c = task % chunks;
        std::fill_n(part(g, c), kGroup, zero);
        run(g, c, part(g, c));
    });
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
    const G6Units units = units_of(block_.scale);
    G6Sums &out = sums[i];
    g6_put_result(out, units, p.acc, p.jerk, p.pot);
    out.nn_slot = p.nn_slot;
    out.nn_r2 = p.nn_slot >= 0 ? g6_result_r2(units, p.nn_r2) : 0.0;
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
    tree_.sum(block_, i_, threads());
    constexpr int kAhead = 16;  // the order is that of keys
    parallel_for(threads(), block_.ni, [&](int k) {
        if (k + kAhead < block_.ni) prefetch_to_write(sums[tree_.number(k + kAhead)]);
        const int number = tree_.number(k);
        write_sums(tree_.partial(k), number, sums);
        G6Sums &out = sums[number];
        if (out.nn_slot < 0) return;
        out.nn_index = tree.index[out.nn_slot];
        out.nn_slot = tree.slot[out.nn_slot];
    });
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
            predict(false);
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
    parallel_tasks(batches > 1 ? threads() : 1, batches, 1, [&](int b, int) {
        hits_[static_cast<size_t>(b)].clear();
        for (int i = b * kGroup; i < std::min(ni, (b + 1) * kGroup); i++)
            if (i_[static_cast<size_t>(i)].h2 > 0) list_one(i, hits_[static_cast<size_t>(b)]);
    });
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

}  // namespace g6::cpu
