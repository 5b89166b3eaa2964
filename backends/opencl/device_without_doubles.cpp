// SPDX-License-Identifier: MIT
// The half of a device without doubles that runs on the host: what it sends and what it makes of
// the results.
#include "../../libg6gpu/base/host_threads.h"
#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/formulas/units.h"
#include "device.h"

#include <cstring>

namespace g6::opencl {

// One transfer: planes, ids and ranges when j-particles changed, then the i-block.  Lists read the
// low parts of positions, the second plane, after a force that does not read them, too.
void OpenClDevice::send_from_host(const Request &r, const Block &block)
{
    const bool current = is_predicted(r);
    i_.assign(block.i, block.i + r.ni);
    const HostDoubles::Tiles t = HostDoubles::tiles(r.nj);
    const int planes = 2 + r.jerk;
    const size_t ni = static_cast<size_t>(r.ni), value_bytes = ni * HostDoubles::kIFloats * 4,
                 j_bytes = current ? 0 : t.bytes(planes), bytes = j_bytes + value_bytes + ni * 4;
    char *place = room(bytes);
    if (!current) {
        const int workers =
            threads_for(static_cast<size_t>(r.nj), HostDoubles::kLeastBodies, options_.threads);
        host_.predict(r.t, r.nj, r.motion, options_.use_snap != 0, r.scale, workers);
        host_.pack(place, planes, workers);
    }
    HostDoubles::pack_i(place + j_bytes, block.i, r.ni, r.scale);
    arena_bytes_ = 0;
    staging_.need(queue_, bytes);
    queue_.write(staging_, place, bytes);
    busy_ = true;
    size_t at = 0;
    if (!current) {
        for (int p = 0; p < planes; p++, at += t.plane_bytes)
            queue_.copy(planes_, static_cast<size_t>(p) * static_cast<size_t>(capacity_) * 16,
                        staging_, at, t.plane_bytes);
        queue_.copy(ids_, 0, staging_, at, t.id_bytes);
        queue_.copy(range_, 0, staging_, at + t.id_bytes, t.range_bytes);
        at += t.id_bytes + t.range_bytes;
    }
    queue_.copy(i_values_, 0, staging_, at, value_bytes);
    queue_.copy(i_index_, 0, staging_, at + value_bytes, ni * 4);
}

// To the caller's units.  A sum for which floats are not enough is NaN, so that the core computes
// it (Device::finish()).
void OpenClDevice::collect_from_host(G6Sums *sums)
{
    const Request &r = request_;
    const G6Units units = units_of(r.scale);
    parallel_for(host_threads(r.ni, options_.threads), r.ni, [&](int n) {
        FloatSums f;
        std::memcpy(&f, results_.host() + static_cast<size_t>(n) * sizeof f, sizeof f);
        const G6IRecord &i = i_[static_cast<size_t>(n)];
        double sum[7];
        for (int k = 0; k < 7; k++) sum[k] = static_cast<double>(f.sum[k][0]) + f.sum[k][1];
        G6Sums s{};
        g6_put_result(s, units, sum, sum + 3, sum[6]);
        s.nn_slot = f.slot;
        if (f.slot >= 0) {
            s.nn_r2 = g6_result_r2(units, host_.distance2(i, f.slot));
            s.nn_index = host_.index(f.slot);
        }
        sums[n] = s;
    });
}

}  // namespace g6::opencl
