// SPDX-License-Identifier: MIT
// The CPU device: tiles of j-particles, OpenMP over groups of i-particles and, for few of them,
// over chunks of j. start() only records the block; finish() computes it, so that nothing is
// computed that is not collected and the client's own work between the halves has all cores.
#pragma once

#include "tree_block.h"

#include "../../libg6gpu/base/host_memory.h"

#include <vector>

namespace g6::cpu {

inline int tiles_of(int slots)
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

    const char *error() const override { return "cpu: host memory exhausted"; }
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
    bool splits() const;
    void predict(bool splits);
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
    // Whether the tiles have split positions, and the nj that these are for.
    bool predicted_split_ = false;
    int predicted_nj_ = 0;

    TreeBlock tree_;
    Block block_{};
    int block_tiles_ = 0;
    std::vector<IParticle> i_;
    HostArray<Tile> cut_;  // copy of the last tile when nj ends inside it
    std::vector<const Marks *> block_tile_;
    std::vector<Partial> partial_;
    std::vector<std::vector<Hit>> hits_;
    std::vector<std::int64_t> offset_;
    std::vector<int> list_index_, list_slot_;
};

// Host memory is all that can fail here, by std::bad_alloc or std::length_error.
template <class F> DeviceStatus CpuDevice::attempt(F &&f)
{
    try {
        f();
        return kDeviceOk;
    } catch (...) {
        return kDeviceOutOfMemory;
    }
}

template <class T> T *CpuDevice::grow(HostBuffer<T> &staged, int n)
{
    T *room = nullptr;
    attempt([&] { room = staged.append(static_cast<size_t>(n)); });
    return room;
}

}  // namespace g6::cpu
