// SPDX-License-Identifier: MIT
// The CPU device.  It has the j-particles in tiles.  Threads share a block by bundles of
// i-particles, and by pieces of the j-particles where there are few i-particles.  start() takes in
// the staged rows and records the block, and finish() computes the sums.  So no sums are computed
// that nobody collects, and the client's own work between firsthalf and lasthalf has all cores.
#pragma once

#include "predicted_tiles.h"
#include "walk.h"

#include "../../libg6gpu/base/host_memory.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

namespace g6::cpu {

inline int tiles_of(int slots)
{
    return slots / kTile + (slots % kTile != 0);
}

class CpuDevice : public Device {
public:
    CpuDevice(const Kernels &kernels, const DeviceOptions &options)
        : kernels_(kernels), precision_(options.precision == Precision::kDouble ? 1 : 0),
          threads_(options.threads),
          predicted_(precision_ ? sizeof(Predicted<double>) : sizeof(Predicted<float>))
    {
    }

    const char *error() const override { return "cpu: host memory exhausted"; }
    DeviceStatus reserve(int nj) override;
    double *stage(int n, int words) override;
    DeviceStatus start(const Block &block) override;
    DeviceStatus finish(G6Sums *sums) override;
    DeviceStatus neighbours(NeighbourView *view) override;
    DeviceStatus clear() override;
    DeviceCounters counters() const override { return counters_; }

private:
    // Only host memory can fail here, by std::bad_alloc or std::length_error.
    template <class F> DeviceStatus attempt(F &&f)
    {
        try {
            f();
            return kDeviceOk;
        } catch (...) {
            return kDeviceOutOfMemory;
        }
    }
    int threads() const;
    void apply();
    void prepare(const Block &block);
    bool splits() const;
    void forget_predictions();
    void note_time();
    bool shares_prediction();
    bool stays_in_range() const;
    Prediction prediction() const;
    void predict();
    void add_tiles(int first, int last, int first_i, int n, const Prediction *how, char *predicted,
                   Partial *out) const;
    struct Tasks;
    Tasks divide(int workers) const;
    void sum_tasks(const Tasks &tasks, bool share, G6Sums *sums);
    int in_bundle(const Tasks &tasks, int bundle) const;
    // Sums of one task.  The task of piece p and bundle b has the number p * bundles + b.
    Partial *partial_of(int task) { return &partial_[static_cast<size_t>(task) * kBundle]; }
    void finish_bundle(const Tasks &tasks, int bundle, G6Sums *sums);
    void compute(G6Sums *sums);
    void walk(G6Sums *sums);
    void walk_groups(Walker &walker, int first, int last, G6Sums *sums);
    void write_sums(const Partial &p, int i, int nn_index, G6Sums *sums) const;
    int index_of(int slot) const;
    void list_one(int i, std::vector<int> &slots);

    const Kernels &kernels_;
    const int precision_;
    const int threads_;
    DeviceCounters counters_;

    std::vector<HostArray<Tile>> storage_;
    std::vector<Tile *> tiles_;
    HostBuffer<double> staged_;
    int staged_rows_ = 0, row_words_ = kRestWords;

    // Of all particles since the device was cleared.
    struct Extent {
        double largest_term = 0;  // of |x|, |v|, |a2|, |j6| and |k18|
        double first_t = 0, last_t = 0;
        void cover(const double (&term)[3])
        {
            const double most =
                std::max({std::fabs(term[0]), std::fabs(term[1]), std::fabs(term[2])});
            largest_term = std::max(largest_term, most);
        }
        void add(const Extent &other);
    };
    void request_slot(int slot) const;
    void put(const G6JRecord *r, Extent &extent);
    Extent extent_;
    BlockTask shared_{};             // has the time, motion and scale of the last direct sum
    int blocks_of_time_ = 0;         // blocks in succession with this time, motion and scale
    bool times_are_shared_ = false;  // several blocks had the time before this one
    bool particles_changed_ = true;  // since the last direct sum
    PredictedTiles predicted_;

    // Of walks.
    Groups groups_;
    std::vector<Walker> walkers_;
    std::vector<double> aold_;  // in the order of keys; in a walk partial_ has this order, too

    Block block_{};
    int block_tiles_ = 0;
    std::vector<IParticle> i_;  // of a direct sum
    Marks cut_;                 // marks of the last tile when nj ends inside this tile
    std::vector<const Marks *> block_tile_;
    std::vector<Partial> partial_;
    std::vector<std::atomic<int>> pieces_left_;  // [bundle] pieces that are not summed yet
    FoundLists lists_;                           // of a direct sum, by slots
};

}  // namespace g6::cpu
