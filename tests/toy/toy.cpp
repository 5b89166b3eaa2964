// SPDX-License-Identifier: MIT
// The smallest complete backend: one device, direct sums in double on the host, term after term.
// It shows what a new backend has to write, and tests/toy/toy.sh runs the library's physics tests
// on it.  Nothing outside of this folder knows it.
#include "libg6gpu/backend.h"
#include "libg6gpu/formulas/range.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>
#include <vector>

using namespace g6;

namespace {

#define G6_FN inline
#define G6_FMA(a, b, c) std::fma(a, b, c)
#define G6_PREDICT_REAL double
#include "libg6gpu/formulas/predict.h"
#define G6_REAL double
#define G6_PAIR_SUMS PairSums
#include "libg6gpu/formulas/pair.h"

// A limit of range.h, in device units.  The mass of a particle beyond it becomes NaN.
double within(double value, double most, double &mass)
{
    if (std::fabs(value) <= most) return value;
    mass = NAN;
    return std::copysign(most, value);
}

struct Slot {
    bool written = false;
    G6JRecord j{};
    double x[3], v[3], mass;  // at the time of the block, in device units
};

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
            if (s.written) predict(s);
        return kDeviceOk;
    }

    DeviceStatus finish(G6Sums *sums) override
    {
        const DeviceStatus status = attempt([&] {
            i_.clear();
            for (int k = 0; k < block_.ni; k++) i_.push_back(scaled(block_.i[k]));
        });
        for (size_t k = 0; !status && k < i_.size(); k++) sums[k] = sum(i_[k]);
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

    void predict(Slot &s) const
    {
        const double t = block_.t - s.j.t;
        s.mass = s.j.mass * block_.scale.mass;
        for (int k = 0; k < 3; k++) {
            const double k18 = use_snap_ ? s.j.k18[k] : 0;
            const double x = g6_predict_x(s.j.x[k], s.j.v[k], s.j.a2[k], s.j.j6[k], k18, t),
                         v = g6_predict_v(s.j.v[k], s.j.a2[k], s.j.j6[k], k18, t);
            s.x[k] = within(x * block_.scale.length, G6_FARTHEST, s.mass);
            s.v[k] = within((v - block_.scale.common_velocity[k]) * block_.scale.velocity,
                            G6_FASTEST, s.mass);
        }
    }

    // An i-particle in device units.
    G6IRecord scaled(G6IRecord i) const
    {
        const Scale &s = block_.scale;
        for (int k = 0; k < 3; k++) {
            i.x[k] *= s.length;
            i.v[k] = (i.v[k] - s.common_velocity[k]) * s.velocity;
        }
        i.eps2 = i.eps2 * s.length * s.length;
        i.h2 = i.h2 * s.length * s.length;
        return i;
    }

    static double distance2(const Slot &j, const G6IRecord &i)
    {
        return g6_length2(j.x[0] - i.x[0], j.x[1] - i.x[1], j.x[2] - i.x[2]);
    }

    G6Sums sum(const G6IRecord &i) const
    {
        PairSums s{};
        G6Sums out{};
        out.nn_slot = -1;
        for (int k = 0; k < block_.nj; k++) {
            const Slot &j = slots_[static_cast<size_t>(k)];
            if (!j.written || j.j.index == i.index) continue;
            const double r2 = distance2(j, i), soft = r2 + i.eps2;
            if (out.nn_slot < 0 || r2 < out.nn_r2) {
                out.nn_r2 = r2;
                out.nn_slot = k;
                out.nn_index = j.j.index;
            }
            g6_pair_hermite(&s, j.x[0] - i.x[0], j.x[1] - i.x[1], j.x[2] - i.x[2], j.v[0] - i.v[0],
                            j.v[1] - i.v[1], j.v[2] - i.v[2], j.mass,
                            soft > G6_COINCIDENT ? 1 / std::sqrt(soft) : 0);
        }
        const G6Units units = units_of(block_.scale);
        const double acc[3] = {s.ax, s.ay, s.az}, jerk[3] = {s.jx, s.jy, s.jz};
        g6_put_result(out, units, acc, jerk, s.pot);
        if (!(block_.want & kWantJerk)) std::fill_n(out.jerk, 3, 0.0);
        out.nn_r2 = g6_result_r2(units, out.nn_r2);
        return out;
    }

    void find_neighbours(const G6IRecord &i)
    {
        for (int k = 0; k < block_.nj; k++) {
            const Slot &j = slots_[static_cast<size_t>(k)];
            if (!j.written || (j.j.index == i.index && !block_.own_in_lists)) continue;
            if (!(distance2(j, i) < i.h2)) continue;
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
