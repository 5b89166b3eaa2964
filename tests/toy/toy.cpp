// SPDX-License-Identifier: MIT
// The smallest complete backend: one device, direct sums in double on the host, term after term,
// with the pairs of the fake devices.  It shows what a new backend has to write, and
// tests/toy/toy.sh runs the library's physics tests on it.  Nothing outside of this folder knows
// it.
#include "libg6gpu/backend.h"
#include "tests/fake/backends/plain_sums.h"

#include <cstdio>
#include <new>
#include <vector>

using namespace g6;
using g6test::Slot;

namespace {

class Toy : public Device {
public:
    explicit Toy(bool use_snap) : use_snap_(use_snap) {}
    const char *error() const override { return "host memory exhausted"; }

    DeviceStatus reserve(int nj) override
    {
        return attempt([&] {
            if (slots_.size() < static_cast<size_t>(nj)) slots_.resize(static_cast<size_t>(nj));
        });
    }

    double *stage(int n, int words) override
    {
        row_words_ = words;
        attempt([&] { staged_.emplace_back(static_cast<size_t>(n * words)); });
        return status_ ? nullptr : staged_.back().data();
    }

    DeviceStatus start(const Block &block) override
    {
        apply();
        block_ = block;
        for (Slot &s : slots_)
            if (s.written) g6test::predict(s, block.t, use_snap_);
        return kDeviceOk;
    }

    DeviceStatus finish(G6Sums *sums) override
    {
        const DeviceStatus status = attempt([&] { i_.assign(block_.i, block_.i + block_.ni); });
        for (size_t k = 0; !status && k < i_.size(); k++) {
            sums[k] = G6Sums{};
            sums[k].nn_slot = -1;
            for (int slot = 0; slot < block_.nj; slot++)
                g6test::add(slots_[static_cast<size_t>(slot)], slot, i_[k], block_.want, sums[k]);
        }
        return status;
    }

    DeviceStatus neighbours(NeighbourView *view) override
    {
        return attempt([&] {
            offset_.assign(1, 0);
            index_.clear();
            slot_.clear();
            for (const G6IRecord &i : i_) {
                find_neighbours(i);
                offset_.push_back(static_cast<std::int64_t>(index_.size()));
            }
            *view = {offset_.data(), index_.data(), slot_.data()};
        });
    }

    DeviceStatus clear() override
    {
        slots_.clear();
        staged_.clear();
        return kDeviceOk;
    }
    DeviceCounters counters() const override { return {}; }

private:
    // No exception leaves a backend.
    template <class F> DeviceStatus attempt(F &&f)
    {
        try {
            f();
            return status_ = kDeviceOk;
        } catch (const std::bad_alloc &) {
            return status_ = kDeviceOutOfMemory;
        }
    }

    void apply()
    {
        for (const auto &batch : staged_)
            for (size_t k = 0; k < batch.size() / static_cast<size_t>(row_words_); k++) {
                const G6JRecord r = record_from(row_at(batch.data(), row_words_, k), row_words_);
                Slot &s = slots_[static_cast<size_t>(r.slot)];
                s.written = true;
                s.j = r;
            }
        staged_.clear();
    }

    void find_neighbours(const G6IRecord &i)
    {
        for (int k = 0; k < block_.nj; k++) {
            const Slot &j = slots_[static_cast<size_t>(k)];
            if (!g6test::is_neighbour(j, i, block_.own_in_lists)) continue;
            index_.push_back(j.j.index);
            slot_.push_back(k);
        }
    }

    const bool use_snap_;
    DeviceStatus status_ = kDeviceOk;
    std::vector<Slot> slots_;
    std::vector<std::vector<double>> staged_;
    int row_words_ = kRestWords;
    Block block_{};
    std::vector<G6IRecord> i_;
    std::vector<std::int64_t> offset_;
    std::vector<int> index_, slot_;
};

int count(const char **)
{
    return 1;
}

DeviceStatus describe(int, DeviceInfo *info)
{
    *info = DeviceInfo{};
    std::snprintf(info->name, sizeof info->name, "toy");
    info->compute_units = info->has_double = info->is_cpu = 1;
    info->memory_bytes = info->memory_free_bytes = 1e9;
    return kDeviceOk;
}

Device *open(int, const DeviceOptions *options, const char **reason)
{
    Device *device = new (std::nothrow) Toy(options->use_snap != 0);
    if (!device) *reason = "host memory exhausted";
    return device;
}

const Backend backend = {kBackendAbi, "toy", count, describe, open};

}  // namespace

extern "C" __attribute__((visibility("default"))) const Backend *g6_backend_entry()
{
    return &backend;
}
