// SPDX-License-Identifier: MIT
#include "direct_step.h"

#include <algorithm>
#include <cmath>

namespace g6::cuda {
namespace {

// Rates of the rows of the shape table relative to the best, measured with Hermite force and
// nearest neighbour (split, full) and acc and pot (single) on an H200.
constexpr double kRate[3][6] = {
    {0.90, 0.93, 1.00, 0.92, 0.6, 1.02},  // split
    {0.90, 0.92, 0.97, 1.00, 0.6, 0.95},  // single
    {0.92, 0.96, 1.00, 0.96, 0.8, 0.93},  // full
};

// At least two tiles to a slice, and one to each lane.
int most_slices(const Request &r, int row)
{
    const int tiles = (r.nj + kTile - 1) / kTile;
    return std::max(1, tiles / std::max(2, shape(row).lanes_j));
}

int i_tiles(const Request &r, int row)
{
    const int per_block = shape(row).lanes_i * shape(row).per_thread;
    return (r.ni - 1) / per_block + 1;
}

}  // namespace

DirectStep::DirectStep(const SharedParts &parts) : parts_(parts)
{
    // In the stream: no other one is waited for before its first kernel.
    need_zeros(ticket_, 1, parts_.stream);
}

// ---- shape and slices -------------------------------------------------------------------------

// resident_blocks() asks the driver: once for each kernel.
int DirectStep::resident(const Request &r) const
{
    int &known = resident_[static_cast<int>(r.arithmetic)][r.jerk][r.near][r.shape];
    if (known == 0) known = std::max(1, resident_blocks(r));
    return known;
}

// Blocks of the request's shape that run at once.
int DirectStep::room(const Request &r) const
{
    return parts_.multiprocessors * resident(r);
}

// The row that takes least time for whole i-tiles on the part of the chip that it can fill.
int DirectStep::best_shape(Request r) const
{
    int best = 0;
    double least = 0;
    for (r.shape = 0; r.shape < shapes(); r.shape++) {
        // Their many readers of the j-particles tell when there are thousands of i.
        const bool one_warp = shape(r.shape).lanes_i * shape(r.shape).lanes_j == 32;
        if (one_warp && r.ni >= 4096) continue;
        const int tiles = i_tiles(r, r.shape);
        const double filled =
            std::min(1.0, static_cast<double>(tiles) * most_slices(r, r.shape) / room(r));
        const double padded =
            static_cast<double>(tiles) * shape(r.shape).lanes_i * shape(r.shape).per_thread;
        const double time = padded / (kRate[static_cast<int>(r.arithmetic)][r.shape] * filled);
        if (r.shape == 0 || time < least) {
            least = time;
            best = r.shape;
        }
    }
    return best;
}

// Shape and slices: enough blocks to fill the chip once or a few times over, in whole waves.
void DirectStep::choose_launch(Request &r) const
{
    r.shape = shape_wanted_ >= 0 ? std::min(shapes() - 1, shape_wanted_) : best_shape(r);
    constexpr int kRows = 65535;  // of a grid
    const int across = i_tiles(r, r.shape), fill = room(r),
              most = std::min(kRows, most_slices(r, r.shape));
    // More waves even out blocks of unequal length, but each slice costs its share of adding up.
    const int most_waves = r.ni >= 4096 ? 6 : 1;
    int best = 1;
    double best_use = 0;
    for (int waves = 1; waves <= most_waves; waves++) {
        const int slices = std::max(1, std::min(most, waves * fill / across));
        const double blocks = static_cast<double>(slices) * across;
        const double use = blocks / (std::ceil(blocks / fill) * fill) - 0.05 / waves;
        if (use > best_use) {
            best_use = use;
            best = slices;
        }
    }
    r.slices = slices_wanted_ > 0 ? std::max(1, std::min(most, slices_wanted_)) : best;
}

// ---- the step ---------------------------------------------------------------------------------

void DirectStep::start(const Request &request, const Block &block)
{
    request_ = request;
    own_in_lists_ = block.own_in_lists != 0;
    choose_launch(request_);
    const Request &r = request_;
    const size_t parts = static_cast<size_t>(r.ni) * static_cast<size_t>(r.slices);
    Results &results = parts_.results;
    results.begin(r.ni, Results::few_enough(r.ni));
    partial_sums_.need(7 * parts);
    partial_keys_.need(2 * parts);
    partial_tiles_.need(parts);
    const Partials partials{partial_sums_.get(), partial_keys_.get(), partial_keys_.get() + parts,
                            partial_tiles_.get()};
    JParticles &j = parts_.j;
    j.receive(parts_.i, r);
    j.predict(r);
    const JMemory sent = j.memory();
    const IMemory &i = parts_.i.memory();
    launch_force(parts_.stream, r, sent, j.predicted(), i, partials);
    launch_reduce(parts_.stream, r, sent, j.predicted(), i, partials, results.out(), ticket_.get(),
                  results.flag(), results.sequence());
    results.send();
}

void DirectStep::finish(G6Sums *sums)
{
    parts_.results.wait();
    parts_.results.collect(sums);
}

void DirectStep::list_neighbours()
{
    parts_.lists.search(request_, own_in_lists_, parts_.j.memory(), parts_.j.predicted(),
                        parts_.i.memory());
}

}  // namespace g6::cuda
