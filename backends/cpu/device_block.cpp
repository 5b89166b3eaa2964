// SPDX-License-Identifier: MIT
// One block of a CPU device: its i-particles, results and neighbour lists.
#include "device.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/base/prefetch.h"
#include "../../libg6gpu/formulas/units.h"

#include <algorithm>

namespace g6::cpu {

DeviceStatus CpuDevice::start(const Block &block)
{
    return attempt([&] {
        apply();
        block_ = block;
        if (!block.is_walk) prepare(block);
    });
}

// Converts the i-particles to device units and collects the marks of the tiles that act.  When nj
// ends inside a tile, cut_ is a copy of the tile's marks in which slots from nj on are empty.
void CpuDevice::prepare(const Block &b)
{
    i_.resize(static_cast<size_t>(b.ni));
    constexpr size_t kSoon = 64;  // the first i-particles: other threads have read their memory
    request_to_write(i_.data(), std::min(i_.size(), kSoon) * sizeof i_[0]);
    for (int k = 0; k < b.ni; k++) i_[static_cast<size_t>(k)] = in_device_units(b.i[k], b.scale);
    block_tiles_ = tiles_of(b.nj);
    block_tile_.assign(tiles_.begin(), tiles_.begin() + block_tiles_);
    if (const int kept = b.nj % kTile) {
        cut_ = *tiles_[static_cast<size_t>(block_tiles_ - 1)];
        std::fill(cut_.alive + kept, cut_.alive + kTile, 0);
        cut_.live = std::min(cut_.live, kTile - 1);
        block_tile_.back() = &cut_;
    }
}

DeviceStatus CpuDevice::finish(G6Sums *sums)
{
    return attempt([&] {
        if (block_.is_walk) {
            walk(sums);
        } else {
            compute(sums);
        }
        counters_.waits++;
        counters_.copies_down++;
    });
}

// Writes results in the caller's units; pot turns negative.
void CpuDevice::write_sums(const Partial &p, int i, int nn_index, G6Sums *sums) const
{
    const G6Units units = units_of(block_.scale);
    G6Sums &out = sums[i];
    g6_put_result(out, units, p.acc, p.jerk, p.pot);
    out.nn_slot = p.nn_slot;
    out.nn_r2 = p.nn_slot >= 0 ? p.nn_r2 * units.r2 : 0.0;
    out.nn_index = nn_index;
}

int CpuDevice::index_of(int slot) const
{
    return tiles_[static_cast<size_t>(slot / kTile)]->index[slot % kTile];
}

// ---- neighbour lists --------------------------------------------------------------------------

DeviceStatus CpuDevice::neighbours(NeighbourView *view)
{
    return attempt([&] {
        if (block_.is_walk) {
            *view = groups_.lists(block_.own_in_lists != 0, threads());
            return;
        }
        note_time();
        predicted_.begin(block_tiles_, false, block_.nj);
        if (!predicted_.has_all()) predict();
        lists_.begin(block_.ni);
        parallel_shares(block_.ni > kBundle ? threads() : 1, block_.ni,
                        [&](int i, int) { list_one(i, lists_.of(i)); });
        *view =
            lists_.join([&](int slot) { return index_of(slot); }, [](int slot) { return slot; });
    });
}

void CpuDevice::list_one(int i, std::vector<int> &slots)
{
    const IParticle &particle = i_[static_cast<size_t>(i)];
    if (!(particle.h2 > 0)) return;
    std::int32_t entries[kTile];
    for (int t = 0; t < block_tiles_; t++) {
        const int n =
            kernels_.list[precision_](*block_tile_[static_cast<size_t>(t)], predicted_.stored(t),
                                      particle, block_.own_in_lists != 0, entries);
        for (int k = 0; k < n; k++) slots.push_back(t * kTile + entries[k]);
    }
}

}  // namespace g6::cpu
