// SPDX-License-Identifier: MIT
// What the host does for a device without doubles: it keeps the j-particles, predicts them in
// double and splits them into floats, and it makes distances of nearest neighbours and lists exact.
#pragma once

#include "../../libg6gpu/backend.h"

#include <cstddef>
#include <vector>

namespace g6::opencl {

// A double as two floats.
inline float high_part(double x)
{
    return static_cast<float>(x);
}
inline float low_part(double x)
{
    return static_cast<float>(x - static_cast<double>(high_part(x)));
}

class HostDoubles {
public:
    void resize(int slots);
    void clear();
    void put(const G6JRecord &record);
    void put(const G6JPoint &point);

    struct Tiles {
        int slots;  // whole tiles
        std::size_t plane_bytes, id_bytes, range_bytes;
        std::size_t bytes(int planes) const
        {
            return static_cast<std::size_t>(planes) * plane_bytes + id_bytes + range_bytes;
        }
    };
    static Tiles tiles(int nj);

    static constexpr std::size_t kLeastBodies = 2048;  // a thread predicts
    void predict(double t, int nj, Motion motion, bool use_snap, const Scale &scale, int threads);
    // Planes of the layout (layout.cl), then ids, then ranges, one after the other.
    void pack(char *to, int planes, int threads) const;

    // Components of an i-particle in floats (iparticle.cl), [kIFloats][ni], then the indices.
    static constexpr int kIFloats = 11;
    static void pack_i(char *to, const G6IRecord *i, int ni, const Scale &scale);

    // Unsoftened distance squared of a slot in device units.
    double distance2(const G6IRecord &i, int slot) const;
    int index(int slot) const { return records_[static_cast<std::size_t>(slot)].index; }

private:
    struct Body {
        double x[3], v[3], m;
    };
    Body predicted(const G6JRecord &r) const;

    std::vector<G6JRecord> records_;
    std::vector<char> written_;
    std::vector<Body> body_;  // at the time of the block, in device units
    double t_ = 0;
    int nj_ = 0;
    Motion motion_{};
    bool use_snap_ = true;
    Scale scale_;
};

}  // namespace g6::opencl
