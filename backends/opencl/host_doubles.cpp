// SPDX-License-Identifier: MIT
// Predicts the j-particles in double, and packs them and the i-particles for the device: a
// coordinate as the sum of two floats, all else as one float.
#include "host_doubles.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/base/vec3.h"
#include "../../libg6gpu/particles/predictor.h"
#include "../../libg6gpu/formulas/range.h"
#include "../gpu/tile.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>

namespace g6::opencl {
namespace {

struct Float4 {
    float x, y, z, w;
};
struct Int2 {
    int x, y;
};

// Component c of a velocity.
double in_device_units(const Scale &scale, const double v[3], int c)
{
    return (v[c] - scale.common_velocity[c]) * scale.velocity;
}

}  // namespace

void HostDoubles::resize(int slots)
{
    const size_t n = static_cast<size_t>(slots);
    if (n <= records_.size()) return;
    body_.resize(n + gpu::kTile);
    written_.resize(n, 0);
    records_.resize(n);
}

void HostDoubles::clear()
{
    std::fill(written_.begin(), written_.end(), 0);
}

void HostDoubles::put(const G6JRecord &record)
{
    const size_t slot = static_cast<size_t>(record.slot);
    records_[slot] = record;
    written_[slot] = 1;
}

void HostDoubles::put(const G6JPoint &p)
{
    G6JRecord r{};
    std::copy_n(p.x, 3, r.x);
    r.mass = p.mass;
    r.index = p.index;
    r.slot = p.slot;
    put(r);
}

HostDoubles::Tiles HostDoubles::tiles(int nj)
{
    const int n = gpu::tiles_of(nj);
    const size_t slots = static_cast<size_t>(n) * gpu::kTile;
    return {n * gpu::kTile, slots * sizeof(Float4), slots * sizeof(Int2),
            static_cast<size_t>(n) * sizeof(Int2)};
}

HostDoubles::Body HostDoubles::predicted(const G6JRecord &r) const
{
    Body b{};
    b.m = r.mass * scale_.mass;
    if (motion_ == Motion::kAtRest)
        std::copy_n(r.x, 3, b.x);
    else
        g6::predict(r, t_, use_snap_ && motion_ == Motion::kQuartic, b.x, b.v);
    const auto within = [&](double u, double limit) {
        if (std::fabs(u) <= limit) return u;
        b.m = std::numeric_limits<double>::quiet_NaN();
        return std::copysign(limit, u);
    };
    for (int c = 0; c < 3; c++) {
        b.x[c] = within(b.x[c] * scale_.length, G6_FARTHEST);
        b.v[c] = within(in_device_units(scale_, b.v, c), G6_FASTEST);
    }
    return b;
}

void HostDoubles::predict(double t, int nj, Motion motion, bool use_snap, const Scale &scale,
                          int threads)
{
    t_ = t;
    nj_ = nj;
    motion_ = motion;
    use_snap_ = use_snap;
    scale_ = scale;
    parallel_for(threads, nj, [&](int k) {
        const size_t slot = static_cast<size_t>(k);
        body_[slot] = written_[slot] ? predicted(records_[slot]) : Body{};
    });
}

void HostDoubles::pack(char *to, int planes, int threads) const
{
    const Tiles t = tiles(nj_);
    const size_t stride = static_cast<size_t>(t.slots);
    auto *plane = reinterpret_cast<Float4 *>(to);
    auto *id = reinterpret_cast<Int2 *>(to + static_cast<size_t>(planes) * t.plane_bytes);
    auto *range = id + stride;
    parallel_for(threads, t.slots / gpu::kTile, [&](int tile) {
        Int2 r{INT_MAX, INT_MIN};
        for (int k = tile * gpu::kTile; k < (tile + 1) * gpu::kTile; k++) {
            const size_t s = static_cast<size_t>(k);
            const bool there = k < nj_ && written_[s];
            const Body b = there ? body_[s] : Body{};
            id[s] = there ? Int2{records_[s].index, 1} : Int2{0, 0};
            r = {std::min(r.x, there ? id[s].x : INT_MIN),
                 std::max(r.y, there ? id[s].x : INT_MAX)};
            const double x = b.x[0], y = b.x[1], z = b.x[2];
            plane[s] = {high_part(x), high_part(y), high_part(z), high_part(b.m)};
            if (planes > 1)
                plane[stride + s] = {low_part(x), low_part(y), low_part(z), high_part(b.v[0])};
            if (planes > 2) plane[2 * stride + s] = {high_part(b.v[1]), high_part(b.v[2]), 0, 0};
        }
        range[tile] = r;
    });
}

void HostDoubles::pack_i(char *to, const G6IRecord *i, int ni, const Scale &scale)
{
    auto *value = reinterpret_cast<float *>(to);
    const size_t n = static_cast<size_t>(ni);
    auto *index = reinterpret_cast<int *>(value + kIFloats * n);
    const double area = scale.length * scale.length;
    for (size_t k = 0; k < n; k++) {
        for (size_t c = 0; c < 3; c++) {
            const double x = i[k].x[c] * scale.length;
            value[c * n + k] = high_part(x);
            value[(3 + c) * n + k] = high_part(in_device_units(scale, i[k].v, static_cast<int>(c)));
            value[(7 + c) * n + k] = low_part(x);
        }
        value[6 * n + k] = high_part(i[k].eps2 * area);
        // A radius that vanishes in float is still one.
        value[10 * n + k] =
            i[k].h2 > 0 ? std::max(high_part(i[k].h2 * area), std::numeric_limits<float>::min())
                        : 0;
        index[k] = i[k].index;
    }
}

double HostDoubles::distance2(const G6IRecord &i, int slot) const
{
    const Body &b = body_[static_cast<size_t>(slot)];
    double d[3];
    for (int c = 0; c < 3; c++) d[c] = b.x[c] - i.x[c] * scale_.length;
    return std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0]));
}

}  // namespace g6::opencl
