// SPDX-License-Identifier: MIT
// A direct sum on a device without doubles: the host predicts and searches for neighbours.
#include "../../libg6gpu/formulas/units.h"
#include "device.h"

namespace g6::opencl {

// One transfer: planes, ids and ranges of the j-particles if they have changed, then i-particles.
void OpenClDevice::send_from_host(const Request &r)
{
    const bool current = is_predicted(r);
    const HostParticles::Tiles t = HostParticles::tiles(r.nj);
    const int planes = r.jerk ? 3 : 2;
    const size_t ni = static_cast<size_t>(r.ni), value_bytes = ni * kIFloats * 4,
                 j_bytes = current ? 0 : t.bytes(planes), bytes = j_bytes + value_bytes + ni * 4;
    char *begin = append(bytes);
    if (!current) host_.pack(begin, planes);
    auto *value = reinterpret_cast<float *>(begin + j_bytes);
    auto *index = reinterpret_cast<int *>(value + kIFloats * ni);
    for (size_t k = 0; k < ni; k++) {
        put_i(value, ni, k, in_device_units(r.i[k], r.scale));
        index[k] = r.i[k].index;
    }
    arena_bytes_ = 0;
    staging_.need(queue_, bytes);
    queue_.write(staging_, begin, bytes);
    busy_ = true;
    size_t at = 0;
    const auto copy = [&](const Memory &to, size_t to_byte, size_t n) {
        queue_.copy(to, to_byte, staging_, at, n);
        at += n;
    };
    if (!current) {
        for (int p = 0; p < planes; p++)
            copy(planes_, static_cast<size_t>(p) * static_cast<size_t>(capacity_) * 16,
                 t.plane_bytes);
        copy(ids_, 0, t.id_bytes);
        copy(range_, 0, t.range_bytes);
    }
    copy(i_values_, 0, value_bytes);
    copy(i_index_, 0, ni * 4);
}

void OpenClDevice::collect_from_host(G6Sums *sums)
{
    const G6Units units = units_of(request_.scale);
    for (int n = 0; n < request_.ni; n++) {
        const int k = host_.search().number(n);
        sums[k] = sums_of(results_.host(), k, false, units);
        if (request_.near) host_.search().put_nearest(n, sums[k]);
    }
}

}  // namespace g6::opencl
