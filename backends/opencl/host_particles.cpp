// SPDX-License-Identifier: MIT
// Keeps and predicts the j-particles of a device without doubles, and packs them by slot.
#include "host_particles.h"

#include "../../libg6gpu/base/parallel.h"
#include "../gpu/tile.h"
#include "float_pairs.h"

#include <climits>

namespace g6::opencl {
namespace {

struct Int2 {
    int x, y;
};
using gpu::kWordBytes;

}  // namespace

void HostParticles::put(const G6JRecord &row, int words)
{
    store_.write(row.slot, words,
                 [&](G6JRecord &kept, int kept_words) { copy_row(row, words, kept, kept_words); });
}

void HostParticles::clear()
{
    store_.clear();
    tree_.clear();
}

int HostParticles::set_block(const Block &block, const DeviceOptions &options)
{
    nj_ = block.nj;
    threads_ = options.threads;
    tree_.update(store_,
                 {Walk{}, block.t, block.nj, block.ni, block.scale, block.motion, options.threads});
    store_.commit();
    Block searched = block;
    searched.tree = &tree_.view();
    WalkPlan plan{};
    plan.together = 1;
    plan.threads = options.threads;
    if (searched.tree->bodies > 0) search_.set_block(searched, plan);
    return searched.tree->bodies;
}

HostParticles::Tiles HostParticles::tiles(int nj)
{
    const auto n = static_cast<std::size_t>(gpu::tiles_of(nj)), slots = n * gpu::kTile;
    return {slots * kWordBytes, slots * sizeof(Int2), n * sizeof(Int2)};
}

void HostParticles::pack(char *to, int planes)
{
    const TreeView &tree = tree_.view();
    const Tiles t = tiles(nj_);
    auto *id = reinterpret_cast<Int2 *>(to + static_cast<std::size_t>(planes) * t.plane_bytes);
    auto *range = reinterpret_cast<Int2 *>(reinterpret_cast<char *>(id) + t.id_bytes);
    const int tiles = gpu::tiles_of(nj_);
    place_.assign(static_cast<std::size_t>(tiles) * gpu::kTile, -1);
    for (int place = 0; place < tree.bodies; place++)
        place_[static_cast<std::size_t>(tree.slot[place])] = place;
    parallel_for(tree_threads(place_.size(), threads_), tiles, [&](int tile) {
        Int2 r{INT_MAX, INT_MIN};
        for (int k = tile * gpu::kTile; k < (tile + 1) * gpu::kTile; k++) {
            const auto slot = static_cast<std::size_t>(k);
            const int place = place_[slot];
            const bool there = place >= 0;
            id[slot] = there ? Int2{tree.index[place], 1} : Int2{0, 0};
            r = {std::min(r.x, there ? id[slot].x : INT_MIN),
                 std::max(r.y, there ? id[slot].x : INT_MAX)};
            put_body(to + slot * kWordBytes, t.plane_bytes, planes,
                     there ? body_of(tree, static_cast<std::size_t>(place)) : Body{});
        }
        range[tile] = r;
    });
}

}  // namespace g6::opencl
